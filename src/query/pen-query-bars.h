/* pen-query-bars.h: tenures of dynamic text, as bars
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/* One tenure of the kernel space that is not core kernel. Strings owned by the store. */
typedef struct {
  PenTenure tenure;
  guint lane; /* tenures whose addresses overlap share a lane: re-use shows as bars in one row */
  guint64 samples;
} PenBar;

/* Returns: (transfer full) (element-type PenBar), by from; @n_lanes: (out) */
GArray *pen_query_bars (PenQuery *self, guint *n_lanes, GError **error);
/* Gives bars that come from elsewhere their lanes. @bars: (element-type PenBar). Returns: how many
 * lanes */
guint pen_query_place_bars (GArray *bars);

G_END_DECLS
