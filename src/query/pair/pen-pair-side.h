/* pen-pair-side.h: how two recordings were sampled
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-pair.h"

G_BEGIN_DECLS

/* Both stores are locked once for what is read until the end, see pen_store_begin_reading(). */
gboolean pen_pair_begin_reading (const PenPairSource sources[2], GError **error);
void pen_pair_end_reading (const PenPairSource sources[2]);

/* Fills in the sides, the obstacle and the factors; of samples, what pen_query_count() has. */
gboolean pen_pair_measure_sides (PenPairs *self, const PenPairSource sources[2], GError **error);

G_END_DECLS
