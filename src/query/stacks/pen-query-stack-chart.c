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
  guint place;     /* in the chart, plus one; 0: left out */
  guint last_mark; /* of waits: plus one; 0: none */
} Met;

/* Marks of waits: one for each column and place of a task. */
#define MAX_MARKS (8u * 1000 * 1000)
/* The weight of a wait that takes a whole column. */
#define WHOLE 65536u

/* A sample, or what a wait takes of a column. @met: index; @leaf: node of the plain map; @weight:
 * of samples 1 */
typedef struct {
  guint32 met;
  guint32 column;
  guint32 leaf;
  guint32 weight;
} Mark;

/* One that was put in its row's and column's place. */
typedef struct {
  guint32 leaf;
  guint32 weight;
} Placed;

/*
 * @indexes: gint64 of CPU or task → index in @met, plus one
 * @known: the same of each thread, or of each small number of a CPU
 * @marks: (element-type Mark)
 * @counts, @own: of each node of the trie, of the cell at hand: weight of what is through it and at
 *   it
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
  guint64 *counts;
  guint64 *own;
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
    Met one = { .row = added };

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

static guint32
get_leaf (const Charting *self, const PenStackBatch *batch, guint row)
{
  const PenSampleBlock *block = batch->block;

  return batch->leaves
             ? batch->leaves[row]
             : pen_stack_map_get_leaf (
                 self->map, block->has[row], block->chain[row], block->bucket[row],
                 pen_bucket_functions_get (self->query->bucket_functions, block->bucket[row]));
}

static gboolean
mark_batch (const PenStackBatch *batch, gpointer user_data, GError **error)
{
  Charting *self = user_data;
  const PenSampleBlock *block = batch->block;
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
    mark.leaf = get_leaf (self, batch, row);
    mark.weight = 1;
    g_array_index (self->met, Met, mark.met).row.samples += self->chart->stride;
    g_array_append_val (self->marks, mark);
  }
  return !self->map->trie->is_full || pen_stack_map_refuse_size (error);
}

/* ---- waits ---- */

/* What a wait has of the chart's time. Returns: FALSE: nothing */
static gboolean
cut_wait (const Charting *self, const PenSampleBlock *block, guint row, guint64 *from, guint64 *to)
{
  guint64 length = block->has[row] & PEN_SAMPLE_HAS_PERIOD ? block->period[row] : 0;

  *from = block->time[row];
  *to = *from + MIN (length, G_MAXUINT64 - *from);
  *from = MAX (*from, self->chart->from);
  *to = MIN (*to, self->chart->to);
  return *from < *to;
}

static gboolean
weigh_waits (const PenStackBatch *batch, gpointer user_data, GError **error G_GNUC_UNUSED)
{
  Charting *self = user_data;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint64 from, to;
    guint32 met;

    if (!cut_wait (self, batch->block, batch->rows[i], &from, &to))
      continue;
    met = find_met (self, batch->block, batch->rows[i]);
    if (met != G_MAXUINT32)
      g_array_index (self->met, Met, met).row.samples += to - from;
  }
  return TRUE;
}

/* Short waits at one place of a task are one mark in a column. */
static void
add_mark (Charting *self, Mark mark)
{
  Met *met = &g_array_index (self->met, Met, mark.met);
  Mark *last = met->last_mark > 0 ? &g_array_index (self->marks, Mark, met->last_mark - 1) : NULL;

  if (last && last->column == mark.column && last->leaf == mark.leaf) {
    last->weight += MIN (mark.weight, G_MAXUINT32 - last->weight);
    return;
  }
  g_array_append_val (self->marks, mark);
  met->last_mark = self->marks->len;
}

static void
mark_wait (Charting *self, Mark mark, guint64 from, guint64 to)
{
  double scale = self->chart->n_columns / (double) (self->chart->to - self->chart->from);
  double begin = (double) (from - self->chart->from) * scale;
  double end = (double) (to - self->chart->from) * scale;
  guint first = MIN ((guint) begin, self->chart->n_columns - 1);
  guint last = MIN ((guint) end, self->chart->n_columns - 1);

  for (guint column = first; column <= last && self->marks->len < MAX_MARKS; column++) {
    double part = MIN (end, column + 1.0) - MAX (begin, column);

    mark.column = column;
    mark.weight = (guint32) (CLAMP (part, 0, 1) * WHOLE);
    if (mark.weight > 0 || first == last) {
      mark.weight = MAX (mark.weight, 1);
      add_mark (self, mark);
    }
  }
}

static gboolean
mark_waits (const PenStackBatch *batch, gpointer user_data, GError **error)
{
  Charting *self = user_data;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    guint64 from, to;
    Mark mark = { 0 };

    if (!cut_wait (self, batch->block, row, &from, &to))
      continue;
    mark.met = find_met (self, batch->block, row);
    if (mark.met == G_MAXUINT32 || g_array_index (self->met, Met, mark.met).place == 0)
      continue;
    mark.leaf = get_leaf (self, batch, row);
    mark_wait (self, mark, from, to);
  }
  return (!self->map->trie->is_full && self->marks->len < MAX_MARKS)
         || pen_stack_map_refuse_size (error);
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

/* The marks of rows, by row and column. Returns: where each cell begins, and where the last ends */
static guint32 *
sort_marks (Charting *self, Placed **sorted)
{
  gsize n_cells = (gsize) self->chart->rows->len * self->chart->n_columns;
  guint32 *starts = g_new0 (guint32, n_cells + 2);

  *sorted = g_new (Placed, (gsize) self->marks->len + 1);
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
          = (Placed){ mark->leaf, mark->weight };
  }
  return starts;
}

/* ---- cells ---- */

static gboolean
count_leaves (Charting *self, const Placed *placed, guint n, GError **error)
{
  const PenStackTrie *trie = self->map->trie;

  for (guint i = 0; i < n; i++) {
    if (!pen_store_steps_on (self->query->store, i, error))
      return FALSE;
    self->own[placed[i].leaf] += placed[i].weight;
    for (guint32 at = placed[i].leaf; at != 0; at = trie->nodes[at].parent) {
      if (self->counts[at] == 0)
        g_array_append_val (self->touched, at);
      self->counts[at] += placed[i].weight;
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
  Placed *sorted = NULL;
  g_autofree guint32 *starts = sort_marks (self, &sorted);
  g_autofree Placed *placed = sorted;

  self->counts = g_new0 (guint64, self->map->trie->n);
  self->own = g_new0 (guint64, self->map->trie->n);
  self->best = g_new0 (guint32, self->map->trie->n);
  for (guint row = 0; row < self->chart->rows->len; row++) {
    for (guint column = 0; column < self->chart->n_columns; column++) {
      gsize cell = (gsize) row * self->chart->n_columns + column;

      if (!count_leaves (self, placed + starts[cell], starts[cell + 1] - starts[cell], error))
        return FALSE;
      add_cell (self, row, column);
      forget_leaves (self);
    }
    close_boxes (self, row, 0, self->chart->n_columns);
  }
  return TRUE;
}

static gboolean
find_samples (Charting *self, const PenMatcher *matcher, PenStackGrouping grouping, guint max_rows,
              GError **error)
{
  PenStackChart *chart = self->chart;

  if (!pen_stack_index_scan_some (self->index, matcher, grouping, chart->from, chart->to - 1,
                                  MAX_BLOCKS, &chart->stride, mark_batch, self, error))
    return FALSE;
  choose_rows (self, max_rows);
  return TRUE;
}

/* A wait may be as long as the recording. Those of tasks without a row are not kept. */
static gboolean
find_waits (Charting *self, const PenMatcher *matcher, PenStackGrouping grouping, guint max_rows,
            GError **error)
{
  PenStackChart *chart = self->chart;

  chart->stride = 1;
  if (!pen_stack_index_scan (self->index, matcher, PEN_STACK_GROUPINGS, PEN_SAMPLE_COLUMNS_ALL, 0,
                             chart->to - 1, weigh_waits, self, error))
    return FALSE;
  choose_rows (self, max_rows);
  return pen_stack_index_scan (self->index, matcher, grouping, PEN_SAMPLE_COLUMNS_ALL, 0,
                               chart->to - 1, mark_waits, self, error);
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
  g_return_val_if_fail (key == PEN_CHART_BY_TASK || !pen_query_is_of_waits (self), NULL);

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
  if (!(pen_query_is_of_waits (self) ? find_waits : find_samples) (&charting, matcher, grouping,
                                                                   max_rows, error))
    return NULL;
  return chart_rows (&charting, error) ? g_steal_pointer (&chart) : NULL;
}
