/* pen-record-decoder.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-decoder.h"

#include "pen-event-table.h"
#include "pen-reason.h"
#include "pen-record-parser.h"
#include "pen-sample-parser.h"

#define HEADER_SIZE 8u

struct _PenRecordDecoder {
  PenEventTable *events;
  guint64 scratch[PEN_CALLCHAIN_MAX];
};

PenRecordDecoder *
pen_record_decoder_new (void)
{
  PenRecordDecoder *self = g_new0 (PenRecordDecoder, 1);

  self->events = pen_event_table_new ();
  return self;
}

void
pen_record_decoder_free (PenRecordDecoder *self)
{
  if (!self)
    return;
  pen_event_table_free (self->events);
  g_free (self);
}

void
pen_record_decoder_add_event (PenRecordDecoder *self, PenAttr *attr)
{
  pen_event_table_add (self->events, attr);
}

const char *
pen_record_decoder_decode (PenRecordDecoder *self, const guint8 *bytes, guint32 size,
                           PenRecord *record)
{
  if (size < HEADER_SIZE)
    return PEN_REASON_RECORD_TOO_SHORT;
  return pen_record_parse (self->events, bytes, size, G_BYTE_ORDER == G_BIG_ENDIAN, self->scratch,
                           record);
}
