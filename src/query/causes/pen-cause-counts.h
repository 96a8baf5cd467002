/* pen-cause-counts.h: samples of patched functions while rows of the tree of causes are on and off
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-matcher.h"
#include "pen-query-causes.h"

G_BEGIN_DECLS

typedef struct _PenCauseCounts PenCauseCounts;

/* Rate and interval of what was counted, in its seconds. */
void pen_cause_rate_finish (PenCauseRate *self);

/*
 * pen_cause_counts_new:
 * @functions: one byte for each function: 1: its samples are asked for
 *
 * Cost: the blocks of samples of the filter's time; eight bytes for each sample of @functions,
 * sixteen for each wait.
 */
PenCauseCounts *pen_cause_counts_new (PenQuery *query, const PenFilter *filter,
                                      const guint8 *functions, GError **error);
void pen_cause_counts_free (PenCauseCounts *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenCauseCounts, pen_cause_counts_free)

/* Adds the samples of @function in a lane to @row->on and @row->off. Cost: as many searches as the
 * lane has stretches, or the function samples, whichever is less. */
void pen_cause_counts_add (const PenCauseCounts *self, guint32 function,
                           const PenCauseStretch *stretches, guint n, PenCauseRow *row);
/* Samples of @function, or ns off CPU. */
guint64 pen_cause_counts_get (const PenCauseCounts *self, guint32 function);

/* Once all are added: seconds, rates, and the test of on against off. */
void pen_cause_counts_finish (PenCauseCounts *self, const PenCauseStretch *stretches, guint n,
                              PenCauseRow *row);

G_END_DECLS
