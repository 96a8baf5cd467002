/* pen-pair-found.h: functions that have neither samples nor changes in one of two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-pair.h"

G_BEGIN_DECLS

/* Fills in @found of rows of the kernel and of modules. Cost: a step for each name that the kernel,
 * or a module of such a row, has in the store. */
gboolean pen_pair_find_functions (PenPairs *self, const PenPairSource sources[2], GError **error);

G_END_DECLS
