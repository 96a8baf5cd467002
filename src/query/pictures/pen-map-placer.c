/* pen-map-placer.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-map-placer.h"

#include "pen-binary-search.h"
#include "pen-store-buckets.h"
#include "pen-table-hash.h"

#include <stdlib.h>

#define MAX_WIDE 16
/* Addresses of buckets that are kept for the next picture, 16 bytes each. */
#define MAX_KEPT 1000000

guint32
pen_map_placer_find_row (const PenMapPlacer *self, guint64 address)
{
  if (address < self->edges[0] || address >= self->edges[self->n_rows])
    return PEN_MAP_NO_ROW;
  return PEN_BINARY_SEARCH (i, 1, self->n_rows, self->edges[i] <= address) - 1;
}

static void
note_function (PenMapPlacer *self, const PenFunction *function)
{
  self->samples += function->samples;
  self->n_functions++;
  self->first_function = MIN (self->first_function, function->id);
  self->last_function = MAX (self->last_function, function->id);
}

/* Where its range is cut by the picture's ends, the part inside. */
static void
place_functions (PenMapPlacer *self)
{
  PenQuery *query = self->query;
  guint64 first = self->edges[0];
  guint64 end = self->edges[self->n_rows];

  for (guint i = 0; i < query->n_functions; i++)
    self->rows[i].first = PEN_MAP_NO_ROW;
  for (guint i = 0; i < query->ranges->len; i++) {
    const PenFunctionRange *range = &g_array_index (query->ranges, PenFunctionRange, i);

    if (range->start >= end)
      break;
    if (range->end <= first)
      continue;
    self->rows[range->function] = (PenMapRows){
      pen_map_placer_find_row (self, MAX (range->start, first)),
      pen_map_placer_find_row (self, MIN (range->end, end) - 1),
    };
    note_function (self, &query->functions[range->function]);
  }
  /* Nobody knows where these are but their buckets. */
  for (guint i = 0; i < query->unranged->len; i++) {
    const PenFunction *function = &query->functions[g_array_index (query->unranged, guint32, i)];

    if (function->samples > 0 && function->name_file == 0
        && (pen_query_is_kernel_kind (function->kind) || function->kind == PEN_KIND_UNKNOWN)) {
      self->rows[function->id] = (PenMapRows){ 0, self->n_rows - 1 };
      note_function (self, function);
    }
  }
}

typedef struct {
  guint32 function;
  guint64 samples;
} Wide;

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  const Wide *x = a;
  const Wide *y = b;

  if (x->samples != y->samples)
    return x->samples > y->samples ? -1 : 1;
  return x->function < y->function ? -1 : x->function > y->function;
}

/* The addresses of a function's buckets: (element-type Place). Read once: the next picture, moved
 * by a little, asks for the same. */
typedef struct {
  guint64 address;
  guint32 bucket;
} Place;

static const GArray *
get_places (PenQuery *query, guint32 function, GError **error)
{
  GArray *places = g_hash_table_lookup (query->places, GUINT_TO_POINTER (function + 1));
  g_autoptr (GArray) buckets = NULL;

  if (places)
    return places;
  buckets = pen_store_load_function_buckets (query->store, function, error);
  if (!buckets)
    return NULL;
  places = g_array_sized_new (FALSE, FALSE, sizeof (Place), buckets->len);
  for (guint i = 0; i < buckets->len; i++) {
    const PenBucket *bucket = &g_array_index (buckets, PenBucket, i);
    Place place = { bucket->address, bucket->id };

    if (bucket->has_address)
      g_array_append_val (places, place);
  }
  query->n_places += places->len;
  g_hash_table_insert (query->places, GUINT_TO_POINTER (function + 1), places);
  return places;
}

static guint32
get_slot (const PenMapPlacer *self, guint32 bucket)
{
  return (bucket * PEN_BUCKET_SET_HASH) >> self->wide_shift;
}

static void
place_bucket (PenMapPlacer *self, const Place *place)
{
  guint32 row = pen_map_placer_find_row (self, place->address);
  guint32 slot = get_slot (self, place->bucket);

  while (self->wide[slot].row != 0)
    slot = (slot + 1) & (G_MAXUINT32 >> self->wide_shift);
  self->wide[slot] = (PenMapBucket){ place->bucket, row == PEN_MAP_NO_ROW ? G_MAXUINT32 : row + 1 };
}

/* At least half of the slots stay free. */
static gboolean
place_wide (PenMapPlacer *self, const GArray *wide, guint n, GError **error)
{
  guint n_buckets = 0;

  for (guint i = 0; i < n; i++) {
    const GArray *places = get_places (self->query, g_array_index (wide, Wide, i).function, error);

    if (!places)
      return FALSE;
    n_buckets += places->len;
  }
  self->wide_shift = 28;
  while ((G_GUINT64_CONSTANT (1) << (32 - self->wide_shift)) < 2 * (guint64) n_buckets
         && self->wide_shift > 4)
    self->wide_shift--;
  self->wide = g_new0 (PenMapBucket, (gsize) 1 << (32 - self->wide_shift));
  for (guint i = 0; i < n; i++) {
    const GArray *places = get_places (self->query, g_array_index (wide, Wide, i).function, error);

    for (guint k = 0; k < places->len; k++)
      place_bucket (self, &g_array_index (places, Place, k));
  }
  return TRUE;
}

static gboolean
load_wide (PenMapPlacer *self, GError **error)
{
  PenQuery *query = self->query;
  g_autoptr (GArray) wide = g_array_new (FALSE, FALSE, sizeof (Wide));

  for (guint i = 0; i < query->n_functions; i++) {
    Wide one = { i, query->functions[i].samples };

    if (self->rows[i].first != PEN_MAP_NO_ROW && self->rows[i].last > self->rows[i].first
        && one.samples > 0)
      g_array_append_val (wide, one);
  }
  g_array_sort (wide, compare_samples);
  self->n_spread = wide->len > MAX_WIDE ? wide->len - MAX_WIDE : 0;
  if (!query->places || query->n_places > MAX_KEPT) {
    g_clear_pointer (&query->places, g_hash_table_unref);
    query->places
        = g_hash_table_new_full (pen_direct_hash, NULL, NULL, (GDestroyNotify) g_array_unref);
    query->n_places = 0;
  }
  return place_wide (self, wide, MIN (wide->len, MAX_WIDE), error);
}

PenMapPlacer *
pen_map_placer_new (PenQuery *query, const guint64 *edges, guint n_rows, guint max_loaded,
                    GError **error)
{
  g_autoptr (PenMapPlacer) self = g_new0 (PenMapPlacer, 1);

  self->query = query;
  self->edges = edges;
  self->n_rows = n_rows;
  self->first_function = G_MAXUINT32;
  self->rows = g_new0 (PenMapRows, query->n_functions + 1);
  place_functions (self);
  if (query->n_buckets > max_loaded) {
    if (!load_wide (self, error))
      return NULL;
  } else {
    if (!pen_query_load_buckets (query, error))
      return NULL;
    self->buckets = query->buckets;
    self->bucket_rows = g_new0 (guint32, query->n_buckets + 1);
  }
  return g_steal_pointer (&self);
}

void
pen_map_placer_free (PenMapPlacer *self)
{
  if (!self)
    return;
  g_free (self->wide);
  g_free (self->bucket_rows);
  g_free (self->rows);
  g_free (self);
}

static PenMapRows
place_loaded (const PenMapPlacer *self, guint32 bucket)
{
  guint32 *known = &self->bucket_rows[bucket];
  guint32 row;

  if (*known == 0) {
    row = self->buckets[bucket].has_address && self->buckets[bucket].kind != PEN_KIND_GUEST
              ? pen_map_placer_find_row (self, self->buckets[bucket].address)
              : PEN_MAP_NO_ROW;
    *known = row == PEN_MAP_NO_ROW ? 1 : row + 2;
  }
  row = *known == 1 ? PEN_MAP_NO_ROW : *known - 2;
  return (PenMapRows){ row, row };
}

PenMapRows
pen_map_placer_place (const PenMapPlacer *self, guint32 bucket, guint32 function)
{
  PenMapRows rows;
  guint32 slot;

  if (self->buckets)
    return place_loaded (self, bucket);
  rows = self->rows[function];
  if (rows.first == PEN_MAP_NO_ROW || rows.first == rows.last)
    return rows;
  for (slot = get_slot (self, bucket); self->wide[slot].row != 0;
       slot = (slot + 1) & (G_MAXUINT32 >> self->wide_shift)) {
    if (self->wide[slot].bucket == bucket) {
      guint32 row = self->wide[slot].row == G_MAXUINT32 ? PEN_MAP_NO_ROW : self->wide[slot].row - 1;

      return (PenMapRows){ row, row };
    }
  }
  /* A function without a range is not known to be here. */
  if (self->query->functions[function].length == 0)
    rows.first = PEN_MAP_NO_ROW;
  return rows;
}
