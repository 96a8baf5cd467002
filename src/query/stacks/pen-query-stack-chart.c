/* pen-query-stack-chart.c: stacks in time order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-flame.h"

#include "pen-stack-index.h"
#include "pen-table-hash.h"

/* Blocks that are read of a recording whose samples are not kept: some 2 ms each. */
#define MAX_BLOCKS 24
/* CPUs or tasks that are looked at. */
#define MAX_MET 65536u
#define SMALL_CPUS 1024u

typedef struct {
  PenChartRow row;
  guint place; /* in the chart, plus one; 0: left out */
} Met;

/* A sample: @met: index; @leaf: node of the plain map. */
typedef struct {
  guint32 met;
  guint32 column;
  guint32 leaf;
} Mark;

/*
 * @indexes: gint64 of CPU or task → index in @met, plus one
 * @known: the same of each thread, or of each small number of a CPU
 * @marks: (element-type Mark)
 * @counts, @own: of each node of the trie, of the cell at hand: samples through it and at it
 * @best: of each: the child that most samples go through
 * @touched: (element-type guint32): nodes that have any
 * @open: (element-type guint32): node at each level, of the boxes that are not closed
 * @first: (element-type guint32): the column where each of them begins
 */
typedef struct {
  PenQuery *query;
  PenStackIndex *index;
  PenStackMap *map;
  PenChartKey key;
  guint max_levels;
  PenStackChart *chart;
  const PenBlockInfo *blocks;
  guint n_blocks;
  GHashTable *indexes;
  guint32 *known;
  GArray *met;
  GArray *marks;
  guint32 *counts;
  guint32 *own;
  guint32 *best;
  GArray *touched;
  GArray *open;
  GArray *first;
} Charting;

static void
charting_clear (Charting *self)
{
  g_clear_pointer (&self->indexes, g_hash_table_unref);
  g_clear_pointer (&self->met, g_array_unref);
  g_clear_pointer (&self->marks, g_array_unref);
  g_clear_pointer (&self->touched, g_array_unref);
  g_clear_pointer (&self->open, g_array_unref);
  g_clear_pointer (&self->first, g_array_unref);
  g_free (self->known);
  g_free (self->counts);
  g_free (self->own);
  g_free (self->best);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Charting, charting_clear)

void
pen_stack_chart_free (PenStackChart *self)
{
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->boxes, g_array_unref);
  g_free (self);
}

/* ---- samples ---- */

/* Returns: an index plus one, or 0: there are too many */
static guint32
add_met (Charting *self, const PenSampleBlock *block, guint row)
{
  const PenThread *thread = &self->query->threads[block->thread[row]];
  PenChartRow added = { -1, -1, NULL, 0, 0 };
  gint64 key;
  gpointer found;

  if (self->key == PEN_CHART_BY_CPU) {
    if (block->has[row] & PEN_SAMPLE_HAS_CPU)
      added.number = block->cpu[row];
    key = added.number;
  } else {
    if (thread->has_task) {
      added.number = thread->tid;
      added.pid = thread->pid;
    }
    key = thread->has_task
              ? (gint64) ((guint64) (guint32) thread->pid << 32 | (guint32) thread->tid)
              : -1;
  }
  if (!g_hash_table_lookup_extended (self->indexes, &key, NULL, &found)) {
    Met one = { added, 0 };

    if (self->met->len == MAX_MET)
      return 0;
    g_array_append_val (self->met, one);
    found = GUINT_TO_POINTER (self->met->len);
    g_hash_table_insert (self->indexes, g_memdup2 (&key, sizeof key), found);
  }
  return GPOINTER_TO_UINT (found);
}

/* Returns: an index, or G_MAXUINT32: there are too many */
static guint32
find_met (Charting *self, const PenSampleBlock *block, guint row)
{
  const PenThread *thread = &self->query->threads[block->thread[row]];
  gboolean is_cpu = self->key == PEN_CHART_BY_CPU;
  gboolean is_small
      = !is_cpu || (block->has[row] & PEN_SAMPLE_HAS_CPU && block->cpu[row] < SMALL_CPUS);
  guint32 place = is_cpu ? block->cpu[row] : block->thread[row];
  guint32 found = is_small ? self->known[place] : 0;
  Met *met;

  if (found == 0)
    found = add_met (self, block, row);
  if (found == 0)
    return G_MAXUINT32;
  if (is_small)
    self->known[place] = found;
  met = &g_array_index (self->met, Met, found - 1);
  if (!is_cpu && thread->comm && *thread->comm != '\0')
    met->row.comm = thread->comm;
  met->row.samples += self->chart->stride;
  return found - 1;
}

/* Samples of a block that stands for others are laid out over the time of all of them. */
static guint64
stretch_time (const Charting *self, guint64 time, guint number)
{
  const PenBlockInfo *block = &self->blocks[number];
  guint next = number + self->chart->stride;
  guint64 end = next < self->n_blocks ? self->blocks[next].first : self->chart->to;
  guint64 length = block->last - block->first;

  if (self->chart->stride == 1 || length == 0 || end <= block->last || time < block->first)
    return time;
  return block->first
         + (guint64) ((double) (time - block->first) / (double) length
                      * (double) (end - 1 - block->first));
}

static gboolean
mark_batch (const PenStackBatch *batch, gpointer user_data, GError **error)
{
  Charting *self = user_data;
  const PenSampleBlock *block = batch->block;
  const PenBucketFunctions *functions = self->query->bucket_functions;
  double columns = self->chart->n_columns / (double) (self->chart->to - self->chart->from);

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    guint64 time = stretch_time (self, block->time[row], batch->number);
    Mark mark;

    if (time < self->chart->from || time >= self->chart->to)
      continue;
    mark.met = find_met (self, block, row);
    if (mark.met == G_MAXUINT32)
      continue;
    mark.column = (guint32) ((double) (time - self->chart->from) * columns);
    mark.column = MIN (mark.column, self->chart->n_columns - 1);
    mark.leaf = batch->leaves ? batch->leaves[row]
                              : pen_stack_map_get_leaf (
                                  self->map, block->has[row], block->chain[row], block->bucket[row],
                                  pen_bucket_functions_get (functions, block->bucket[row]));
    g_array_append_val (self->marks, mark);
  }
  return !self->map->trie->is_full || pen_stack_map_refuse_size (error);
}

/* ---- rows ---- */

static int
compare_by_samples (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GArray *met = user_data;
  const PenChartRow *x = &g_array_index (met, Met, *(const guint32 *) a).row;
  const PenChartRow *y = &g_array_index (met, Met, *(const guint32 *) b).row;

  if (x->samples != y->samples)
    return x->samples > y->samples ? -1 : 1;
  if (x->number != y->number)
    return x->number < y->number ? -1 : 1;
  return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static int
compare_by_number (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const GArray *met = user_data;
  gint64 x = g_array_index (met, Met, *(const guint32 *) a).row.number;
  gint64 y = g_array_index (met, Met, *(const guint32 *) b).row.number;

  return x < y ? -1 : x > y;
}

static void
choose_rows (Charting *self, guint max_rows)
{
  guint n = self->met->len;
  guint n_rows = MIN (n, max_rows);
  g_autofree guint32 *order = g_new (guint32, (gsize) n + 1);

  for (guint32 i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) n, sizeof *order, compare_by_samples, self->met);
  if (self->key == PEN_CHART_BY_CPU)
    g_qsort_with_data (order, (gint) n_rows, sizeof *order, compare_by_number, self->met);
  for (guint i = 0; i < n_rows; i++) {
    Met *met = &g_array_index (self->met, Met, order[i]);

    met->place = i + 1;
    g_array_append_val (self->chart->rows, met->row);
  }
  self->chart->n_left_out = n - n_rows;
}

/* The marks of rows, by row and column. Returns: where each cell begins, and where the last ends;
 * @sorted: (out): leaves */
static guint32 *
sort_marks (Charting *self, guint32 **sorted)
{
  gsize n_cells = (gsize) self->chart->rows->len * self->chart->n_columns;
  guint32 *starts = g_new0 (guint32, n_cells + 2);

  *sorted = g_new (guint32, (gsize) self->marks->len + 1);
  for (guint i = 0; i < self->marks->len; i++) {
    const Mark *mark = &g_array_index (self->marks, Mark, i);
    guint place = g_array_index (self->met, Met, mark->met).place;

    if (place > 0)
      starts[(gsize) (place - 1) * self->chart->n_columns + mark->column + 2]++;
  }
  for (gsize i = 2; i < n_cells + 2; i++)
    starts[i] += starts[i - 1];
  for (guint i = 0; i < self->marks->len; i++) {
    const Mark *mark = &g_array_index (self->marks, Mark, i);
    guint place = g_array_index (self->met, Met, mark->met).place;

    if (place > 0)
      (*sorted)[starts[(gsize) (place - 1) * self->chart->n_columns + mark->column + 1]++]
          = mark->leaf;
  }
  return starts;
}

/* ---- cells ---- */

static gboolean
count_leaves (Charting *self, const guint32 *leaves, guint n, GError **error)
{
  const PenStackTrie *trie = self->map->trie;

  for (guint i = 0; i < n; i++) {
    if (!pen_store_steps_on (self->query->store, i, error))
      return FALSE;
    self->own[leaves[i]]++;
    for (guint32 at = leaves[i]; at != 0; at = trie->nodes[at].parent) {
      if (self->counts[at]++ == 0)
        g_array_append_val (self->touched, at);
    }
  }
  for (guint i = 0; i < self->touched->len; i++) {
    guint32 at = g_array_index (self->touched, guint32, i);
    guint32 *best = &self->best[trie->nodes[at].parent];

    /* Of as many, the first. */
    if (*best == 0 || self->counts[at] > self->counts[*best]
        || (at < *best && self->counts[at] == self->counts[*best]))
      *best = at;
  }
  return TRUE;
}

static void
forget_leaves (Charting *self)
{
  self->best[0] = 0;
  self->own[0] = 0;
  for (guint i = 0; i < self->touched->len; i++) {
    guint32 at = g_array_index (self->touched, guint32, i);

    self->counts[at] = 0;
    self->own[at] = 0;
    self->best[at] = 0;
  }
  g_array_set_size (self->touched, 0);
}

/* Closes the boxes from level @level on, which end before @column. */
static void
close_boxes (Charting *self, guint row, guint level, guint column)
{
  for (guint i = level; i < self->open->len; i++) {
    PenChartBox box = { row, i + 1, g_array_index (self->first, guint32, i), column - 1,
                        self->map->trie->nodes[g_array_index (self->open, guint32, i)].group };

    g_array_append_val (self->chart->boxes, box);
  }
  g_array_set_size (self->open, level);
  g_array_set_size (self->first, level);
}

/* Goes on with the boxes whose frames are the same, and opens others. */
static void
add_cell (Charting *self, guint row, guint column)
{
  PenChartRow *in = &g_array_index (self->chart->rows, PenChartRow, row);
  guint32 at = 0;
  guint level = 0;

  while (self->best[at] != 0 && self->counts[self->best[at]] >= self->own[at]
         && level < self->max_levels) {
    at = self->best[at];
    if (level < self->open->len && g_array_index (self->open, guint32, level) != at)
      close_boxes (self, row, level, column);
    if (level == self->open->len) {
      guint32 first = column;

      g_array_append_val (self->open, at);
      g_array_append_val (self->first, first);
    }
    level++;
  }
  close_boxes (self, row, level, column);
  in->n_levels = MAX (in->n_levels, level);
}

static gboolean
chart_rows (Charting *self, GError **error)
{
  guint32 *sorted = NULL;
  g_autofree guint32 *starts = sort_marks (self, &sorted);
  g_autofree guint32 *leaves = sorted;

  self->counts = g_new0 (guint32, self->map->trie->n);
  self->own = g_new0 (guint32, self->map->trie->n);
  self->best = g_new0 (guint32, self->map->trie->n);
  for (guint row = 0; row < self->chart->rows->len; row++) {
    for (guint column = 0; column < self->chart->n_columns; column++) {
      gsize cell = (gsize) row * self->chart->n_columns + column;

      if (!count_leaves (self, leaves + starts[cell], starts[cell + 1] - starts[cell], error))
        return FALSE;
      add_cell (self, row, column);
      forget_leaves (self);
    }
    close_boxes (self, row, 0, self->chart->n_columns);
  }
  return TRUE;
}

PenStackChart *
pen_query_stack_chart (PenQuery *self, const PenFilter *filter, PenStackGrouping grouping,
                       PenChartKey key, guint64 from, guint64 to, guint n_columns, guint max_rows,
                       guint max_levels, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (PenStackChart) chart = g_new0 (PenStackChart, 1);
  g_auto (Charting) charting
      = { .query = self, .key = key, .max_levels = max_levels, .chart = chart };

  g_return_val_if_fail (from < to && n_columns > 0, NULL);

  if (!matcher || !pen_query_load_threads (self, error))
    return NULL;
  charting.index = pen_stack_index_get (self, grouping, error);
  if (!charting.index)
    return NULL;
  charting.map = pen_stack_index_get_map (charting.index, grouping, error);
  if (!charting.map)
    return NULL;
  charting.blocks = pen_store_get_blocks (self->store, &charting.n_blocks);
  charting.indexes = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, NULL);
  charting.known = g_new0 (guint32, MAX (self->n_threads, SMALL_CPUS));
  charting.met = g_array_new (FALSE, FALSE, sizeof (Met));
  charting.marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  charting.touched = g_array_new (FALSE, FALSE, sizeof (guint32));
  charting.open = g_array_new (FALSE, FALSE, sizeof (guint32));
  charting.first = g_array_new (FALSE, FALSE, sizeof (guint32));
  chart->key = key;
  chart->from = from;
  chart->to = to;
  chart->n_columns = n_columns;
  chart->groups = (const PenStackGroup *) (gpointer) charting.index->groups[grouping]->groups->data;
  chart->n_groups = charting.index->groups[grouping]->groups->len;
  chart->rows = g_array_new (FALSE, FALSE, sizeof (PenChartRow));
  chart->boxes = g_array_new (FALSE, FALSE, sizeof (PenChartBox));
  if (!pen_stack_index_scan_some (charting.index, matcher, grouping, from, to - 1, MAX_BLOCKS,
                                  &chart->stride, mark_batch, &charting, error))
    return NULL;
  choose_rows (&charting, max_rows);
  return chart_rows (&charting, error) ? g_steal_pointer (&chart) : NULL;
}
