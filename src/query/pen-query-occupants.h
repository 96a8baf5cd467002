/* pen-query-occupants.h: the table of tenures, and which BPF program one was
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"
#include "pen-table.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/* Writes a whole table; @filter may be NULL. */
gboolean pen_query_write_occupants (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                    GError **error);
/* The same with columns after: bpf_id, bpf_type, bpf_name, bpf_tag, bpf_metadata. */
gboolean pen_query_write_programs (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                   GError **error);
/* "program 20 raw_a, socket_filter, tag 8a80def6a098fcba". Returns: (transfer full): NULL if it is
 * not known which program @tenure was, or with @error */
char *pen_query_describe_program (PenQuery *self, const PenTenure *tenure, GError **error);
/* "key=value, key=value": what the program at @tenure says of itself (BPF_METADATA). Returns:
 * (transfer full): "" where it says nothing; NULL with @error */
char *pen_query_describe_metadata (PenQuery *self, const PenTenure *tenure, GError **error);

G_END_DECLS
