/* test-span-costs.c: what of a store is read for an answer from spans
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "random-store.h"

#include "pen-query-annotation.h"
#include "pen-query-bars.h"
#include "pen-query-functions.h"
#include "pen-query-history.h"
#include "pen-query-overview.h"
#include "pen-store-samples.h"
#include "pen-store-spans.h"

#define N_BINS 37

static struct {
  guint blocks;
  guint spans;
  guint pieces; /* walks through them */
  guint learnt;
  guint all_buckets;
} n_read;

gboolean __real_pen_store_read_block (PenStore *, guint, PenSampleBlock *, GError **);
gboolean __wrap_pen_store_read_block (PenStore *, guint, PenSampleBlock *, GError **);
gboolean __real_pen_store_read_block_places (PenStore *, guint, PenSampleBlock *, GError **);
gboolean __wrap_pen_store_read_block_places (PenStore *, guint, PenSampleBlock *, GError **);
gboolean __real_pen_store_foreach_span_function (PenStore *, const PenStoreSpan *,
                                                 PenSpanBucketFunc, gpointer, GError **);
gboolean __wrap_pen_store_foreach_span_function (PenStore *, const PenStoreSpan *,
                                                 PenSpanBucketFunc, gpointer, GError **);
GArray *__real_pen_store_load_span_functions (PenStore *, const PenStoreSpan *, GError **);
GArray *__wrap_pen_store_load_span_functions (PenStore *, const PenStoreSpan *, GError **);
gboolean __real_pen_store_read_span_tiles (PenStore *, const PenStoreSpan *, guint32 *, GError **);
gboolean __wrap_pen_store_read_span_tiles (PenStore *, const PenStoreSpan *, guint32 *, GError **);
gboolean __real_pen_store_foreach_span_bucket (PenStore *, const PenStoreSpan *, guint32, guint32,
                                               PenSpanBucketFunc, gpointer, GError **);
gboolean __wrap_pen_store_foreach_span_bucket (PenStore *, const PenStoreSpan *, guint32, guint32,
                                               PenSpanBucketFunc, gpointer, GError **);
const PenBucket *__real_pen_store_get_buckets (PenStore *, guint *, GError **);
const PenBucket *__wrap_pen_store_get_buckets (PenStore *, guint *, GError **);

gboolean
__wrap_pen_store_read_block (PenStore *store, guint index, PenSampleBlock *block, GError **error)
{
  n_read.blocks++;
  return __real_pen_store_read_block (store, index, block, error);
}

gboolean
__wrap_pen_store_read_block_places (PenStore *store, guint index, PenSampleBlock *block,
                                    GError **error)
{
  n_read.blocks++;
  return __real_pen_store_read_block_places (store, index, block, error);
}

gboolean
__wrap_pen_store_foreach_span_function (PenStore *store, const PenStoreSpan *span,
                                        PenSpanBucketFunc func, gpointer user_data, GError **error)
{
  n_read.learnt++;
  return __real_pen_store_foreach_span_function (store, span, func, user_data, error);
}

GArray *
__wrap_pen_store_load_span_functions (PenStore *store, const PenStoreSpan *span, GError **error)
{
  n_read.spans++;
  return __real_pen_store_load_span_functions (store, span, error);
}

gboolean
__wrap_pen_store_read_span_tiles (PenStore *store, const PenStoreSpan *span, guint32 *counts,
                                  GError **error)
{
  n_read.spans++;
  return __real_pen_store_read_span_tiles (store, span, counts, error);
}

gboolean
__wrap_pen_store_foreach_span_bucket (PenStore *store, const PenStoreSpan *span, guint32 first,
                                      guint32 last, PenSpanBucketFunc func, gpointer user_data,
                                      GError **error)
{
  n_read.pieces++;
  return __real_pen_store_foreach_span_bucket (store, span, first, last, func, user_data, error);
}

const PenBucket *
__wrap_pen_store_get_buckets (PenStore *store, guint *n, GError **error)
{
  n_read.all_buckets++;
  return __real_pen_store_get_buckets (store, n, error);
}

static void
begin_count (RandomStore *random)
{
  random_store_reopen (random);
  memset (&n_read, 0, sizeof n_read);
}

/* Many small blocks: 243 of them are five levels of three. */
static const RandomStoreShape deep = { .seed = 4,
                                       .n_blocks = 243,
                                       .block_samples = 16,
                                       .fan = 3,
                                       .step = 500,
                                       .n_places = 50,
                                       .n_generations = 1 };
#define DEEP_LEVELS 4 /* the fifth would be one span of everything */
#define DEEP_FAN 3

/* A question without a filter, or with one that functions answer, reads no sample and no span. */
static void
test_cost_whole (void)
{
  g_autoptr (RandomStore) random = random_store_new (&deep);
  g_autoptr (PenFilter) kind = pen_filter_new ();
  g_autoptr (GArray) all = NULL;
  g_autoptr (GArray) some = NULL;
  g_autoptr (GArray) bars = NULL;
  guint64 a;
  guint64 b;
  guint n;

  kind->only.kinds = 1u << PEN_KIND_KERNEL;
  begin_count (random);
  g_assert_true (pen_query_get_time_range (random->query, &a, &b));
  g_assert_true (pen_query_count (random->query, NULL, &a, &b, NULL));
  all = pen_query_functions (random->query, NULL, NULL, NULL);
  some = pen_query_functions (random->query, kind, NULL, NULL);
  bars = pen_query_bars (random->query, &n, NULL);
  g_assert_nonnull (all);
  g_assert_nonnull (some);
  g_assert_nonnull (bars);
  g_assert_cmpuint (n_read.blocks + n_read.spans + n_read.pieces + n_read.all_buckets, ==, 0);
}

/* At each end and level the spans of one span, and the blocks of one; that is all. */
static void
test_cost_stretch (void)
{
  g_autoptr (RandomStore) random = random_store_new (&deep);

  for (guint i = 0; i < 50; i++) {
    g_autoptr (PenFilter) filter = pen_filter_new ();
    g_autoptr (GArray) rows = NULL;
    guint64 a;
    guint64 b;

    filter->has_time = TRUE;
    random_store_draw_view (random, &filter->from, &filter->to);
    begin_count (random);
    rows = pen_query_functions (random->query, filter, NULL, NULL);
    g_assert_nonnull (rows);
    g_assert_cmpuint (n_read.blocks, <=, 2 * DEEP_FAN);
    g_assert_cmpuint (n_read.spans, <=, DEEP_FAN + 2 * DEEP_FAN * DEEP_LEVELS);
    /* the functions of rows */
    g_assert_cmpuint (n_read.learnt, <=, 2);
    g_assert_cmpuint (n_read.pieces + n_read.all_buckets, ==, 0);

    begin_count (random);
    g_assert_true (pen_query_count (random->query, filter, &a, &b, NULL));
    g_assert_cmpuint (n_read.blocks, <=, 2 * DEEP_FAN);
    g_assert_cmpuint (n_read.spans + n_read.learnt + n_read.pieces + n_read.all_buckets, ==, 0);
  }
}

static void
test_cost_overview (void)
{
  g_autoptr (RandomStore) random = random_store_new (&deep);

  for (guint i = 0; i < 50; i++) {
    g_autoptr (PenOverview) overview = NULL;
    guint64 from = random->first;
    guint64 to = random->last + 1;

    if (i > 0)
      random_store_draw_view (random, &from, &to);
    if ((to - from) / N_BINS < 32)
      continue;
    begin_count (random);
    overview = pen_query_overview (random->query, NULL, from, to, N_BINS, NULL);
    g_assert_nonnull (overview);
    /* a block at each end, and none where the overview has no ends; a tile may lie in two */
    g_assert_cmpuint (n_read.blocks, <=, i > 0 ? 4 : 0);
    g_assert_cmpuint (n_read.spans, <=, DEEP_FAN + 4 * DEEP_LEVELS);
    g_assert_cmpuint (n_read.learnt, <=, 4);
    g_assert_cmpuint (n_read.pieces + n_read.all_buckets, ==, 0);
  }
}

/* Samples that come evenly are drawn as a plain, not as a comb. */
static void
test_even (void)
{
  static const RandomStoreShape even = { .seed = 5,
                                         .n_blocks = 243,
                                         .block_samples = 400,
                                         .fan = 3,
                                         .step = 512,
                                         .n_places = 50,
                                         .n_generations = 1,
                                         .is_even = TRUE };
  g_autoptr (RandomStore) random = random_store_new (&even);

  for (guint n_bins = 48; n_bins <= 480; n_bins += 9) {
    g_autoptr (PenOverview) overview
        = pen_query_overview (random->query, NULL, random->first, random->last + 1, n_bins, NULL);
    double mean = (double) overview->total / n_bins;

    for (guint bin = 0; bin < n_bins; bin++) {
      guint64 sum = 0;

      for (guint kind = 0; kind < PEN_KINDS; kind++)
        sum += overview->samples[bin * PEN_KINDS + kind];
      /* a sample of each kind may be rounded away */
      g_assert_cmpfloat_with_epsilon ((double) sum, mean, 0.02 * mean);
    }
  }
}

/* What a function's lines cost beyond that: two blocks for each bucket's first and last sample. */
static void
test_cost_function (void)
{
  g_autoptr (RandomStore) random = random_store_new (&deep);

  for (guint i = 0; i < 30; i++) {
    g_autoptr (PenFilter) filter = pen_filter_new ();
    g_autoptr (PenAnnotated) annotated = NULL;
    g_autoptr (GPtrArray) rows = NULL;
    guint n_buckets = 0;

    filter->has_time = TRUE;
    random_store_draw_view (random, &filter->from, &filter->to);
    begin_count (random);
    annotated = pen_query_annotate (random->query, filter, 1, PEN_SYNTAX_ATT, NULL);
    g_assert_nonnull (annotated);
    for (guint j = 0; j < random->buckets->len; j++)
      n_buckets += g_array_index (random->buckets, PenBucket, j).function == 1;
    g_assert_cmpuint (n_read.blocks, <=, 4 * DEEP_FAN + 2 * n_buckets);
    g_assert_cmpuint (n_read.all_buckets, ==, 0);

    begin_count (random);
    rows = pen_query_history (random->query, filter, TEXT + FUNCTION_LENGTH + 7, PEN_SYNTAX_ATT,
                              NULL);
    g_assert_nonnull (rows);
    g_assert_cmpuint (n_read.blocks, <=, 2 * DEEP_FAN);
    g_assert_cmpuint (n_read.all_buckets, ==, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/span-costs/whole", test_cost_whole);
  g_test_add_func ("/span-costs/stretch", test_cost_stretch);
  g_test_add_func ("/span-costs/even", test_even);
  g_test_add_func ("/span-costs/overview", test_cost_overview);
  g_test_add_func ("/span-costs/function", test_cost_function);
  return g_test_run ();
}
