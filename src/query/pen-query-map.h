/* pen-query-map.h: what the text map draws: kernel addresses and time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

/* Kernel addresses [@start, @end) that were used, by one occupant or by several in turn: something
 * was executed or changed there, or was put there. @kind, @occupant: of what was there first; the
 * string is owned by the store. */
typedef struct {
  guint64 start;
  guint64 end;
  PenKind kind;
  const char *occupant;
} PenUsedRange;

/* Ranges that are less than this apart, and of the same kind and occupant, are one. */
#define PEN_USED_RANGE_GAP 4096

/*
 * Functions of the kernel's space with samples or changes, everything that came, went or may change
 * as a whole (BPF programs, stubs), pages of samples that no function is known for, and pokes.
 * Returns: (transfer full) (element-type PenUsedRange): by start, without overlap
 */
GArray *pen_query_list_used_ranges (PenQuery *self, GError **error);

/* Pokes of one cause that are next to each other in the picture; the rest is of the first one.
 * @batch: as in PenPatchMark. @function: G_MAXUINT32: no function of the kernel's space */
typedef struct {
  guint64 first;
  guint64 last;
  guint64 address;
  guint32 poke;
  guint32 count;
  guint32 batch;
  guint32 function;
  PenCause cause;
} PenMapMark;

/* The function that a range of rows shows. Strings are owned by the store. */
typedef struct {
  guint64 start;
  guint64 end;
  const char *name;
  PenKind kind;
  guint32 function;
  guint64 samples; /* of the whole capture */
} PenMapName;

/* As many functions are named that have most samples. */
#define PEN_MAP_HOT_NAMES 40

/*
 * PenMapBins: samples of kernel addresses for [@from, @to)
 * @population: PEN_POPULATION_WAITS: all counts are ns off CPU
 * @edges: n_rows + 1 addresses, rising: row r is [edges[r], edges[r + 1])
 * @counts: row r, column c at [r * n_columns + c]
 * @kinds: (PenKind) the same: of the samples that were counted there last
 * @max: of one cell
 * @grain: ns: samples are at most so far from where they are drawn, besides a column's width: 0
 * where each is known
 * @n_spread: so many functions' samples are spread over all of their rows
 * @marks: (element-type PenMapMark): pokes, by their first time
 * @names: (element-type PenMapName): functions that have several rows, by start
 * @hot: (element-type PenMapName): of the others those with most samples, most first
 */
typedef struct {
  PenPopulation population;
  guint64 from;
  guint64 to;
  guint n_columns;
  guint n_rows;
  guint64 *edges;
  float *counts;
  guint8 *kinds;
  float max;
  double total;
  guint64 grain;
  guint n_spread;
  GArray *marks;
  GArray *names;
  GArray *hot;
} PenMapBins;

void pen_map_bins_free (PenMapBins *bins);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenMapBins, pen_map_bins_free)

/*
 * pen_query_map:
 * @edges: n_rows + 1 addresses, rising
 *
 * The filter's time is not applied; the rest is. Which instruction a sample is of is told by its
 * bucket: where the stretch has no more than some hundred thousand samples in these rows, every one
 * is in its own cell (as exactly as in pen_query_overview()). Where it has more, the functions of
 * spans are drawn, each over all the time of its span (@grain) and, where it has several rows and
 * is not among the sixteen that have most samples, over all of them alike.
 *
 * Cost: some 10 ms: of the exact picture as much as there are samples, of the other one at most two
 * hundred spans' functions. With a filter by cpu or task, every block of the stretch. Pokes cost
 * one step for each in the stretch.
 *
 * Of waits, each has its time in the columns over which it lasted, in the row of its place
 * (semantics.md, O6). Cost: all waits that begin before @to, and all their places.
 */
PenMapBins *pen_query_map (PenQuery *self, const PenFilter *filter, guint64 from, guint64 to,
                           guint n_columns, const guint64 *edges, guint n_rows, GError **error);

/* The same with every sample at its time, however many there are: of a hundred million some tenths
 * of a second. Stops where the store is cancelled. */
PenMapBins *pen_query_map_exactly (PenQuery *self, const PenFilter *filter, guint64 from,
                                   guint64 to, guint n_columns, const guint64 *edges, guint n_rows,
                                   GError **error);

G_END_DECLS
