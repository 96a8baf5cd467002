/* pen-query-changes.h: what changed the text, one by one and in batches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"
#include "pen-query.h"
#include "pen-store-changes.h"
#include "pen-table.h"

G_BEGIN_DECLS

/* Those that the filter (nullable) means, in time order, as pen_store_foreach_change() has it. */
gboolean pen_query_foreach_change (PenQuery *self, const PenFilter *filter, PenChangeFunc func,
                                   gpointer user_data, GError **error);

/* Writes a whole table; @filter may be NULL. */
gboolean pen_query_write_changes (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                  GError **error);
/* The same with more columns: confidence, key, batch, sites, sentence. */
gboolean pen_query_write_batched_changes (PenQuery *self, const PenFilter *filter,
                                          PenTableWriter *writer, GError **error);

G_END_DECLS
