/* pen-stack-index.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stack-index.h"

#include "pen-stack-readers.h"

static void
index_free (gpointer data)
{
  PenStackIndex *self = data;

  for (guint i = 0; i < PEN_STACK_GROUPINGS; i++) {
    g_clear_pointer (&self->maps[i], pen_stack_map_free);
    g_clear_pointer (&self->groups[i], pen_stack_groups_free);
    g_clear_pointer (&self->versioned[i], g_free);
    g_clear_pointer (&self->slices[i], pen_stack_slices_free);
  }
  g_clear_pointer (&self->sums, pen_stack_sums_free);
  g_clear_pointer (&self->versions, pen_stack_versions_free);
  g_clear_pointer (&self->frames, pen_frame_columns_free);
  g_clear_pointer (&self->kept, g_array_unref);
  g_clear_pointer (&self->readers, pen_stack_readers_free);
  g_free (self);
}

static PenStackIndex *
get_index (PenQuery *query)
{
  static GQuark quark = 0;
  PenStackIndex *self;

  if (quark == 0)
    quark = g_quark_from_static_string ("pen-stack-index");
  self = g_object_get_qdata (G_OBJECT (query), quark);
  if (!self) {
    self = g_new0 (PenStackIndex, 1);
    self->query = query;
    self->n_readers = g_get_num_processors ();
    g_object_set_qdata_full (G_OBJECT (query), quark, self, index_free);
  }
  return self;
}

const PenStackGroups *
pen_stack_index_get_groups (PenQuery *query, PenStackGrouping grouping, GError **error)
{
  PenStackIndex *self = get_index (query);

  if (!self->groups[grouping]) {
    if (!pen_query_load (query, error))
      return NULL;
    self->groups[grouping] = pen_stack_groups_new (query, grouping, error);
  }
  return self->groups[grouping];
}

const PenStackGroup *
pen_query_get_stack_groups (PenQuery *self, PenStackGrouping grouping, guint *n, GError **error)
{
  const PenStackGroups *groups = pen_stack_index_get_groups (self, grouping, error);

  *n = groups ? groups->groups->len : 0;
  return groups ? (const PenStackGroup *) (gpointer) groups->groups->data : NULL;
}

guint32
pen_query_get_stack_group (PenQuery *self, PenStackGrouping grouping, guint32 function,
                           GError **error)
{
  const PenStackGroups *groups = pen_stack_index_get_groups (self, grouping, error);

  return groups && function < self->n_functions ? groups->of_function[function]
                                                : PEN_STACK_NO_GROUP;
}

/* ---- samples ---- */

static void
clear_kept (gpointer data)
{
  PenStackKept *kept = data;

  g_clear_pointer (&kept->block, pen_sample_block_free);
  for (guint i = 0; i < PEN_STACK_GROUPINGS; i++)
    g_clear_pointer (&kept->leaves[i], g_free);
}

static gboolean
keep_samples (PenStackIndex *self, GError **error)
{
  PenQuery *query = self->query;
  g_autoptr (GArray) kept = NULL;
  guint n;
  const PenBlockInfo *blocks = pen_store_get_blocks (query->store, &n);
  guint64 n_samples = 0;

  for (guint i = 0; i < n; i++)
    n_samples += blocks[i].n;
  if (n_samples > PEN_STACK_KEPT_MAX || n > PEN_STACK_KEPT_BLOCKS) {
    self->is_streamed = TRUE;
    return TRUE;
  }
  kept = g_array_sized_new (FALSE, TRUE, sizeof (PenStackKept), n);
  g_array_set_clear_func (kept, clear_kept);
  for (guint i = 0; i < n; i++) {
    PenStackKept one = { .block = pen_sample_block_new () };

    g_array_append_val (kept, one);
    if (!pen_store_read_block (query->store, i, one.block, error)
        || !pen_bucket_functions_learn (query->bucket_functions, i, one.block, error))
      return FALSE;
  }
  self->kept = g_steal_pointer (&kept);
  return TRUE;
}

PenStackIndex *
pen_stack_index_get_bare (PenQuery *query, PenStackGrouping grouping, GError **error)
{
  return pen_stack_index_get_groups (query, grouping, error) ? get_index (query) : NULL;
}

gboolean
pen_stack_index_load_frames (PenStackIndex *self, GError **error)
{
  if (!self->frames)
    self->frames = pen_store_load_frame_columns (self->query->store, error);
  return self->frames != NULL;
}

gboolean
pen_stack_index_load (PenStackIndex *self, GError **error)
{
  return pen_stack_index_load_frames (self, error)
         && (self->kept || self->is_streamed || keep_samples (self, error));
}

PenStackIndex *
pen_stack_index_get (PenQuery *query, PenStackGrouping grouping, GError **error)
{
  PenStackIndex *self = pen_stack_index_get_bare (query, grouping, error);

  return self && pen_stack_index_load (self, error) ? self : NULL;
}

PenStackSpot *
pen_stack_index_find (PenStackIndex *self, const PenStackPlace *place, GError **error)
{
  const PenStackGroups *groups = pen_stack_index_get_groups (self->query, place->grouping, error);

  return groups ? pen_stack_spot_new (self->query, self->frames, groups->of_function, place, error)
                : NULL;
}

/* ---- the plain map ---- */

static guint32 *
find_leaves (PenStackIndex *self, PenStackMap *map, const PenSampleBlock *block)
{
  const PenBucketFunctions *functions = self->query->bucket_functions;
  guint32 *leaves = g_new (guint32, block->n + 1);

  pen_stack_map_get_leaves (map, functions, block, NULL, block->n, leaves);
  return leaves;
}

static PenStackMap *
get_map (PenStackIndex *self, PenStackGrouping grouping)
{
  PenStackRules rules = { .of_function = self->groups[grouping]->of_function };

  if (!self->maps[grouping])
    self->maps[grouping] = pen_stack_map_new_empty (self->query, &rules);
  return self->maps[grouping];
}

PenStackMap *
pen_stack_index_get_chain_map (PenStackIndex *self, PenStackGrouping grouping, GError **error)
{
  PenStackMap *map = get_map (self, grouping);

  return pen_stack_index_load_frames (self, error)
                 && pen_stack_map_complete (map, self->query, self->frames, error)
             ? map
             : NULL;
}

PenStackMap *
pen_stack_index_get_map (PenStackIndex *self, PenStackGrouping grouping, GError **error)
{
  PenStackMap *map = pen_stack_index_get_chain_map (self, grouping, error);

  if (!map || !pen_stack_index_load (self, error))
    return NULL;
  for (guint i = 0; self->kept && i < self->kept->len; i++) {
    PenStackKept *kept = &g_array_index (self->kept, PenStackKept, i);

    if (kept->leaves[grouping])
      continue;
    if (!pen_store_goes_on (self->query->store, error))
      return NULL;
    kept->leaves[grouping] = find_leaves (self, map, kept->block);
  }
  if (!map->trie->is_full)
    return map;
  pen_stack_map_refuse_size (error);
  return NULL;
}

/* ---- sums ---- */

gboolean
pen_stack_index_has_sums (PenStackIndex *self)
{
  guint n;

  pen_store_get_stack_spans (self->query->store, &n);
  return n > 0;
}

PenStackSums *
pen_stack_index_get_bare_sums (PenStackIndex *self, GError **error)
{
  if (!self->sums)
    self->sums = pen_stack_sums_new (self->query->store, error);
  return self->sums;
}

PenStackSums *
pen_stack_index_get_sums (PenStackIndex *self, PenStackGrouping grouping, GError **error)
{
  PenStackSums *sums = pen_stack_index_get_bare_sums (self, error);

  if (sums && !sums->nodes[grouping])
    sums->nodes[grouping] = pen_stack_sums_find_nodes (sums, get_map (self, grouping), error);
  return sums && sums->nodes[grouping] ? sums : NULL;
}

const PenStackVersions *
pen_stack_index_get_versions (PenStackIndex *self, GError **error)
{
  if (!self->versions && pen_stack_index_load_frames (self, error))
    self->versions = pen_stack_versions_new (self->query, self->frames, error);
  return self->versions;
}

const guint8 *
pen_stack_index_get_versioned (PenStackIndex *self, PenStackGrouping grouping)
{
  const PenStackGroups *groups = self->groups[grouping];
  guint8 *versioned = self->versioned[grouping];
  g_autofree guint32 *first = NULL;

  if (versioned)
    return versioned;
  versioned = g_malloc0 (groups->groups->len);
  first = g_new0 (guint32, groups->groups->len);
  for (guint32 i = 0; i < self->query->n_functions; i++) {
    guint32 group = groups->of_function[i];
    guint32 version = self->versions->of_function[i];

    if (version == 0)
      continue;
    if (first[group] == 0)
      first[group] = version;
    versioned[group] |= version == PEN_STACK_SEVERAL || version != first[group];
  }
  return self->versioned[grouping] = versioned;
}

/* ---- walking over samples ---- */

/* Of so many blocks one, and functions of all buckets are read at once. */
#define MANY_BLOCKS 4u

guint
pen_stack_index_select_rows (const PenMatcher *matcher, const PenSampleBlock *block, guint64 from,
                             guint64 to, guint32 *rows)
{
  gboolean asks_time = from > 0 || to < G_MAXUINT64;
  guint n = 0;

  for (guint i = 0; i < block->n; i++) {
    if (asks_time
        && (!(block->has[i] & PEN_SAMPLE_HAS_TIME) || block->time[i] < from || block->time[i] > to))
      continue;
    rows[n++] = i;
  }
  return pen_matcher_has_all_samples (matcher) ? n : pen_matcher_narrow (matcher, block, rows, n);
}

guint
pen_stack_index_count_blocks (PenStackIndex *self, guint first, guint end, guint64 from, guint64 to)
{
  guint n = 0;
  guint n_blocks;
  const PenBlockInfo *blocks = pen_store_get_blocks (self->query->store, &n_blocks);

  for (guint i = first; i < end; i++)
    n += blocks[i].last >= from && blocks[i].first <= to;
  return n;
}

gboolean
pen_stack_index_learn_functions (PenStackIndex *self, guint first, guint end, guint64 from,
                                 guint64 to, GError **error)
{
  PenQuery *query = self->query;

  return pen_stack_index_count_blocks (self, first, end, from, to)
             < query->tree.n_blocks / MANY_BLOCKS
         || pen_bucket_functions_learn_all (query->bucket_functions, error);
}

guint
pen_stack_index_find_columns (const PenMatcher *matcher, guint64 from, guint64 to)
{
  guint columns = 0;

  if (from > 0 || to < G_MAXUINT64)
    columns |= PEN_SAMPLE_COLUMN_TIME;
  if (matcher->threads)
    columns |= PEN_SAMPLE_COLUMN_THREAD;
  if (matcher->asks_cpu)
    columns |= PEN_SAMPLE_COLUMN_CPU;
  return columns;
}

/* With fewer, threads are not worth it. */
#define BLOCKS_SHARED 4u

gboolean
pen_stack_index_shares (PenStackIndex *self, guint first, guint end, guint64 from, guint64 to)
{
  if (!self->is_streamed || self->n_readers < 2
      || pen_stack_index_count_blocks (self, first, end, from, to) < BLOCKS_SHARED)
    return FALSE;
  if (!self->readers)
    self->readers = pen_stack_readers_new (self->query->store, self->n_readers);
  return TRUE;
}

/* A block that is kept, or of which @columns are read into @spare. */
static const PenSampleBlock *
get_block (PenStackIndex *self, guint number, guint columns, PenSampleBlock *spare, GError **error)
{
  PenQuery *query = self->query;

  if (!pen_store_goes_on (query->store, error))
    return NULL;
  if (self->kept)
    return g_array_index (self->kept, PenStackKept, number).block;
  return pen_store_read_block_some (query->store, number, columns, spare, error)
                 && pen_bucket_functions_learn (query->bucket_functions, number, spare, error)
             ? spare
             : NULL;
}

gboolean
pen_stack_index_scan_blocks (PenStackIndex *self, const PenMatcher *matcher,
                             PenStackGrouping leaves, guint columns, guint first, guint end,
                             guint64 from, guint64 to, PenStackBatchFunc func, gpointer user_data,
                             GError **error)
{
  const PenStackReading reading = { .index = self,
                                    .matcher = matcher,
                                    .columns = columns,
                                    .first = first,
                                    .end = end,
                                    .from = from,
                                    .to = to };
  g_autofree guint32 *rows = g_new (guint32, PEN_BLOCK_SAMPLES);
  g_autoptr (PenSampleBlock) spare = self->kept ? NULL : pen_sample_block_new ();
  guint n;
  const PenBlockInfo *blocks = pen_store_get_blocks (self->query->store, &n);

  if (!self->kept && !pen_stack_index_learn_functions (self, first, end, from, to, error))
    return FALSE;
  if (pen_stack_index_shares (self, first, end, from, to))
    return pen_stack_readers_scan (self->readers, &reading, func, user_data, error);
  columns |= pen_stack_index_find_columns (matcher, from, to);
  for (guint i = first; i < end; i++) {
    PenStackBatch batch = { .number = i, .rows = rows };

    if (blocks[i].last < from || blocks[i].first > to)
      continue;
    batch.block = get_block (self, i, columns, spare, error);
    if (!batch.block || !pen_matcher_learn (matcher, i, batch.block, error))
      return FALSE;
    batch.n_rows = pen_stack_index_select_rows (matcher, batch.block, from, to, rows);
    if (self->kept && leaves < PEN_STACK_GROUPINGS)
      batch.leaves = g_array_index (self->kept, PenStackKept, i).leaves[leaves];
    if (batch.n_rows > 0 && !func (&batch, user_data, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_stack_index_scan (PenStackIndex *self, const PenMatcher *matcher, PenStackGrouping leaves,
                      guint columns, guint64 from, guint64 to, PenStackBatchFunc func,
                      gpointer user_data, GError **error)
{
  guint n;

  pen_store_get_blocks (self->query->store, &n);
  return pen_stack_index_scan_blocks (self, matcher, leaves, columns, 0, n, from, to, func,
                                      user_data, error);
}

void
pen_stack_batch_get_leaves (const PenStackBatch *self, PenStackMap *map,
                            const PenBucketFunctions *functions, guint32 *leaves)
{
  const PenSampleBlock *block = self->block;

  if (!self->found) {
    pen_stack_map_get_leaves (map, functions, block, self->rows, self->n_rows, leaves);
    return;
  }
  for (guint i = 0; i < self->n_rows; i++) {
    guint row = self->rows[i];
    guint32 bucket = block->bucket[row];

    /* Nodes that were not there when a reader looked are made now. */
    leaves[i] = self->found[i] != 0
                    ? self->found[i]
                    : pen_stack_map_get_leaf (map, block->has[row], block->chain[row], bucket,
                                              pen_bucket_functions_get (functions, bucket));
  }
}

typedef struct {
  PenStackIndex *index;
  PenStackBatchFunc func;
  gpointer user_data;
} Scan;

static gboolean
scan_batch (const PenSampleBatch *found, gpointer user_data, GError **error)
{
  Scan *scan = user_data;
  PenStackBatch batch = {
    .number = found->number, .block = found->block, .rows = found->rows, .n_rows = found->n_rows
  };

  return pen_bucket_functions_learn (scan->index->query->bucket_functions, found->number,
                                     found->block, error)
         && scan->func (&batch, scan->user_data, error);
}

gboolean
pen_stack_index_scan_some (PenStackIndex *self, const PenMatcher *matcher, PenStackGrouping leaves,
                           guint64 from, guint64 to, guint n_most, guint *stride,
                           PenStackBatchFunc func, gpointer user_data, GError **error)
{
  Scan scan = { self, func, user_data };

  *stride = 1;
  if (self->kept)
    return pen_stack_index_scan (self, matcher, leaves, PEN_SAMPLE_COLUMNS_ALL, from, to, func,
                                 user_data, error);
  return pen_query_scan_some (self->query, matcher, from, to, n_most, stride, scan_batch, &scan,
                              error);
}
