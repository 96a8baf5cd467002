/* test-before-after.c: before and after a patch; samples on text that perf annotate does not show
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-query-compare.h"
#include "pen-query-misattribution.h"
#include "pen-query-occupant-list.h"
#include "pen-query-private.h"
#include "pen-query-resolve.h"
#include "query-fixture.h"

static guint32
find_function (QueryFixture *fixture, const char *target)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) found = pen_query_find_functions (fixture->query, target, &error);

  g_assert_no_error (error);
  return g_array_index (found, guint32, 0);
}

static const PenComparison *
get_change (const PenComparisons *compared, guint i)
{
  return &g_array_index (compared->rows, PenComparison, i);
}

/* alpha: one sample before 2000, two until 4000, four after. */
static void
test_function (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenComparisons) compared
      = pen_query_compare_function (fixture->query, NULL, find_function (fixture, "alpha"), &error);
  const PenComparison *first, *second;

  g_assert_no_error (error);
  g_assert_cmpstr (compared->symbol, ==, "alpha");
  g_assert_cmpuint (compared->rows->len, ==, 2);
  first = get_change (compared, 0);
  second = get_change (compared, 1);
  g_assert_cmpuint (first->from, ==, 2000);
  g_assert_cmpuint (first->before.samples, ==, 1);
  g_assert_cmpuint (first->after.samples, ==, 2);
  g_assert_cmpuint (second->before.samples, ==, 2);
  g_assert_cmpuint (second->after.samples, ==, 4);
  /* From the first sample at 1000 to the last at 4800. */
  g_assert_cmpfloat_with_epsilon (first->before.seconds, 1000e-9, 1e-15);
  g_assert_cmpfloat_with_epsilon (first->after.seconds, 2000e-9, 1e-15);
  g_assert_cmpfloat_with_epsilon (second->after.seconds, 801e-9, 1e-15);
  g_assert_cmpfloat_with_epsilon (first->before.rate, 1e6, 1e-3);
  g_assert_cmpfloat_with_epsilon (first->test.ratio, 1, 1e-9);
  g_assert_cmpfloat_with_epsilon (first->before.high, 5.571643390938898e6, 1);
  g_assert_cmpint (first->verdict, ==, PEN_VERDICT_ALIKE);
}

/* The call of five bytes: what is behind it does not count, what is inside does. */
static void
test_address (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenComparisons) compared
      = pen_query_compare_address (fixture->query, NULL, ALPHA + 1, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (compared->start, ==, ALPHA);
  g_assert_cmpuint (compared->end, ==, ALPHA + 5);
  g_assert_cmpuint (compared->rows->len, ==, 2);
  g_assert_cmpuint (get_change (compared, 0)->before.samples, ==, 1);
  g_assert_cmpuint (get_change (compared, 0)->after.samples, ==, 1);
  g_assert_cmpuint (get_change (compared, 1)->after.samples, ==, 4);
  g_clear_pointer (&compared, pen_comparisons_free);

  compared = pen_query_compare_address (fixture->query, NULL, BETA, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (compared->rows->len, ==, 0);
}

/* The filter's time cuts both sides; what there is nothing of is unknown. */
static void
test_filter (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PenComparisons) compared = NULL;

  filter->has_time = TRUE;
  filter->from = 2550;
  filter->to = 4550;
  compared = pen_query_compare_function (fixture->query, filter, find_function (fixture, "alpha"),
                                         &error);
  g_assert_no_error (error);
  g_assert_cmpuint (get_change (compared, 0)->before.samples, ==, 0);
  g_assert_cmpfloat (get_change (compared, 0)->before.seconds, ==, 0);
  g_assert_cmpint (get_change (compared, 0)->verdict, ==, PEN_VERDICT_UNKNOWN);
  g_assert_cmpuint (get_change (compared, 1)->before.samples, ==, 1);
  g_assert_cmpfloat_with_epsilon (get_change (compared, 1)->before.seconds, 1450e-9, 1e-15);
  g_assert_cmpuint (get_change (compared, 1)->after.samples, ==, 3);
}

static const PenMisattributionRow *
find_row (const PenMisattribution *all, const char *symbol)
{
  for (guint i = 0; i < all->rows->len; i++) {
    const PenMisattributionRow *row = &g_array_index (all->rows, PenMisattributionRow, i);

    if (g_strcmp0 (row->function.symbol, symbol) == 0)
      return row;
  }
  return NULL;
}

/* Between its two patches alpha was not what it is in the file: two samples, one of them on the
 * call itself. Afterwards it is as it was. */
static void
test_misattribution (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenMisattribution) all = pen_query_misattribution (fixture->query, NULL, &error);
  const PenMisattributionRow *alpha;
  guint64 sum = 0;

  g_assert_no_error (error);
  alpha = find_row (all, "alpha");
  g_assert_nonnull (alpha);
  g_assert_cmpint (alpha->reason, ==, PEN_MISATTRIBUTION_PATCHED);
  g_assert_cmpuint (alpha->function.samples, ==, 7);
  g_assert_cmpuint (alpha->samples, ==, 2);
  g_assert_cmpuint (alpha->on_changed, ==, 1);
  g_assert_cmpuint (alpha->n_stretches, ==, 1);
  /* All but the one in user space and the one that nobody held. */
  g_assert_cmpuint (all->kernel_samples, <=, FIXTURE_SAMPLES);
  for (guint i = 0; i < all->rows->len; i++)
    sum += g_array_index (all->rows, PenMisattributionRow, i).samples;
  g_assert_cmpuint (sum, ==, all->samples + all->no_text);
}

static void
test_misattribution_filter (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (PenMisattribution) all = NULL;

  filter->has_time = TRUE;
  filter->from = 2550;
  filter->to = 4550;
  all = pen_query_misattribution (fixture->query, filter, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (find_row (all, "alpha")->function.samples, ==, 4);
  g_assert_cmpuint (find_row (all, "alpha")->samples, ==, 1);
  g_assert_cmpuint (find_row (all, "alpha")->on_changed, ==, 0);
}

/* ---- who held text ---- */

static const PenOccupantRow *
find_occupant (GPtrArray *rows, const char *name)
{
  for (guint i = 0; i < rows->len; i++) {
    const PenOccupantRow *row = rows->pdata[i];

    if (g_strcmp0 (row->occupant, name) == 0)
      return row;
  }
  return NULL;
}

typedef struct {
  const PenOccupantRow *row;
  const PenFunction *found;
} OwnFunction;

static void
find_own_function (const PenFunction *function, gpointer user_data)
{
  OwnFunction *own = user_data;

  if (!own->found && function->kind == own->row->kind
      && g_strcmp0 (function->occupant, own->row->occupant) == 0)
    own->found = function;
}

/* Program B begins below where A was, and lies on its bytes. */
static void
test_occupants (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows = pen_query_occupants (fixture->query, NULL, NULL, &error);
  const PenOccupantRow *a, *b;
  guint64 sum = 0;

  g_assert_no_error (error);
  a = find_occupant (rows, "bpf_prog_a");
  b = find_occupant (rows, "bpf_prog_b");
  g_assert_nonnull (a);
  g_assert_nonnull (b);
  g_assert_cmpuint (a->lives->len, ==, 1);
  g_assert_cmpuint (g_array_index (a->lives, PenLife, 0).from, ==, 1500);
  g_assert_cmpuint (g_array_index (a->lives, PenLife, 0).to, ==, 3000);
  g_assert_cmpuint (a->samples, ==, 2);
  g_assert_cmpuint (a->changes, ==, 2);
  g_assert_nonnull (strstr (a->detail, "id 1, tag 0100000000000000"));
  g_assert_cmpstr (a->next, ==, "bpf_prog_b");
  g_assert_cmpuint (a->next_time, ==, 3500);
  g_assert_null (b->next);
  for (guint i = 0; i < rows->len; i++) {
    OwnFunction own = { .row = rows->pdata[i] };

    if (own.row->kind != PEN_KIND_BPF)
      continue;
    pen_query_foreach_function_in (fixture->query, own.row->start, own.row->start + 1,
                                   find_own_function, &own);
    g_assert_nonnull (own.found);
    g_assert_true (own.row->has_function);
    g_assert_cmpuint (own.row->function, ==, own.found->id);
  }
  g_assert_cmpuint (find_occupant (rows, "/bin/two")->n_spaces, ==, 1);
  for (guint i = 0; i < rows->len; i++)
    sum += ((const PenOccupantRow *) rows->pdata[i])->samples;
  /* One sample fell where nobody was. */
  g_assert_cmpuint (sum, ==, FIXTURE_SAMPLES - 1);
}

#define ADD(name, function)                                                                        \
  g_test_add ("/before-after/" name, QueryFixture, NULL, query_fixture_set_up, function,           \
              query_fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("function", test_function);
  ADD ("address", test_address);
  ADD ("filter", test_filter);
  ADD ("occupants", test_occupants);
  ADD ("misattribution", test_misattribution);
  ADD ("misattribution-filter", test_misattribution_filter);
  return g_test_run ();
}
