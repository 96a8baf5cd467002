/* pen-query-times.c: when it was recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include "pen-store-changes.h"

static void
widen (PenTimeRange *range, guint64 first, guint64 last)
{
  if (!range->has_any) {
    range->first = first;
    range->last = last;
  }
  range->has_any = TRUE;
  range->first = MIN (range->first, first);
  range->last = MAX (range->last, last);
}

/* Samples without a time (or with 0 or ~0) are no beginning and no end. */
static gboolean
widen_by_rows (PenStore *store, guint number, PenSampleBlock *block, PenTimeRange *range,
               GError **error)
{
  if (!pen_store_read_block_places (store, number, block, error))
    return FALSE;
  for (guint i = 0; i < block->n; i++) {
    guint64 time = block->time[i];

    if (block->has[i] & PEN_SAMPLE_HAS_TIME && time != 0 && time != G_MAXUINT64)
      widen (range, time, time);
  }
  return TRUE;
}

static gboolean
widen_by_blocks (PenStore *store, guint first, PenTimeRange *range, GError **error)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  guint n_blocks;
  const PenBlockInfo *blocks = pen_store_get_blocks (store, &n_blocks);

  for (guint i = first; i < n_blocks; i++) {
    if (blocks[i].first != 0 && blocks[i].last != G_MAXUINT64)
      widen (range, blocks[i].first, blocks[i].last);
    else if (blocks[i].last != 0 && !widen_by_rows (store, i, block, range, error))
      return FALSE;
  }
  return TRUE;
}

/* Cost: the spans of the highest level, and the few blocks that are in none. */
static gboolean
widen_by_store (PenStore *store, PenTimeRange *range, GError **error)
{
  PenSpanTree tree;

  pen_span_tree_init (&tree, store);
  for (guint i = 0; i < tree.n_top; i++) {
    if (tree.spans[i].samples > 0)
      widen (range, tree.spans[i].first, tree.spans[i].last);
  }
  return widen_by_blocks (store, tree.n_in_spans, range, error);
}

static gboolean
find_sample_range (PenQuery *self, GError **error)
{
  if (self->is_sample_range_known)
    return TRUE;
  self->sample_range = (PenTimeRange){ 0 };
  self->is_sample_range_known = widen_by_store (self->store, &self->sample_range, error);
  return self->is_sample_range_known;
}

static gboolean
find_range (PenQuery *self, GError **error)
{
  PenStore *samples = pen_store_get_samples (self->store);
  gboolean has_any;
  guint64 first;
  guint64 last;

  if (self->is_range_known)
    return TRUE;
  if (!find_sample_range (self, error)
      || !pen_store_load_change_times (self->store, &has_any, &first, &last, error))
    return FALSE;
  self->range = self->sample_range;
  if (has_any)
    widen (&self->range, first, last);
  /* A time is as far into the recording for waits as it is for samples. */
  if (samples && samples != self->store && !widen_by_store (samples, &self->range, error))
    return FALSE;
  self->is_range_known = TRUE;
  return TRUE;
}

gboolean
pen_query_get_time_range (PenQuery *self, guint64 *first, guint64 *last)
{
  if (!pen_query_load (self, NULL) || !find_range (self, NULL) || !self->range.has_any)
    return FALSE;
  *first = self->range.first;
  *last = self->range.last;
  return TRUE;
}

gboolean
pen_query_get_sample_time_range (PenQuery *self, guint64 *first, guint64 *last)
{
  /* Samples come all the time: the first and the last one say when they could be taken. Waits do
   * not. */
  if (pen_query_is_of_waits (self))
    return pen_query_get_time_range (self, first, last);
  if (!pen_query_load (self, NULL) || !find_sample_range (self, NULL)
      || !self->sample_range.has_any)
    return FALSE;
  *first = self->sample_range.first;
  *last = self->sample_range.last;
  return TRUE;
}

double
pen_query_count_seconds (PenQuery *self, const PenFilter *filter)
{
  guint64 first;
  guint64 last;

  if (!pen_query_get_sample_time_range (self, &first, &last))
    return 0;
  if (filter && filter->has_time) {
    first = MAX (first, filter->from);
    last = MIN (last, filter->to);
  }
  return last > first ? (double) (last - first) / 1e9 : 0;
}
