/* pen-slot-cells.c: what the cells of an annotation row say
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-slot-cells.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-byte-marks.h"
#include "pen-amount-words.h"
#include "pen-format.h"
#include "pen-jump-target.h"
#include "pen-palette.h"
#include "pen-poke-phrases.h"
#include "pen-slot-words.h"
#include "pen-unknown-text.h"

/* ---- offset ---- */

/* Short where a badge stands beside it: there is little room. */
char *
pen_slot_cells_dup_offset (PenSlot *slot)
{
  const PenAnnotationLine *line = pen_slot_get_line (slot);
  const PenPoke *poke = pen_slot_find_poke (slot, line);

  if (!pen_slot_is_version (slot))
    return g_strdup_printf ("+%" G_GINT64_MODIFIER "x", line->offset);
  if (poke && poke->effect != PEN_POKE_FILL && poke->effect != PEN_POKE_CLEAR)
    return g_strdup_printf ("#%u", line->version);
  return pen_slot_dup_version_title (slot);
}

static char *
dup_offset_text (PenSlot *slot)
{
  const PenPoke *poke
      = pen_slot_is_version (slot) ? pen_slot_find_poke (slot, pen_slot_get_line (slot)) : NULL;
  g_autofree char *offset = pen_slot_cells_dup_offset (slot);
  gboolean has_cue = !pen_slot_is_version (slot) && pen_slot_get_nth_line (slot, 0)->is_patched;

  return g_strdup_printf ("%s%s%s%s",
                          poke      ? pen_palette_cause_letter (poke->cause)
                          : has_cue ? PEN_SLOT_CUE
                                    : "",
                          poke || has_cue ? " " : "", offset,
                          pen_slot_get_notes (slot) ? " " PEN_SLOT_NOTE : "");
}

static char *
dup_version_tooltip (PenSlot *slot)
{
  const PenPoke *poke = pen_slot_find_poke (slot, pen_slot_get_line (slot));
  g_autofree char *title = pen_slot_dup_version_title (slot);
  g_autofree char *phrase = poke ? pen_poke_describe (poke) : NULL;
  g_autofree char *reason = poke ? pen_display_text (phrase) : NULL;
  g_autofree char *who = poke ? pen_slot_dup_who (poke) : NULL;
  GString *text = g_string_new (title);

  if (reason && reason[0])
    g_string_append_printf (text, ": %s", reason);
  if (who) {
    g_string_append (text, "\n");
    g_string_append_printf (text, _ ("by %s"), who);
  }
  return g_string_free (text, FALSE);
}

static char *
dup_slot_tooltip (PenSlot *slot)
{
  guint n = pen_slot_get_n_lines (slot);

  if (n > 1)
    return g_strdup_printf (
        ngettext ("%u version during the recording (Return or Right to expand)",
                  "%u versions during the recording (Return or Right to expand)", n),
        n);
  if (pen_slot_get_nth_line (slot, 0)->is_patched)
    return g_strdup (_ ("Patched during the recording"));
  return NULL;
}

static char *
dup_offset_tooltip (PenSlot *slot)
{
  g_autofree char *notes = pen_slot_dup_notes (slot);
  g_autofree char *told
      = pen_slot_is_version (slot) ? dup_version_tooltip (slot) : dup_slot_tooltip (slot);

  if (told && notes)
    return g_strdup_printf ("%s\n%s", told, notes);
  return told ? g_steal_pointer (&told) : g_steal_pointer (&notes);
}

/* ---- bytes ---- */

static char *
dup_bytes_of (const PenAnnotationLine *line)
{
  return pen_format_bytes (line->bytes, MIN (line->n_bytes, sizeof line->bytes));
}

char *
pen_slot_cells_dup_bytes (PenSlot *slot)
{
  return dup_bytes_of (pen_slot_get_line (slot));
}

static char *
dup_bytes_tooltip (PenSlot *slot)
{
  g_autofree char *text = pen_slot_cells_dup_bytes (slot);

  if (pen_slot_get_line_before (slot))
    return g_strdup_printf (_ ("%s\nMarked: changed since the previous version"), text);
  return text[0] ? g_steal_pointer (&text) : NULL;
}

/* ---- instruction ---- */

char *
pen_slot_cells_dup_instruction (PenSlot *slot)
{
  const PenAnnotationLine *line = pen_slot_get_line (slot);
  g_autofree char *named = pen_format_instruction (line->instruction, line->target);

  return line->is_inside ? g_strdup (_ ("(inside the instruction above)"))
                         : pen_display_text (named);
}

static char *
dup_instruction_text (PenSlot *slot)
{
  g_autofree char *instruction = pen_slot_cells_dup_instruction (slot);
  g_autofree char *detail = pen_slot_is_version (slot) ? pen_slot_dup_version_detail (slot) : NULL;

  return detail ? g_strdup_printf ("%s %s", instruction, detail) : g_steal_pointer (&instruction);
}

static char *
dup_instruction_tooltip (PenSlot *slot)
{
  const PenAnnotationLine *line = pen_slot_get_line (slot);
  g_autofree char *known = pen_unknown_text_translate (line->instruction);
  g_autofree char *plain = pen_display_text (known ? known : "");
  g_autofree char *bytes = dup_bytes_of (line);
  PenJumpTarget jump = pen_jump_target_find (slot);
  g_autofree char *jump_text = pen_jump_target_dup_text (&jump, line);
  const char *parts[4] = { NULL };
  guint n = 0;

  if (plain[0])
    parts[n++] = plain;
  /* Their column gives way to the strips of time. */
  if (bytes[0])
    parts[n++] = bytes;
  if (jump_text)
    parts[n++] = jump_text;
  return n > 0 ? g_strjoinv ("\n", (char **) parts) : NULL;
}

/* ---- source ---- */

char *
pen_slot_cells_dup_source (PenSlot *slot)
{
  const PenAnnotationLine *line = pen_slot_get_line (slot);
  g_autofree char *path = line->source_file ? pen_display_text (line->source_file) : NULL;
  g_autofree char *name = path ? g_path_get_basename (path) : NULL;

  return name ? g_strdup_printf ("%s%s:%u", line->inlined ? "↳ " : "", name, line->source_line)
              : g_strdup ("");
}

/* The whole path, and a line for each call through which it came here. */
static char *
dup_source_tooltip (PenSlot *slot)
{
  const PenAnnotationLine *line = pen_slot_get_line (slot);
  g_autofree char *path = line->source_file ? pen_display_text (line->source_file) : NULL;
  g_auto (GStrv) calls = line->inlined ? g_strsplit (line->inlined, "\n", -1) : NULL;
  GString *text;

  if (!path)
    return NULL;
  text = g_string_new (NULL);
  g_string_printf (text, "%s:%u", path, line->source_line);
  for (guint i = 0; calls && calls[i]; i++) {
    g_autofree char *shown = pen_display_text (calls[i]);

    g_string_append (text, "\n");
    g_string_append_printf (text, _ ("Inlined: %s"), shown);
  }
  return g_string_free (text, FALSE);
}

/* ---- marks ---- */

/* Marks each place where what is looked for stands. Letters that fold into others of another length
 * are rare in code: then nothing is marked. */
static void
mark_matches (PangoAttrList *marks, const char *text, const char *needle)
{
  g_autofree char *haystack = g_utf8_casefold (text, -1);
  g_autofree char *folded = g_utf8_casefold (needle, -1);
  gsize length = strlen (folded);

  if (length == 0 || strlen (haystack) != strlen (text))
    return;
  for (const char *at = haystack; (at = strstr (at, folded)); at += length)
    pen_byte_marks_add (marks, (guint) (at - haystack), (guint) (at - haystack + (gssize) length));
}

void
pen_slot_cells_mark (PenSlot *slot, PenSlotColumn column, const char *text, PangoAttrList *marks)
{
  const PenAnnotationLine *line = pen_slot_get_line (slot);
  const PenAnnotationLine *before
      = column == PEN_SLOT_BYTES ? pen_slot_get_line_before (slot) : NULL;

  if (pen_slot_get_needle (slot)[0] != '\0')
    mark_matches (marks, text, pen_slot_get_needle (slot));
  else if (before)
    pen_byte_marks_add_changed (marks, line->bytes, MIN (line->n_bytes, sizeof line->bytes),
                                before->bytes, MIN (before->n_bytes, sizeof before->bytes));
}

/* ---- any of them ---- */

char *
pen_slot_cells_dup_text (PenSlot *slot, PenSlotColumn column)
{
  PenAmount amount = pen_slot_get_amount (slot);

  switch (column) {
  case PEN_SLOT_OFFSET:
    return dup_offset_text (slot);
  case PEN_SLOT_SAMPLES:
    /* Groups of digits are for the eye: what is pasted is to be counted with. */
    if (amount.n > 0 && amount.population == PEN_POPULATION_SAMPLES)
      return g_strdup_printf ("%" G_GUINT64_FORMAT, amount.n);
    return amount.n > 0 ? pen_amount_format (amount) : g_strdup ("");
  case PEN_SLOT_BYTES:
    return pen_slot_cells_dup_bytes (slot);
  case PEN_SLOT_INSTRUCTION:
    return dup_instruction_text (slot);
  case PEN_SLOT_SOURCE:
    return pen_slot_cells_dup_source (slot);
  case PEN_SLOT_TIME:
  case PEN_SLOT_COLUMNS:
  default:
    return g_strdup ("");
  }
}

char *
pen_slot_cells_dup_tooltip (PenSlot *slot, PenSlotColumn column)
{
  switch (column) {
  case PEN_SLOT_OFFSET:
    return dup_offset_tooltip (slot);
  case PEN_SLOT_SAMPLES:
  case PEN_SLOT_TIME:
    return pen_slot_get_amount (slot).n > 0 ? pen_slot_dup_samples (slot) : NULL;
  case PEN_SLOT_BYTES:
    return dup_bytes_tooltip (slot);
  case PEN_SLOT_INSTRUCTION:
    return dup_instruction_tooltip (slot);
  case PEN_SLOT_SOURCE:
    return dup_source_tooltip (slot);
  case PEN_SLOT_COLUMNS:
  default:
    return NULL;
  }
}
