/* pen-wait-steps.h: time off CPU in the steps of a picture over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-matcher.h"

G_BEGIN_DECLS

#define PEN_WAIT_NO_SERIES G_MAXUINT

/* Where a wait counts: a series of @n_series, or PEN_WAIT_NO_SERIES: not at all. @bucket,
 * @function: of the place where it began; @thread: that waited */
typedef guint (*PenWaitSeriesFunc) (PenQuery *query, guint32 bucket, guint32 function,
                                    guint32 thread, gpointer user_data);

/* By kind, of PEN_KINDS. */
guint pen_wait_series_by_kind (PenQuery *query, guint32 bucket, guint32 function, guint32 thread,
                               gpointer user_data);

/*
 * pen_query_lay_out_waits: adds to each step the time that waits took in it (semantics.md, O6)
 * @self: of waits
 * @matcher: its time is not applied
 * @edges: @n_steps + 1 times, none before the one in front of it; the first is before the last
 * @find_series: (nullable): of one series, all are in it
 * @sums: (out caller-allocated): ns; step s, series k at [s * n_series + k]; zeros
 *
 * Cost: all waits that begin before the last edge, since a wait may be as long as the recording;
 * for each a search among the edges. Memory: that of @sums once more.
 */
gboolean pen_query_lay_out_waits (PenQuery *self, const PenMatcher *matcher, const guint64 *edges,
                                  guint n_steps, guint n_series, PenWaitSeriesFunc find_series,
                                  gpointer user_data, guint64 *sums, GError **error);

G_END_DECLS
