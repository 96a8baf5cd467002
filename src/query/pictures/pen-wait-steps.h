/* pen-wait-steps.h: time off CPU in the steps of a picture over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-matcher.h"

G_BEGIN_DECLS

/*
 * pen_query_lay_out_waits: adds to each step the time that waits took in it (semantics.md, O6)
 * @self: of waits
 * @matcher: its time is not applied
 * @edges: @n_steps + 1 times, none before the one in front of it; the first is before the last
 * @by_kind: @sums has PEN_KINDS for each step, by the kind of the place where a wait began; else
 *   one
 * @sums: (out caller-allocated): ns; step s, kind k at [s * PEN_KINDS + k]; zeros
 *
 * Cost: all waits that begin before the last edge, since a wait may be as long as the recording;
 * for each a search among the edges.
 */
gboolean pen_query_lay_out_waits (PenQuery *self, const PenMatcher *matcher, const guint64 *edges,
                                  guint n_steps, gboolean by_kind, guint64 *sums, GError **error);

G_END_DECLS
