/* pen-sample-ends.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-ends.h"

#include <string.h>

/* One search, for the first samples or for the last. @is_sought: by index in the set */
typedef struct {
  PenQuery *query;
  const PenBucketSet *set;
  PenBucketCount *counts;
  guint64 from;
  guint64 to;
  gboolean is_last;
  guint8 *is_sought;
  guint n_sought;
  PenSampleBlock *block;
} Search;

static void
settle (Search *search, guint index, guint64 time)
{
  if (search->is_last)
    search->counts[index].last = time;
  else
    search->counts[index].first = time;
  search->is_sought[index] = FALSE;
  search->n_sought--;
}

/* ---- blocks ---- */

static void
look_at_row (Search *search, guint row)
{
  const PenSampleBlock *block = search->block;
  guint index;

  if (!(block->has[row] & PEN_SAMPLE_HAS_TIME) || block->time[row] < search->from
      || block->time[row] > search->to)
    return;
  index = pen_bucket_set_find (search->set, block->bucket[row]);
  if (index != G_MAXUINT && search->is_sought[index])
    settle (search, index, block->time[row]);
}

static gboolean
look_into_block (Search *search, guint number, GError **error)
{
  if (!pen_store_read_block_places (search->query->store, number, search->block, error))
    return FALSE;
  for (guint i = 0; i < search->block->n && search->n_sought > 0; i++)
    look_at_row (search, search->is_last ? search->block->n - 1 - i : i);
  return TRUE;
}

/* ---- spans ---- */

/* Parts of a span: those that a bucket's outermost cells lie in are worth a look. */
typedef struct {
  Search *search;
  const PenStoreSpan *span;
  const PenStoreSpan *children; /* NULL: the parts are blocks */
  const PenBlockInfo *blocks;
  guint n;
  guint8 *is_worth;
} Parts;

static void
get_part (const Parts *parts, guint part, guint64 *first, guint64 *last)
{
  *first = parts->children != NULL ? parts->children[part].first : parts->blocks[part].first;
  *last = parts->children != NULL ? parts->children[part].last : parts->blocks[part].last;
}

static void
mark_cell (Parts *parts, guint64 first, guint64 last)
{
  for (guint i = 0; i < parts->n; i++) {
    guint64 part_first;
    guint64 part_last;

    get_part (parts, i, &part_first, &part_last);
    parts->is_worth[i] |= part_last >= first && part_first <= last;
  }
}

/* Marks the bucket's outermost cell in the stretch. Where the stretch begins inside that cell, all
 * of its samples may be outside: then the next cell has the one that is sought. */
static void
mark_outermost_cells (Parts *parts, const PenSpanBucket *bucket)
{
  const Search *search = parts->search;
  guint64 width = ((guint64) 1 << parts->span->shift) - 1;
  gboolean is_cut = TRUE;

  for (guint i = 0; i < bucket->n_cells && is_cut; i++) {
    guint cell = search->is_last ? bucket->n_cells - 1 - i : i;
    guint64 first = pen_store_span_get_tile_start (parts->span, bucket->tiles[cell]);
    guint64 last = first + width;

    if (last < search->from || first > search->to)
      continue;
    mark_cell (parts, first, last);
    is_cut = search->is_last ? last > search->to : first < search->from;
  }
}

static gboolean
mark_parts (const PenSpanBucket *bucket, gpointer user_data)
{
  Parts *parts = user_data;
  guint index = pen_bucket_set_find (parts->search->set, bucket->bucket);

  if (index != G_MAXUINT && parts->search->is_sought[index])
    mark_outermost_cells (parts, bucket);
  return TRUE;
}

static gboolean
find_worthy_parts (Parts *parts, GError **error)
{
  const GArray *functions = parts->search->set->functions;

  for (guint i = 0; i < functions->len; i++) {
    guint32 function = g_array_index (functions, guint32, i);

    if (!pen_store_foreach_span_bucket (parts->search->query->store, parts->span, function,
                                        function, mark_parts, parts, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
look_into_span (Search *search, const PenStoreSpan *span, GError **error)
{
  g_autofree guint8 *is_worth = NULL;
  Parts parts = { .search = search, .span = span };
  guint n_blocks;

  if (search->n_sought == 0 || span->samples == 0 || span->last < search->from
      || span->first > search->to)
    return TRUE;
  parts.children = pen_span_tree_get_children (&search->query->tree, span, &parts.n);
  parts.blocks = pen_store_get_blocks (search->query->store, &n_blocks) + span->first_block;
  if (!parts.children)
    parts.n = span->n_blocks;
  parts.is_worth = is_worth = g_new0 (guint8, parts.n);
  if (!find_worthy_parts (&parts, error))
    return FALSE;

  for (guint i = 0; i < parts.n && search->n_sought > 0; i++) {
    guint part = search->is_last ? parts.n - 1 - i : i;

    if (!is_worth[part])
      continue;
    if (parts.children ? !look_into_span (search, &parts.children[part], error)
                       : !look_into_block (search, span->first_block + part, error))
      return FALSE;
  }
  return TRUE;
}

/* Blocks that are in no span. */
static gboolean
look_into_rest (Search *search, GError **error)
{
  const PenSpanTree *tree = &search->query->tree;
  guint n = tree->n_blocks - tree->n_in_spans;

  for (guint i = 0; i < n && search->n_sought > 0; i++) {
    guint block = search->is_last ? tree->n_blocks - 1 - i : tree->n_in_spans + i;

    if (!look_into_block (search, block, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
look_everywhere (Search *search, GError **error)
{
  const PenSpanTree *tree = &search->query->tree;

  if (search->is_last && !look_into_rest (search, error))
    return FALSE;
  for (guint i = 0; i < tree->n_top; i++) {
    guint part = search->is_last ? tree->n_top - 1 - i : i;

    if (!look_into_span (search, &tree->spans[part], error))
      return FALSE;
  }
  return search->is_last || look_into_rest (search, error);
}

/* ---- the question ---- */

/* A bucket that begins in the stretch has its first sample there; but 0 may be no time at all. */
static void
seek (Search *search, guint index)
{
  const PenBucket *bucket = pen_bucket_set_get (search->set, index);
  const PenBucketCount *count = &search->counts[index];
  guint64 own = search->is_last ? bucket->last : bucket->first;
  gboolean is_odd = search->is_last ? count->last == G_MAXUINT64 : count->first == 0;

  search->is_sought[index] = count->samples > 0 && !is_odd;
  search->n_sought += search->is_sought[index];
  if (search->is_sought[index] && own != 0 && own >= search->from && own <= search->to)
    settle (search, index, own);
}

gboolean
pen_query_find_ends (PenQuery *self, const PenBucketSet *set, guint64 from, guint64 to,
                     PenBucketCount *counts, GError **error)
{
  g_autofree guint8 *is_sought = g_new0 (guint8, set->buckets->len + 1);
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  Search search = { self, set, counts, from, to, FALSE, is_sought, 0, block };

  for (guint end = 0; end < 2; end++) {
    search.is_last = end == 1;
    search.n_sought = 0;
    for (guint i = 0; i < set->buckets->len; i++)
      seek (&search, i);
    if (search.n_sought > 0 && !look_everywhere (&search, error))
      return FALSE;
  }
  return TRUE;
}
