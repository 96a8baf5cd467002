/* pen-map-placer.h: in which row of a text map a sample is
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-bucket-set.h"
#include "pen-query-map.h"

G_BEGIN_DECLS

#define PEN_MAP_NO_ROW G_MAXUINT32

/* [@first, @last] of a function; @first PEN_MAP_NO_ROW: it is outside. */
typedef struct {
  guint32 first;
  guint32 last;
} PenMapRows;

/* @row: plus one; 0: this slot is free */
typedef struct {
  guint32 bucket;
  guint32 row;
} PenMapBucket;

/*
 * PenMapPlacer:
 * @buckets: all of them, where there are few enough to be loaded; else NULL
 * @bucket_rows: of those: row plus two; 0: not looked for yet, 1: none
 * @rows: of each function of the query
 * @wide: where there are too many buckets: rows of those of the functions with most samples of
 * those that have several rows; by a hash of their ids
 * @n_spread: functions of several rows that are not among those
 * @samples: of all functions that have a row
 */
typedef struct {
  PenQuery *query;
  const guint64 *edges;
  guint n_rows;
  const PenBucket *buckets;
  guint32 *bucket_rows;
  PenMapRows *rows;
  PenMapBucket *wide;
  guint wide_shift;
  guint n_spread;
  guint64 samples;
  guint n_functions;
  guint32 first_function;
  guint32 last_function;
} PenMapPlacer;

/* @max_loaded: with no more buckets than that, all of them are loaded. */
PenMapPlacer *pen_map_placer_new (PenQuery *query, const guint64 *edges, guint n_rows,
                                  guint max_loaded, GError **error);
void pen_map_placer_free (PenMapPlacer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenMapPlacer, pen_map_placer_free)

guint32 pen_map_placer_find_row (const PenMapPlacer *self, guint64 address);

/* The rows over which samples of a bucket are spread: one, wherever that is known. */
PenMapRows pen_map_placer_place (const PenMapPlacer *self, guint32 bucket, guint32 function);

G_END_DECLS
