/* pen-pair-silent.h: functions without samples and patches that stand differently
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-reader.h"

G_BEGIN_DECLS

/*
 * pen_pair_find_silent:
 * @sites: (element-type PenPairSite): gets the places
 *
 * Functions of the core kernel that are in no row of @pairs, and in which something stands
 * differently by a patch from before both recordings: a key, a tracer. Of one kernel, whose text
 * both recordings have as a whole, wherever it lies.
 *
 * Cost: all names of both kernels, and all bytes of their texts.
 *
 * Returns: (transfer full) (element-type PenPairRow): those of @sites
 */
GPtrArray *pen_pair_find_silent (const PenPairSource sources[2], const PenPairs *pairs,
                                 PenPairReader *const readers[2], GArray *sites, GError **error);

G_END_DECLS
