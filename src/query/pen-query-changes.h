/* pen-query-changes.h: what changed the text, one by one and in batches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"
#include "pen-query.h"
#include "pen-table.h"

G_BEGIN_DECLS

/* Writes a whole table; @filter may be NULL. */
gboolean pen_query_write_changes (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                  GError **error);
/* The same with columns behind: confidence, key, batch, sites, sentence. */
gboolean pen_query_write_batched_changes (PenQuery *self, const PenFilter *filter,
                                          PenTableWriter *writer, GError **error);

/* @n_matching: sites that the filter leaves: all or some of batch.n_sites */
typedef struct {
  PenBatch batch;
  guint32 n_matching;
} PenBatchRow;

/*
 * Batches of which the filter leaves a poke, in time order; which that are is as in
 * pen_query_write_changes(). Without a filter nothing but the table of batches is read; else all
 * changes are. Returns: (transfer full) (element-type PenBatchRow): strings owned by the store
 */
GArray *pen_query_batches (PenQuery *self, const PenFilter *filter, GError **error);

/* One by its id, or NULL; owned by the store. */
const PenBatch *pen_query_get_batch (PenQuery *self, guint32 id, GError **error);

G_END_DECLS
