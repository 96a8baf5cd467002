/* pen-instant-item.c: one row of two texts side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-instant-item.h"

#include <glib/gi18n-lib.h>

#include "pen-amount-words.h"
#include "pen-display.h"
#include "pen-format.h"

struct _PenInstantItem {
  GObject parent_instance;

  PenInstantTable *table;
  guint index;
};

G_DEFINE_FINAL_TYPE (PenInstantItem, pen_instant_item, G_TYPE_OBJECT)

static void
pen_instant_item_finalize (GObject *object)
{
  g_clear_pointer (&PEN_INSTANT_ITEM (object)->table, pen_instant_table_unref);

  G_OBJECT_CLASS (pen_instant_item_parent_class)->finalize (object);
}

static void
pen_instant_item_class_init (PenInstantItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_instant_item_finalize;
}

static void
pen_instant_item_init (PenInstantItem *self)
{
}

PenInstantItem *
pen_instant_item_new (const PenInstantTable *table, guint index)
{
  PenInstantItem *self = g_object_new (PEN_TYPE_INSTANT_ITEM, NULL);

  self->table = g_atomic_rc_box_acquire ((PenInstantTable *) table);
  self->index = index;
  return self;
}

const PenInstantRow *
pen_instant_item_get_row (PenInstantItem *self)
{
  return &g_array_index (self->table->instants->rows, PenInstantRow, self->index);
}

PenAmount
pen_instant_item_get_amount (PenInstantItem *self, guint side)
{
  return pen_instants_get_row_amount (self->table->instants, pen_instant_item_get_row (self), side);
}

/* ---- words ---- */

char *
pen_instant_item_dup_offset (PenInstantItem *self)
{
  const PenInstantRow *row = pen_instant_item_get_row (self);
  const char *symbol;
  guint64 offset;

  if (pen_instant_row_get_place (row, &symbol, &offset))
    return g_strdup_printf ("+%" G_GINT64_MODIFIER "x", offset);
  return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", row->address);
}

char *
pen_instant_item_dup_code (PenInstantItem *self, guint side)
{
  const PenAnnotationLine *line = pen_instant_item_get_row (self)->lines[side];
  g_autofree char *named = NULL;

  if (!line)
    return g_strdup ("");
  named = pen_format_instruction (line->instruction, line->target);
  return pen_display_text (named);
}

const char *
pen_instant_item_get_mark (PenInstantItem *self)
{
  static const char *const marks[PEN_INSTANT_DIFFERENCES] = {
    [PEN_INSTANT_SAME] = "",     [PEN_INSTANT_CHANGED] = "≠",  [PEN_INSTANT_ADDED] = "+",
    [PEN_INSTANT_REMOVED] = "−", [PEN_INSTANT_OCCUPANT] = "⇄", [PEN_INSTANT_UNKNOWN] = "?",
  };

  return marks[pen_instant_item_get_row (self)->difference];
}

static char *
dup_occupant (const PenTextStretch *stretch)
{
  return stretch && stretch->tenure.id != 0 ? pen_display_text (stretch->tenure.occupant)
                                            : g_strdup (_ ("unknown occupant"));
}

char *
pen_instant_item_dup_difference (PenInstantItem *self)
{
  static const char *const words[PEN_INSTANT_DIFFERENCES] = {
    [PEN_INSTANT_SAME] = NC_ ("instants", "Same"),
    [PEN_INSTANT_CHANGED] = NC_ ("instants", "Changed"),
    [PEN_INSTANT_ADDED] = NC_ ("instants", "Only at B"),
    [PEN_INSTANT_REMOVED] = NC_ ("instants", "Only at A"),
    [PEN_INSTANT_OCCUPANT] = NC_ ("instants", "Other occupant"),
    [PEN_INSTANT_UNKNOWN] = NC_ ("instants", "Bytes unknown"),
  };
  const PenInstantRow *row = pen_instant_item_get_row (self);
  const char *word = g_dpgettext2 (GETTEXT_PACKAGE, "instants", words[row->difference]);
  g_autofree char *a = dup_occupant (row->stretches[0]);
  g_autofree char *b = dup_occupant (row->stretches[1]);

  if (row->difference != PEN_INSTANT_OCCUPANT)
    return g_strdup (word);
  return g_strdup_printf (_ ("%s: A %s, B %s"), word, a, b);
}

char *
pen_instant_item_dup_spoken (PenInstantItem *self)
{
  g_autofree char *offset = pen_instant_item_dup_offset (self);
  g_autofree char *difference = pen_instant_item_dup_difference (self);
  g_autofree char *a = pen_instant_item_dup_code (self, 0);
  g_autofree char *b = pen_instant_item_dup_code (self, 1);
  g_autofree char *a_samples = pen_amount_phrase (pen_instant_item_get_amount (self, 0), TRUE);
  g_autofree char *b_samples = pen_amount_phrase (pen_instant_item_get_amount (self, 1), TRUE);

  /* Translators: offset, difference, instruction and samples at A, the same at B */
  return g_strdup_printf (_ ("offset %s: %s. A: %s, %s. B: %s, %s"), offset, difference,
                          a[0] ? a : _ ("nothing"), a_samples, b[0] ? b : _ ("nothing"), b_samples);
}
