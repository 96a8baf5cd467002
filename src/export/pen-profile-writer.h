/* pen-profile-writer.h: the samples under a filter as a file of another program
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-profile-format.h"
#include "pen-query-stacks.h"

G_BEGIN_DECLS

/*
 * PenProfileOptions:
 * @filter: (nullable)
 * @measure: what weights are: of a query about waits PEN_STACK_OFF_CPU. pprof has both, and shows
 *   this one first
 * @suffixes: PEN_FOLD_…, after the names of frames; of pprof, labels of a sample, about its own
 *   place, and with an offset the addresses of places
 */
typedef struct {
  PenProfileFormat format;
  const PenFilter *filter;
  PenStackGrouping grouping;
  PenStackMeasure measure;
  guint suffixes;
} PenProfileOptions;

/*
 * pen_profile_write:
 * @n_samples: (out) (optional): how many, or how many waits, are in it
 *
 * Stops where the store is cancelled. Cost: folded and pprof, each sample once; the others, twice,
 * or of a task with more than two million of them once for each column. Memory: what
 * pen_query_flame() has without samples; of pprof 80 bytes for each different stack of a task, of
 * Firefox and speedscope 64 MiB for samples by task.
 */
gboolean pen_profile_write (PenQuery *query, const PenProfileOptions *options,
                            GOutputStream *stream, guint64 *n_samples, GError **error);

G_END_DECLS
