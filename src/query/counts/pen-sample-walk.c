/* pen-sample-walk.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-walk.h"

typedef struct {
  PenQuery *query;
  const PenMatcher *matcher;
  const PenBlockInfo *blocks;
  guint n_blocks;
  PenSampleBlock *block;
  guint32 *rows;
  const PenWalkFuncs *funcs;
  PenScanFunc func;
  gpointer user_data;
  guint64 max_width;
} Walk;

static void
walk_init (Walk *walk, PenQuery *query, const PenMatcher *matcher, PenScanFunc func,
           gpointer user_data)
{
  *walk = (Walk){ .query = query, .matcher = matcher, .func = func, .user_data = user_data };
  walk->blocks = pen_store_get_blocks (query->store, &walk->n_blocks);
  walk->block = g_steal_pointer (&query->spare_block);
  walk->rows = g_steal_pointer (&query->spare_rows);
  if (!walk->block) {
    walk->block = pen_sample_block_new ();
    walk->rows = g_new (guint32, PEN_BLOCK_SAMPLES);
  }
}

/* Two megabytes, which the kernel would have to clear again for each question. */
static void
walk_clear (Walk *walk)
{
  pen_sample_block_free (walk->query->spare_block);
  g_free (walk->query->spare_rows);
  walk->query->spare_block = walk->block;
  walk->query->spare_rows = walk->rows;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Walk, walk_clear)

/* ---- blocks ---- */

static guint
select_rows (const Walk *walk, guint64 from, guint64 to)
{
  const PenSampleBlock *block = walk->block;
  gboolean asks_time = from > 0 || to < G_MAXUINT64;
  gboolean asks_more = !pen_matcher_has_all_samples (walk->matcher);
  guint n = 0;

  for (guint i = 0; i < block->n; i++) {
    if (asks_time
        && (!(block->has[i] & PEN_SAMPLE_HAS_TIME) || block->time[i] < from || block->time[i] > to))
      continue;
    if (asks_more && !pen_matcher_has_sample (walk->matcher, block, i))
      continue;
    walk->rows[n++] = i;
  }
  return n;
}

static gboolean
overlaps (const PenBlockInfo *block, guint64 from, guint64 to)
{
  return block->last >= from && block->first <= to;
}

static gboolean
read_block (Walk *walk, guint number, GError **error)
{
  PenStore *store = walk->query->store;

  return walk->funcs && walk->funcs->only_places
             ? pen_store_read_block_places (store, number, walk->block, error)
             : pen_store_read_block (store, number, walk->block, error);
}

static gboolean
take_block (Walk *walk, guint number, guint64 from, guint64 to, GError **error)
{
  if (!overlaps (&walk->blocks[number], from, to))
    return TRUE;
  if (!read_block (walk, number, error)
      || !pen_matcher_learn (walk->matcher, number, walk->block, error))
    return FALSE;

  PenSampleBatch batch = { number, walk->block, walk->rows, select_rows (walk, from, to) };

  return batch.n_rows == 0 || walk->func (&batch, walk->user_data, error);
}

static gboolean
take_blocks (Walk *walk, guint first, guint n, guint64 from, guint64 to, GError **error)
{
  for (guint i = 0; i < n; i++) {
    if (!take_block (walk, first + i, from, to, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_query_scan (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to,
                PenScanFunc func, gpointer user_data, GError **error)
{
  g_auto (Walk) walk = { 0 };

  walk_init (&walk, self, matcher, func, user_data);
  return take_blocks (&walk, 0, walk.n_blocks, from, to, error);
}

gboolean
pen_query_scan_rest (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to,
                     PenScanFunc func, gpointer user_data, GError **error)
{
  g_auto (Walk) walk = { 0 };
  guint first = self->tree.n_in_spans;

  walk_init (&walk, self, matcher, func, user_data);
  return take_blocks (&walk, first, walk.n_blocks - first, from, to, error);
}

gboolean
pen_query_scan_some (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to,
                     guint n_most, guint *stride, PenScanFunc func, gpointer user_data,
                     GError **error)
{
  g_auto (Walk) walk = { 0 };
  guint n = 0;
  guint met = 0;

  walk_init (&walk, self, matcher, func, user_data);
  for (guint i = 0; i < walk.n_blocks; i++)
    n += overlaps (&walk.blocks[i], from, to);
  *stride = MAX ((n + n_most - 1) / MAX (n_most, 1), 1);
  for (guint i = 0; i < walk.n_blocks; i++) {
    if (overlaps (&walk.blocks[i], from, to) && met++ % *stride == 0
        && !take_block (&walk, i, from, to, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- spans ---- */

typedef gboolean (*TakeSpan) (Walk *walk, const PenStoreSpan *span, guint64 from, guint64 to,
                              GError **error);

static gboolean
take_parts (Walk *walk, const PenStoreSpan *span, guint64 from, guint64 to, TakeSpan take,
            GError **error)
{
  guint n;
  const PenStoreSpan *children = pen_span_tree_get_children (&walk->query->tree, span, &n);

  if (!children)
    return take_blocks (walk, span->first_block, span->n_blocks, from, to, error);
  for (guint i = 0; i < n; i++) {
    if (!take (walk, &children[i], from, to, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
take_span (Walk *walk, const PenStoreSpan *span, guint64 from, guint64 to, GError **error)
{
  if (span->samples == 0 || span->last < from || span->first > to)
    return TRUE;
  if (span->first >= from && span->last <= to)
    return walk->funcs->span (span, walk->user_data, error);
  return take_parts (walk, span, from, to, take_span, error);
}

/* A tile, as far as it has samples of the span. */
static guint64
get_tile_first (const PenStoreSpan *span, guint tile)
{
  return MAX (pen_store_span_get_tile_start (span, tile), span->first);
}

static guint64
get_tile_last (const PenStoreSpan *span, guint tile)
{
  return MIN (pen_store_span_get_tile_start (span, tile) | (((guint64) 1 << span->shift) - 1),
              span->last);
}

static gboolean
take_tiles (Walk *walk, const PenStoreSpan *span, guint64 from, guint64 to, GError **error)
{
  guint first;
  guint last;
  gboolean is_cut_below;
  gboolean is_cut_above;

  if (span->samples == 0 || span->last < from || span->first > to)
    return TRUE;
  from = MAX (from, span->first);
  to = MIN (to, span->last);
  first = (guint) pen_store_span_get_tile (span, from);
  last = (guint) pen_store_span_get_tile (span, to);
  is_cut_below = get_tile_first (span, first) < from;
  is_cut_above = get_tile_last (span, last) > to;

  if ((guint64) 1 << span->shift > walk->max_width
      || (first == last && (is_cut_below || is_cut_above)))
    return take_parts (walk, span, from, to, take_tiles, error);
  if (is_cut_below
      && !take_parts (walk, span, from, get_tile_last (span, first++), take_tiles, error))
    return FALSE;
  if (is_cut_above
      && !take_parts (walk, span, get_tile_first (span, last--), to, take_tiles, error))
    return FALSE;
  return first > last || walk->funcs->tiles (span, first, last, walk->user_data, error);
}

/* Takes the times in the stretch that spans leave out. */
static gboolean
take_odd_times (Walk *walk, guint64 from, guint64 to, GError **error)
{
  if (from == 0 && !take_blocks (walk, 0, walk->n_blocks, 0, 0, error))
    return FALSE;
  return to < G_MAXUINT64 || take_blocks (walk, 0, walk->n_blocks, G_MAXUINT64, G_MAXUINT64, error);
}

static gboolean
take_stretch (Walk *walk, guint64 from, guint64 to, TakeSpan take, GError **error)
{
  const PenSpanTree *tree = &walk->query->tree;

  /* The whole capture has no ends to look into: samples without a time are only in the blocks. */
  if (tree->n_top == 0 || (from == 0 && to == G_MAXUINT64))
    return take_blocks (walk, 0, walk->n_blocks, from, to, error);
  if (!take_odd_times (walk, from, to, error))
    return FALSE;
  from = MAX (from, 1);
  to = MIN (to, G_MAXUINT64 - 1);
  for (guint i = 0; i < tree->n_top; i++) {
    if (!take (walk, &tree->spans[i], from, to, error))
      return FALSE;
  }
  return take_blocks (walk, tree->n_in_spans, walk->n_blocks - tree->n_in_spans, from, to, error);
}

gboolean
pen_query_walk_spans (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to,
                      const PenWalkFuncs *funcs, gpointer user_data, GError **error)
{
  g_auto (Walk) walk = { 0 };

  walk_init (&walk, self, matcher, funcs->rows, user_data);
  walk.funcs = funcs;
  return take_stretch (&walk, from, to, take_span, error);
}

gboolean
pen_query_walk_tiles (PenQuery *self, const PenMatcher *matcher, guint64 from, guint64 to,
                      guint64 max_width, const PenWalkFuncs *funcs, gpointer user_data,
                      GError **error)
{
  g_auto (Walk) walk = { 0 };

  walk_init (&walk, self, matcher, funcs->rows, user_data);
  walk.funcs = funcs;
  walk.max_width = max_width;
  return take_stretch (&walk, from, to, take_tiles, error);
}
