/* pen-pair-line-item.c: one row of a function's text in two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-line-item.h"

#include <glib/gi18n-lib.h>

#include "pen-display.h"
#include "pen-format.h"
#include "pen-pair-words.h"
#include "pen-palette.h"

struct _PenPairLineItem {
  GObject parent_instance;

  PenPairLines *lines;
  const PenPairLine *line;
};

G_DEFINE_FINAL_TYPE (PenPairLineItem, pen_pair_line_item, G_TYPE_OBJECT)

static void
pen_pair_line_item_finalize (GObject *object)
{
  g_clear_pointer (&PEN_PAIR_LINE_ITEM (object)->lines, pen_pair_lines_unref);

  G_OBJECT_CLASS (pen_pair_line_item_parent_class)->finalize (object);
}

static void
pen_pair_line_item_class_init (PenPairLineItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_pair_line_item_finalize;
}

static void
pen_pair_line_item_init (PenPairLineItem *self)
{
}

PenPairLineItem *
pen_pair_line_item_new (const PenPairLines *lines, const PenPairLine *line)
{
  PenPairLineItem *self = g_object_new (PEN_TYPE_PAIR_LINE_ITEM, NULL);

  self->lines = pen_pair_lines_ref ((PenPairLines *) lines);
  self->line = line;
  return self;
}

const PenPairLine *
pen_pair_line_item_get_line (PenPairLineItem *self)
{
  return self->line;
}

/* ---- words ---- */

char *
pen_pair_line_item_dup_code (PenPairLineItem *self, guint side)
{
  const PenAnnotationLine *own = self->line->lines[side];
  g_autofree char *named = NULL;

  if (self->line->difference == PEN_PAIR_LINE_REST)
    return g_strdup (side == 0 ? _ ("(samples on other bytes)") : "");
  if (!own)
    return g_strdup ("");
  named = pen_format_instruction (own->instruction, self->line->targets[side]);
  return pen_display_text (named);
}

const char *
pen_pair_line_item_get_mark (PenPairLineItem *self)
{
  static const char *const marks[PEN_PAIR_DIFFERENCES] = {
    [PEN_PAIR_LINE_SAME] = "",     [PEN_PAIR_LINE_CHANGED] = "≠", [PEN_PAIR_LINE_ADDED] = "+",
    [PEN_PAIR_LINE_REMOVED] = "−", [PEN_PAIR_LINE_UNKNOWN] = "?", [PEN_PAIR_LINE_REST] = "",
  };

  return marks[self->line->difference];
}

char *
pen_pair_line_item_dup_offset (PenPairLineItem *self)
{
  const PenAnnotationLine *own = self->line->lines[0] ? self->line->lines[0] : self->line->lines[1];

  return own ? g_strdup_printf ("+%" G_GINT64_MODIFIER "x", own->offset) : g_strdup ("");
}

char *
pen_pair_line_item_dup_difference (PenPairLineItem *self)
{
  static const char *const words[PEN_PAIR_DIFFERENCES] = {
    [PEN_PAIR_LINE_SAME] = NC_ ("recordings", "Same"),
    [PEN_PAIR_LINE_CHANGED] = NC_ ("recordings", "Changed"),
    [PEN_PAIR_LINE_ADDED] = NC_ ("recordings", "Only in B"),
    [PEN_PAIR_LINE_REMOVED] = NC_ ("recordings", "Only in A"),
    [PEN_PAIR_LINE_UNKNOWN] = NC_ ("recordings", "Bytes unknown"),
    [PEN_PAIR_LINE_REST] = NC_ ("recordings", "Samples on other bytes"),
  };
  GString *text
      = g_string_new (g_dpgettext2 (GETTEXT_PACKAGE, "recordings", words[self->line->difference]));

  if (self->line->cause != PEN_CAUSE_UNKNOWN)
    g_string_append_printf (text, ": %s", pen_palette_cause_title (self->line->cause));
  if (self->line->is_masked)
    g_string_append_printf (text, "\n%s", _ ("An address without a name is not compared."));
  return g_string_free (text, FALSE);
}

char *
pen_pair_line_item_dup_spoken (PenPairLineItem *self)
{
  g_autofree char *offset = pen_pair_line_item_dup_offset (self);
  g_autofree char *difference = pen_pair_line_item_dup_difference (self);
  g_autofree char *a = pen_pair_line_item_dup_code (self, 0);
  g_autofree char *b = pen_pair_line_item_dup_code (self, 1);
  g_autofree char *a_samples = pen_format_count (self->line->rates[0].samples);
  g_autofree char *b_samples = pen_format_count (self->line->rates[1].samples);

  /* Translators: offset, difference, instruction and number of samples in A, the same in B */
  return g_strdup_printf (_ ("offset %s: %s. A: %s, %s samples. B: %s, %s samples"), offset,
                          difference, a[0] ? a : _ ("nothing"), a_samples, b[0] ? b : _ ("nothing"),
                          b_samples);
}
