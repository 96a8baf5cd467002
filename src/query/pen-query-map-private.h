/* pen-query-map-private.h: what is drawn on a text map besides its samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-map-placer.h"
#include "pen-matcher.h"

G_BEGIN_DECLS

/* Returns: (transfer full) (element-type PenMapMark): by their first time */
GArray *pen_query_map_mark (PenQuery *self, const PenMatcher *matcher, const PenMapPlacer *placer,
                            const PenMapBins *map);
/* Returns: (transfer full) (element-type PenMapName): functions with several rows, by start */
GArray *pen_query_map_name (PenQuery *self, const PenMapPlacer *placer);

G_END_DECLS
