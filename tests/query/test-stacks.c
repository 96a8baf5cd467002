/* test-stacks.c: trees of callers against a look at every sample's callchain
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stack-twin.h"

#include "pen-recorded-time.h"
#include "pen-stack-counts.h"
#include "pen-stack-index.h"
#include "pen-stack-readers.h"
#include "test-share.h"

#define N_TREES TEST_SHARE (150u, 30u)

/* ---- all stacks ---- */

typedef struct {
  PenStackCount total;
  PenStackCount own;
} Sum;

/* @sums: "3/7/" → Sum: of each node of the whole tree; "" is the root
 * @versions: "3/7/ 1 1 9" → PenStackCount: of each version of a node */
typedef struct {
  GHashTable *sums;
  GHashTable *versions;
  PenStackCount total;
  PenStackCount outside;
} Twin;

static Sum *
get_sum (Twin *twin, const GString *key)
{
  Sum *sum = g_hash_table_lookup (twin->sums, key->str);

  if (!sum) {
    sum = g_new0 (Sum, 1);
    g_hash_table_insert (twin->sums, g_strdup (key->str), sum);
  }
  return sum;
}

static void
add_version (Twin *twin, const char *key, PenFlameVersion version, const RandomSample *sample)
{
  char *word = g_strdup_printf ("%s %u %u %u", key, version.tenure, version.revision, version.poke);
  PenStackCount *count = g_hash_table_lookup (twin->versions, word);

  if (!count) {
    count = g_new0 (PenStackCount, 1);
    g_hash_table_insert (twin->versions, g_strdup (word), count);
  }
  stack_twin_add (count, sample);
  g_free (word);
}

static void
twin_init (Twin *twin, const RandomStore *random, const PenFilter *filter,
           const PenFlameOptions *options)
{
  g_autoptr (GString) root = g_string_new (NULL);

  *twin = (Twin){ .sums = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
                  .versions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free) };
  get_sum (twin, root);
  for (guint i = 0; i < random->samples->len; i++) {
    const RandomSample *sample = &g_array_index (random->samples, RandomSample, i);
    g_autoptr (GString) key = g_string_new (NULL);
    g_autoptr (GArray) path = NULL;

    if (filter && !random_store_has_sample (random, filter, sample))
      continue;
    stack_twin_add (&twin->total, sample);
    path = stack_twin_get_path (random, options, sample);
    if (!path) {
      stack_twin_add (&twin->outside, sample);
      continue;
    }
    stack_twin_add (&get_sum (twin, key)->total, sample);
    for (guint k = 0; k < path->len; k++) {
      const StackLevel *level = &g_array_index (path, StackLevel, k);

      g_string_append_printf (key, "%u/", level->group);
      stack_twin_add (&get_sum (twin, key)->total, sample);
      if (level->group != PEN_STACK_UNRECORDED)
        add_version (twin, key->str, level->version, sample);
    }
    stack_twin_add (&get_sum (twin, key)->own, sample);
  }
}

static gboolean
is_child (const char *key, const char *parent)
{
  const char *rest = g_str_has_prefix (key, parent) ? key + strlen (parent) : "";
  const char *slash = strchr (rest, '/');

  return slash && slash[1] == '\0';
}

static char *
get_key (const PenFlameTree *tree, guint node)
{
  g_autoptr (GArray) path = pen_flame_tree_get_path (tree, node);
  GString *key = g_string_new (NULL);

  for (guint i = 0; i < path->len; i++)
    g_string_append_printf (key, "%u/", g_array_index (path, guint32, i));
  return g_string_free (key, FALSE);
}

/* The children that the tree has to have of a node, and what is left out. */
static void
check_children (Twin *twin, const PenFlameTree *tree, const PenFlameOptions *options, guint index,
                guint64 least)
{
  const PenFlameNode *node = pen_flame_tree_get (tree, index);
  const PenFlameNode *zoomed = pen_flame_tree_get (tree, tree->zoomed);
  g_autofree char *key = get_key (tree, index);
  gboolean is_above = node->depth < zoomed->depth;
  PenStackCount left_out = { 0 };
  guint n_left_out = 0;
  guint n = 0;
  GHashTableIter iter;
  gpointer other;
  gpointer value;

  g_hash_table_iter_init (&iter, twin->sums);
  while (g_hash_table_iter_next (&iter, &other, &value)) {
    const Sum *sum = value;

    if (!is_child (other, key))
      continue;
    if (is_above ? (guint32) atoi ((char *) other + strlen (key)) == options->zoom[node->depth]
                 : pen_stack_count_get (sum->total, options->measure) >= least) {
      n++;
      continue;
    }
    n_left_out++;
    left_out.samples += sum->total.samples;
    left_out.period += sum->total.period;
  }
  g_assert_cmpuint (node->n_children, ==, n);
  g_assert_cmpuint (node->n_left_out, ==, n_left_out);
  stack_twin_assert_count (node->left_out, left_out);
}

static void
check_order (const PenFlameTree *tree, const PenFlameOptions *options, guint index)
{
  const PenFlameNode *node = pen_flame_tree_get (tree, index);
  guint64 start = node->start;

  for (guint i = 0; i < node->n_children; i++) {
    const PenFlameNode *child = pen_flame_tree_get (tree, node->first_child + i);
    const PenFlameNode *before = i > 0 ? child - 1 : NULL;

    g_assert_cmpuint (child->parent, ==, index);
    g_assert_cmpuint (child->depth, ==, node->depth + 1);
    g_assert_cmpuint (child->start, ==, start);
    start += pen_stack_count_get (child->total, options->measure);
    if (before && options->sort == PEN_FLAME_BY_NAME)
      g_assert_cmpint (
          g_strcmp0 (tree->groups[before->group].symbol, tree->groups[child->group].symbol), <=, 0);
    else if (before)
      g_assert_cmpuint (pen_stack_count_get (before->total, options->measure), >=,
                        pen_stack_count_get (child->total, options->measure));
  }
}

static void
check_versions (const Twin *twin, const PenFlameTree *tree, const PenFlameOptions *options,
                guint index, const char *key)
{
  const PenFlameNode *node = pen_flame_tree_get (tree, index);
  const PenFlameNode *zoomed = pen_flame_tree_get (tree, tree->zoomed);
  g_autofree char *prefix = g_strconcat (key, " ", NULL);
  double least
      = options->version_share * (double) pen_stack_count_get (zoomed->total, options->measure);
  gboolean has_enough = options->version_share > 0
                        && (double) pen_stack_count_get (node->total, options->measure) >= least;
  gboolean are_patched = FALSE;
  GHashTableIter iter;
  gpointer other;
  guint n = 0;

  g_hash_table_iter_init (&iter, twin->versions);
  while (g_hash_table_iter_next (&iter, &other, NULL)) {
    if (!g_str_has_prefix (other, prefix))
      continue;
    are_patched |= strstr ((char *) other + strlen (prefix), " 1 ") != NULL;
    n++;
  }
  g_assert_cmpuint (node->n_versions, ==, has_enough && (n > 1 || are_patched) ? n : 0);
  for (guint i = 0; i < node->n_versions; i++) {
    const PenFlameVersion *version
        = &g_array_index (tree->versions, PenFlameVersion, node->first_version + i);
    g_autofree char *word
        = g_strdup_printf ("%s%u %u %u", prefix, version->tenure, version->revision, version->poke);
    const PenStackCount *count = g_hash_table_lookup (twin->versions, word);

    g_assert_nonnull (count);
    stack_twin_assert_count (version->count, *count);
    g_assert_cmpint (version->cause, ==, version->poke > 0 ? PEN_CAUSE_FTRACE : PEN_CAUSE_UNKNOWN);
  }
}

static guint64
get_least (const PenFlameTree *tree, const PenFlameOptions *options)
{
  const PenFlameNode *zoomed = pen_flame_tree_get (tree, tree->zoomed);

  return (guint64) ceil (options->least_share
                         * (double) pen_stack_count_get (zoomed->total, options->measure));
}

static void
check_tree (RandomStore *random, const PenFilter *filter, const PenFlameOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFlameTree) tree = pen_query_flame (random->query, filter, options, &error);
  guint n_levels = 0;
  guint n = 1;
  Twin twin;

  g_assert_no_error (error);
  twin_init (&twin, random, filter, options);
  stack_twin_assert_count (tree->total, twin.total);
  stack_twin_assert_count (tree->outside, twin.outside);
  for (guint i = 0; i < tree->nodes->len; i++) {
    const PenFlameNode *node = pen_flame_tree_get (tree, i);
    g_autofree char *key = get_key (tree, i);
    const Sum *sum = g_hash_table_lookup (twin.sums, key);

    g_assert_nonnull (sum);
    stack_twin_assert_count (node->total, sum->total);
    stack_twin_assert_count (node->own, sum->own);
    check_order (tree, options, i);
    check_children (&twin, tree, options, i, get_least (tree, options));
    if (i > 0)
      check_versions (&twin, tree, options, i, key);
    n += node->n_children;
    n_levels = MAX (n_levels, node->depth);
  }
  g_assert_cmpuint (tree->nodes->len, ==, n);
  g_assert_cmpuint (tree->n_levels, ==, n_levels);
  g_hash_table_unref (twin.sums);
  g_hash_table_unref (twin.versions);
}

/* ---- random questions ---- */

static PenFlameOptions
draw_options (RandomStore *random, gboolean has_pokes)
{
  static const double shares[] = { 0, 0, 0.01, 0.1 };
  static const double version_shares[] = { 0, 0.0001, 0.03 };
  PenFlameOptions options
      = { .grouping = stack_twin_draw (random, PEN_STACK_GROUPINGS),
          .measure = stack_twin_draw (random, 2),
          .order = stack_twin_draw (random, 4),
          .sort = stack_twin_draw (random, 2),
          .collapses_recursion = stack_twin_draw (random, 3) == 0,
          .least_share = shares[stack_twin_draw (random, G_N_ELEMENTS (shares))],
          .version_share
          = version_shares[stack_twin_draw (random, G_N_ELEMENTS (version_shares))] };

  do {
    options.place = stack_twin_draw_place (random);
    options.lens
        = stack_twin_draw (random, 3) == 0 ? stack_twin_draw_place (random) : (PenStackPlace){ 0 };
  } while (!has_pokes && (options.place.parts | options.lens.parts) & PEN_STACK_PLACE_POKE);
  if (options.order != PEN_FLAME_CALLERS && options.order != PEN_FLAME_CALLEES)
    options.place.parts = 0;
  options.is_lens_reversed = stack_twin_draw (random, 2);
  return options;
}

/* The way to some node, and sometimes one step further, to where there may be none. */
static GArray *
draw_zoom (RandomStore *random, const PenFilter *filter, PenFlameOptions options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFlameTree) tree = NULL;
  GArray *zoom;

  options.least_share = 0;
  tree = pen_query_flame (random->query, filter, &options, &error);
  g_assert_no_error (error);
  zoom = pen_flame_tree_get_path (tree, stack_twin_draw (random, tree->nodes->len));
  if (stack_twin_draw (random, 3) == 0) {
    guint32 group = stack_twin_draw (random, tree->n_groups);

    g_array_append_val (zoom, group);
  }
  return zoom;
}

static void
test_trees (gconstpointer data)
{
  const RandomStoreShape *shape = data;
  g_autoptr (RandomStore) random = random_store_new (shape);

  for (guint i = 0; i < N_TREES; i++) {
    g_autoptr (PenFilter) filter = random_store_make_filter (random);
    PenFlameOptions options = draw_options (random, shape->n_chains > 0);
    guint32 hidden[2] = { stack_twin_draw (random, 15), stack_twin_draw (random, 15) };
    g_autoptr (GArray) zoom = NULL;

    options.hidden = hidden;
    options.n_hidden = stack_twin_draw (random, 2) == 0 ? stack_twin_draw (random, 3) : 0;
    if (stack_twin_draw (random, 3) == 0) {
      zoom = draw_zoom (random, filter, options);
      options.zoom = (const guint32 *) (gpointer) zoom->data;
      options.n_zoom = zoom->len;
    }
    check_tree (random, i % 5 == 0 ? NULL : filter, &options);
    if (i == N_TREES / 2) {
      PenStackIndex *index;

      random_store_reopen (random);
      index = pen_stack_index_get (random->query, PEN_STACK_BY_FUNCTION, NULL);
      g_clear_pointer (&index->kept, g_array_unref);
      index->is_streamed = TRUE;
    }
  }
}

/* ---- recordings whose samples are not kept ---- */

static void
test_streamed (gconstpointer data)
{
  const RandomStoreShape *shape = data;
  g_autoptr (RandomStore) random = random_store_new (shape);
  PenFlameOptions options = { 0 };
  PenStackIndex *index;

  index = pen_stack_index_get (random->query, PEN_STACK_BY_FUNCTION, NULL);
  g_clear_pointer (&index->kept, g_array_unref);
  index->is_streamed = TRUE;
  check_tree (random, NULL, &options);
  g_assert_cmpuint (index->slices[PEN_STACK_BY_FUNCTION]->slices->len, ==, shape->n_blocks + 1);
  check_tree (random, NULL, &options);
  for (guint i = 0; i < TEST_SHARE (40u, 10u); i++) {
    g_autoptr (PenFilter) filter = pen_filter_new ();
    guint64 length = random->last - random->first;

    options.order = stack_twin_draw (random, 2);
    options.measure = stack_twin_draw (random, 2);
    filter->has_time = TRUE;
    filter->from = random->first + stack_twin_draw (random, (guint) length);
    filter->to
        = filter->from + stack_twin_draw (random, (guint) (random->last - filter->from) + 100);
    /* Ends between two samples of one time would not be seen. */
    if (i % 4 == 0)
      filter->from = g_array_index (random->samples, RandomSample, 100 + 7 * i).time;
    check_tree (random, filter, &options);
  }
}

/* ---- stacks that were counted in advance ---- */

/* All stacks: "3/7/" → PenStackCount */
static GHashTable *
list_counts (const PenStackCounts *counts)
{
  GHashTable *all = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint32 i = 0; i < MIN (counts->n, counts->trie->n); i++) {
    g_autoptr (GString) path = g_string_new (NULL);

    for (guint32 at = i; at != 0; at = counts->trie->nodes[at].parent)
      g_string_append_printf (path, "%u/", counts->trie->nodes[at].group);
    if (!pen_stack_count_is_zero (counts->own[i]))
      g_hash_table_insert (all, g_strdup (path->str), &counts->own[i]);
  }
  return all;
}

static void
assert_same_counts (const PenStackCounts *a, const PenStackCounts *b)
{
  g_autoptr (GHashTable) x = list_counts (a);
  g_autoptr (GHashTable) y = list_counts (b);
  GHashTableIter iter;
  gpointer path;
  gpointer count;

  g_assert_cmpuint (g_hash_table_size (x), ==, g_hash_table_size (y));
  g_assert_cmpmem (&a->total, sizeof a->total, &b->total, sizeof b->total);
  g_assert_cmpmem (&a->outside, sizeof a->outside, &b->outside, sizeof b->outside);
  g_hash_table_iter_init (&iter, x);
  while (g_hash_table_iter_next (&iter, &path, &count)) {
    const PenStackCount *other = g_hash_table_lookup (y, path);

    g_assert_nonnull (other);
    g_assert_cmpmem (count, sizeof *other, other, sizeof *other);
  }
}

static GArray *
draw_pieces (RandomStore *random)
{
  GArray *pieces = g_array_new (FALSE, FALSE, sizeof (PenPiece));
  guint64 length = (random->last - random->first) / 4;

  for (guint i = 0; i < 2; i++) {
    guint64 from = random->first + i * 2 * length + stack_twin_draw (random, (guint) length);
    PenPiece piece = { from, from + stack_twin_draw (random, (guint) length) };

    g_array_append_val (pieces, piece);
  }
  return pieces;
}

/* The same stores, with and without: the same counts of whatever question. */
static void
test_summed (gconstpointer data)
{
  g_autoptr (RandomStore) plain = random_store_new (&stack_twin_shapes[1]);
  g_autoptr (RandomStore) summed = random_store_new (data);
  gboolean has_all = data == &stack_twin_shapes[3];
  guint n_blocks;
  guint n;
  const PenStackSpan *spans = pen_store_get_stack_spans (summed->store, &n);

  pen_store_get_blocks (summed->store, &n_blocks);
  g_assert_cmpuint (n, >, 2);
  g_assert_true (has_all == (spans[n - 1].first_block + spans[n - 1].n_blocks == n_blocks));

  for (guint i = 0; i < TEST_SHARE (60u, 15u); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GArray) before = draw_pieces (plain);
    g_autoptr (GArray) after = draw_pieces (plain);
    g_autoptr (PenFilter) filter = random_store_make_filter (plain);
    PenFlameOptions options = draw_options (plain, TRUE);
    g_autoptr (PenStackCounts) a = NULL;
    g_autoptr (PenStackCounts) b = NULL;

    if (i % 6 == 0)
      random_store_reopen (summed);
    a = pen_stack_counts_new_between (plain->query, filter, &options, before, after, &error);
    g_assert_no_error (error);
    b = pen_stack_counts_new_between (summed->query, filter, &options, before, after, &error);
    g_assert_no_error (error);
    assert_same_counts (a, b);
  }
}

/* Nothing else is read where spans have all that is asked for. */
static void
test_only_sums (void)
{
  g_autoptr (RandomStore) random = random_store_new (&stack_twin_shapes[3]);
  g_autoptr (PenFilter) filter = pen_filter_new ();
  PenFlameOptions options = { 0 };
  PenStackIndex *index = pen_stack_index_get_bare (random->query, PEN_STACK_BY_FUNCTION, NULL);

  check_tree (random, NULL, &options);
  filter->only.kinds = 1u << PEN_KIND_KERNEL;
  check_tree (random, filter, &options);
  options.order = PEN_FLAME_INNERMOST;
  check_tree (random, filter, &options);
  options.lens = (PenStackPlace){ .parts = PEN_STACK_PLACE_GROUP, .group = 2 };
  check_tree (random, NULL, &options);
  options.order = PEN_FLAME_CALLERS;
  options.place = (PenStackPlace){ .parts = PEN_STACK_PLACE_FUNCTION, .function = 1 };
  check_tree (random, NULL, &options);
  options.order = PEN_FLAME_CALLEES;
  check_tree (random, filter, &options);
  filter->only.events = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (filter->only.events, g_strdup (random_store_events[1]));
  check_tree (random, filter, &options);
  g_assert_null (index->frames);
  g_assert_null (index->kept);
  g_assert_null (random->query->buckets);
  filter->has_time = TRUE;
  filter->from = random->first + 1;
  filter->to = random->last - 1;
  options = (PenFlameOptions){ 0 };
  check_tree (random, filter, &options);
  g_assert_null (index->kept);
  check_tree (random, filter, &options);
  g_assert_nonnull (index->kept);
  check_tree (random, filter, &options);
}

static PenStackCounts *
count_by (RandomStore *random, guint n_readers, const PenFilter *filter,
          const PenFlameOptions *options)
{
  g_autoptr (GError) error = NULL;
  PenStackCounts *counts;
  PenStackIndex *index = pen_stack_index_get (random->query, PEN_STACK_BY_FUNCTION, &error);

  g_assert_no_error (error);
  g_clear_pointer (&index->kept, g_array_unref);
  index->is_streamed = TRUE;
  index->n_readers = n_readers;
  counts = pen_stack_counts_new (random->query, filter, options, &error);
  g_assert_no_error (error);
  g_assert_true (n_readers < 2 || index->readers->stores->len == n_readers - 1);
  return counts;
}

/* The same nodes with the same numbers, however many read. */
static void
test_readers (void)
{
  g_autoptr (RandomStore) one = random_store_new (&stack_twin_shapes[1]);
  g_autoptr (RandomStore) more = random_store_new (&stack_twin_shapes[1]);

  for (guint i = 0; i < 24; i++) {
    g_autoptr (PenFilter) filter = pen_filter_new ();
    PenFlameOptions options = { .order = i % 2 == 0 ? PEN_FLAME_OUTERMOST : PEN_FLAME_CALLEES };
    g_autoptr (PenStackCounts) a = NULL;
    g_autoptr (PenStackCounts) b = NULL;
    guint32 cpu = i % 3;

    options.place = (PenStackPlace){ .parts = PEN_STACK_PLACE_GROUP, .group = i };
    filter->only.cpus = g_array_new (FALSE, FALSE, sizeof cpu);
    if (i % 4 != 3)
      g_array_append_val (filter->only.cpus, cpu);
    if (i % 8 == 0) {
      random_store_reopen (one);
      random_store_reopen (more);
    }
    a = count_by (one, 1, filter, &options);
    b = count_by (more, 2 + i / 8, filter, &options);
    stack_twin_assert_count (a->total, b->total);
    stack_twin_assert_count (a->outside, b->outside);
    g_assert_cmpmem (a->trie->nodes, a->trie->n * sizeof *a->trie->nodes, b->trie->nodes,
                     b->trie->n * sizeof *b->trie->nodes);
    for (guint k = 0; k < MIN (a->n, a->trie->n); k++)
      stack_twin_assert_count (a->own[k], b->own[k]);
  }
}

/* Blocks of three stacks each, of a node of their own and of the first; with room for few slices.
 */
static void
test_slices (void)
{
  const gsize limit = 250 * sizeof (PenStackCount);
  g_autoptr (PenStackSlices) slices = pen_stack_slices_new (limit);
  PenStackCount own[101] = { { 0 } };

  for (guint i = 0; i < 100; i++) {
    pen_stack_slices_note (slices, i, own, i + 1);
    own[0].samples++;
    own[i + 1].samples += 2;
  }
  pen_stack_slices_finish (slices, 100, own, 101);
  g_assert_cmpuint (slices->slices->len, <, 20);
  g_assert_cmpuint (slices->slices->len, >, 4);
  g_assert_cmpuint (slices->size, <=, limit + sizeof own);
  for (guint from = 0; from < 100; from++) {
    for (guint to = from; to <= 100; to++) {
      const PenStackSlice *before;
      const PenStackSlice *after;
      guint first = from;
      guint end = to;

      if (!pen_stack_slices_find (slices, &first, &end, &before, &after))
        continue;
      g_assert_cmpuint (first, >=, from);
      g_assert_cmpuint (end, <=, to);
      g_assert_cmpuint (first, <, end);
      g_assert_cmpuint (after->own[0].samples - (before->n > 0 ? before->own[0].samples : 0), ==,
                        end - first);
      g_assert_cmpuint (after->own[end].samples, ==, 2);
      g_assert_cmpuint (after->n, ==, end + 1);
    }
  }
  {
    const PenStackSlice *before;
    const PenStackSlice *after;
    guint first = 0;
    guint end = 100;

    g_assert_true (pen_stack_slices_find (slices, &first, &end, &before, &after));
    g_assert_cmpuint (first, ==, 0);
    g_assert_cmpuint (end, ==, 100);
  }
}

/* ---- fewer nodes ---- */

static void
test_most_nodes (void)
{
  g_autoptr (RandomStore) random = random_store_new (&stack_twin_shapes[1]);
  PenFlameOptions options = { .max_nodes = 20 };

  for (options.order = 0; options.order <= PEN_FLAME_INNERMOST; options.order++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PenFlameTree) tree = pen_query_flame (random->query, NULL, &options, &error);

    g_assert_no_error (error);
    g_assert_cmpuint (tree->nodes->len, <=, 21);
    g_assert_cmpuint (tree->nodes->len, >, 1);
    g_assert_cmpuint (tree->n_left_out, >, 0);
    g_assert_cmpuint (tree->total.samples, ==, random->samples->len);
    for (guint i = 0; i < tree->nodes->len; i++) {
      const PenFlameNode *node = pen_flame_tree_get (tree, i);
      guint64 sum = node->own.samples + node->left_out.samples;

      for (guint k = 0; k < node->n_children; k++)
        sum += pen_flame_tree_get (tree, node->first_child + k)->total.samples;
      g_assert_cmpuint (sum, ==, node->total.samples);
    }
  }
}

/* ---- cancelling ---- */

static void
test_cancel (void)
{
  g_autoptr (RandomStore) random = random_store_new (&stack_twin_shapes[1]);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFlameTree) tree = NULL;

  pen_store_set_cancellable (random->store, cancellable);
  g_cancellable_cancel (cancellable);
  g_assert_null (pen_query_flame (random->query, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  /* What was begun then is made again. */
  g_cancellable_reset (cancellable);
  tree = pen_query_flame (random->query, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tree->total.samples, ==, random->samples->len);
  g_cancellable_cancel (cancellable);
  g_assert_null (pen_query_flame (random->query, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/stacks/trees/short", &stack_twin_shapes[0], test_trees);
  g_test_add_data_func ("/stacks/trees/many", &stack_twin_shapes[1], test_trees);
  g_test_add_data_func ("/stacks/trees/no-chains", &stack_twin_shapes[2], test_trees);
  g_test_add_data_func ("/stacks/trees/summed", &stack_twin_shapes[3], test_trees);
  g_test_add_data_func ("/stacks/trees/summed-in-part", &stack_twin_shapes[4], test_trees);
  g_test_add_data_func ("/stacks/summed/all", &stack_twin_shapes[3], test_summed);
  g_test_add_data_func ("/stacks/summed/in-part", &stack_twin_shapes[4], test_summed);
  g_test_add_func ("/stacks/summed/alone", test_only_sums);
  g_test_add_data_func ("/stacks/streamed/short", &stack_twin_shapes[0], test_streamed);
  g_test_add_data_func ("/stacks/streamed/many", &stack_twin_shapes[1], test_streamed);
  g_test_add_func ("/stacks/streamed/readers", test_readers);
  g_test_add_func ("/stacks/slices", test_slices);
  g_test_add_func ("/stacks/most-nodes", test_most_nodes);
  g_test_add_func ("/stacks/cancel", test_cancel);
  return g_test_run ();
}
