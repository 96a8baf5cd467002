/* pen-query-neighbours.c: who calls a place, and whom it calls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-stacks.h"

#include <math.h>
#include <string.h>

#include "pen-stack-counts.h"
#include "pen-stack-readers.h"

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
  gboolean is_asked;
  PenStackTrie *rows;
  guint32 *of_chain;
  GArray *counts; /* of PenStackNeighbour: by row */
  PenStackNeighbours *result;
} Half;

typedef struct {
  PenStackIndex *index;
  const PenStackGroups *groups;
  const PenStackVersions *versions;
  PenStackSpot *place;
  Half halves[PEN_STACK_SIDES];
  guint8 *through;         /* bit of each chain: the place is in it: mostly it is not */
  guint32 *frames;         /* of each chain; of callers only */
  guint32 first_neighbour; /* of what nothing called: NO_NEIGHBOUR, or that it is not known */
  guint8 *leaves;          /* of each bucket: it is at the place; NULL: not known beforehand */
  guint32 *rows;           /* of the batch at hand */
} Search;

static void
search_clear (Search *self)
{
  for (guint i = 0; i < PEN_STACK_SIDES; i++) {
    Half *half = &self->halves[i];

    g_clear_pointer (&half->rows, pen_stack_trie_free);
    g_clear_pointer (&half->counts, g_array_unref);
    g_clear_pointer (&half->result, pen_stack_neighbours_free);
    g_free (half->of_chain);
  }
  g_clear_pointer (&self->place, pen_stack_spot_free);
  g_free (self->through);
  g_free (self->frames);
  g_free (self->leaves);
  g_free (self->rows);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Search, search_clear)

void
pen_stack_neighbours_free (PenStackNeighbours *self)
{
  g_clear_pointer (&self->rows, g_array_unref);
  g_free (self);
}

static guint32
get_row (Search *self, PenStackSide side, guint32 neighbour, guint32 version)
{
  return pen_stack_trie_get (self->halves[side].rows, version, neighbour);
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
  return get_row (self, PEN_STACK_CALLERS, neighbour, version);
}

/* The row of a stack that goes on from @state with a frame. */
static guint32
step_down (Search *self, guint32 state, guint32 group, guint32 version, gboolean is_place)
{
  if (state & IS_WAITING)
    return get_row (self, PEN_STACK_CALLEES, group + 1, state & ~IS_WAITING);
  if (state == NO_ROW && is_place)
    return IS_WAITING | version;
  return state;
}

/* Of a chain through the place, the row of each side. */
static void
map_chain (Search *self, guint32 chain, guint32 parent, guint32 frame, gboolean is_place)
{
  Half *callers = &self->halves[PEN_STACK_CALLERS];
  Half *callees = &self->halves[PEN_STACK_CALLEES];

  if (callers->is_asked)
    callers->of_chain[chain] = is_place ? get_caller_row (self, parent, get_version (self, frame))
                                        : callers->of_chain[parent];
  if (callees->is_asked) {
    guint32 state = callees->of_chain[parent];

    if (state & IS_WAITING || (state == NO_ROW && is_place))
      state = step_down (self, state, get_group (self, frame), get_version (self, frame), is_place);
    callees->of_chain[chain] = state;
  }
}

static inline gboolean
is_through (const Search *self, guint32 chain)
{
  return self->through[chain / 8] >> chain % 8 & 1;
}

/* Most chains do not come to the place: of those nothing else is looked up. */
static void
map_chain_block (Search *self, guint32 first, const PenChainNode *chains, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint32 chain = first + i;
    guint32 parent = chains[i].parent;
    guint32 frame = chains[i].frame;
    gboolean is_place = self->place->frames[frame];

    if (self->frames)
      self->frames[chain] = frame;
    if (!is_place && !is_through (self, parent))
      continue;
    map_chain (self, chain, parent, frame, is_place);
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
    return self->halves[PEN_STACK_CALLERS].of_chain[chain];
  return has_callers ? get_caller_row (self, chain, get_leaf_version (self, bucket))
                     : get_row (self, PEN_STACK_CALLERS, PEN_STACK_UNRECORDED + 1,
                                get_leaf_version (self, bucket));
}

static guint32
find_callee_row (Search *self, const PenSampleBlock *block, guint row, gboolean *is_own)
{
  guint32 bucket = block->bucket[row];
  guint32 chain = block->has[row] & PEN_SAMPLE_HAS_CHAIN ? block->chain[row] : 0;
  guint32 state = self->halves[PEN_STACK_CALLEES].of_chain[chain];

  if (!pen_stack_chain_is_whole (block->has[row], block->chain[row])
      && (state == NO_ROW || state & IS_WAITING))
    state = step_down (self, state, get_leaf_group (self, bucket), get_leaf_version (self, bucket),
                       has_leaf (self, bucket));
  *is_own = (state & IS_WAITING) != 0;
  return *is_own ? get_row (self, PEN_STACK_CALLEES, NO_NEIGHBOUR, state & ~IS_WAITING) : state;
}

static void
add_sample (Half *self, guint32 row, const PenSampleBlock *block, guint index, gboolean is_own)
{
  PenStackCount one = { 1, block->period[index], 0 };
  PenStackNeighbour *count;

  if (row == NO_ROW)
    return;
  pen_stack_count_add (&self->result->through, one);
  if (is_own)
    pen_stack_count_add (&self->result->own, one);
  if (row >= self->counts->len)
    g_array_set_size (self->counts, row + 1);
  count = &g_array_index (self->counts, PenStackNeighbour, row);
  pen_stack_count_add (&count->count, one);
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

  return is_through (self, chain) || has_leaf (self, block->bucket[row]);
}

/* So many rows on, the function of a bucket is asked for. */
#define ROWS_AHEAD 16u

/* The rows of stacks that may come to the place: mostly they are few. */
static guint
narrow (const PenSampleBlock *block, guint32 *rows, guint n, PenStackCount *all, gconstpointer data)
{
  const Search *self = data;
  const PenBucketFunctions *functions = self->index->query->bucket_functions;
  guint n_left = 0;

  *all = (PenStackCount){ n, 0, 0 };
  for (guint i = 0; i < n; i++) {
    if (!self->leaves && i + ROWS_AHEAD < n)
      pen_bucket_functions_prefetch (functions, block->bucket[rows[i + ROWS_AHEAD]]);
    all->period += block->period[rows[i]];
    if (may_be_through (self, block, rows[i]))
      rows[n_left++] = rows[i];
  }
  return n_left;
}

static gboolean
count_batch (const PenStackBatch *batch, gpointer user_data, GError **error)
{
  Search *self = user_data;
  Half *callers = &self->halves[PEN_STACK_CALLERS];
  Half *callees = &self->halves[PEN_STACK_CALLEES];
  const PenSampleBlock *block = batch->block;
  const guint32 *rows = batch->rows;
  PenStackCount all = batch->all;
  guint n_rows = batch->n_rows;

  if (!batch->is_narrowed) {
    memcpy (self->rows, rows, n_rows * sizeof *rows);
    n_rows = narrow (block, self->rows, n_rows, &all, self);
    rows = self->rows;
  }
  for (guint i = 0; i < n_rows; i++) {
    guint index = rows[i];
    gboolean is_own;
    guint32 row;

    if (callers->is_asked) {
      row = find_caller_row (self, block, index, &is_own);
      add_sample (callers, row, block, index, is_own);
    }
    if (callees->is_asked) {
      row = find_callee_row (self, block, index, &is_own);
      add_sample (callees, row, block, index, is_own);
    }
  }
  for (guint i = 0; i < PEN_STACK_SIDES; i++) {
    if (!self->halves[i].is_asked)
      continue;
    pen_stack_count_add (&self->halves[i].result->total, all);
    if (self->halves[i].rows->is_full)
      return pen_stack_map_refuse_size (error);
  }
  return TRUE;
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

static void
half_init (Half *self, const PenStackGroups *groups, guint32 n_chains)
{
  self->is_asked = TRUE;
  self->rows = pen_stack_trie_new ();
  self->of_chain = g_new0 (guint32, (gsize) n_chains + 1);
  self->counts = g_array_new (FALSE, TRUE, sizeof (PenStackNeighbour));
  self->result = g_new0 (PenStackNeighbours, 1);
  self->result->rows = g_array_new (FALSE, FALSE, sizeof (PenStackNeighbour));
  self->result->groups = (const PenStackGroup *) (gpointer) groups->groups->data;
  self->result->n_groups = groups->groups->len;
}

static gboolean
search_init (Search *self, PenQuery *query, const PenNeighbourQuestion *question, guint sides,
             GError **error)
{
  guint32 n = pen_store_count_chains (query->store);

  self->index = pen_stack_index_get (query, question->grouping, error);
  if (!self->index)
    return FALSE;
  if (n > PEN_STACK_CHAINS_MAX)
    return pen_stack_map_refuse_size (error);
  self->groups = self->index->groups[question->grouping];
  self->place = pen_stack_index_find (self->index, &question->place, error);
  if (!self->place)
    return FALSE;
  if (question->has_versions) {
    self->versions = pen_stack_index_get_versions (self->index, error);
    if (!self->versions)
      return FALSE;
  }
  find_leaves (self);
  self->through = g_malloc0 ((gsize) n / 8 + 1);
  for (guint i = 0; i < PEN_STACK_SIDES; i++) {
    if (sides >> i & 1)
      half_init (&self->halves[i], self->groups, n);
  }
  if (self->halves[PEN_STACK_CALLERS].is_asked) {
    self->frames = g_new (guint32, (gsize) n + 1);
    self->frames[0] = 0;
    self->first_neighbour = pen_store_get_fact_int (query->store, "callchains_dropped", 0) > 0
                                ? PEN_STACK_UNRECORDED + 1
                                : NO_NEIGHBOUR;
  }
  return map_chains (self, error);
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
list_rows (Search *self, const Half *half, PenStackMeasure measure)
{
  PenStackNeighbours *result = half->result;
  double all = (double) pen_stack_count_get (result->through, measure);
  Order order = { self, measure };

  for (guint32 i = 1; i < half->counts->len; i++) {
    PenStackNeighbour row = g_array_index (half->counts, PenStackNeighbour, i);
    PenStackNode node = half->rows->nodes[i];

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

static gboolean
search (Search *self, PenQuery *query, const PenFilter *filter,
        const PenNeighbourQuestion *question, guint sides, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (query, filter, error);
  PenStackReading reading;
  double seconds;

  if (!matcher || !search_init (self, query, question, sides, error))
    return FALSE;
  reading = (PenStackReading){ .index = self->index,
                               .matcher = matcher,
                               .narrow = narrow,
                               .data = self,
                               .columns = PEN_SAMPLE_COLUMN_TIME,
                               .from = matcher->asks_time ? matcher->filter->from : 0,
                               .to = matcher->asks_time ? matcher->filter->to : G_MAXUINT64 };
  self->rows = g_new (guint32, PEN_BLOCK_SAMPLES);
  if (!pen_stack_readers_scan_all (&reading, count_batch, self, error))
    return FALSE;
  seconds = pen_query_count_seconds (query, filter);
  for (guint i = 0; i < PEN_STACK_SIDES; i++) {
    if (!self->halves[i].is_asked)
      continue;
    self->halves[i].result->seconds = seconds > 0 ? seconds : NAN;
    list_rows (self, &self->halves[i], question->measure);
  }
  return TRUE;
}

PenStackNeighbours *
pen_query_stack_neighbours (PenQuery *self, const PenFilter *filter,
                            const PenNeighbourQuestion *question, PenStackSide side, GError **error)
{
  g_auto (Search) asked = { 0 };

  return search (&asked, self, filter, question, 1u << side, error)
             ? g_steal_pointer (&asked.halves[side].result)
             : NULL;
}

gboolean
pen_query_stack_all_neighbours (PenQuery *self, const PenFilter *filter,
                                const PenNeighbourQuestion *question,
                                PenStackNeighbours *sides[PEN_STACK_SIDES], GError **error)
{
  g_auto (Search) asked = { 0 };

  if (!search (&asked, self, filter, question, (1u << PEN_STACK_SIDES) - 1, error))
    return FALSE;
  for (guint i = 0; i < PEN_STACK_SIDES; i++)
    sides[i] = g_steal_pointer (&asked.halves[i].result);
  return TRUE;
}
