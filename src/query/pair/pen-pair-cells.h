/* pen-pair-cells.h: cells of tables about two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-pair.h"

G_BEGIN_DECLS

/* "rate", "low", "high" */
void pen_pair_write_rate (PenTableWriter *writer, const PenRate *rate);
/* "ratio", "low", "high", "p", "verdict" */
void pen_pair_write_test (PenTableWriter *writer, const PenPairTest *test);
/* Headings: how both were recorded, and by what rates of B are divided. */
void pen_pair_write_sides (PenTableWriter *writer, const PenPairs *pairs,
                           const PenPairSource sources[2]);

G_END_DECLS
