/* pen-query-tasks.h: samples by CPU or process, or time off CPU by process, over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

/* One CPU or process in PenTaskBins. @comm: of a process, as it was called last, or NULL: owned by
 * the store. @samples: in the stretch; where not all blocks were read, about so many. Of waits, ns
 * off CPU */
typedef struct {
  gint64 number;
  const char *comm;
  guint64 samples;
} PenTaskTotal;

/*
 * PenTaskBins: samples of each CPU, or of the busiest processes, for [@from, @to) in @n_bins steps
 * @population: PEN_POPULATION_WAITS: all counts are ns off CPU
 * @rows: (element-type PenTaskTotal): CPUs by number, processes by samples
 * @counts: row r, bin b at [r * n_bins + b]
 * @max: of one row in one bin
 * @n_left_out: CPUs or processes that have samples but no row
 * @stride: one block in so many was read; it stands for those that follow it
 */
typedef struct {
  guint64 from;
  guint64 to;
  guint n_bins;
  PenPopulation population;
  GArray *rows;
  guint64 *counts;
  guint64 max;
  guint n_left_out;
  guint stride;
} PenTaskBins;

void pen_task_bins_free (PenTaskBins *bins);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTaskBins, pen_task_bins_free)

typedef enum {
  PEN_TASKS_BY_CPU,
  PEN_TASKS_BY_PROCESS,
} PenTaskKey;

/*
 * The filter's time is not applied. Which CPU a sample is of is told by the sample alone: at most
 * @n_blocks blocks of the stretch are read (some 2 ms each), evenly; zooming in makes it exact.
 * @n_rows: most rows
 *
 * Of waits, processes have each for the steps over which it lasted (semantics.md, O6); CPUs have no
 * rows: no CPU waits (O7). Cost: all waits that begin before @to, twice.
 */
PenTaskBins *pen_query_task_bins (PenQuery *self, const PenFilter *filter, PenTaskKey key,
                                  guint64 from, guint64 to, guint n_bins, guint n_rows,
                                  guint n_blocks, GError **error);

G_END_DECLS
