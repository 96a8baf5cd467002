/* pen-filter-private.h: where a filter keeps the values of its parts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-filter.h"

G_BEGIN_DECLS

/* The place of @part's values, if they are of that sort; NULL: they are not. */
GArray **pen_filter_values_get_numbers (PenFilterValues *values, PenFilterPart part);
GPtrArray **pen_filter_values_get_words (PenFilterValues *values, PenFilterPart part);

G_END_DECLS
