/* pen-query-map.c: what the text map draws
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bins.h"
#include "pen-map-placer.h"
#include "pen-query-map-private.h"
#include "pen-sample-walk.h"
#include "pen-wait-steps.h"

/* Some 10 ms for a picture. */
static const PenMapLimits usual_limits
    = { .max_loaded = 500000, .max_exact = 600000, .max_spans = 256 };

/* Limits for a picture that is in no hurry. */
static const PenMapLimits no_limits
    = { .max_loaded = 500000, .max_exact = G_MAXUINT, .max_spans = 256 };

/* Functions are looked for one by one where they are few, and far from each other: those that are
 * near are in the same pieces. */
#define FEW_FUNCTIONS 32
#define DENSE 8

void
pen_map_bins_free (PenMapBins *bins)
{
  if (!bins)
    return;
  g_free (bins->edges);
  g_free (bins->counts);
  g_free (bins->kinds);
  g_clear_pointer (&bins->marks, g_array_unref);
  g_clear_pointer (&bins->names, g_array_unref);
  g_clear_pointer (&bins->hot, g_array_unref);
  g_free (bins);
}

typedef struct {
  PenQuery *query;
  const PenMatcher *matcher;
  const PenMapPlacer *placer;
  const PenMapLimits *limits;
  PenMapBins *map;
  PenBins bins;
  const PenStoreSpan *span;
  guint first_tile; /* of the span: what is drawn of it */
  guint last_tile;
  guint8 *row_kinds; /* of waits: of each row */
} Binning;

static void
add_cell (PenMapBins *map, guint row, guint column, float n, PenKind kind)
{
  gsize cell = (gsize) row * map->n_columns + column;

  map->counts[cell] += n;
  map->kinds[cell] = (guint8) kind;
}

static void
add (Binning *binning, guint32 bucket, guint32 function, guint64 time, guint32 n)
{
  PenMapRows rows = pen_map_placer_place (binning->placer, bucket, function);
  PenKind kind = binning->query->functions[function].kind;
  guint column;
  float part;

  if (rows.first == PEN_MAP_NO_ROW)
    return;
  column = pen_bins_find (&binning->bins, time);
  part = (float) n / (float) (rows.last - rows.first + 1);
  for (guint row = rows.first; row <= rows.last; row++)
    add_cell (binning->map, row, column, part, kind);
  binning->map->total += n;
}

/* ---- one by one ---- */

static gboolean
bin_rows (const PenSampleBatch *batch, gpointer user_data, GError **error)
{
  const PenSampleBlock *block = batch->block;
  Binning *binning = user_data;
  const PenBucket *buckets = binning->placer->buckets;
  PenBucketFunctions *functions = binning->query->bucket_functions;

  if (!buckets && !pen_bucket_functions_learn (functions, batch->number, block, error))
    return FALSE;
  for (guint i = 0; i < batch->n_rows; i++) {
    guint row = batch->rows[i];
    guint32 bucket = block->bucket[row];

    if (block->has[row] & PEN_SAMPLE_HAS_TIME)
      add (binning, bucket,
           buckets ? buckets[bucket].function : pen_bucket_functions_get (functions, bucket),
           block->time[row], 1);
  }
  return TRUE;
}

static gboolean
bin_bucket (const PenSpanBucket *bucket, gpointer user_data)
{
  Binning *binning = user_data;
  const PenStoreSpan *span = binning->span;

  if (binning->placer->rows[bucket->function].first == PEN_MAP_NO_ROW
      || !pen_matcher_has_bucket (binning->matcher, bucket->bucket, bucket->function))
    return TRUE;
  for (guint i = 0; i < bucket->n_cells; i++) {
    guint tile = bucket->tiles[i];

    if (tile >= binning->first_tile && tile <= binning->last_tile)
      add (binning, bucket->bucket, bucket->function,
           MAX (pen_store_span_get_tile_start (span, tile), span->first), bucket->counts[i]);
  }
  return TRUE;
}

static gboolean
bin_tiles (const PenStoreSpan *span, guint first, guint last, gpointer user_data, GError **error)
{
  Binning *binning = user_data;
  const PenMapPlacer *placer = binning->placer;
  PenStore *store = binning->query->store;

  binning->span = span;
  binning->first_tile = first;
  binning->last_tile = last;
  if (placer->n_functions == 0)
    return TRUE;
  if (placer->n_functions > FEW_FUNCTIONS
      || placer->last_function - placer->first_function < DENSE * placer->n_functions)
    return pen_store_foreach_span_bucket (store, span, placer->first_function,
                                          placer->last_function, bin_bucket, binning, error);
  for (guint32 i = placer->first_function; i <= placer->last_function; i++) {
    if (placer->rows[i].first != PEN_MAP_NO_ROW
        && !pen_store_foreach_span_bucket (store, span, i, i, bin_bucket, binning, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
bin_exactly (Binning *binning, GError **error)
{
  static const PenWalkFuncs funcs = { .tiles = bin_tiles, .rows = bin_rows, .only_places = TRUE };
  const PenMapBins *map = binning->map;

  if (binning->matcher->asks_rows)
    return pen_query_scan (binning->query, binning->matcher, map->from, map->to - 1, bin_rows,
                           binning, error);
  return pen_query_walk_tiles (binning->query, binning->matcher, map->from, map->to - 1,
                               pen_bins_get_width (&binning->bins), &funcs, binning, error);
}

/* ---- by functions of spans ---- */

static guint
count_overlaps (const PenSpanTree *tree, guint level, guint64 from, guint64 to)
{
  guint n = 0;

  for (guint i = 0; i < tree->n_spans; i++) {
    const PenStoreSpan *span = &tree->spans[i];

    n += span->level == level && span->samples > 0 && span->last >= from && span->first < to;
  }
  return n;
}

/* The lowest level that has few enough. */
static guint
choose_level (const PenSpanTree *tree, guint64 from, guint64 to, guint max_spans)
{
  guint level = 1;

  while (level < tree->spans[0].level && count_overlaps (tree, level, from, to) > max_spans)
    level++;
  return level;
}

/* @n samples of a function, all over the time that the span has in the picture. */
static void
spread (Binning *binning, const PenSpanFunction *function, guint first, guint last, double share)
{
  PenMapRows rows = binning->placer->rows[function->function];
  const PenFunction *whole = &binning->query->functions[function->function];
  double n = (double) function->samples * share;
  float part;

  if (rows.first == PEN_MAP_NO_ROW || whole->length == 0
      || !pen_matcher_has_bucket (binning->matcher, 0, function->function))
    return;
  part = (float) (n / ((double) (rows.last - rows.first + 1) * (last - first + 1)));
  for (guint row = rows.first; row <= rows.last; row++) {
    for (guint column = first; column <= last; column++)
      add_cell (binning->map, row, column, part, whole->kind);
  }
  binning->map->total += n;
}

static gboolean
bin_span (Binning *binning, const PenStoreSpan *span, GError **error)
{
  PenMapBins *map = binning->map;
  guint64 from = MAX (span->first, map->from);
  guint64 to = MIN (span->last, map->to - 1);
  double share = ((double) (to - from) + 1) / ((double) (span->last - span->first) + 1);
  guint first = pen_bins_find (&binning->bins, from);
  guint last = pen_bins_find (&binning->bins, to);
  g_autoptr (GArray) functions = pen_store_load_span_functions (binning->query->store, span, error);

  if (!functions)
    return FALSE;
  map->grain = MAX (map->grain, to - from);
  for (guint i = 0; i < functions->len; i++) {
    const PenSpanFunction *function = &g_array_index (functions, PenSpanFunction, i);

    if (function->function < binning->query->n_functions)
      spread (binning, function, first, last, share);
  }
  return TRUE;
}

static gboolean
bin_roughly (Binning *binning, GError **error)
{
  const PenSpanTree *tree = &binning->query->tree;
  const PenMapBins *map = binning->map;
  guint level = choose_level (tree, map->from, map->to, binning->limits->max_spans);

  for (guint i = 0; i < tree->n_spans; i++) {
    const PenStoreSpan *span = &tree->spans[i];

    if (span->level == level && span->samples > 0 && span->last >= map->from
        && span->first < map->to && !bin_span (binning, span, error))
      return FALSE;
  }
  return pen_query_scan_rest (binning->query, binning->matcher, map->from, map->to - 1, bin_rows,
                              binning, error);
}

/* ---- waits ---- */

static guint
find_wait_row (PenQuery *query, guint32 bucket, guint32 function, guint32 thread G_GNUC_UNUSED,
               gpointer user_data)
{
  const Binning *binning = user_data;
  PenMapRows rows = pen_map_placer_place (binning->placer, bucket, function);

  if (rows.first == PEN_MAP_NO_ROW)
    return PEN_WAIT_NO_SERIES;
  binning->row_kinds[rows.first] = (guint8) query->functions[function].kind;
  return rows.first;
}

static gboolean
bin_waits (Binning *binning, GError **error)
{
  PenMapBins *map = binning->map;
  g_autofree guint64 *edges = g_new (guint64, (gsize) map->n_columns + 1);
  g_autofree guint64 *sums = g_new0 (guint64, (gsize) map->n_columns * map->n_rows);
  g_autofree guint8 *kinds = g_new0 (guint8, map->n_rows);

  for (guint i = 0; i < map->n_columns; i++)
    edges[i] = pen_bins_get_start (&binning->bins, i);
  edges[map->n_columns] = map->to;
  binning->row_kinds = kinds;
  if (!pen_query_lay_out_waits (binning->query, binning->matcher, edges, map->n_columns,
                                map->n_rows, find_wait_row, binning, sums, error))
    return FALSE;
  for (guint column = 0; column < map->n_columns; column++) {
    for (guint row = 0; row < map->n_rows; row++) {
      guint64 sum = sums[(gsize) column * map->n_rows + row];

      add_cell (map, row, column, (float) sum, kinds[row]);
      map->total += (double) sum;
    }
  }
  return TRUE;
}

/* ---- which of them ---- */

/* About how many samples there are to place one by one. */
static double
estimate_samples (const Binning *binning)
{
  const PenSpanTree *tree = &binning->query->tree;
  const PenMapBins *map = binning->map;
  double n = 0;

  for (guint i = 0; i < tree->n_spans; i++) {
    const PenStoreSpan *span = &tree->spans[i];
    guint64 from = MAX (span->first, map->from);
    guint64 to = MIN (span->last, map->to - 1);

    if (span->level == 1 && span->samples > 0 && from <= to)
      n += (double) span->samples * ((double) (to - from) + 1)
           / ((double) (span->last - span->first) + 1);
  }
  if (binning->query->n_samples == 0)
    return n;
  return n * (double) binning->placer->samples / (double) binning->query->n_samples;
}

/* Spans have no addresses and events, nor cpus and tasks. */
static gboolean
is_exact (const Binning *binning)
{
  return binning->query->tree.n_spans == 0 || binning->matcher->buckets
         || binning->matcher->asks_rows || estimate_samples (binning) <= binning->limits->max_exact;
}

static gboolean
bin (Binning *binning, GError **error)
{
  if (binning->map->population == PEN_POPULATION_WAITS)
    return bin_waits (binning, error);
  return is_exact (binning) ? bin_exactly (binning, error) : bin_roughly (binning, error);
}

static void
find_max (PenMapBins *map)
{
  gsize n = (gsize) map->n_rows * map->n_columns;

  for (gsize i = 0; i < n; i++)
    map->max = MAX (map->max, map->counts[i]);
}

PenMapBins *
pen_query_map_within (PenQuery *self, const PenFilter *filter, guint64 from, guint64 to,
                      guint n_columns, const guint64 *edges, guint n_rows,
                      const PenMapLimits *limits, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  g_autoptr (PenMapPlacer) placer = NULL;
  g_autoptr (PenMapBins) map = NULL;
  Binning binning = { .query = self, .matcher = matcher, .limits = limits };

  g_return_val_if_fail (n_columns > 0 && n_rows > 0 && to > from, NULL);

  if (!matcher || !pen_query_load_ticks (self, error))
    return NULL;
  /* Waits have no spans, whose functions could be drawn instead. */
  placer = pen_map_placer_new (
      self, edges, n_rows, pen_query_is_of_waits (self) ? G_MAXUINT : limits->max_loaded, error);
  if (!placer)
    return NULL;
  map = g_new0 (PenMapBins, 1);
  *map = (PenMapBins){ .population = pen_store_get_population (self->store),
                       .from = from,
                       .to = to,
                       .n_columns = n_columns,
                       .n_rows = n_rows };
  map->edges = g_memdup2 (edges, (n_rows + 1) * sizeof *edges);
  map->counts = g_new0 (float, (gsize) n_rows *n_columns);
  map->kinds = g_new0 (guint8, (gsize) n_rows * n_columns);
  binning.placer = placer;
  binning.map = map;
  pen_bins_init (&binning.bins, from, to, n_columns);
  if (!bin (&binning, error))
    return NULL;
  find_max (map);
  map->marks = pen_query_map_mark (self, matcher, placer, map);
  map->names = pen_query_map_name (self, placer);
  map->hot = pen_query_map_name_hot (self, matcher, placer);
  map->n_spread = placer->n_spread;
  return g_steal_pointer (&map);
}

PenMapBins *
pen_query_map (PenQuery *self, const PenFilter *filter, guint64 from, guint64 to, guint n_columns,
               const guint64 *edges, guint n_rows, GError **error)
{
  return pen_query_map_within (self, filter, from, to, n_columns, edges, n_rows, &usual_limits,
                               error);
}

PenMapBins *
pen_query_map_exactly (PenQuery *self, const PenFilter *filter, guint64 from, guint64 to,
                       guint n_columns, const guint64 *edges, guint n_rows, GError **error)
{
  return pen_query_map_within (self, filter, from, to, n_columns, edges, n_rows, &no_limits, error);
}
