/* pen-slot-words.c: what an annotation row says in words: its version, its notes, all of it aloud
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slot-words.h"

#include "pen-format.h"
#include "pen-palette.h"
#include "pen-strip-sheet.h"

/* Of many versions, the first tell how it goes on. */
#define LISTED_MAX 24

static char *
title_of (PenSlot *self, const PenAnnotationLine *line)
{
  const PenStoredPoke *poke = pen_slot_find_poke (self, line);

  if (poke && poke->poke.effect == PEN_POKE_FILL)
    return g_strdup ("written");
  if (poke && poke->poke.effect == PEN_POKE_CLEAR)
    return g_strdup ("erased");
  if (line->poke > 0)
    return g_strdup_printf ("patch %u", line->version);
  return g_strdup (line->version == 0 ? "original" : "next occupant");
}

char *
pen_slot_dup_version_title (PenSlot *self)
{
  return title_of (self, pen_slot_get_nth_line (self, 0));
}

char *
pen_slot_dup_who (const PenStoredPoke *poke)
{
  g_autofree char *comm = pen_display_text (poke->poke.comm ? poke->poke.comm : "");
  GString *text;

  if (comm[0] == '\0' && poke->poke.pid < 0)
    return NULL;
  text = g_string_new (comm[0] ? comm : "a task");
  if (poke->poke.pid >= 0)
    g_string_append_printf (text, " [%d]", poke->poke.pid);
  if (poke->poke.cpu != G_MAXUINT32)
    g_string_append_printf (text, " on CPU %u", poke->poke.cpu);
  return g_string_free (text, FALSE);
}

/* Beside the code there is little room. */
static char *
dup_who_short (const PenStoredPoke *poke)
{
  g_autofree char *comm = pen_display_text (poke->poke.comm ? poke->poke.comm : "");

  if (poke->poke.pid < 0)
    return g_strdup (comm);
  return g_strdup_printf ("%s [%d]", comm[0] ? comm : "task", poke->poke.pid);
}

char *
pen_slot_dup_version_detail (PenSlot *self)
{
  const PenAnnotationLine *line = pen_slot_get_nth_line (self, 0);
  const PenStoredPoke *poke = pen_slot_find_poke (self, line);
  g_autofree char *when
      = pen_clock_format_tenancy (pen_slot_get_clock (self), line->from, line->to);
  g_autofree char *who = poke ? dup_who_short (poke) : NULL;
  guint64 near = pen_slot_get_near (self);
  GString *text = g_string_new (when);

  if (who && who[0])
    g_string_append_printf (text, " · %s", who);
  if (near > 0)
    g_string_append_printf (text, " · %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " near a change",
                            near, line->samples);
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

    g_string_append_printf (text, "%sNote: %s", i > 0 ? "\n" : "", shown);
  }
  return g_string_free (text, FALSE);
}

char *
pen_slot_dup_samples (PenSlot *self)
{
  guint n = pen_slot_get_n_lines (self);
  guint64 samples = pen_slot_get_samples (self);
  g_autofree char *count = pen_format_count (samples);
  g_autofree char *band = pen_format_band (pen_slot_get_near (self), samples);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s %s", count, samples == 1 ? "sample" : "samples");
  for (guint i = 0; n > 1 && i < MIN (n, LISTED_MAX); i++) {
    const PenAnnotationLine *line = pen_slot_get_nth_line (self, i);
    g_autofree char *title = title_of (self, line);

    g_string_append_printf (text, "%s%s: %" G_GUINT64_FORMAT, i == 0 ? "\n" : " · ", title,
                            line->samples);
  }
  if (n > LISTED_MAX)
    g_string_append_printf (text, " · and %u more versions", n - LISTED_MAX);
  if (band)
    g_string_append_printf (text, "\n%s", band);
  return g_string_free (text, FALSE);
}

static void
append_code (PenSlot *self, GString *text)
{
  const PenAnnotationLine *line = pen_slot_get_line (self);
  g_autofree char *named = pen_format_instruction (line->instruction, line->target);
  g_autofree char *shown = pen_display_text (named);

  if (line->is_inside)
    g_string_append (text, "inside the instruction before");
  else
    g_string_append (text, shown);
}

static void
append_version (PenSlot *self, GString *text)
{
  const PenAnnotationLine *line = pen_slot_get_line (self);
  const PenStoredPoke *poke = pen_slot_find_poke (self, line);
  g_autofree char *title = pen_slot_dup_version_title (self);
  g_autofree char *when
      = pen_clock_format_tenancy (pen_slot_get_clock (self), line->from, line->to);
  g_autofree char *who = poke ? pen_slot_dup_who (poke) : NULL;

  g_string_append_printf (text, "version %u, %s", line->version + 1, title);
  if (poke)
    g_string_append_printf (text, " by %s", pen_palette_cause_title (poke->cause));
  g_string_append_printf (text, ", %s: ", when);
  append_code (self, text);
  if (who)
    g_string_append_printf (text, ", patched by %s", who);
}

static void
append_slot (PenSlot *self, GString *text)
{
  const PenAnnotationLine *line = pen_slot_get_line (self);
  guint n = pen_slot_get_n_lines (self);

  g_string_append_printf (text, "offset %" G_GINT64_MODIFIER "x: ", line->offset);
  append_code (self, text);
  if (n > 1 && pen_slot_is_present (self))
    g_string_append_printf (text, ", version %u of %u", line->version + 1, n);
  else if (n > 1)
    g_string_append_printf (text, ", %u versions, none of them then", n);
  else if (pen_slot_get_nth_line (self, 0)->is_patched)
    g_string_append (text, ", patched");
}

char *
pen_slot_dup_spoken (PenSlot *self)
{
  g_autofree char *notes = pen_slot_dup_notes (self);
  guint64 samples = pen_slot_get_samples (self);
  g_autofree char *band = pen_format_band (pen_slot_get_near (self), samples);
  GString *text = g_string_new (NULL);

  if (pen_slot_is_version (self))
    append_version (self, text);
  else
    append_slot (self, text);
  g_string_append_printf (text, ", %" G_GUINT64_FORMAT " %s", samples,
                          samples == 1 ? "sample" : "samples");
  if (band)
    g_string_append_printf (text, ". %s", band);
  if (notes)
    g_string_append_printf (text, ". %s", notes);
  return g_string_free (text, FALSE);
}
