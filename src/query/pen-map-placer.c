/* pen-map-placer.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-map-placer.h"

#include <stdlib.h>

/* 80 bytes each are loaded, once. */
#define MAX_LOADED 500000
#define MAX_WIDE 16

guint32
pen_map_placer_find_row (const PenMapPlacer *self, guint64 address)
{
  guint low = 0;
  guint high = self->n_rows;

  if (address < self->edges[0] || address >= self->edges[self->n_rows])
    return PEN_MAP_NO_ROW;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;

    if (self->edges[middle] <= address)
      low = middle;
    else
      high = middle;
  }
  return low;
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

static gboolean
load_wide (PenMapPlacer *self, GError **error)
{
  g_autoptr (GArray) wide = g_array_new (FALSE, FALSE, sizeof (Wide));
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < self->query->n_functions; i++) {
    Wide one = { i, self->query->functions[i].samples };

    if (self->rows[i].first != PEN_MAP_NO_ROW && self->rows[i].last > self->rows[i].first
        && one.samples > 0)
      g_array_append_val (wide, one);
  }
  g_array_sort (wide, compare_samples);
  for (guint i = 0; i < MIN (wide->len, MAX_WIDE); i++)
    g_array_append_val (functions, g_array_index (wide, Wide, i).function);
  self->set = pen_bucket_set_new (self->query, functions, NULL, NULL, error);
  return self->set != NULL;
}

PenMapPlacer *
pen_map_placer_new (PenQuery *query, const guint64 *edges, guint n_rows, GError **error)
{
  g_autoptr (PenMapPlacer) self = g_new0 (PenMapPlacer, 1);

  self->query = query;
  self->edges = edges;
  self->n_rows = n_rows;
  self->first_function = G_MAXUINT32;
  self->rows = g_new0 (PenMapRows, query->n_functions + 1);
  place_functions (self);
  if (query->n_buckets > MAX_LOADED) {
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
  if (self == NULL)
    return;
  g_clear_pointer (&self->set, pen_bucket_set_free);
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
    row = self->buckets[bucket].has_address
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
  guint index;

  if (self->buckets != NULL)
    return place_loaded (self, bucket);
  rows = self->rows[function];
  if (rows.first == PEN_MAP_NO_ROW || rows.first == rows.last)
    return rows;
  index = pen_bucket_set_find (self->set, bucket);
  if (index != G_MAXUINT) {
    const PenBucket *found = pen_bucket_set_get (self->set, index);
    guint32 row
        = found->has_address ? pen_map_placer_find_row (self, found->address) : PEN_MAP_NO_ROW;

    return (PenMapRows){ row, row };
  }
  /* Of what has no range, nothing says that it is here. */
  if (self->query->functions[function].length == 0)
    rows.first = PEN_MAP_NO_ROW;
  return rows;
}
