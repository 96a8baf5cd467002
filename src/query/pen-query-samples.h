/* pen-query-samples.h: the sample table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"
#include "pen-table.h"

G_BEGIN_DECLS

/* Writes a whole table; @filter may be NULL. */
gboolean pen_query_write_samples (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                  GError **error);
/* The same with more columns after those of the sample table. */
typedef enum {
  PEN_SAMPLES_CALLCHAIN = 1 << 0, /* "callchain": a list of places, the sample's own first */
  PEN_SAMPLES_PAYLOAD = 1 << 1,   /* "payload": what a tracepoint or BPF program put into it */
  PEN_SAMPLES_BAND = 1 << 2,      /* "since", "until": ns to the nearest changes of that byte */
} PenSamplesColumns;

gboolean pen_query_write_wide_samples (PenQuery *self, const PenFilter *filter,
                                       PenSamplesColumns more, PenTableWriter *writer,
                                       GError **error);

G_END_DECLS
