/* pen-comparison-cells.h: rates, ratios and their intervals as cells
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-table.h"

G_BEGIN_DECLS

/* "1.60–2.30", "from 1.60"; empty where there is none */
void pen_comparison_write_interval (PenTableWriter *writer, double low, double high, int digits);

G_END_DECLS
