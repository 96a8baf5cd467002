/* pen-pair-item.c: one row of the functions of two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-item.h"

#include "pen-display.h"

struct _PenPairItem {
  GObject parent_instance;

  PenPairList *list;
  guint index;
};

G_DEFINE_FINAL_TYPE (PenPairItem, pen_pair_item, G_TYPE_OBJECT)

static void
pen_pair_item_finalize (GObject *object)
{
  g_clear_pointer (&PEN_PAIR_ITEM (object)->list, pen_pair_list_unref);

  G_OBJECT_CLASS (pen_pair_item_parent_class)->finalize (object);
}

static void
pen_pair_item_class_init (PenPairItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_pair_item_finalize;
}

static void
pen_pair_item_init (PenPairItem *self)
{
}

PenPairItem *
pen_pair_item_new (const PenPairList *list, guint index)
{
  PenPairItem *self = g_object_new (PEN_TYPE_PAIR_ITEM, NULL);

  self->list = pen_pair_list_ref ((PenPairList *) list);
  self->index = index;
  return self;
}

const PenPairRow *
pen_pair_item_get_row (PenPairItem *self)
{
  return self->list->pairs->rows->pdata[self->index];
}

guint
pen_pair_item_get_index (PenPairItem *self)
{
  return self->index;
}

const PenPairTest *
pen_pair_item_get_test (PenPairItem *self)
{
  return pen_pairs_get_test (self->list->pairs, pen_pair_item_get_row (self));
}

/* ---- bars ---- */

static PenPairBar
get_values (const PenPairs *pairs, const PenPairRow *row, guint side)
{
  const PenRate *rate = &row->rates[side];

  if (pairs->obstacle == PEN_PAIR_COMPARABLE)
    return (PenPairBar){ rate->rate, rate->low, rate->high };
  return (PenPairBar){ rate->share, row->share_low[side], row->share_high[side] };
}

PenPairBar
pen_pair_item_get_bar (PenPairItem *self, guint side)
{
  const PenPairRow *row = pen_pair_item_get_row (self);
  PenPairBar bar = get_values (self->list->pairs, row, side);
  PenPairBar other = get_values (self->list->pairs, row, !side);
  double most = MAX (bar.high, other.high);

  /* NAN is not above anything. */
  if (!(most > 0) || !(bar.value >= 0))
    return (PenPairBar){ 0, 0, 0 };
  return (PenPairBar){ bar.value / most, CLAMP (bar.low / most, 0, 1),
                       CLAMP (bar.high / most, 0, 1) };
}

/* ---- words ---- */

char *
pen_pair_item_dup_name (PenPairItem *self)
{
  const PenPairRow *row = pen_pair_item_get_row (self);
  g_autofree char *both = NULL;

  if (row->is_renamed)
    both = g_strdup_printf ("%s → %s", row->symbols[0], row->symbols[1]);
  return pen_display_text (both                            ? both
                           : row->symbol                   ? row->symbol
                           : row->kind == PEN_KIND_UNKNOWN ? pen_kind_to_string (row->kind)
                                                           : row->occupant);
}
