/* test-flame-diff.c: stacks before and after, where it is known what changed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "query-fixture.h"

#include <math.h>
#include <string.h>

#include "pen-query-flame-diff.h"
#include "pen-record.h"
#include "pen-store-pokes.h"

#define MS 1000000ull
#define SITE (ALPHA + 0x5)

/* ---- a recording of which every rate is known ---- */

/* Functions of 16 bytes: callers, then callees. */
#define N_CALLERS 40u
#define N_CALLEES 250u
#define WINDOW (2000 * MS)
#define FIRST (1000 * MS)
#define SECOND (4000 * MS)

typedef struct {
  guint64 time;
  guint caller;
  guint callee;
} Event;

static guint64
get_function (guint index)
{
  return ALPHA + 0x100 + 16 * index;
}

static gboolean
is_changed (guint caller, guint callee)
{
  return caller == 3 && callee < 8;
}

/* Samples per window of a call. */
static double
get_rate (guint caller, guint callee, guint window)
{
  double rate = 1 + (caller + callee) % 5;

  if (!is_changed (caller, callee))
    return rate;
  return (callee & 1) == window ? 60 : 3;
}

static guint
draw_poisson (GRand *random, double mean)
{
  double least = exp (-mean);
  double product = g_rand_double (random);
  guint n = 0;

  while (product > least) {
    product *= g_rand_double (random);
    n++;
  }
  return n;
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const Event *x = a;
  const Event *y = b;

  return x->time < y->time ? -1 : x->time > y->time;
}

static GArray *
draw_events (guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  GArray *events = g_array_new (FALSE, FALSE, sizeof (Event));

  for (guint window = 0; window < 2; window++) {
    for (guint caller = 0; caller < N_CALLERS; caller++) {
      for (guint callee = 0; callee < N_CALLEES; callee++) {
        guint n = draw_poisson (random, get_rate (caller, callee, window));

        for (guint i = 0; i < n; i++) {
          Event event = { (window == 0 ? FIRST : SECOND)
                              + (guint64) (g_rand_double (random) * (double) WINDOW),
                          caller, callee };

          g_array_append_val (events, event);
        }
      }
    }
  }
  g_array_sort (events, compare_events);
  return events;
}

static void
sample (PenTestCapture *capture, guint64 time, guint64 leaf, guint64 caller)
{
  guint64 chain[] = { PEN_CONTEXT_KERNEL, leaf, caller };

  pen_test_capture_from (capture, 0);
  pen_test_capture_at (capture, time, 7, 7, 0);
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, leaf, 1, chain,
                                              G_N_ELEMENTS (chain));
}

static PenTestCapture *
make_capture (const GArray *events)
{
  g_autoptr (GString) kallsyms = g_string_new ("ffffffff81000000 T _text\n");
  PenTestCapture *capture;

  for (guint i = 0; i < N_CALLERS + N_CALLEES; i++)
    g_string_append_printf (kallsyms, "%" G_GINT64_MODIFIER "x T %s%u\n", get_function (i),
                            i < N_CALLERS ? "caller" : "callee", i < N_CALLERS ? i : i - N_CALLERS);
  capture = query_fixture_new_with_chains (kallsyms->str, NULL, 0);
  for (guint i = 0; i < events->len; i++) {
    const Event *event = &g_array_index (events, Event, i);

    sample (capture, event->time, get_function (N_CALLERS + event->callee) + 4,
            get_function (event->caller) + 8);
  }
  return capture;
}

/* The true rates of a node, by its name and its caller's. */
static void
get_truth (const PenFlameDiff *diff, guint index, double truth[2])
{
  const PenFlameNode *node = pen_flame_tree_get (diff->tree, index);
  int caller = -1;
  int callee = -1;

  for (const PenFlameNode *at = node; at->depth > 0;
       at = pen_flame_tree_get (diff->tree, at->parent)) {
    const char *symbol = diff->tree->groups[at->group].symbol;

    if (g_str_has_prefix (symbol, "caller"))
      caller = atoi (symbol + 6);
    else
      callee = atoi (symbol + 6);
  }
  truth[0] = truth[1] = 0;
  for (guint i = 0; i < N_CALLERS; i++) {
    for (guint k = 0; k < N_CALLEES; k++) {
      if ((caller >= 0 && (guint) caller != i) || (callee >= 0 && (guint) callee != k))
        continue;
      truth[0] += get_rate (i, k, 0);
      truth[1] += get_rate (i, k, 1);
    }
  }
}

static void
check_differences (const PenFlameDiff *diff, guint *n_unchanged, guint *n_found)
{
  for (guint i = 0; i < diff->tree->nodes->len; i++) {
    const PenFlameDifference *node = &diff->nodes[i];
    double truth[2];

    get_truth (diff, i, truth);
    if (truth[0] == truth[1]) {
      g_assert_cmpint (node->verdict, ==, PEN_VERDICT_ALIKE);
      ++*n_unchanged;
    } else {
      g_assert_cmpint (node->verdict, !=,
                       truth[1] > truth[0] ? PEN_VERDICT_LESS : PEN_VERDICT_MORE);
      *n_found += node->verdict != PEN_VERDICT_ALIKE;
    }
  }
}

/* No colour where nothing changed, in ten thousand nodes; and those that changed twentyfold. */
static void
test_known_rates (void)
{
  const PenFlameWindow windows[2]
      = { { FIRST, FIRST + WINDOW - 1 }, { SECOND, SECOND + WINDOW - 1 } };
  static const PenFlameOptions inverted = { .order = PEN_FLAME_INNERMOST };
  g_autoptr (GArray) events = draw_events (20261123);
  g_autoptr (PenTestCapture) capture = make_capture (events);
  g_autoptr (PenFlameDiff) down = NULL;
  g_autoptr (PenFlameDiff) up = NULL;
  g_autoptr (GError) error = NULL;
  QueryFixture fixture = { 0 };
  guint n_unchanged = 0;
  guint n_found = 0;

  query_fixture_import (&fixture, capture);
  down = pen_query_flame_diff (fixture.query, NULL, NULL, windows, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (pen_flame_tree_get (down->tree, 0)->total.samples
                        + pen_flame_tree_get (down->tree, 0)->total.after,
                    ==, events->len);
  g_assert_cmpfloat_with_epsilon (down->seconds[0], 2, 0.01);
  g_assert_cmpfloat (down->alpha, <, 0.05 / 9000);
  check_differences (down, &n_unchanged, &n_found);
  g_assert_cmpuint (n_unchanged, >, 9500);
  g_assert_cmpuint (n_found, >=, 8);

  n_found = 0;
  up = pen_query_flame_diff (fixture.query, NULL, &inverted, windows, &error);
  g_assert_no_error (error);
  check_differences (up, &n_unchanged, &n_found);
  g_assert_cmpuint (n_unchanged, >, 19000);
  g_assert_cmpuint (n_found, >=, 8);
  query_fixture_tear_down (&fixture, NULL);
}

/* ---- windows ---- */

static const guint8 nop5[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const guint8 call[] = { 0xe8, 0x00, 0x01, 0x00, 0x00 };

static void
patch (PenTestCapture *capture, guint64 time, guint64 site, gboolean on)
{
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, time, 7, 7, 0);
  pen_test_capture_add_text_poke (capture, site, on ? nop5 : call, 5, on ? call : nop5, 5);
}

static void
check_windows (QueryFixture *fixture, guint64 time, const PenWindowRules *rules, guint64 from,
               guint64 before, guint64 after, guint64 to)
{
  g_autoptr (GError) error = NULL;
  PenFlameWindow windows[2];
  guint n;
  const PenBatch *batches = pen_store_get_batches (fixture->store, &n, NULL);
  guint32 batch = 0;

  for (guint i = 0; i < n; i++)
    batch = batches[i].from == time ? batches[i].id : batch;
  g_assert_cmpuint (batch, !=, 0);
  g_assert_true (pen_query_find_windows (fixture->query, batch, rules, windows, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (windows[0].from, ==, from);
  g_assert_cmpuint (windows[0].to, ==, before);
  g_assert_cmpuint (windows[1].from, ==, after);
  g_assert_cmpuint (windows[1].to, ==, to);
}

static void
test_windows (void)
{
  static const PenWindowRules plain = { 0 };
  static const PenWindowRules across = { .crosses = TRUE };
  static const PenWindowRules short_ones = { .most = 10 * MS };
  g_autoptr (PenTestCapture) capture = query_fixture_new_with_chains (
      "ffffffff81000000 T site\nffffffff81000100 T other\n", NULL, 0);
  g_autoptr (GError) error = NULL;
  PenFlameWindow windows[2];
  QueryFixture fixture = { 0 };

  sample (capture, 100 * MS, ALPHA + 0x100, ALPHA + 0x110);
  patch (capture, 300 * MS, SITE, TRUE);
  patch (capture, 350 * MS, ALPHA + 0x120, TRUE); /* another place: no bound */
  patch (capture, 400 * MS, SITE, FALSE);
  patch (capture, 900 * MS, SITE, TRUE);
  sample (capture, 1000 * MS, ALPHA + 0x100, ALPHA + 0x110);
  query_fixture_import (&fixture, capture);

  /* A millisecond at each side of a patch is not sure. */
  check_windows (&fixture, 300 * MS, &plain, 201 * MS, 299 * MS, 301 * MS, 399 * MS);
  check_windows (&fixture, 400 * MS, &plain, 301 * MS, 399 * MS, 401 * MS, 499 * MS);
  check_windows (&fixture, 400 * MS, &across, 100 * MS, 399 * MS, 401 * MS, 700 * MS);
  check_windows (&fixture, 400 * MS, &short_ones, 389 * MS + 1, 399 * MS, 401 * MS, 411 * MS - 1);
  check_windows (&fixture, 900 * MS, &plain, 800 * MS, 899 * MS, 901 * MS, 1000 * MS);

  g_assert_false (pen_query_find_windows (fixture.query, 99, &plain, windows, &error));
  g_assert_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND);
  query_fixture_tear_down (&fixture, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flame-diff/known-rates", test_known_rates);
  g_test_add_func ("/flame-diff/windows", test_windows);
  return g_test_run ();
}
