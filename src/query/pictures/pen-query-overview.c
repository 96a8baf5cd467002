/* pen-query-overview.c: what the timeline draws
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-bins.h"
#include "pen-query-overview.h"
#include "pen-sample-walk.h"
#include "pen-wait-steps.h"

void
pen_overview_free (PenOverview *overview)
{
  if (!overview)
    return;
  g_free (overview->samples);
  g_clear_pointer (&overview->marks, g_array_unref);
  g_free (overview);
}

static guint64
find_highest (const PenOverview *overview)
{
  guint64 highest = 0;

  for (guint bin = 0; bin < overview->n_bins; bin++) {
    guint64 sum = 0;

    for (guint kind = 0; kind < PEN_KINDS; kind++)
      sum += overview->samples[bin * PEN_KINDS + kind];
    highest = MAX (highest, sum);
  }
  return highest;
}

/* ---- patches ---- */

typedef struct {
  const PenMatcher *matcher;
  const PenBatch *batches;
  guint n_batches;
  guint64 longest; /* ns: what a batch may take that is one mark */
  PenBins bins;
  GArray *marks;
  guint newest[PEN_CAUSES]; /* index of the mark; G_MAXUINT: none yet */
  guint newest_bin[PEN_CAUSES];
} Marking;

/* Changes patched together are one mark, until one has zoomed in so far that its sites are apart.
 */
static gboolean
belongs_to (const Marking *marking, const PenPatchMark *mark, const PenPokeTick *tick)
{
  const PenBatch *batch;

  if (tick->batch == 0 || mark->batch != tick->batch || tick->batch > marking->n_batches)
    return FALSE;
  batch = &marking->batches[tick->batch - 1];
  return batch->to - batch->from < marking->longest;
}

static void
choose_function (const PenFunction *function, gpointer user_data)
{
  const PenFunction **best = user_data;

  if (function->symbol && (!*best || function->samples > (*best)->samples))
    *best = function;
}

static void
begin_mark (Marking *marking, const PenPokeTick *tick, guint bin)
{
  const PenFunction *function = NULL;
  PenPatchMark mark = { .first = tick->time,
                        .last = tick->time,
                        .address = tick->address,
                        .poke = tick->poke,
                        .count = 1,
                        .batch = tick->batch,
                        .cause = tick->cause };

  pen_query_foreach_function_in (marking->matcher->query, tick->address, tick->address + 1,
                                 choose_function, &function);
  if (function) {
    mark.symbol = function->symbol;
    mark.offset = tick->address - function->start;
  }
  marking->newest[tick->cause] = marking->marks->len;
  marking->newest_bin[tick->cause] = bin;
  g_array_append_val (marking->marks, mark);
}

static void
mark_tick (Marking *marking, const PenPokeTick *tick)
{
  guint bin = pen_bins_find (&marking->bins, tick->time);
  guint newest = marking->newest[tick->cause];
  PenPatchMark *mark
      = newest == G_MAXUINT ? NULL : &g_array_index (marking->marks, PenPatchMark, newest);

  if (!mark || (marking->newest_bin[tick->cause] != bin && !belongs_to (marking, mark, tick))) {
    begin_mark (marking, tick, bin);
    return;
  }
  mark->last = tick->time;
  mark->count++;
  if (mark->batch != tick->batch)
    mark->batch = 0;
}

/* However many pokes there are, there is one mark at most for each cause and step. */
static GArray *
mark_ticks (PenQuery *self, const PenMatcher *matcher, const PenOverview *overview, GError **error)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (PenPatchMark));
  guint end = pen_query_find_tick (self, overview->to);
  Marking marking = { .matcher = matcher, .marks = marks };
  g_autoptr (GError) wrong = NULL;

  marking.batches = pen_store_get_batches (self->store, &marking.n_batches, &wrong);
  if (wrong) {
    g_propagate_error (error, g_steal_pointer (&wrong));
    return NULL;
  }
  memset (marking.newest, 0xff, sizeof marking.newest);
  pen_bins_init (&marking.bins, overview->from, overview->to, overview->n_bins);
  marking.longest = pen_bins_get_width (&marking.bins) * PEN_BATCH_STEPS;
  for (guint i = pen_query_find_tick (self, overview->from); i < end; i++) {
    const PenPokeTick *tick = &g_array_index (self->ticks, PenPokeTick, i);

    if (pen_matcher_has_tick (matcher, tick))
      mark_tick (&marking, tick);
  }
  return g_steal_pointer (&marks);
}

/* ---- samples ---- */

typedef struct {
  PenQuery *query;
  const PenMatcher *matcher;
  PenOverview *overview;
  PenBins bins;
  guint32 *counts;  /* of a span's tiles and kinds: all */
  guint32 *meant;   /* and those that are asked for */
  guint first_tile; /* of the span: what is drawn of it */
  guint last_tile;
  guint32 first_function; /* of those that are read */
  guint32 last_function;
  gboolean takes_away; /* they are those that are not meant */
} Binning;

static void
add (Binning *binning, guint64 time, PenKind kind, guint32 n)
{
  PenOverview *overview = binning->overview;

  overview->samples[(gsize) pen_bins_find (&binning->bins, time) * PEN_KINDS + kind] += n;
  overview->total += n;
}

static gboolean
bin_rows (const PenSampleBatch *batch, gpointer user_data, GError **error)
{
  const PenSampleBlock *block = batch->block;
  Binning *binning = user_data;
  PenQuery *query = binning->query;

  if (!pen_bucket_functions_learn (query->bucket_functions, batch->number, block, error))
    return FALSE;
  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    guint32 function = pen_bucket_functions_get (query->bucket_functions, block->bucket[row]);

    if (block->has[row] & PEN_SAMPLE_HAS_TIME)
      add (binning, block->time[row], query->functions[function].kind, 1);
  }
  return TRUE;
}

/* A tile that reaches into the next bin is shared out by its time in either: put into one as a
 * whole, evenly spread samples would look like a comb. It is no wider than a bin. */
static void
share_out (Binning *binning, const PenStoreSpan *span, guint tile, PenKind kind, guint32 n)
{
  guint64 start = MAX (pen_store_span_get_tile_start (span, tile), span->first);
  guint64 next = pen_store_span_get_tile_start (span, tile + 1);
  guint64 last = MIN (MAX (next, start + 1) - 1, MIN (span->last, binning->overview->to - 1));
  guint bin = pen_bins_find (&binning->bins, start);
  guint64 middle;
  guint32 here;

  if (last <= start || pen_bins_find (&binning->bins, last) == bin) {
    add (binning, start, kind, n);
    return;
  }
  middle = CLAMP (pen_bins_get_start (&binning->bins, bin + 1), start, last);
  here = (guint32) ((double) n * (double) (middle - start) / (double) (last + 1 - start) + 0.5);
  add (binning, start, kind, here);
  add (binning, last, kind, n - here);
}

static void
share_out_all (Binning *binning, const PenStoreSpan *span, guint first, guint last)
{
  for (guint tile = first; tile <= last; tile++) {
    for (guint kind = 0; kind < PEN_KINDS; kind++) {
      guint32 n = binning->meant[tile * PEN_KINDS + kind];

      if (n > 0)
        share_out (binning, span, tile, kind, n);
    }
  }
}

static void
forget_meant (Binning *binning, guint first, guint last)
{
  memset (binning->meant + first * PEN_KINDS, 0,
          (last + 1 - first) * PEN_KINDS * sizeof *binning->meant);
}

/* Samples of the filter's kinds, whatever their functions. */
static gboolean
mean_all_of_kinds (Binning *binning, const PenStoreSpan *span, guint first, guint last,
                   GError **error)
{
  guint32 kinds = pen_filter_get_kinds (binning->matcher->filter);

  if (!pen_store_read_span_tiles (binning->query->store, span, binning->counts, error))
    return FALSE;
  for (guint tile = first; tile <= last; tile++) {
    for (guint kind = 0; kind < PEN_KINDS; kind++) {
      if (kinds >> kind & 1)
        binning->meant[tile * PEN_KINDS + kind] = binning->counts[tile * PEN_KINDS + kind];
    }
  }
  return TRUE;
}

/* No function is asked for by name: the kinds of a tile are all that matters. */
static gboolean
bin_kinds (const PenStoreSpan *span, guint first, guint last, gpointer user_data, GError **error)
{
  Binning *binning = user_data;

  forget_meant (binning, first, last);
  if (!mean_all_of_kinds (binning, span, first, last, error))
    return FALSE;
  share_out_all (binning, span, first, last);
  return TRUE;
}

static gboolean
bin_bucket (const PenSpanBucket *bucket, gpointer user_data)
{
  Binning *binning = user_data;
  PenKind kind = binning->query->functions[bucket->function].kind;

  if (!pen_matcher_has_bucket (binning->matcher, bucket->bucket, bucket->function))
    return TRUE;
  for (guint i = 0; i < bucket->n_cells; i++) {
    if (bucket->tiles[i] >= binning->first_tile && bucket->tiles[i] <= binning->last_tile)
      binning->meant[bucket->tiles[i] * PEN_KINDS + kind] += bucket->counts[i];
  }
  return TRUE;
}

static gboolean
unbin_bucket (const PenSpanBucket *bucket, gpointer user_data)
{
  Binning *binning = user_data;
  PenKind kind = binning->query->functions[bucket->function].kind;

  if (binning->matcher->functions[bucket->function]
      || !pen_filter_admits_kind (binning->matcher->filter, kind))
    return TRUE;
  for (guint i = 0; i < bucket->n_cells; i++) {
    if (bucket->tiles[i] >= binning->first_tile && bucket->tiles[i] <= binning->last_tile)
      binning->meant[bucket->tiles[i] * PEN_KINDS + kind] -= bucket->counts[i];
  }
  return TRUE;
}

static gboolean
bin_buckets (const PenStoreSpan *span, guint first, guint last, gpointer user_data, GError **error)
{
  Binning *binning = user_data;
  PenStore *store = binning->query->store;

  binning->first_tile = first;
  binning->last_tile = last;
  forget_meant (binning, first, last);
  if ((binning->takes_away && !mean_all_of_kinds (binning, span, first, last, error))
      || !pen_store_foreach_span_bucket (
          store, span, binning->first_function, binning->last_function,
          binning->takes_away ? unbin_bucket : bin_bucket, binning, error))
    return FALSE;
  share_out_all (binning, span, first, last);
  return TRUE;
}

/* The smallest stretch of functions that has all that are marked @mark. Returns: its length */
static guint32
find_stretch (const guint8 *marks, guint32 n, gboolean mark, guint32 *first, guint32 *last)
{
  guint32 end = n;

  *first = 0;
  while (*first < end && (marks[*first] != 0) != (mark != 0))
    (*first)++;
  while (end > *first && (marks[end - 1] != 0) != (mark != 0))
    end--;
  *last = end > *first ? end - 1 : *first;
  return end - *first;
}

/* Few functions lie together, or all but few: either those that are meant are added up, or the
 * others are taken away from all. */
static void
choose_functions (Binning *binning)
{
  const PenMatcher *matcher = binning->matcher;
  guint32 n = binning->query->n_functions;
  guint32 first = 0, last = G_MAXUINT32, first_other, last_other;
  guint32 n_meant = n;

  if (matcher->counted)
    n_meant = find_stretch (matcher->counted, n, TRUE, &first, &last);
  if (matcher->functions && !matcher->buckets
      && find_stretch (matcher->functions, n, FALSE, &first_other, &last_other) < n_meant) {
    binning->takes_away = TRUE;
    first = first_other;
    last = last_other;
  }
  binning->first_function = first;
  binning->last_function = last;
}

static gboolean
bin_samples (PenQuery *self, const PenMatcher *matcher, PenOverview *overview, GError **error)
{
  g_autofree guint32 *counts = g_new (guint32, PEN_SPAN_TILES * PEN_KINDS);
  g_autofree guint32 *meant = g_new (guint32, PEN_SPAN_TILES * PEN_KINDS);
  Binning binning = {
    .query = self, .matcher = matcher, .overview = overview, .counts = counts, .meant = meant
  };
  gboolean asks_buckets = matcher->functions || matcher->buckets;
  PenWalkFuncs funcs
      = { .tiles = asks_buckets ? bin_buckets : bin_kinds, .rows = bin_rows, .only_places = TRUE };

  pen_bins_init (&binning.bins, overview->from, overview->to, overview->n_bins);
  choose_functions (&binning);
  if (matcher->asks_rows)
    return pen_query_scan (self, matcher, overview->from, overview->to - 1, bin_rows, &binning,
                           error);
  return pen_query_walk_tiles (self, matcher, overview->from, overview->to - 1,
                               pen_bins_get_width (&binning.bins), &funcs, &binning, error);
}

/* ---- waits ---- */

static gboolean
bin_waits (PenQuery *self, const PenMatcher *matcher, PenOverview *overview, GError **error)
{
  g_autofree guint64 *edges = g_new (guint64, overview->n_bins + 1);
  guint64 length = overview->to - overview->from;
  guint n = overview->n_bins;

  for (guint i = 0; i <= n; i++)
    edges[i] = overview->from + length / n * i + length % n * i / n;
  if (!pen_query_lay_out_waits (self, matcher, edges, overview->n_bins, PEN_KINDS,
                                pen_wait_series_by_kind, NULL, overview->samples, error))
    return FALSE;
  for (gsize i = 0; i < (gsize) overview->n_bins * PEN_KINDS; i++)
    overview->total += overview->samples[i];
  return TRUE;
}

PenOverview *
pen_query_overview (PenQuery *self, const PenFilter *filter, guint64 from, guint64 to, guint n_bins,
                    GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (PenOverview) overview = NULL;

  g_return_val_if_fail (n_bins > 0 && to > from, NULL);

  if (!matcher || !pen_query_load_ticks (self, error))
    return NULL;
  overview = g_new0 (PenOverview, 1);
  overview->from = from;
  overview->to = to;
  overview->n_bins = n_bins;
  overview->population = pen_store_get_population (self->store);
  overview->samples = g_new0 (guint64, (gsize) n_bins * PEN_KINDS);
  if (!(overview->population == PEN_POPULATION_WAITS ? bin_waits : bin_samples) (self, matcher,
                                                                                 overview, error))
    return NULL;
  overview->max_in_bin = find_highest (overview);
  overview->marks = mark_ticks (self, matcher, overview, error);
  if (!overview->marks)
    return NULL;
  return g_steal_pointer (&overview);
}
