/* pen-record-parser.h: takes records apart, and finds the trailer of those that are no samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-event-table.h"
#include "pen-record.h"

G_BEGIN_DECLS

/*
 * pen_record_parse:
 * @bytes: a record of @size bytes, header included, at least 8
 * @scratch: see pen_sample_parse()
 * @record: (out): all but position, file and offset; strings and bytes point into @bytes
 *
 * Returns: NULL, or why the record must be set aside: (transfer none)
 */
const char *pen_record_parse (PenEventTable *events, const guint8 *bytes, guint32 size,
                              gboolean big_endian, guint64 *scratch, PenRecord *record);

G_END_DECLS
