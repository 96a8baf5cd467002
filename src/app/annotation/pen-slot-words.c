/* pen-slot-words.c: what an annotation row says in words: its version, its notes, all of it aloud
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slot-words.h"

#include <glib/gi18n-lib.h>

#include "pen-amount-words.h"
#include "pen-phrases.h"
#include "pen-format.h"
#include "pen-palette.h"

/* The first of many versions show how it goes on. */
#define LISTED_MAX 24

static char *
title_of (PenSlot *self, const PenAnnotationLine *line)
{
  const PenPoke *poke = pen_slot_find_poke (self, line);

  if (poke && poke->effect == PEN_POKE_FILL)
    return g_strdup (C_ ("version", "written"));
  if (poke && poke->effect == PEN_POKE_CLEAR)
    return g_strdup (C_ ("version", "erased"));
  if (line->poke > 0)
    return g_strdup_printf (C_ ("version", "patch %u"), line->version);
  return g_strdup (line->version == 0 ? C_ ("version", "original")
                                      : C_ ("version", "next occupant"));
}

char *
pen_slot_dup_version_title (PenSlot *self)
{
  return title_of (self, pen_slot_get_nth_line (self, 0));
}

char *
pen_slot_dup_who (const PenPoke *poke)
{
  g_autofree char *comm = pen_display_text (poke->comm ? poke->comm : "");

  return pen_phrase_task (comm, poke->pid, poke->cpu);
}

/* Beside the code there is little room. */
static char *
dup_who_short (const PenPoke *poke)
{
  g_autofree char *comm = pen_display_text (poke->comm ? poke->comm : "");

  if (poke->pid < 0)
    return g_strdup (comm);
  return g_strdup_printf ("%s [%d]", comm[0] ? comm : _ ("task"), poke->pid);
}

char *
pen_slot_dup_version_detail (PenSlot *self)
{
  const PenAnnotationLine *line = pen_slot_get_nth_line (self, 0);
  const PenPoke *poke = pen_slot_find_poke (self, line);
  g_autofree char *when
      = pen_clock_format_tenancy (pen_slot_get_clock (self), line->from, line->to);
  g_autofree char *who = poke ? dup_who_short (poke) : NULL;
  guint64 near = pen_slot_get_near (self);
  PenAmount amount = pen_slot_get_line_amount (self, line);
  gboolean is_of_waits = amount.population == PEN_POPULATION_WAITS;
  g_autofree char *close = g_strdup_printf ("%" G_GUINT64_FORMAT, near);
  g_autofree char *all = is_of_waits ? pen_amount_phrase_number (amount, TRUE)
                                     : g_strdup_printf ("%" G_GUINT64_FORMAT, amount.n);
  GString *text = g_string_new (when);

  if (who && who[0])
    g_string_append_printf (text, " · %s", who);
  if (near > 0)
    g_string_append_printf (text, _ (" · %s of %s near a change"), close, all);
  return g_string_free (text, FALSE);
}

char *
pen_slot_dup_notes (PenSlot *self)
{
  GPtrArray *notes = pen_slot_get_notes (self);
  GString *text;

  if (!notes)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < notes->len; i++) {
    g_autofree char *shown = pen_display_text (((const PenNoteRow *) notes->pdata[i])->note->text);

    if (i > 0)
      g_string_append_c (text, '\n');
    g_string_append_printf (text, _ ("Note: %s"), shown);
  }
  return g_string_free (text, FALSE);
}

char *
pen_slot_dup_samples (PenSlot *self)
{
  guint n = pen_slot_get_n_lines (self);
  PenAmount amount = pen_slot_get_amount (self);
  g_autofree char *phrase = pen_amount_phrase (amount, FALSE);
  g_autofree char *number = pen_amount_phrase_number (amount, FALSE);
  g_autofree char *band = pen_format_band (pen_slot_get_near (self), amount);
  GString *text = g_string_new (phrase);

  if (amount.population == PEN_POPULATION_WAITS)
    g_string_append_printf (text, " · %s", number);
  for (guint i = 0; n > 1 && i < MIN (n, LISTED_MAX); i++) {
    const PenAnnotationLine *line = pen_slot_get_nth_line (self, i);
    g_autofree char *title = title_of (self, line);
    g_autofree char *count = pen_amount_format (pen_slot_get_line_amount (self, line));

    g_string_append_printf (text, "%s%s: %s", i == 0 ? "\n" : " · ", title, count);
  }
  if (n > LISTED_MAX)
    g_string_append_printf (
        text, ngettext (" · and %u more version", " · and %u more versions", n - LISTED_MAX),
        n - LISTED_MAX);
  if (band)
    g_string_append_printf (text, "\n%s", band);
  return g_string_free (text, FALSE);
}

char *
pen_slot_dup_segment (PenSlot *self, guint i)
{
  const PenAnnotationLine *line = pen_slot_get_nth_line (self, i);
  PenStripSheet sheet = pen_slot_make_sheet (self, (PenSpan){ 0, 0 });
  g_autofree char *title = title_of (self, line);
  g_autofree char *word = pen_strip_sheet_dup_word (&sheet, line);
  g_autofree char *when
      = pen_clock_format_tenancy (pen_slot_get_clock (self), line->from, line->to);
  g_autofree char *count = pen_amount_phrase (pen_slot_get_line_amount (self, line), FALSE);

  /* Translators: the version of an instruction, what it does, from when to when, and its samples */
  return g_strdup_printf (_ ("%s: %s, %s, %s"), title, word, when, count);
}

char *
pen_slot_dup_segments (PenSlot *self)
{
  guint n = pen_slot_get_n_lines (self);
  GString *text;

  if (n < 2)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < MIN (n, LISTED_MAX); i++) {
    g_autofree char *segment = pen_slot_dup_segment (self, i);

    g_string_append_printf (text, "%s%s", i > 0 ? "; " : "", segment);
  }
  if (n > LISTED_MAX)
    g_string_append_printf (
        text, ngettext (" · and %u more version", " · and %u more versions", n - LISTED_MAX),
        n - LISTED_MAX);
  return g_string_free (text, FALSE);
}

static char *
dup_code (PenSlot *self)
{
  const PenAnnotationLine *line = pen_slot_get_line (self);
  g_autofree char *named = pen_format_instruction (line->instruction, line->target);

  return line->is_inside ? g_strdup (_ ("inside the previous instruction"))
                         : pen_display_text (named);
}

static void
append_version (PenSlot *self, GString *text)
{
  const PenAnnotationLine *line = pen_slot_get_line (self);
  const PenPoke *poke = pen_slot_find_poke (self, line);
  g_autofree char *title = pen_slot_dup_version_title (self);
  g_autofree char *when
      = pen_clock_format_tenancy (pen_slot_get_clock (self), line->from, line->to);
  g_autofree char *who = poke ? pen_slot_dup_who (poke) : NULL;
  g_autofree char *code = dup_code (self);

  if (poke)
    g_string_append_printf (text, _ ("version %u, %s by %s, %s: %s"), line->version + 1, title,
                            pen_palette_cause_title (poke->cause), when, code);
  else
    g_string_append_printf (text, _ ("version %u, %s, %s: %s"), line->version + 1, title, when,
                            code);
  if (who)
    g_string_append_printf (text, _ (", patched by %s"), who);
}

static void
append_slot (PenSlot *self, GString *text)
{
  const PenAnnotationLine *line = pen_slot_get_line (self);
  guint n = pen_slot_get_n_lines (self);
  g_autofree char *offset = g_strdup_printf ("%" G_GINT64_MODIFIER "x", line->offset);
  g_autofree char *code = dup_code (self);

  g_string_append_printf (text, _ ("offset %s: %s"), offset, code);
  if (n > 1 && pen_slot_is_present (self))
    g_string_append_printf (text, _ (", version %u of %u"), line->version + 1, n);
  else if (n > 1)
    g_string_append_printf (
        text, ngettext (", %u version, not present", ", %u versions, none present", n), n);
  else if (pen_slot_get_nth_line (self, 0)->is_patched)
    g_string_append (text, _ (", patched"));
}

char *
pen_slot_dup_spoken (PenSlot *self)
{
  g_autofree char *notes = pen_slot_dup_notes (self);
  PenAmount amount = pen_slot_get_amount (self);
  g_autofree char *band = pen_format_band (pen_slot_get_near (self), amount);
  g_autofree char *count = pen_amount_phrase (amount, TRUE);
  GString *text = g_string_new (NULL);

  if (pen_slot_is_version (self))
    append_version (self, text);
  else
    append_slot (self, text);
  g_string_append_printf (text, ", %s", count);
  if (band)
    g_string_append_printf (text, ". %s", band);
  if (notes)
    g_string_append_printf (text, ". %s", notes);
  return g_string_free (text, FALSE);
}
