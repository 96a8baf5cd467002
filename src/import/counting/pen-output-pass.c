/* pen-output-pass.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-output-pass.h"

#include <string.h>

#include "pen-byte-spool.h"
#include "pen-store-samples.h"

typedef struct {
  PenPlacedSample placed;
  guint64 sample;
  guint64 position;
} Kept;

struct _PenOutputPass {
  PenByteSpool *spool; /* Kept, one after the other */
  GArray *places;      /* guint32: in the spool */
};

PenOutputPass *
pen_output_pass_new (const char *directory, gsize memory)
{
  PenOutputPass *self = g_new0 (PenOutputPass, 1);

  self->spool = pen_byte_spool_new (directory, memory);
  self->places = g_array_new (FALSE, FALSE, sizeof (guint32));
  return self;
}

void
pen_output_pass_free (PenOutputPass *self)
{
  if (!self)
    return;
  pen_byte_spool_free (self->spool);
  g_array_unref (self->places);
  g_free (self);
}

gboolean
pen_output_pass_add (PenOutputPass *self, const PenPlacedSample *placed, guint64 sample,
                     guint64 position, GError **error)
{
  const Kept kept = { *placed, sample, position };
  guint32 place;

  if (!pen_byte_spool_add (self->spool, &kept, sizeof kept, &place, error))
    return FALSE;
  if (place != 0)
    g_array_append_val (self->places, place);
  return TRUE;
}

typedef struct {
  PenOutputPass *self;
  PenHistory *history;
  PenBucketBook *book;
  PenPayloads *payloads;
  PenReadings *readings;
  guint32 no_event;
  PenStoreWriter *writer;
} Writing;

static PenBpfOutput
get_output (Writing *writing, const Kept *kept, guint32 id)
{
  const PenPlacedSample *placed = &kept->placed;
  const PenTenure *tenure = pen_history_get_tenure (writing->history, placed->tenure);

  return (PenBpfOutput){
    .id = id,
    .sample = kept->sample,
    .has_time = (placed->has & PEN_SAMPLE_HAS_TIME) != 0,
    .time = placed->time_is_max ? G_MAXUINT64 : placed->time,
    .event = placed->event == writing->no_event ? PEN_OUTPUT_NO_EVENT : placed->event,
    .thread = placed->thread,
    .cpu = (placed->has & PEN_SAMPLE_HAS_CPU) != 0 ? placed->cpu : G_MAXUINT32,
    .has_address = placed->has_address,
    .address = placed->address,
    .kind = placed->kind,
    .tenure = placed->tenure,
    .revision = placed->revision,
    .function
    = pen_bucket_book_find_function (writing->book, tenure, placed->kind, placed->address),
    .has_period = (placed->has & PEN_SAMPLE_HAS_PERIOD) != 0,
    .period = placed->period,
    .has = placed->has & ~PEN_PLACED_IS_OUTPUT,
    .chain = placed->chain,
  };
}

static gboolean
write_reading (Writing *writing, guint index, guint32 output, GError **error)
{
  const PenSeen *seen = &pen_readings_get (writing->readings, &(guint){ 0 })[index];
  const PenReading reading = {
    .output = output,
    .moment = seen->moment,
    .start = seen->record.start,
    .flags = seen->record.flags,
    .length = seen->record.length,
    .bytes = seen->record.bytes,
    .verdict = seen->verdict,
    .poke = seen->poke,
    .to_time = seen->to_time,
  };

  return pen_store_writer_add_reading (writing->writer, &reading, error);
}

static gboolean
write_output (Writing *writing, const Kept *kept, guint32 id, GError **error)
{
  PenBpfOutput output = get_output (writing, kept, id);
  guint reading = pen_readings_find (writing->readings, kept->position);

  output.is_witness = reading != PEN_READINGS_NONE;
  return pen_payloads_get (writing->payloads, kept->placed.payload, &output.payload,
                           &output.payload_length, error)
         && pen_store_writer_add_output (writing->writer, &output, error)
         && (!output.is_witness || write_reading (writing, reading, id, error));
}

gboolean
pen_output_pass_write (PenOutputPass *self, PenHistory *history, PenBucketBook *book,
                       PenPayloads *payloads, PenReadings *readings, guint32 no_event,
                       PenStoreWriter *writer, GError **error)
{
  Writing writing = { self, history, book, payloads, readings, no_event, writer };

  for (guint i = 0; i < self->places->len; i++) {
    const guint8 *bytes = pen_byte_spool_get (self->spool, g_array_index (self->places, guint32, i),
                                              sizeof (Kept), error);
    Kept kept;

    if (!bytes)
      return FALSE;
    memcpy (&kept, bytes, sizeof kept);
    if (!write_output (&writing, &kept, i + 1, error))
      return FALSE;
  }
  return TRUE;
}
