/* pen-query-functions.h: functions with their counts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"
#include "pen-store-functions.h"
#include "pen-table.h"

G_BEGIN_DECLS

/* A function with the counts that the filter leaves; @share: of all samples that it leaves, 0–1.
 * @bpf_id: of a program whose name others of the list have, too; 0: of none, or of several loads */
typedef struct {
  PenFunction function;
  double share;
  guint32 bpf_id;
} PenFunctionRow;

/* Functions with samples or changes under @filter, most samples first. Changes are counted anew,
 * one by one, where the filter asks for a time, cpu, task, cause or address. Returns: (transfer
 * full) (element-type PenFunctionRow): strings owned by the store */
GArray *pen_query_functions (PenQuery *self, const PenFilter *filter, guint64 *total_samples,
                             GError **error);

/* Writes a whole table; @filter may be NULL. */
gboolean pen_query_write_functions (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                    GError **error);

G_END_DECLS
