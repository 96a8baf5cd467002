/* pen-query-witness.h: readings of a witness as a table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-filter.h"
#include "pen-query.h"
#include "pen-table.h"

G_BEGIN_DECLS

/* What a witness read at sampled addresses, each with its verdict (rules W1 to W3), in time order.
 * @filter: (nullable): as for samples */
gboolean pen_query_write_witness (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                  GError **error);

G_END_DECLS
