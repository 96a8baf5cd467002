/* pen-query-strips.c: samples of annotation lines over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bins.h"
#include "pen-bucket-set.h"
#include "pen-line-choice.h"
#include "pen-query-strips.h"
#include "pen-sample-walk.h"

typedef struct {
  PenQuery *query;
  const PenMatcher *matcher;
  const PenAnnotated *annotated;
  PenBucketSet *set;
  guint line; /* of the bucket before */
  PenLineChoice *choice;
  PenBins bins;
  PenStripCounts *counts;
  const PenStoreSpan *span;
  guint first_tile; /* of the span: what is drawn of it */
  guint last_tile;
} Binning;

/* ---- samples ---- */

static void
add (Binning *binning, guint index, guint64 time, guint64 n)
{
  guint line = pen_line_choice_choose (binning->choice, index, time);

  if (line != G_MAXUINT)
    pen_strip_counts_add (binning->counts, line, pen_bins_find (&binning->bins, time), n);
}

static gboolean
trim (Binning *binning, GError **error)
{
  PenCancelCheck check = pen_query_make_check (binning->query);

  pen_strip_counts_trim (binning->counts, &check);
  return pen_query_end_check (binning->query, &check, error);
}

static gboolean
bin_rows (const PenSampleBatch *batch, gpointer user_data, GError **error)
{
  const PenSampleBlock *block = batch->block;
  Binning *binning = user_data;
  gboolean is_of_waits = pen_query_is_of_waits (binning->query);

  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    guint index = pen_bucket_set_find (binning->set, block->bucket[row]);
    guint64 length = block->has[row] & PEN_SAMPLE_HAS_PERIOD ? block->period[row] : 0;

    if (index != G_MAXUINT && block->has[row] & PEN_SAMPLE_HAS_TIME)
      add (binning, index, block->time[row], is_of_waits ? length : 1);
  }
  return trim (binning, error);
}

static gboolean
bin_bucket (const PenSpanBucket *bucket, gpointer user_data)
{
  Binning *binning = user_data;
  guint index = pen_bucket_set_find (binning->set, bucket->bucket);

  for (guint i = 0; index != G_MAXUINT && i < bucket->n_cells; i++) {
    guint tile = bucket->tiles[i];

    if (tile >= binning->first_tile && tile <= binning->last_tile)
      add (binning, index,
           MAX (pen_store_span_get_tile_start (binning->span, tile), binning->span->first),
           bucket->counts[i]);
  }
  return TRUE;
}

static gboolean
bin_tiles (const PenStoreSpan *span, guint first, guint last, gpointer user_data, GError **error)
{
  Binning *binning = user_data;

  binning->span = span;
  binning->first_tile = first;
  binning->last_tile = last;
  for (guint i = 0; i < binning->set->functions->len; i++) {
    guint32 function = g_array_index (binning->set->functions, guint32, i);

    if (!pen_store_foreach_span_bucket (binning->query->store, span, function, function, bin_bucket,
                                        binning, error)
        || !trim (binning, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- which line, when ---- */

/*
 * Stretches in which each bucket has one line: no tile may lie across their ends.
 * Returns: (element-type guint64): where they begin: @from, and after it in order; NULL: cancelled
 */
static GArray *
find_cuts (const Binning *binning, guint64 from, guint64 to, GError **error)
{
  g_autoptr (GArray) times = pen_line_choice_list_ends (binning->choice, error);
  GArray *cuts;

  if (!times)
    return NULL;
  cuts = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_val (cuts, from);
  for (guint i = 0; i < times->len; i++) {
    guint64 time = g_array_index (times, guint64, i);

    if (time > g_array_index (cuts, guint64, cuts->len - 1) && time < to)
      g_array_append_val (cuts, time);
  }
  return cuts;
}

static gboolean
bin_samples (Binning *binning, guint64 from, guint64 to, GError **error)
{
  static const PenWalkFuncs funcs = { .tiles = bin_tiles, .rows = bin_rows, .only_places = TRUE };
  g_autoptr (GArray) cuts = find_cuts (binning, from, to, error);

  if (!cuts)
    return FALSE;
  /* Spans have numbers by time, and no periods. */
  if (binning->matcher->asks_rows || cuts->len > PEN_STRETCHES_MAX
      || pen_query_is_of_waits (binning->query))
    return pen_query_scan (binning->query, binning->matcher, from, to - 1, bin_rows, binning,
                           error);
  for (guint i = 0; i < cuts->len; i++) {
    guint64 first = g_array_index (cuts, guint64, i);
    guint64 end = i + 1 < cuts->len ? g_array_index (cuts, guint64, i + 1) : to;

    if (!pen_query_walk_tiles (binning->query, binning->matcher, first, end - 1,
                               pen_bins_get_width (&binning->bins), &funcs, binning, error))
      return FALSE;
  }
  return TRUE;
}

/* ---- the question ---- */

static gboolean
is_shown (const PenBucket *bucket, gpointer user_data)
{
  Binning *binning = user_data;

  return bucket->has_address
         && pen_matcher_has_bucket (binning->matcher, bucket->id, bucket->function)
         && pen_annotated_has_bucket (binning->annotated, binning->query, bucket, TRUE,
                                      &binning->line);
}

/* @first, @last: (inout): are widened to those of the buckets */
static gboolean
prepare (Binning *binning, guint64 *first, guint64 *last, GError **error)
{
  binning->set = pen_bucket_set_new_near (binning->query, binning->annotated->function, is_shown,
                                          binning, error);
  if (!binning->set)
    return FALSE;
  binning->choice
      = pen_line_choice_new (binning->query, binning->annotated, binning->set, TRUE, error);
  for (guint i = 0; i < binning->set->buckets->len; i++) {
    const PenBucket *bucket = pen_bucket_set_get (binning->set, i);

    *first = MIN (*first, bucket->first);
    *last = MAX (*last, bucket->last);
  }
  return binning->choice != NULL;
}

static gboolean
pack (Binning *binning, GError **error)
{
  PenCancelCheck check = pen_query_make_check (binning->query);

  pen_strip_counts_pack (binning->counts, &check);
  return pen_query_end_check (binning->query, &check, error);
}

PenStripCounts *
pen_query_strips (PenQuery *self, const PenFilter *filter, const PenAnnotated *annotated,
                  guint64 from, guint64 to, guint n_bins, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (PenStripCounts) counts = NULL;
  Binning binning = { .query = self, .matcher = matcher, .annotated = annotated };
  gboolean is_done;
  guint64 first = G_MAXUINT64;
  guint64 last = 0;

  g_return_val_if_fail (n_bins > 0 && to > from, NULL);

  if (!matcher)
    return NULL;
  binning.counts = counts = pen_strip_counts_new (annotated->lines->len, n_bins);
  pen_bins_init (&binning.bins, from, to, n_bins);
  is_done = prepare (&binning, &first, &last, error);
  from = MAX (from, first);
  to = last < to ? last + 1 : to;
  if (is_done && from < to)
    is_done = bin_samples (&binning, from, to, error);
  g_clear_pointer (&binning.set, pen_bucket_set_free);
  g_clear_pointer (&binning.choice, pen_line_choice_free);
  return is_done && pack (&binning, error) ? g_steal_pointer (&counts) : NULL;
}
