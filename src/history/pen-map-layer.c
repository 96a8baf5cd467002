/* pen-map-layer.c: the maps of one space as they are now (rules M1 and M2)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-map-layer.h"

#include "pen-spans.h"

struct _PenMapLayer {
  PenLedger *ledger;
  PenSpans *spans;  /* value: part */
  PenMoment moment; /* of the change under way */
};

PenMapLayer *
pen_map_layer_new (PenLedger *ledger)
{
  PenMapLayer *self = g_new0 (PenMapLayer, 1);

  self->ledger = ledger;
  self->spans = pen_spans_new ();
  return self;
}

void
pen_map_layer_free (PenMapLayer *self)
{
  if (!self)
    return;
  pen_spans_free (self->spans);
  g_free (self);
}

static void
close_span (const PenSpan *span, gpointer user_data)
{
  PenMapLayer *self = user_data;

  pen_ledger_close_part (self->ledger, span->value, self->moment, PEN_BOUND_RECORDED);
}

static guint32
keep_piece (const PenSpan *old, guint64 start, guint64 end, gpointer user_data)
{
  PenMapLayer *self = user_data;
  guint32 tenure = pen_ledger_get_part (self->ledger, old->value)->tenure;

  return pen_ledger_open_part (self->ledger, tenure, start, end, self->moment);
}

void
pen_map_layer_take (PenMapLayer *self, const PenTenure *tenure)
{
  guint32 index = pen_ledger_open (self->ledger, tenure);
  guint32 part =
      pen_ledger_open_part (self->ledger, index, tenure->start, tenure->end, tenure->from);

  self->moment = tenure->from;
  pen_spans_take (self->spans, tenure->start, tenure->end, part, close_span, keep_piece, self);
}

void
pen_map_layer_end (PenMapLayer *self, PenMoment moment)
{
  self->moment = moment;
  pen_spans_foreach (self->spans, close_span, self);
  pen_spans_free (self->spans);
  self->spans = pen_spans_new ();
}

guint
pen_map_layer_count (PenMapLayer *self)
{
  return pen_spans_count (self->spans);
}

typedef struct {
  PenLedger *ledger;
  PenMapLayer *child;
  guint32 space;
  PenMoment moment;
  GHashTable *cut; /* tenures in several parts: their copies */
} Copy;

/* The child's tenure for the parent's: one, however many parts are left of it. */
static guint32
copy_tenure (Copy *copy, guint32 tenure)
{
  gboolean is_cut = g_array_index (copy->ledger->live, guint32, tenure) > 1;
  PenTenure child = *pen_ledger_get_tenure (copy->ledger, tenure);
  gpointer known;
  guint32 index;

  if (is_cut && g_hash_table_lookup_extended (copy->cut, GUINT_TO_POINTER (tenure), NULL, &known))
    return GPOINTER_TO_UINT (known);

  child.space = copy->space;
  child.from = copy->moment;
  child.from_bound = pen_ledger_bound (copy->moment, PEN_EVIDENCE_RECORDED);
  index = pen_ledger_open (copy->ledger, &child);
  if (is_cut)
    g_hash_table_insert (copy->cut, GUINT_TO_POINTER (tenure), GUINT_TO_POINTER (index));
  return index;
}

static void
copy_span (const PenSpan *span, gpointer user_data)
{
  Copy *copy = user_data;
  guint32 parent = pen_ledger_get_part (copy->ledger, span->value)->tenure;
  guint32 tenure = copy_tenure (copy, parent);
  guint32 part = pen_ledger_open_part (copy->ledger, tenure, span->start, span->end, copy->moment);

  pen_spans_take (copy->child->spans, span->start, span->end, part, NULL, NULL, NULL);
}

void
pen_map_layer_copy (PenMapLayer *self, PenMapLayer *child, guint32 space, PenMoment moment)
{
  g_autoptr (GHashTable) cut = g_hash_table_new (NULL, NULL);
  Copy copy = {
    .ledger = self->ledger, .child = child, .space = space, .moment = moment, .cut = cut
  };

  pen_spans_foreach (self->spans, copy_span, &copy);
}
