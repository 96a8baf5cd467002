/* pen-sample-parser.h: takes a SAMPLE record apart
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cursor.h"
#include "pen-record.h"
#include "pen-sample-layout.h"

G_BEGIN_DECLS

/* As many entries as a record can hold. */
#define PEN_CALLCHAIN_MAX (65536 / 8)

/*
 * pen_callchain_take:
 * @scratch: PEN_CALLCHAIN_MAX elements, for a callchain that cannot be used where it is
 *
 * Takes a count and that many addresses. Returns: them in host order, or NULL for none
 */
const guint64 *pen_callchain_take (PenCursor *cursor, guint64 *scratch, guint64 *length);

/*
 * pen_sample_parse:
 * @scratch: PEN_CALLCHAIN_MAX elements, for a callchain that cannot be used where it is
 * @record: (inout): has, time, pid, tid, cpu and sample are filled where the sample has them: all
 * of that is zero before
 *
 * Goes through all fields of the layout in their order, each within bounds.
 *
 * Returns: NULL, or why the sample must be set aside: (transfer none)
 */
const char *pen_sample_parse (const PenSampleLayout *layout, const guint8 *bytes, guint32 size,
                              gboolean big_endian, guint64 *scratch, PenRecord *record);

G_END_DECLS
