/* pen-history-item.c: one tenure and revision of the clicked line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-history-item.h"

#include "pen-table-hash.h"

struct _PenHistoryItem {
  GObject parent_instance;

  PenHistoryTable *table;
  PenSides *sides;
  GPtrArray *notes;
  GHashTable *unfolded; /* of guint64: keys of versions */
  guint index;
  PenClock clock;
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PenHistoryItem, pen_history_item, G_TYPE_OBJECT)

static void
pen_history_item_finalize (GObject *object)
{
  g_clear_pointer (&PEN_HISTORY_ITEM (object)->table, pen_history_table_unref);
  g_clear_pointer (&PEN_HISTORY_ITEM (object)->sides, pen_sides_unref);
  g_clear_pointer (&PEN_HISTORY_ITEM (object)->notes, g_ptr_array_unref);
  g_clear_pointer (&PEN_HISTORY_ITEM (object)->unfolded, g_hash_table_unref);

  G_OBJECT_CLASS (pen_history_item_parent_class)->finalize (object);
}

static void
pen_history_item_class_init (PenHistoryItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pen_history_item_finalize;
  signals[CHANGED] = g_signal_new ("changed", PEN_TYPE_HISTORY_ITEM, G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
pen_history_item_init (PenHistoryItem *self)
{
}

PenHistoryItem *
pen_history_item_new (const PenHistoryTable *table, guint index, PenClock clock,
                      const PenSides *sides, GPtrArray *notes, GHashTable *unfolded)
{
  PenHistoryItem *self = g_object_new (PEN_TYPE_HISTORY_ITEM, NULL);

  self->table = g_atomic_rc_box_acquire ((PenHistoryTable *) table);
  self->sides = sides ? g_atomic_rc_box_acquire ((PenSides *) sides) : NULL;
  self->notes = notes ? g_ptr_array_ref (notes) : NULL;
  self->unfolded = g_hash_table_ref (unfolded);
  self->index = index;
  self->clock = clock;
  return self;
}

const PenHistoryRow *
pen_history_item_get_row (PenHistoryItem *self)
{
  return g_ptr_array_index (self->table->rows, self->index);
}

PenAmount
pen_history_item_get_amount (PenHistoryItem *self)
{
  const PenHistoryRow *row = pen_history_item_get_row (self);

  return pen_amount (self->table->query, row->samples, row->period);
}

/* ---- details ---- */

/* The beginning of the version: a poke, or that of its tenure. */
static guint64
get_key (PenHistoryItem *self)
{
  const PenHistoryRow *row = pen_history_item_get_row (self);

  return row->poke > 0 ? row->poke : G_GUINT64_CONSTANT (1) << 32 | row->tenure;
}

GHashTable *
pen_history_item_new_unfolded (void)
{
  return g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, NULL);
}

gboolean
pen_history_item_is_unfolded (PenHistoryItem *self)
{
  guint64 key = get_key (self);

  return g_hash_table_contains (self->unfolded, &key);
}

void
pen_history_item_set_unfolded (PenHistoryItem *self, gboolean unfolded)
{
  guint64 key = get_key (self);

  if (pen_history_item_is_unfolded (self) == unfolded)
    return;
  if (unfolded)
    g_hash_table_add (self->unfolded, g_memdup2 (&key, sizeof key));
  else
    g_hash_table_remove (self->unfolded, &key);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
pen_history_item_update (PenHistoryItem *self, const PenSides *sides, GPtrArray *notes)
{
  PenSides *old_sides = self->sides;
  GPtrArray *old_notes = self->notes;

  self->sides = sides ? g_atomic_rc_box_acquire ((PenSides *) sides) : NULL;
  self->notes = notes ? g_ptr_array_ref (notes) : NULL;
  g_clear_pointer (&old_sides, pen_sides_unref);
  g_clear_pointer (&old_notes, g_ptr_array_unref);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
pen_history_item_reuse (PenHistoryItem *self, const PenHistoryTable *table, guint index,
                        PenClock clock, const PenSides *sides, GPtrArray *notes)
{
  PenHistoryTable *old = self->table;

  self->table = g_atomic_rc_box_acquire ((PenHistoryTable *) table);
  pen_history_table_unref (old);
  self->index = index;
  self->clock = clock;
  pen_history_item_update (self, sides, notes);
}

guint64
pen_history_item_get_address (PenHistoryItem *self)
{
  return self->table->address;
}

gboolean
pen_history_row_has_time (const PenHistoryRow *row, guint64 time)
{
  return row->from.time <= time && time < row->to.time;
}

gboolean
pen_history_item_has_time (PenHistoryItem *self, guint64 time)
{
  return pen_history_row_has_time (pen_history_item_get_row (self), time);
}

GPtrArray *
pen_history_item_list_notes (PenHistoryItem *self)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; self->notes && i < self->notes->len; i++) {
    PenNote *note = ((PenNoteRow *) self->notes->pdata[i])->note;

    if (note->has_address && note->address == self->table->address && note->has_time
        && pen_history_item_has_time (self, note->time))
      g_ptr_array_add (found, note);
  }
  return found;
}

static const PenComparison *
find_comparison (PenHistoryItem *self, const PenComparisons *compared)
{
  const PenHistoryRow *row = pen_history_item_get_row (self);

  for (guint i = 0; compared && row->poke > 0 && i < compared->rows->len; i++) {
    const PenComparison *comparison = &g_array_index (compared->rows, PenComparison, i);

    if (row->from.time >= comparison->from && row->from.time <= comparison->to)
      return comparison;
  }
  return NULL;
}

const PenComparison *
pen_history_item_get_comparison (PenHistoryItem *self)
{
  return find_comparison (self, self->table->compared);
}

const PenComparison *
pen_history_item_get_function_comparison (PenHistoryItem *self)
{
  return find_comparison (self, self->sides ? self->sides->compared : NULL);
}

const PenClock *
pen_history_item_get_clock (PenHistoryItem *self)
{
  return &self->clock;
}
