/* pen-record-decoder.h: records that come from somewhere else than a file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-attr.h"
#include "pen-record.h"

G_BEGIN_DECLS

/* PenRecordDecoder: for records of this machine's kernel, in its byte order. */
typedef struct _PenRecordDecoder PenRecordDecoder;

PenRecordDecoder *pen_record_decoder_new (void);
void pen_record_decoder_free (PenRecordDecoder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRecordDecoder, pen_record_decoder_free)

/* Before the first record: @attr: (transfer full): an event, with its ids. PenRecord.event counts
 * events in this order. */
void pen_record_decoder_add_event (PenRecordDecoder *self, PenAttr *attr);

/*
 * pen_record_decoder_decode:
 * @bytes: a record of @size bytes, header included
 * @record: (out): all but position, file and offset; strings and bytes point into @bytes
 *
 * Returns: NULL, or why the record must be set aside (pen_reason_describe()): (transfer none)
 */
const char *pen_record_decoder_decode (PenRecordDecoder *self, const guint8 *bytes, guint32 size,
                                       PenRecord *record);

G_END_DECLS
