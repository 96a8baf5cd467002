/* pen-occupant-count.h: tenures that a filter means, with their samples and changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-matcher.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/* @samples, @changes: of the tenure, under the filter. @period: of the samples; 0 but of waits.
 * Return FALSE to stop. */
typedef gboolean (*PenOccupantFunc) (const PenTenure *tenure, guint64 samples, guint64 period,
                                     guint64 changes, gpointer user_data);

/* By from. A tenure without samples and changes is left out where the filter asks for what only
 * they tell, or has taken away all that it had. */
gboolean pen_query_foreach_occupant (PenQuery *self, const PenMatcher *matcher,
                                     PenOccupantFunc func, gpointer user_data, GError **error);

G_END_DECLS
