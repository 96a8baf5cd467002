/* pen-pair-texts.h: the texts of functions that are in a list of both recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-reader.h"

G_BEGIN_DECLS

/* Fills in how the texts of @row differ. @sites: (element-type PenPairSite): gets places that stand
 * differently */
gboolean pen_pair_compare_two (const PenPairSource sources[2], PenPairRow *row,
                               const PenPairText *a, const PenPairText *b, GArray *sites,
                               GError **error);

/* Joins rows of functions that were renamed, and says of each row how the texts differ. */
gboolean pen_pair_compare_texts (PenPairs *self, const PenPairSource sources[2], GError **error);

G_END_DECLS
