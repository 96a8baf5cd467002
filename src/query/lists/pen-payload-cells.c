/* pen-payload-cells.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-payload-cells.h"

#include "pen-store-records.h"
#include "pen-tracepoint.h"

/* The length for a recording machine that does not name its own. */
#define LONG_SIZE 8

struct _PenPayloadCells {
  PenQuery *query;
  PenTracepoint **tracepoints; /* by event; NULL: its format is not known */
};

static PenTracepoint *
make_tracepoint (PenStore *store, const PenStoreEvent *event)
{
  gboolean is_big_endian = g_strcmp0 (pen_store_get_fact (store, "byte_order"), "big") == 0;
  gint64 long_size = pen_store_get_fact_int (store, "long_size", LONG_SIZE);

  if (!event->format || !event->system)
    return NULL;
  /* A format that makes no sense leaves the bytes. */
  return pen_tracepoint_new (event->system, event->format, is_big_endian,
                             long_size == 4 ? 4 : LONG_SIZE, NULL);
}

PenPayloadCells *
pen_payload_cells_new (PenQuery *query)
{
  PenPayloadCells *self = g_new0 (PenPayloadCells, 1);

  self->query = query;
  self->tracepoints = g_new0 (PenTracepoint *, (gsize) query->events->len + 1);
  for (guint i = 0; i < query->events->len; i++)
    self->tracepoints[i] = make_tracepoint (query->store, query->events->pdata[i]);
  return self;
}

void
pen_payload_cells_free (PenPayloadCells *self)
{
  for (guint i = 0; i < self->query->events->len; i++)
    g_clear_pointer (&self->tracepoints[i], pen_tracepoint_free);
  g_free (self->tracepoints);
  g_free (self);
}

static PenTracepoint *
get_tracepoint (PenPayloadCells *self, const PenSampleBlock *block, guint row)
{
  int event = self->query->buckets[block->bucket[row]].event;

  return event >= 0 && (guint) event < self->query->events->len ? self->tracepoints[event] : NULL;
}

gboolean
pen_payload_cells_write (PenPayloadCells *self, guint number, const PenSampleBlock *block,
                         guint row, PenTableWriter *writer, GError **error)
{
  PenTracepoint *tracepoint = get_tracepoint (self, block, row);
  const guint8 *bytes = NULL;
  gsize length = 0;

  if (!(block->has[row] & PEN_SAMPLE_HAS_PAYLOAD)) {
    pen_table_writer_empty (writer);
    return TRUE;
  }
  if (!pen_store_read_payload (self->query->store, number, row, &bytes, &length, error))
    return FALSE;
  if (!bytes) {
    pen_table_writer_empty (writer);
  } else if (tracepoint) {
    g_autofree char *text = pen_tracepoint_decode (tracepoint, bytes, length);

    pen_table_writer_text (writer, text);
  } else {
    pen_table_writer_bytes (writer, bytes, length);
  }
  return TRUE;
}
