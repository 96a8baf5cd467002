/* pen-query-neighbours.c: who calls a place, and whom it calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-stacks.h"

#include <math.h>

#include "pen-stack-counts.h"

/* In place of a row: the stack has not come to the place; or the last frame so far is at the place,
 * and the next one is the callee: then the lower bits are a version. */
#define NO_ROW 0u
#define IS_WAITING (1u << 31)

/*
 * Rows are numbers of nodes of @rows, from 1: a node's parent is a version, its group a neighbour:
 * a group, plus one, or NO_NEIGHBOUR
 */
#define NO_NEIGHBOUR 0u

typedef struct {
  PenStackIndex *index;
  const PenStackGroups *groups;
  const PenStackVersions *versions;
  PenStackSpot *place;
  PenStackSide side;
  PenStackTrie *rows;
  guint32 *of_chain;
  guint8 *through;         /* bit of each chain: it has a row, or waits for one: most have not */
  guint32 *frames;         /* of each chain; of callers only */
  guint32 first_neighbour; /* of what nothing called: NO_NEIGHBOUR, or that it is not known */
  guint8 *leaves;          /* of each bucket: it is at the place; NULL: not known beforehand */
  GArray *counts;          /* of PenStackNeighbour: by row */
  PenStackNeighbours *result;
} Search;

static void
search_clear (Search *self)
{
  g_clear_pointer (&self->place, pen_stack_spot_free);
  g_clear_pointer (&self->rows, pen_stack_trie_free);
  g_clear_pointer (&self->counts, g_array_unref);
  g_free (self->of_chain);
  g_free (self->through);
  g_free (self->frames);
  g_free (self->leaves);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

void
pen_stack_neighbours_free (PenStackNeighbours *self)
{
  g_clear_pointer (&self->rows, g_array_unref);
  g_free (self);
}

static guint32
get_row (Search *self, guint32 neighbour, guint32 version)
{
  return pen_stack_trie_get (self->rows, version, neighbour);
}

/* ---- chains ---- */

static guint32
get_group (const Search *self, guint32 frame)
{
  return self->groups->of_function[self->index->frames->function[frame]];
}

static guint32
get_version (const Search *self, guint32 frame)
{
  return self->versions ? self->versions->of_frame[frame] : 0;
}

/* A frame's caller calls it: its chain is @caller. @version: of the frame */
static guint32
get_caller_row (Search *self, guint32 caller, guint32 version)
{
  guint32 frame = self->frames[caller];
  guint32 neighbour = caller == 0 ? self->first_neighbour : get_group (self, frame) + 1;

  if (caller != 0 && neighbour > PEN_STACK_UNRECORDED + 1)
    version = get_version (self, frame);
  return get_row (self, neighbour, version);
}

/* The row of a stack that goes on from @state with a frame. */
static guint32
step_down (Search *self, guint32 state, guint32 group, guint32 version, gboolean is_place)
{
  if (state & IS_WAITING)
    return get_row (self, group + 1, state & ~IS_WAITING);
  if (state == NO_ROW && is_place)
    return IS_WAITING | version;
  return state;
}

/* Most frames are not at the place: of those nothing else is looked up. */
static guint32
map_chain (Search *self, guint32 parent, guint32 frame)
{
  guint32 state = self->of_chain[parent];
  gboolean is_place = self->place->frames[frame];

  if (self->side == PEN_STACK_CALLERS)
    return is_place ? get_caller_row (self, parent, get_version (self, frame)) : state;
  if (state & IS_WAITING || (state == NO_ROW && is_place))
    return step_down (self, state, get_group (self, frame), get_version (self, frame), is_place);
  return state;
}

static void
map_chain_block (Search *self, guint32 first, const PenChainNode *chains, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint32 chain = first + i;

    if (self->frames)
      self->frames[chain] = chains[i].frame;
    self->of_chain[chain] = map_chain (self, chains[i].parent, chains[i].frame);
    if (self->of_chain[chain] != NO_ROW)
      self->through[chain / 8] |= (guint8) (1u << chain % 8);
  }
}

static gboolean
map_chains (Search *self, GError **error)
{
  PenStore *store = self->index->query->store;
  guint32 n = pen_store_count_chains (store);

  for (guint32 number = 0; number * (guint64) PEN_BLOCK_CHAINS < n; number++) {
    const PenChainNode *chains;
    guint n_chains;

    if (!pen_store_goes_on (store, error)
        || !pen_store_read_chain_block (store, number, &chains, &n_chains, error))
      return FALSE;
    for (guint i = 0; i < n_chains; i++) {
      if (chains[i].frame >= self->index->frames->n)
        return pen_stack_map_refuse_damage (self->index->query, error);
    }
    map_chain_block (self, number * PEN_BLOCK_CHAINS + 1, chains, n_chains);
  }
  return TRUE;
}

/* ---- samples ---- */

static inline gboolean
has_leaf (const Search *self, guint32 bucket)
{
  return self->leaves ? self->leaves[bucket]
                      : pen_stack_spot_has_leaf (
                          self->place, bucket,
                          pen_bucket_functions_get (self->index->query->bucket_functions, bucket));
}

static guint32
get_leaf_version (const Search *self, guint32 bucket)
{
  return self->versions ? self->versions->of_bucket[bucket] : 0;
}

static guint32
get_leaf_group (const Search *self, guint32 bucket)
{
  guint32 function = pen_bucket_functions_get (self->index->query->bucket_functions, bucket);

  return self->groups->of_function[function];
}

static guint32
find_caller_row (Search *self, const PenSampleBlock *block, guint row, gboolean *is_own)
{
  guint32 bucket = block->bucket[row];
  gboolean is_whole = pen_stack_chain_is_whole (block->has[row], block->chain[row]);
  gboolean has_callers = block->has[row] & PEN_SAMPLE_HAS_CHAIN
                         && (is_whole || !(block->has[row] & PEN_SAMPLE_CHAIN_IS_WHOLE));
  guint32 chain = has_callers ? block->chain[row] : 0;

  *is_own = is_whole ? self->place->frames[self->frames[chain]] : has_leaf (self, bucket);
  if (is_whole || !*is_own)
    return self->of_chain[chain];
  return has_callers ? get_caller_row (self, chain, get_leaf_version (self, bucket))
                     : get_row (self, PEN_STACK_UNRECORDED + 1, get_leaf_version (self, bucket));
}

static guint32
find_callee_row (Search *self, const PenSampleBlock *block, guint row, gboolean *is_own)
{
  guint32 bucket = block->bucket[row];
  guint32 chain = block->has[row] & PEN_SAMPLE_HAS_CHAIN ? block->chain[row] : 0;
  guint32 state = self->of_chain[chain];

  if (!pen_stack_chain_is_whole (block->has[row], block->chain[row])
      && (state == NO_ROW || state & IS_WAITING))
    state = step_down (self, state, get_leaf_group (self, bucket), get_leaf_version (self, bucket),
                       has_leaf (self, bucket));
  *is_own = (state & IS_WAITING) != 0;
  return *is_own ? get_row (self, NO_NEIGHBOUR, state & ~IS_WAITING) : state;
}

static void
add_sample (Search *self, guint32 row, const PenSampleBlock *block, guint index)
{
  PenStackNeighbour *count;

  if (row >= self->counts->len)
    g_array_set_size (self->counts, row + 1);
  count = &g_array_index (self->counts, PenStackNeighbour, row);
  pen_stack_count_add (&count->count, (PenStackCount){ 1, block->period[index], 0 });
  if (!(block->has[index] & PEN_SAMPLE_HAS_TIME))
    return;
  count->first = count->last == 0 ? block->time[index] : MIN (count->first, block->time[index]);
  count->last = MAX (count->last, block->time[index]);
}

/* FALSE: the stack does not come to the place. */
static inline gboolean
may_be_through (const Search *self, const PenSampleBlock *block, guint row)
{
  guint32 chain = block->has[row] & PEN_SAMPLE_HAS_CHAIN ? block->chain[row] : 0;

  return self->through[chain / 8] >> chain % 8 & 1 || has_leaf (self, block->bucket[row]);
}

static gboolean
count_batch (const PenStackBatch *batch, gpointer user_data, GError **error)
{
  Search *self = user_data;

  for (guint i = 0; i < batch->n_rows; i++) {
    guint index = batch->rows[i];
    PenStackCount count = { 1, batch->block->period[index], 0 };
    gboolean is_own;
    guint32 row;

    pen_stack_count_add (&self->result->total, count);
    if (!may_be_through (self, batch->block, index))
      continue;
    row = self->side == PEN_STACK_CALLERS ? find_caller_row (self, batch->block, index, &is_own)
                                          : find_callee_row (self, batch->block, index, &is_own);
    if (row == NO_ROW)
      continue;
    pen_stack_count_add (&self->result->through, count);
    if (is_own)
      pen_stack_count_add (&self->result->own, count);
    add_sample (self, row, batch->block, index);
  }
  return !self->rows->is_full || pen_stack_map_refuse_size (error);
}

/* ---- the question ---- */

/* Where all samples are kept, the functions of their buckets are known. */
static void
find_leaves (Search *self)
{
  const PenBucketFunctions *functions = self->index->query->bucket_functions;

  if (!self->index->kept || self->index->kept->len == 0)
    return;
  self->leaves = g_malloc0 ((gsize) functions->n_buckets + 1);
  for (guint32 i = 0; i < functions->n_buckets; i++) {
    guint32 function = pen_bucket_functions_get (functions, i);

    /* Buckets without samples may have none. */
    if (function < functions->n_functions)
      self->leaves[i] = (guint8) pen_stack_spot_has_leaf (self->place, i, function);
  }
}

static gboolean
search_init (Search *self, PenQuery *query, const PenStackPlace *place, PenStackGrouping grouping,
             gboolean has_versions, GError **error)
{
  guint32 n = pen_store_count_chains (query->store);

  self->index = pen_stack_index_get (query, grouping, error);
  if (!self->index)
    return FALSE;
  if (n > PEN_STACK_CHAINS_MAX)
    return pen_stack_map_refuse_size (error);
  self->groups = self->index->groups[grouping];
  self->place = pen_stack_index_find (self->index, place, error);
  if (!self->place)
    return FALSE;
  if (has_versions) {
    self->versions = pen_stack_index_get_versions (self->index, error);
    if (!self->versions)
      return FALSE;
  }
  find_leaves (self);
  self->rows = pen_stack_trie_new ();
  self->of_chain = g_new (guint32, (gsize) n + 1);
  self->of_chain[0] = NO_ROW;
  self->through = g_malloc0 ((gsize) n / 8 + 1);
  if (self->side == PEN_STACK_CALLERS) {
    self->frames = g_new (guint32, (gsize) n + 1);
    self->frames[0] = 0;
    self->first_neighbour = pen_store_get_fact_int (query->store, "callchains_dropped", 0) > 0
                                ? PEN_STACK_UNRECORDED + 1
                                : NO_NEIGHBOUR;
  }
  self->counts = g_array_new (FALSE, TRUE, sizeof (PenStackNeighbour));
  self->result->groups = (const PenStackGroup *) (gpointer) self->groups->groups->data;
  self->result->n_groups = self->groups->groups->len;
  return map_chains (self, error);
}

static double
get_seconds (PenQuery *query, const PenMatcher *matcher)
{
  guint64 first = 0;
  guint64 last = 0;

  if (!pen_query_get_sample_time_range (query, &first, &last))
    return NAN;
  if (matcher->asks_time) {
    first = MAX (first, matcher->filter->from);
    last = MIN (last, matcher->filter->to);
  }
  return last > first ? (double) (last - first) / 1e9 : NAN;
}

typedef struct {
  const Search *search;
  PenStackMeasure measure;
} Order;

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Order *order = user_data;
  const PenStackNeighbour *x = a;
  const PenStackNeighbour *y = b;
  guint64 count_x = pen_stack_count_get (x->count, order->measure);
  guint64 count_y = pen_stack_count_get (y->count, order->measure);
  const guint32 *ranks = order->search->groups->ranks;

  if (count_x != count_y)
    return count_x > count_y ? -1 : 1;
  if (x->what != y->what)
    return (int) x->what - (int) y->what;
  if (x->what == PEN_NEIGHBOUR_FRAME && x->group != y->group)
    return ranks[x->group] < ranks[y->group] ? -1 : 1;
  if (x->tenure != y->tenure)
    return x->tenure < y->tenure ? -1 : 1;
  if (x->revision != y->revision)
    return x->revision < y->revision ? -1 : 1;
  return x->poke < y->poke ? -1 : x->poke > y->poke;
}

static void
list_rows (Search *self, PenStackMeasure measure)
{
  PenStackNeighbours *result = self->result;
  double all = (double) pen_stack_count_get (result->through, measure);
  Order order = { self, measure };

  for (guint32 i = 1; i < self->counts->len; i++) {
    PenStackNeighbour row = g_array_index (self->counts, PenStackNeighbour, i);
    PenStackNode node = self->rows->nodes[i];

    if (row.count.samples == 0)
      continue;
    row.what = node.group == NO_NEIGHBOUR               ? PEN_NEIGHBOUR_NONE
               : node.group == PEN_STACK_UNRECORDED + 1 ? PEN_NEIGHBOUR_UNRECORDED
                                                        : PEN_NEIGHBOUR_FRAME;
    row.group = row.what == PEN_NEIGHBOUR_FRAME ? node.group - 1 : PEN_STACK_NO_GROUP;
    row.share = all > 0 ? (double) pen_stack_count_get (row.count, measure) / all : 0;
    row.rate = (double) row.count.samples / result->seconds;
    if (self->versions) {
      const PenStackVersion *version = pen_stack_versions_get (self->versions, node.parent);

      row.tenure = version->tenure;
      row.revision = version->revision;
      row.poke = version->poke;
      row.cause = version->cause;
    }
    g_array_append_val (result->rows, row);
  }
  g_array_sort_with_data (result->rows, compare_rows, &order);
}

PenStackNeighbours *
pen_query_stack_neighbours (PenQuery *self, const PenFilter *filter, const PenStackPlace *place,
                            PenStackSide side, PenStackGrouping grouping, PenStackMeasure measure,
                            gboolean has_versions, GError **error)
{
  g_autoptr (PenStackNeighbours) result = g_new0 (PenStackNeighbours, 1);
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_auto (Search) search = { .side = side, .result = result };

  result->rows = g_array_new (FALSE, FALSE, sizeof (PenStackNeighbour));
  if (!matcher || !search_init (&search, self, place, grouping, has_versions, error)
      || !pen_stack_index_scan (search.index, matcher, PEN_STACK_GROUPINGS,
                                matcher->asks_time ? matcher->filter->from : 0,
                                matcher->asks_time ? matcher->filter->to : G_MAXUINT64, count_batch,
                                &search, error))
    return NULL;
  result->seconds = get_seconds (self, matcher);
  list_rows (&search, measure);
  return g_steal_pointer (&result);
}
