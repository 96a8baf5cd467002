/* test-stack-matches.c: stacks through searched frames, against a look at every sample's callchain
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "stack-twin.h"

#include "pen-query-flame-diff.h"

#define N_QUESTIONS 60

/* Groups with this rest are searched for; each is asked about once. */
typedef struct {
  guint divisor;
  guint rest;
  guint8 asked[N_FUNCTIONS + 1];
} Search;

static gboolean
is_match (const PenStackGroup *group, guint32 index, gpointer user_data)
{
  Search *search = user_data;

  g_assert_nonnull (group);
  g_assert_cmpuint (index, <, G_N_ELEMENTS (search->asked));
  g_assert_cmpuint (search->asked[index]++, ==, 0);
  return index % search->divisor == search->rest;
}

static void
check (RandomStore *random, const PenFilter *filter, const PenFlameOptions *options, Search search)
{
  g_autoptr (GError) error = NULL;
  gboolean has[N_FUNCTIONS + 1] = { FALSE };
  PenStackCount expected = { 0 };
  PenStackMatches found;
  guint n_groups = 0;

  g_assert_true (pen_query_stack_matches (random->query, filter, options, NULL, is_match, &search,
                                          &found, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < random->samples->len; i++) {
    const RandomSample *sample = &g_array_index (random->samples, RandomSample, i);
    g_autoptr (GArray) path = stack_twin_get_path (random, options, sample);
    gboolean is_through = FALSE;

    if (!path || (filter && !random_store_has_sample (random, filter, sample)))
      continue;
    for (guint k = 0; k < path->len; k++) {
      guint32 group = g_array_index (path, StackLevel, k).group;

      if (group % search.divisor != search.rest)
        continue;
      is_through = TRUE;
      n_groups += !has[group];
      has[group] = TRUE;
    }
    if (is_through)
      stack_twin_add (&expected, sample);
  }
  stack_twin_assert_count (found.count, expected);
  g_assert_cmpuint (found.n_groups, ==, n_groups);
}

static void
test_counted (gconstpointer data)
{
  const RandomStoreShape *shape = data;
  g_autoptr (RandomStore) random = random_store_new (shape);

  for (guint i = 0; i < N_QUESTIONS; i++) {
    g_autoptr (PenFilter) filter = random_store_make_filter (random);
    guint32 hidden = stack_twin_draw (random, 15);
    Search search = { .divisor = 1 + stack_twin_draw (random, 12) };
    PenFlameOptions options = { .grouping = stack_twin_draw (random, PEN_STACK_GROUPINGS),
                                .order = stack_twin_draw (random, 4),
                                .hidden = &hidden,
                                .n_hidden = stack_twin_draw (random, 2),
                                .collapses_recursion = stack_twin_draw (random, 3) == 0,
                                .is_lens_reversed = stack_twin_draw (random, 2) };

    do {
      options.place = stack_twin_draw_place (random);
      options.lens = stack_twin_draw (random, 3) == 0 ? stack_twin_draw_place (random)
                                                      : (PenStackPlace){ 0 };
    } while (shape->n_chains == 0
             && ((options.place.parts | options.lens.parts) & PEN_STACK_PLACE_POKE));
    if (options.order != PEN_FLAME_CALLERS && options.order != PEN_FLAME_CALLEES)
      options.place.parts = 0;
    search.rest = stack_twin_draw (random, search.divisor);
    check (random, i % 5 == 0 ? NULL : filter, &options, search);
  }
}

static gboolean
is_any (const PenStackGroup *group, guint32 index G_GNUC_UNUSED, gpointer user_data G_GNUC_UNUSED)
{
  return group != NULL;
}

/* Of two stretches, all that their tree has. */
static void
test_two_stretches (void)
{
  g_autoptr (RandomStore) random = random_store_new (&stack_twin_shapes[0]);
  guint64 middle = random->first + (random->last - random->first) / 3;
  PenFlameWindow windows[] = { { random->first, middle }, { middle + 1, random->last } };
  PenFlameOptions options = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFlameDiff) diff
      = pen_query_flame_diff (random->query, NULL, &options, windows, &error);
  PenStackMatches found;

  g_assert_no_error (error);
  g_assert_true (pen_query_stack_matches (random->query, NULL, &options, windows, is_any, NULL,
                                          &found, &error));
  stack_twin_assert_count (found.count, pen_flame_tree_get (diff->tree, 0)->total);
  g_assert_cmpuint (found.count.samples, >, 0);
  g_assert_cmpuint (found.count.after, >, 0);
  g_assert_cmpuint (found.count.after, ==, pen_flame_tree_get (diff->tree, 0)->total.after);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/stack-matches/short", &stack_twin_shapes[0], test_counted);
  g_test_add_data_func ("/stack-matches/many", &stack_twin_shapes[1], test_counted);
  g_test_add_data_func ("/stack-matches/no-chains", &stack_twin_shapes[2], test_counted);
  g_test_add_func ("/stack-matches/two-stretches", test_two_stretches);
  return g_test_run ();
}
