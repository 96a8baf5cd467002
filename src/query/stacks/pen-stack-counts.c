/* pen-stack-counts.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-counts.h"

#include "pen-recorded-time.h"
#include "pen-stack-readers.h"

/* ---- the map that the options ask for ---- */

static gboolean
starts_at_place (const PenFlameOptions *options)
{
  return options->order == PEN_FLAME_CALLERS || options->order == PEN_FLAME_CALLEES;
}

static gboolean
find_places (PenStackCounts *self, GError **error)
{
  const PenFlameOptions *options = self->options;

  if (starts_at_place (options)) {
    self->place = pen_stack_index_find (self->index, &options->place, error);
    if (!self->place)
      return FALSE;
  }
  if (options->lens.parts != 0)
    self->lens_place = pen_stack_index_find (self->index, &options->lens, error);
  return options->lens.parts == 0 || self->lens_place;
}

static void
make_own_map (PenStackCounts *self)
{
  PenStackRules rules = { .of_function = self->index->groups[self->options->grouping]->of_function,
                          .place = self->place };

  if (self->options->order == PEN_FLAME_CALLEES)
    self->map = self->own_map = pen_stack_map_new_empty (self->index->query, &rules);
}

/* The map's own trie stays, and what is in it. */
static gboolean
complete_map (PenStackCounts *self, GError **error)
{
  PenStackIndex *index = self->index;

  if (self->own_map)
    return pen_stack_map_complete (self->own_map, index->query, index->frames, error);
  self->map = pen_stack_index_get_map (index, self->options->grouping, error);
  return self->map != NULL;
}

static gboolean
make_lens (PenStackCounts *self, GError **error)
{
  PenStackIndex *index = self->index;

  if (!self->lens_place || self->lens)
    return TRUE;
  pen_stack_spot_add_frames (self->lens_place, index->frames);
  self->lens = pen_stack_lens_new (index->query, index->frames, self->lens_place, error);
  return self->lens != NULL;
}

static gboolean
make_inner (PenStackCounts *self, GError **error)
{
  if (self->options->order == PEN_FLAME_CALLERS && !self->inner)
    self->inner = pen_stack_inner_new (self->index->query, self->map, self->place, error);
  return self->options->order != PEN_FLAME_CALLERS || self->inner;
}

gboolean
pen_stack_counts_prepare_rows (PenStackCounts *self, GError **error)
{
  if (!pen_stack_index_load (self->index, error)
      || !pen_matcher_load_buckets (self->matcher, error))
    return FALSE;
  if (self->place)
    pen_stack_spot_add_frames (self->place, self->index->frames);
  return complete_map (self, error) && make_lens (self, error) && make_inner (self, error);
}

/* ---- sums ---- */

/* More than a function is known of samples alone. */
static gboolean
is_of_functions (const PenStackPlace *place)
{
  return (place->parts & ~(guint) (PEN_STACK_PLACE_GROUP | PEN_STACK_PLACE_FUNCTION)) == 0;
}

static gboolean
can_sum (const PenStackCounts *self)
{
  const PenFlameOptions *options = self->options;

  return pen_stack_index_has_sums (self->index) && !self->matcher->asks_rows
         && !self->matcher->asks_buckets && is_of_functions (&options->lens)
         && (!starts_at_place (options) || is_of_functions (&options->place));
}

static gboolean
prepare_sums (PenStackCounts *self, GError **error)
{
  const PenFlameOptions *options = self->options;

  self->sums = self->own_map ? pen_stack_index_get_bare_sums (self->index, error)
                             : pen_stack_index_get_sums (self->index, options->grouping, error);
  if (!self->sums)
    return FALSE;
  if (self->own_map) {
    self->nodes = self->own_nodes = pen_stack_sums_find_nodes (self->sums, self->map, error);
  } else {
    self->map = self->index->maps[options->grouping];
    self->nodes = self->sums->nodes[options->grouping];
  }
  if (options->order == PEN_FLAME_CALLERS)
    self->nodes = self->own_nodes
        = pen_stack_sums_find_inner (self->sums, self->place->functions, self->nodes);
  if (self->lens_place)
    self->through = pen_stack_sums_find_through (self->sums, self->lens_place->functions);
  return self->nodes != NULL;
}

/* ---- counting ---- */

static void
resize (PenStackCounts *self)
{
  guint n = self->map->trie->size;

  self->own = g_renew (PenStackCount, self->own, n);
  for (guint i = self->n; i < n; i++)
    self->own[i] = (PenStackCount){ 0 };
  self->n = n;
}

static void
count_plain (PenStackCounts *self, const PenStackBatch *batch)
{
  const guint64 *periods = batch->block->period;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    PenStackCount *own = &self->own[batch->leaves[row]];

    own->samples++;
    own->period += periods[row];
    self->total.period += periods[row];
  }
  self->total.samples += batch->n_rows;
}

static guint32
find_leaf (PenStackCounts *self, const PenStackBatch *batch, guint row)
{
  const PenSampleBlock *block = batch->block;
  const PenBucketFunctions *functions = self->index->query->bucket_functions;
  guint32 bucket = block->bucket[row];
  guint32 function = pen_bucket_functions_get (functions, bucket);

  if (self->lens
      && pen_stack_lens_has (self->lens, block->has[row], block->chain[row], bucket, function)
             == self->options->is_lens_reversed)
    return PEN_STACK_NOWHERE;
  if (self->inner
      && !pen_stack_inner_is_leaf (self->inner, block->has[row], block->chain[row], bucket,
                                   function))
    return pen_stack_inner_get (self->inner, block->has[row], block->chain[row]);
  if (batch->leaves)
    return batch->leaves[row];
  return pen_stack_map_get_leaf (self->map, block->has[row], block->chain[row], bucket, function);
}

static gboolean
count_batch (const PenStackBatch *batch, gpointer user_data, GError **error)
{
  PenStackCounts *self = user_data;
  gboolean is_plain = !batch->leaves && !self->lens && !self->inner;

  if (batch->leaves && !self->lens && !self->inner && !self->is_after) {
    count_plain (self, batch);
    return TRUE;
  }
  if (is_plain) {
    if (!self->leaves)
      self->leaves = g_new (guint32, PEN_BLOCK_SAMPLES);
    pen_stack_batch_get_leaves (batch, self->map, self->index->query->bucket_functions,
                                self->leaves);
  }
  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    PenStackCount count = { 1, batch->block->period[row], 0 };
    guint32 leaf = is_plain ? self->leaves[i] : find_leaf (self, batch, row);

    if (self->is_after)
      count = (PenStackCount){ .after = 1 };

    pen_stack_count_add (&self->total, count);
    if (leaf == PEN_STACK_NOWHERE) {
      pen_stack_count_add (&self->outside, count);
      continue;
    }
    if (leaf >= self->n)
      resize (self);
    pen_stack_count_add (&self->own[leaf], count);
  }
  return !self->map->trie->is_full || pen_stack_map_refuse_size (error);
}

/* Where threads share the work they look up leaves, too, if nothing of a sample is asked but its
 * stack. */
static gboolean
count_blocks (PenStackCounts *self, guint first, guint end, guint64 from, guint64 to,
              PenStackBatchFunc func, gpointer user_data, GError **error)
{
  PenStackIndex *index = self->index;
  const PenStackReading reading = { .index = index,
                                    .matcher = self->matcher,
                                    .map = self->map,
                                    .first = first,
                                    .end = end,
                                    .from = from,
                                    .to = to };
  PenStackGrouping leaves = self->own_map ? PEN_STACK_GROUPINGS : self->options->grouping;

  if (self->lens || self->inner || !pen_stack_index_shares (index, first, end, from, to))
    return pen_stack_index_scan_blocks (index, self->matcher, leaves, 0, first, end, from, to, func,
                                        user_data, error);
  return pen_stack_index_learn_functions (index, first, end, from, to, error)
         && pen_stack_readers_scan (index->readers, &reading, func, user_data, error);
}

static gboolean
count_between (PenStackCounts *self, guint64 from, guint64 to, PenStackBatchFunc func,
               gpointer user_data, GError **error)
{
  guint n;

  pen_store_get_blocks (self->index->query->store, &n);
  return count_blocks (self, 0, n, from, to, func, user_data, error);
}

static gboolean
count_each (PenStackCounts *self, PenStackBatchFunc func, gpointer user_data, GError **error)
{
  const PenMatcher *matcher = self->matcher;

  return count_between (self, matcher->asks_time ? matcher->filter->from : 0,
                        matcher->asks_time ? matcher->filter->to : G_MAXUINT64, func, user_data,
                        error);
}

/* ---- sums of spans ---- */

/* The blocks all of whose samples have a time in the stretch: these are side by side. */
static void
find_blocks_inside (PenStackCounts *self, guint64 from, guint64 to, guint *first, guint *end)
{
  guint n;
  const PenBlockInfo *blocks = pen_store_get_blocks (self->index->query->store, &n);

  *first = 0;
  while (*first < n && (blocks[*first].first == 0 || blocks[*first].first < from))
    ++*first;
  *end = *first;
  while (*end < n && blocks[*end].first >= from && blocks[*end].last <= to
         && blocks[*end].last < G_MAXUINT64)
    ++*end;
}

static void
add_cell (PenStackCounts *self, const PenStackCell *cell)
{
  const guint8 *counted = self->matcher->counted;
  PenStackCount count = { cell->samples, cell->period, 0 };
  guint32 node = self->nodes[cell->stack];

  if ((counted && !counted[cell->function]) || !pen_matcher_has_event (self->matcher, cell->event))
    return;
  if (self->is_after)
    count = (PenStackCount){ .after = cell->samples };
  pen_stack_count_add (&self->total, count);
  if (node == PEN_STACK_NOWHERE
      || (self->through && (self->through[cell->stack] != 0) == self->options->is_lens_reversed))
    pen_stack_count_add (&self->outside, count);
  else
    pen_stack_count_add (&self->own[node], count);
}

static void
add_cells (const PenStackCell *cells, guint n, gpointer user_data)
{
  for (guint i = 0; i < n; i++)
    add_cell (user_data, &cells[i]);
}

static gboolean
add_spans (PenStackCounts *self, const PenStackSpan *spans, guint n, GError **error)
{
  if (self->map->trie->size > self->n)
    resize (self);
  return pen_stack_sums_foreach (self->sums, self->index->query->store, spans, n, add_cells, self,
                                 error);
}

/* The first time, what is needed for a few blocks alone: in all stretches of one question. */
static gboolean
prepare_ends (PenStackCounts *self, GError **error)
{
  PenStackIndex *index = self->index;
  gboolean is_plain = !self->place && !self->lens_place;

  if (!is_plain || (index->has_read_ends && !self->reads_ends) || index->kept || index->is_streamed)
    return pen_stack_counts_prepare_rows (self, error);
  index->has_read_ends = self->reads_ends = TRUE;
  if (!pen_matcher_load_buckets (self->matcher, error))
    return FALSE;
  self->map = pen_stack_index_get_chain_map (index, self->options->grouping, error);
  return self->map != NULL;
}

/* Spans that are all in the stretch; then the samples of the blocks that are not in these. */
static gboolean
sum_between (PenStackCounts *self, guint64 from, guint64 to, GError **error)
{
  const PenStackSpan *spans;
  guint first = 0;
  guint n_spans;
  guint end;
  guint n;

  pen_store_get_blocks (self->index->query->store, &n);
  end = n;
  if (from > 0 || to < G_MAXUINT64)
    find_blocks_inside (self, from, to, &first, &end);
  spans = pen_stack_sums_find_spans (self->sums, first, end, &n_spans);
  first = n_spans > 0 ? spans[0].first_block : n;
  end = n_spans > 0 ? spans[n_spans - 1].first_block + spans[n_spans - 1].n_blocks : n;
  if (!add_spans (self, spans, n_spans, error))
    return FALSE;
  if (pen_stack_index_count_blocks (self->index, 0, first, from, to) == 0
      && pen_stack_index_count_blocks (self->index, end, n, from, to) == 0)
    return TRUE;
  return prepare_ends (self, error)
         && count_blocks (self, 0, first, from, to, count_batch, self, error)
         && count_blocks (self, end, n, from, to, count_batch, self, error);
}

/* ---- large recordings ---- */

static gboolean
count_and_note (const PenStackBatch *batch, gpointer user_data, GError **error)
{
  PenStackCounts *self = user_data;
  PenStackSlices *slices = self->index->slices[self->options->grouping];

  pen_stack_slices_note (slices, batch->number, self->own, MIN (self->n, self->map->trie->n));
  return count_batch (batch, self, error);
}

static void
add_slices (PenStackCounts *self, const PenStackSlice *before, const PenStackSlice *after)
{
  if (after->n > self->n)
    resize (self);
  for (guint i = 0; i < after->n; i++) {
    PenStackCount count = after->own[i];

    if (i < before->n) {
      count.samples -= before->own[i].samples;
      count.period -= before->own[i].period;
    }
    pen_stack_count_add (&self->own[i], count);
    pen_stack_count_add (&self->total, count);
  }
}

/* Counts everything, and keeps what any stretch of time is counted by. */
static gboolean
count_all (PenStackCounts *self, GError **error)
{
  PenStackSlices **slices = &self->index->slices[self->options->grouping];
  guint n;

  pen_store_get_blocks (self->index->query->store, &n);
  if (*slices) {
    const GArray *known = (*slices)->slices;

    add_slices (self, &g_array_index (known, PenStackSlice, 0),
                &g_array_index (known, PenStackSlice, known->len - 1));
    return TRUE;
  }
  *slices = pen_stack_slices_new (PEN_STACK_SLICES_SIZE);
  if (!count_each (self, count_and_note, self, error)) {
    g_clear_pointer (slices, pen_stack_slices_free);
    return FALSE;
  }
  pen_stack_slices_finish (*slices, n, self->own, MIN (self->n, self->map->trie->n));
  return TRUE;
}

/* Only a stretch of time, of which slices have the most. */
static gboolean
count_stretch (PenStackCounts *self, GError **error)
{
  PenStackGrouping grouping = self->options->grouping;
  const PenStackSlices *slices = self->index->slices[grouping];
  guint64 from = self->matcher->filter->from;
  guint64 to = self->matcher->filter->to;
  const PenStackSlice *before;
  const PenStackSlice *after;
  guint first;
  guint end;
  guint n;

  find_blocks_inside (self, from, to, &first, &end);
  if (!slices || !pen_stack_slices_find (slices, &first, &end, &before, &after))
    return count_each (self, count_batch, self, error);
  pen_store_get_blocks (self->index->query->store, &n);
  add_slices (self, before, after);
  return count_blocks (self, 0, first, from, to, count_batch, self, error)
         && count_blocks (self, end, n, from, to, count_batch, self, error);
}

static gboolean
count_samples (PenStackCounts *self, GError **error)
{
  gboolean is_plain = !self->own_map && !self->lens && !self->inner
                      && pen_matcher_has_all_samples (self->matcher);

  if (self->sums)
    return sum_between (self, self->matcher->asks_time ? self->matcher->filter->from : 0,
                        self->matcher->asks_time ? self->matcher->filter->to : G_MAXUINT64, error);
  if (!self->index->is_streamed || !is_plain)
    return count_each (self, count_batch, self, error);
  return self->matcher->asks_time ? count_stretch (self, error) : count_all (self, error);
}

/* ---- hidden frames ---- */

static void
hide_groups (PenStackCounts *self, const PenStackGroups *groups, const PenFlameOptions *options)
{
  self->hidden = g_malloc0 (groups->groups->len);
  for (guint i = 0; i < options->n_hidden; i++) {
    if (options->hidden[i] != PEN_STACK_UNRECORDED && options->hidden[i] < groups->groups->len)
      self->hidden[options->hidden[i]] = TRUE;
  }
}

static gboolean
merge_nodes (PenStackCounts *self, GError **error)
{
  const PenFlameOptions *options = self->options;
  PenStackCount *own;

  self->trie = self->map->trie;
  if (options->n_hidden == 0 && !options->collapses_recursion)
    return TRUE;
  /* Nodes that come later would be in no merge. */
  if (options->version_share > 0 && !pen_stack_counts_prepare_rows (self, error))
    return FALSE;
  self->n_merged = self->trie->n;
  if (options->n_hidden > 0)
    hide_groups (self, self->index->groups[options->grouping], options);
  self->merge = pen_stack_merge_new (self->trie, self->hidden, options->collapses_recursion,
                                     options->order == PEN_FLAME_CALLEES);
  if (self->merge->trie->is_full)
    return pen_stack_map_refuse_size (error);
  own = g_new0 (PenStackCount, self->merge->trie->size);
  for (guint32 i = 0; i < MIN (self->n, self->trie->n); i++)
    pen_stack_count_add (&own[self->merge->nodes[i]], self->own[i]);
  g_free (self->own);
  self->own = own;
  self->trie = self->merge->trie;
  self->n = self->trie->size;
  return TRUE;
}

/* Nothing is counted yet. */
static PenStackCounts *
counts_new (PenQuery *query, const PenFilter *filter, const PenFlameOptions *options,
            GError **error)
{
  g_autoptr (PenStackCounts) self = g_new0 (PenStackCounts, 1);
  gboolean sums;

  self->options = options;
  self->matcher = pen_matcher_new_bare (query, filter, error);
  if (!self->matcher)
    return NULL;
  self->index = pen_stack_index_get_bare (query, options->grouping, error);
  if (!self->index)
    return NULL;
  sums = can_sum (self);
  if ((!sums && !pen_stack_index_load (self->index, error)) || !find_places (self, error))
    return NULL;
  make_own_map (self);
  if (!(sums ? prepare_sums (self, error) : pen_stack_counts_prepare_rows (self, error)))
    return NULL;
  resize (self);
  return g_steal_pointer (&self);
}

PenStackCounts *
pen_stack_counts_new (PenQuery *query, const PenFilter *filter, const PenFlameOptions *options,
                      GError **error)
{
  g_autoptr (PenStackCounts) self = counts_new (query, filter, options, error);

  return self && count_samples (self, error) && merge_nodes (self, error) ? g_steal_pointer (&self)
                                                                          : NULL;
}

static gboolean
count_pieces (PenStackCounts *self, const GArray *pieces, GError **error)
{
  for (guint i = 0; i < pieces->len; i++) {
    const PenPiece *piece = &g_array_index (pieces, PenPiece, i);

    if (!(self->sums ? sum_between (self, piece->from, piece->to, error)
                     : count_between (self, piece->from, piece->to, count_batch, self, error)))
      return FALSE;
  }
  return TRUE;
}

PenStackCounts *
pen_stack_counts_new_between (PenQuery *query, const PenFilter *filter,
                              const PenFlameOptions *options, const GArray *before,
                              const GArray *after, GError **error)
{
  g_autoptr (PenStackCounts) self = counts_new (query, filter, options, error);

  if (!self || !count_pieces (self, before, error))
    return NULL;
  self->is_after = TRUE;
  return count_pieces (self, after, error) && merge_nodes (self, error) ? g_steal_pointer (&self)
                                                                        : NULL;
}

typedef struct {
  PenStackCounts *counts;
  PenStackLeafFunc func;
  gpointer user_data;
  guint32 n; /* nodes that were there: sums may be damaged, and samples have others */
} Leaves;

static gboolean
hand_out_leaves (const PenStackBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  Leaves *leaves = user_data;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    guint32 leaf = find_leaf (leaves->counts, batch, row);

    if (leaf < leaves->n)
      leaves->func (batch->block, row, pen_stack_counts_get_node (leaves->counts, leaf),
                    leaves->user_data);
  }
  return TRUE;
}

gboolean
pen_stack_counts_foreach (PenStackCounts *self, PenStackLeafFunc func, gpointer user_data,
                          GError **error)
{
  const PenMatcher *matcher = self->matcher;
  Leaves leaves = { self, func, user_data, 0 };
  guint n;

  if (!pen_stack_counts_prepare_rows (self, error))
    return FALSE;
  leaves.n = self->merge ? self->n_merged : self->map->trie->n;
  pen_store_get_blocks (self->index->query->store, &n);
  return pen_stack_index_scan_blocks (
      self->index, matcher, self->own_map ? PEN_STACK_GROUPINGS : self->options->grouping, 0, 0, n,
      matcher->asks_time ? matcher->filter->from : 0,
      matcher->asks_time ? matcher->filter->to : G_MAXUINT64, hand_out_leaves, &leaves, error);
}

void
pen_stack_counts_free (PenStackCounts *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->matcher, pen_matcher_free);
  g_clear_pointer (&self->merge, pen_stack_merge_free);
  g_clear_pointer (&self->own_map, pen_stack_map_free);
  g_clear_pointer (&self->inner, pen_stack_inner_free);
  g_clear_pointer (&self->place, pen_stack_spot_free);
  g_clear_pointer (&self->lens, pen_stack_lens_free);
  g_clear_pointer (&self->lens_place, pen_stack_spot_free);
  g_free (self->own_nodes);
  g_free (self->through);
  g_free (self->hidden);
  g_free (self->own);
  g_free (self->leaves);
  g_free (self);
}
