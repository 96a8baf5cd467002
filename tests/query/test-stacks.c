/* test-stacks.c: trees of callers against a look at every sample's callchain
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random-store.h"

#include "pen-query-flame.h"
#include "pen-stack-index.h"
#include "pen-store-samples.h"

static const RandomStoreShape shapes[] = {
  { .seed = 21,
    .n_blocks = 3,
    .block_samples = 300,
    .fan = 8,
    .step = 2000,
    .n_odd = 5,
    .n_places = 40,
    .n_generations = 1,
    .n_chains = 60 },
  { .seed = 22,
    .n_blocks = 40,
    .block_samples = 60,
    .fan = 3,
    .step = 900,
    .n_places = 30,
    .n_generations = 3,
    .n_chains = 700 },
  { .seed = 23,
    .n_blocks = 4,
    .block_samples = 200,
    .fan = 8,
    .step = 900,
    .n_places = 30,
    .n_generations = 1 },
};

#define N_TREES 150

static guint
draw (RandomStore *random, guint n)
{
  return (guint) g_rand_int_range (random->rand, 0, (gint32) n);
}

/* ---- one stack, frame by frame ---- */

/* @function: G_MAXUINT32: callers that were not recorded */
typedef struct {
  guint32 group;
  guint32 function;
  guint32 tenure;
  guint32 revision;
  guint64 address; /* of the byte */
  gboolean is_leaf;
} Step;

static GArray *
get_stack (const RandomStore *random, const RandomSample *sample, PenStackGrouping grouping)
{
  GArray *stack = g_array_new (FALSE, FALSE, sizeof (Step));
  gboolean is_whole = sample->has & PEN_SAMPLE_CHAIN_IS_WHOLE && sample->chain != 0;
  guint32 chain = sample->chain;
  Step step;

  if (!is_whole) {
    const PenBucket *bucket = &g_array_index (random->buckets, PenBucket, sample->bucket);

    step = (Step){ 0, bucket->function, bucket->tenure, bucket->revision, bucket->address, TRUE };
    step.group = pen_query_get_stack_group (random->query, grouping, step.function, NULL);
    g_array_prepend_val (stack, step);
  }
  while (chain != 0) {
    PenChainNode node = g_array_index (random->chains, PenChainNode, chain - 1);
    const PenFrame *frame = &g_array_index (random->frames, PenFrame, node.frame);

    step = (Step){ 0, frame->function, frame->tenure, frame->revision, frame->address, FALSE };
    step.address -= frame->is_return ? 1 : 0;
    step.group = pen_query_get_stack_group (random->query, grouping, step.function, NULL);
    g_array_prepend_val (stack, step);
    chain = node.parent;
  }
  if (!(sample->has & PEN_SAMPLE_HAS_CHAIN)
      || (sample->has & PEN_SAMPLE_CHAIN_IS_WHOLE && !is_whole)) {
    step = (Step){ PEN_STACK_UNRECORDED, G_MAXUINT32, 0, 0, 0, FALSE };
    g_array_prepend_val (stack, step);
  }
  return stack;
}

/* Pokes are of whole functions of the kernel: number i + 1 of function i. */
static gboolean
is_at (const RandomStore *random, const PenStackPlace *place, const Step *step)
{
  guint parts = place->parts;
  guint32 poked = place->poke - 1;

  if (step->function == G_MAXUINT32)
    return FALSE;
  if (parts & PEN_STACK_PLACE_GROUP
      && pen_query_get_stack_group (random->query, place->grouping, step->function, NULL)
             != place->group)
    return FALSE;
  if (parts & PEN_STACK_PLACE_FUNCTION && step->function != place->function)
    return FALSE;
  if (parts & PEN_STACK_PLACE_RANGE
      && (step->address < place->start || step->address >= place->end))
    return FALSE;
  if (parts & PEN_STACK_PLACE_TENURE && step->tenure != place->tenure)
    return FALSE;
  if (parts & PEN_STACK_PLACE_REVISION && step->revision != place->revision)
    return FALSE;
  /* Tenure 1 is the kernel's; then come the programs'. */
  if (parts & PEN_STACK_PLACE_PROGRAM && step->tenure != 1 + place->bpf_id)
    return FALSE;
  if (parts & PEN_STACK_PLACE_POKE
      && (step->tenure != 1 || step->address < TEXT + poked * FUNCTION_LENGTH
          || step->address >= TEXT + (poked + 1) * FUNCTION_LENGTH
          || step->revision != (parts & PEN_STACK_PLACE_BEFORE ? 0 : 1)))
    return FALSE;
  return TRUE;
}

static gboolean
is_hidden (const PenFlameOptions *options, guint32 group)
{
  for (guint i = 0; i < options->n_hidden; i++) {
    if (options->hidden[i] == group)
      return TRUE;
  }
  return FALSE;
}

static gboolean
begins_at_place (const PenFlameOptions *options)
{
  return options->order == PEN_FLAME_CALLEES;
}

static gboolean
is_through (const RandomStore *random, const PenFlameOptions *options, const GArray *stack)
{
  gboolean is_through = FALSE;

  if (options->lens.parts == 0)
    return TRUE;
  for (guint i = 0; i < stack->len; i++)
    is_through |= is_at (random, &options->lens, &g_array_index (stack, Step, i));
  return is_through != options->is_lens_reversed;
}

/* Only text of the kernel and of programs has versions; no poke is known of the latter. */
static PenFlameVersion
get_version (const RandomStore *random, const Step *step)
{
  if (step->function >= N_KERNEL + N_PROGRAMS)
    return (PenFlameVersion){ 0 };
  return (PenFlameVersion){ .tenure = step->tenure,
                            .revision = step->revision,
                            .poke = step->revision > 0 && step->function < OVERLAID
                                            && random->chains->len > 0
                                        ? step->function + 1
                                        : 0 };
}

typedef struct {
  guint32 group;
  PenFlameVersion version;
} Level;

/*
 * A stack as the options have it, from the tree's first level on.
 * Returns: (element-type Level); NULL: it is outside
 */
static GArray *
get_path (const RandomStore *random, const PenFlameOptions *options, const RandomSample *sample)
{
  g_autoptr (GArray) stack = get_stack (random, sample, options->grouping);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (Level));
  gboolean has_begun = !begins_at_place (options);
  gint inner = -1;

  if (!is_through (random, options, stack))
    return NULL;
  for (guint i = 0; i < stack->len; i++) {
    const Step *step = &g_array_index (stack, Step, i);
    gboolean is_place = options->place.parts != 0 && is_at (random, &options->place, step);
    gboolean is_first = !has_begun && is_place;
    Level level = { step->group, get_version (random, step) };

    has_begun |= is_place;
    if (!has_begun)
      continue;
    if (is_first || step->function == G_MAXUINT32
        || (!is_hidden (options, step->group)
            && !(options->collapses_recursion && path->len > 0
                 && g_array_index (path, Level, path->len - 1).group == step->group)))
      g_array_append_val (path, level);
    if (is_place)
      inner = (gint) path->len;
  }
  if (!has_begun || (options->order == PEN_FLAME_CALLERS && inner < 0))
    return NULL;
  if (options->order == PEN_FLAME_CALLERS)
    g_array_set_size (path, (guint) inner);
  if (options->order == PEN_FLAME_CALLERS || options->order == PEN_FLAME_INNERMOST) {
    for (guint i = 0; i < path->len / 2; i++) {
      Level *a = &g_array_index (path, Level, i);
      Level *b = &g_array_index (path, Level, path->len - 1 - i);
      Level kept = *a;

      *a = *b;
      *b = kept;
    }
  }
  return g_steal_pointer (&path);
}

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

static void
add (PenStackCount *sum, const RandomSample *sample)
{
  sum->samples++;
  sum->period += sample->period;
}

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
  add (count, sample);
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
    add (&twin->total, sample);
    path = get_path (random, options, sample);
    if (!path) {
      add (&twin->outside, sample);
      continue;
    }
    add (&get_sum (twin, key)->total, sample);
    for (guint k = 0; k < path->len; k++) {
      const Level *level = &g_array_index (path, Level, k);

      g_string_append_printf (key, "%u/", level->group);
      add (&get_sum (twin, key)->total, sample);
      if (level->group != PEN_STACK_UNRECORDED)
        add_version (twin, key->str, level->version, sample);
    }
    add (&get_sum (twin, key)->own, sample);
  }
}

static void
assert_count (PenStackCount a, PenStackCount b)
{
  g_assert_cmpuint (a.samples, ==, b.samples);
  g_assert_cmpuint (a.period, ==, b.period);
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
  assert_count (node->left_out, left_out);
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
    assert_count (version->count, *count);
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
  assert_count (tree->total, twin.total);
  assert_count (tree->outside, twin.outside);
  for (guint i = 0; i < tree->nodes->len; i++) {
    const PenFlameNode *node = pen_flame_tree_get (tree, i);
    g_autofree char *key = get_key (tree, i);
    const Sum *sum = g_hash_table_lookup (twin.sums, key);

    g_assert_nonnull (sum);
    assert_count (node->total, sum->total);
    assert_count (node->own, sum->own);
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

static PenStackPlace
draw_place (RandomStore *random)
{
  PenStackPlace place = { .grouping = draw (random, 2) };
  guint n;

  pen_query_get_stack_groups (random->query, place.grouping, &n, NULL);
  place.group = 1 + draw (random, n - 1);
  place.function = draw (random, N_FUNCTIONS);
  place.start = TEXT + draw (random, N_KERNEL * FUNCTION_LENGTH);
  place.end = place.start + draw (random, 2 * FUNCTION_LENGTH);
  place.tenure = 1 + draw (random, 4);
  place.bpf_id = 1 + draw (random, N_PROGRAMS);
  place.revision = draw (random, 2);
  place.poke = 1 + draw (random, OVERLAID);
  switch (draw (random, 9)) {
  case 0:
    place.parts = PEN_STACK_PLACE_FUNCTION;
    break;
  case 1:
    place.parts = PEN_STACK_PLACE_RANGE;
    break;
  case 2:
    place.parts = PEN_STACK_PLACE_TENURE;
    break;
  case 3:
    place.parts = PEN_STACK_PLACE_PROGRAM;
    break;
  case 4:
    place.parts = PEN_STACK_PLACE_FUNCTION | PEN_STACK_PLACE_REVISION;
    break;
  case 5:
    place.parts = PEN_STACK_PLACE_POKE;
    break;
  case 6:
    place.parts = PEN_STACK_PLACE_POKE | PEN_STACK_PLACE_BEFORE;
    break;
  default:
    place.parts = PEN_STACK_PLACE_GROUP;
    break;
  }
  return place;
}

static PenFlameOptions
draw_options (RandomStore *random, gboolean has_pokes)
{
  static const double shares[] = { 0, 0, 0.01, 0.1 };
  static const double version_shares[] = { 0, 0.0001, 0.03 };
  PenFlameOptions options
      = { .grouping = draw (random, PEN_STACK_GROUPINGS),
          .measure = draw (random, 2),
          .order = draw (random, 4),
          .sort = draw (random, 2),
          .collapses_recursion = draw (random, 3) == 0,
          .least_share = shares[draw (random, G_N_ELEMENTS (shares))],
          .version_share = version_shares[draw (random, G_N_ELEMENTS (version_shares))] };

  do {
    options.place = draw_place (random);
    options.lens = draw (random, 3) == 0 ? draw_place (random) : (PenStackPlace){ 0 };
  } while (!has_pokes && (options.place.parts | options.lens.parts) & PEN_STACK_PLACE_POKE);
  if (options.order != PEN_FLAME_CALLERS && options.order != PEN_FLAME_CALLEES)
    options.place.parts = 0;
  options.is_lens_reversed = draw (random, 2);
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
  zoom = pen_flame_tree_get_path (tree, draw (random, tree->nodes->len));
  if (draw (random, 3) == 0) {
    guint32 group = draw (random, tree->n_groups);

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
    guint32 hidden[2] = { draw (random, 15), draw (random, 15) };
    g_autoptr (GArray) zoom = NULL;

    options.hidden = hidden;
    options.n_hidden = draw (random, 2) == 0 ? draw (random, 3) : 0;
    if (draw (random, 3) == 0) {
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
  for (guint i = 0; i < 40; i++) {
    g_autoptr (PenFilter) filter = pen_filter_new ();
    guint64 length = random->last - random->first;

    options.order = draw (random, 2);
    options.measure = draw (random, 2);
    filter->has_time = TRUE;
    filter->from = random->first + draw (random, (guint) length);
    filter->to = filter->from + draw (random, (guint) (random->last - filter->from) + 100);
    /* Ends between two samples of one time would not be seen. */
    if (i % 4 == 0)
      filter->from = g_array_index (random->samples, RandomSample, 100 + 7 * i).time;
    check_tree (random, filter, &options);
  }
}

/* Blocks of three stacks each, of a node of their own and of the first; with room for few slices.
 */
static void
test_slices (void)
{
  g_autoptr (PenStackSlices) slices = pen_stack_slices_new (4000);
  PenStackCount own[101] = { { 0 } };

  for (guint i = 0; i < 100; i++) {
    pen_stack_slices_note (slices, i, own, i + 1);
    own[0].samples++;
    own[i + 1].samples += 2;
  }
  pen_stack_slices_finish (slices, 100, own, 101);
  g_assert_cmpuint (slices->slices->len, <, 20);
  g_assert_cmpuint (slices->slices->len, >, 4);
  g_assert_cmpuint (slices->size, <=, 4000 + sizeof own);
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
  g_autoptr (RandomStore) random = random_store_new (&shapes[1]);
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

/* ---- in time order ---- */

#define COLUMNS 12
#define LEVELS 40

/* Samples of a cell, whose stacks begin with @path. */
static guint
count_through (const GPtrArray *stacks, const guint32 *path, guint n, gboolean ends)
{
  guint found = 0;

  for (guint i = 0; i < stacks->len; i++) {
    const GArray *stack = stacks->pdata[i];
    gboolean is_alike = ends ? stack->len == n : stack->len >= n;

    for (guint k = 0; is_alike && k < n; k++)
      is_alike = g_array_index (stack, Level, k).group == path[k];
    found += is_alike;
  }
  return found;
}

/* @path: of a cell, 0 from where it ends: each level is what most samples went through. */
static void
check_cell (const GPtrArray *stacks, const guint32 *path, guint max_levels, guint n_groups)
{
  guint32 other[LEVELS + 1];
  guint n = 0;

  while (n < max_levels && path[n] != 0) {
    guint through = count_through (stacks, path, n + 1, FALSE);

    memcpy (other, path, sizeof other);
    for (other[n] = 0; other[n] < n_groups; other[n]++)
      g_assert_cmpuint (count_through (stacks, other, n + 1, FALSE), <=, through);
    g_assert_cmpuint (through, >, 0);
    g_assert_cmpuint (through, >=, count_through (stacks, path, n, TRUE));
    n++;
  }
  memcpy (other, path, sizeof other);
  for (other[n] = 0; n < max_levels && other[n] < n_groups; other[n]++) {
    guint through = count_through (stacks, other, n + 1, FALSE);

    g_assert_true (through == 0 || through < count_through (stacks, path, n, TRUE));
  }
}

/* Which row of the chart a sample is in. Threads: 7 + number, or none. */
static gboolean
is_in_row (const RandomSample *sample, const PenChartRow *row, PenChartKey key)
{
  gint64 number = sample->thread > 0 ? 7 + (gint64) sample->thread : -1;

  if (key == PEN_CHART_BY_CPU)
    number = sample->has & PEN_SAMPLE_HAS_CPU ? (gint64) sample->cpu : -1;
  return number == row->number;
}

static void
check_row (RandomStore *random, const PenFilter *filter, const PenStackChart *chart,
           PenStackGrouping grouping, PenChartKey key, guint index, guint max_levels)
{
  const PenChartRow *row = &g_array_index (chart->rows, PenChartRow, index);
  PenFlameOptions options = { .grouping = grouping };
  guint32 paths[COLUMNS][LEVELS + 1] = { { 0 } };
  guint n_levels = 0;
  guint64 n_samples = 0;

  for (guint i = 0; i < chart->boxes->len; i++) {
    const PenChartBox *box = &g_array_index (chart->boxes, PenChartBox, i);

    if (box->row != index)
      continue;
    g_assert_cmpuint (box->first, <=, box->last);
    g_assert_cmpuint (box->last, <, COLUMNS);
    g_assert_cmpuint (box->depth, <=, max_levels);
    n_levels = MAX (n_levels, box->depth);
    for (guint column = box->first; column <= box->last; column++) {
      g_assert_cmpuint (paths[column][box->depth - 1], ==, 0);
      /* Callers that were not recorded are group 0: here the group after the last. */
      paths[column][box->depth - 1] = box->group > 0 ? box->group : chart->n_groups;
    }
    if (box->last + 1 < COLUMNS)
      for (guint k = 0; k < chart->boxes->len; k++) {
        const PenChartBox *other = &g_array_index (chart->boxes, PenChartBox, k);

        /* The outermost frames go on. */
        g_assert_false (box->depth == 1 && other->depth == 1 && other->row == index
                        && other->first == box->last + 1 && other->group == box->group);
      }
  }
  g_assert_cmpuint (row->n_levels, ==, n_levels);
  for (guint column = 0; column < COLUMNS; column++) {
    g_autoptr (GPtrArray) stacks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

    for (guint i = 0; i < random->samples->len; i++) {
      const RandomSample *sample = &g_array_index (random->samples, RandomSample, i);
      GArray *path;

      if (!(sample->has & PEN_SAMPLE_HAS_TIME) || sample->time < chart->from
          || sample->time >= chart->to || !is_in_row (sample, row, key)
          || (guint) ((double) (sample->time - chart->from)
                      * (COLUMNS / (double) (chart->to - chart->from)))
                 != column
          || (filter && !random_store_has_sample (random, filter, sample)))
        continue;
      path = get_path (random, &options, sample);
      for (guint k = 0; k < path->len; k++) {
        Level *level = &g_array_index (path, Level, k);

        level->group = level->group > 0 ? level->group : chart->n_groups;
      }
      g_ptr_array_add (stacks, path);
    }
    n_samples += stacks->len;
    check_cell (stacks, paths[column], max_levels, chart->n_groups + 1);
  }
  g_assert_cmpuint (row->samples, ==, n_samples);
}

static void
test_chart (gconstpointer data)
{
  g_autoptr (RandomStore) random = random_store_new (data);

  for (guint i = 0; i < 24; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PenFilter) filter = random_store_make_filter (random);
    PenStackGrouping grouping = draw (random, 2);
    PenChartKey key = draw (random, 2);
    guint max_levels = draw (random, 2) == 0 ? 3 : LEVELS;
    guint64 from = random->first + draw (random, (guint) (random->last - random->first) / 2);
    guint64 to = from + 1 + draw (random, (guint) (random->last - from));
    g_autoptr (PenStackChart) chart = NULL;

    filter->has_time = FALSE;
    chart = pen_query_stack_chart (random->query, i % 2 > 0 ? filter : NULL, grouping, key, from,
                                   to, COLUMNS, 3, max_levels, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (chart->rows->len, <=, 3);
    for (guint k = 0; k < chart->rows->len; k++)
      check_row (random, i % 2 > 0 ? filter : NULL, chart, grouping, key, k, max_levels);
    if (key == PEN_CHART_BY_CPU && chart->rows->len == 3)
      g_assert_cmpuint (chart->n_left_out, <=, 2);
  }
}

/* ---- cancelling ---- */

static void
test_cancel (void)
{
  g_autoptr (RandomStore) random = random_store_new (&shapes[1]);
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
  g_test_add_data_func ("/stacks/trees/short", &shapes[0], test_trees);
  g_test_add_data_func ("/stacks/trees/many", &shapes[1], test_trees);
  g_test_add_data_func ("/stacks/trees/no-chains", &shapes[2], test_trees);
  g_test_add_data_func ("/stacks/chart/short", &shapes[0], test_chart);
  g_test_add_data_func ("/stacks/chart/many", &shapes[1], test_chart);
  g_test_add_data_func ("/stacks/streamed/short", &shapes[0], test_streamed);
  g_test_add_data_func ("/stacks/streamed/many", &shapes[1], test_streamed);
  g_test_add_func ("/stacks/slices", test_slices);
  g_test_add_func ("/stacks/most-nodes", test_most_nodes);
  g_test_add_func ("/stacks/cancel", test_cancel);
  return g_test_run ();
}
