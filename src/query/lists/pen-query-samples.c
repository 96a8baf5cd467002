/* pen-query-samples.c: the sample table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include <string.h>

#include "pen-callchain-cells.h"
#include "pen-change-times.h"
#include "pen-payload-cells.h"
#include "pen-query-cells.h"
#include "pen-query-samples.h"
#include "pen-sample-walk.h"
#include "pen-store-records.h"

static const PenColumn base_columns[] = {
  { "time", PEN_COLUMN_TIME },       { "event", PEN_COLUMN_TEXT },  { "cpu", PEN_COLUMN_NUMBER },
  { "pid", PEN_COLUMN_NUMBER },      { "tid", PEN_COLUMN_NUMBER },  { "comm", PEN_COLUMN_TEXT },
  { "address", PEN_COLUMN_HEX },     { "kind", PEN_COLUMN_TEXT },   { "occupant", PEN_COLUMN_TEXT },
  { "revision", PEN_COLUMN_NUMBER }, { "symbol", PEN_COLUMN_TEXT }, { "offset", PEN_COLUMN_HEX },
  { "period", PEN_COLUMN_NUMBER },
};

static const PenColumn callchain_column = { "callchain", PEN_COLUMN_TEXT };
static const PenColumn band_columns[]
    = { { "since", PEN_COLUMN_NUMBER }, { "until", PEN_COLUMN_NUMBER } };
static const PenColumn payload_column = { "payload", PEN_COLUMN_TEXT };

/* This many places are kept as text: some 100 bytes each. */
#define MAX_PLACES (1u << 19)

/* The cells of a bucket's samples. @cells: address to offset; NULL: not kept (yet) */
typedef struct {
  PenTableFragment *cells;
  int event;
} Place;

/* Text is the same in many rows: each piece of it is encoded once. */
typedef struct {
  PenQuery *query;
  PenTableWriter *writer;
  PenTableFragment **events;
  PenTableFragment **threads;   /* pid, tid, comm */
  PenTableFragment **occupants; /* kind, occupant: by function */
  PenTableFragment **symbols;   /* by function */
  Place *places;                /* by bucket */
  guint n_places;
  PenCallchainCells *callchains; /* NULL: not asked for */
  PenPayloadCells *payloads;     /* NULL: not asked for */
  PenChangeTimes *times;         /* NULL: not asked for */
} SampleSheet;

static PenTableFragment **
fragments_new (guint n)
{
  return g_new0 (PenTableFragment *, (gsize) n + 1);
}

static void
fragments_free (PenTableFragment **fragments, guint n)
{
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&fragments[i], pen_table_fragment_free);
  g_free (fragments);
}

static void
write_event (SampleSheet *sheet, int event)
{
  if (event < 0 || (guint) event >= sheet->query->events->len) {
    pen_table_writer_empty (sheet->writer);
    return;
  }
  if (!sheet->events[event]) {
    const PenStoreEvent *row = sheet->query->events->pdata[event];

    PenTableMark mark = pen_table_writer_begin_fragment (sheet->writer);

    pen_query_write_text_or_empty (sheet->writer, row->name);
    sheet->events[event] = pen_table_writer_end_fragment (sheet->writer, mark);
  }
  pen_table_writer_fragment (sheet->writer, sheet->events[event]);
}

static void
write_thread (SampleSheet *sheet, guint32 index)
{
  if (!sheet->threads[index]) {
    const PenThread *thread = &sheet->query->threads[index];

    PenTableMark mark = pen_table_writer_begin_fragment (sheet->writer);

    pen_query_write_task (sheet->writer, thread->has_task, thread->pid, thread->tid, thread->comm);
    sheet->threads[index] = pen_table_writer_end_fragment (sheet->writer, mark);
  }
  pen_table_writer_fragment (sheet->writer, sheet->threads[index]);
}

static void
write_holder (SampleSheet *sheet, const PenBucket *bucket)
{
  PenTableFragment **slot;
  const PenFunction *function = pen_query_get_function (sheet->query, bucket->function);

  if (!function) {
    pen_query_write_occupant (sheet->writer, bucket->kind, NULL);
    return;
  }
  slot = &sheet->occupants[bucket->function];
  if (!*slot) {
    PenTableMark mark = pen_table_writer_begin_fragment (sheet->writer);

    pen_query_write_occupant (sheet->writer, bucket->kind, function->occupant);
    *slot = pen_table_writer_end_fragment (sheet->writer, mark);
  }
  pen_table_writer_fragment (sheet->writer, *slot);
}

static void
write_symbol (SampleSheet *sheet, const PenBucket *bucket)
{
  PenTableFragment **slot;
  const PenFunction *function = pen_query_get_function (sheet->query, bucket->function);

  if (!function || !function->symbol || !bucket->has_address) {
    pen_table_writer_empty (sheet->writer);
    pen_table_writer_empty (sheet->writer);
    return;
  }
  slot = &sheet->symbols[bucket->function];
  if (!*slot) {
    PenTableMark mark = pen_table_writer_begin_fragment (sheet->writer);

    pen_table_writer_text (sheet->writer, function->symbol);
    *slot = pen_table_writer_end_fragment (sheet->writer, mark);
  }
  pen_table_writer_fragment (sheet->writer, *slot);
  pen_table_writer_hex (sheet->writer, pen_store_get_offset (sheet->query->store, function,
                                                             bucket->tenure, bucket->address));
}

/* All that a bucket says of a sample but for its event. */
static void
write_place (SampleSheet *sheet, const PenBucket *bucket)
{
  pen_query_write_hex_or_empty (sheet->writer, bucket->has_address, bucket->address);
  write_holder (sheet, bucket);
  pen_table_writer_unsigned (sheet->writer, bucket->revision);
  write_symbol (sheet, bucket);
}

/* Most samples are of few places: these are kept. */
static void
write_kept_place (SampleSheet *sheet, Place *place, const PenBucket *bucket)
{
  if (!place->cells) {
    PenTableMark mark = pen_table_writer_begin_fragment (sheet->writer);

    write_place (sheet, bucket);
    place->cells = pen_table_writer_end_fragment (sheet->writer, mark);
    place->event = bucket->event;
    sheet->n_places++;
  }
  pen_table_writer_fragment (sheet->writer, place->cells);
}

static void
write_sample (SampleSheet *sheet, const PenSampleBlock *block, guint row)
{
  Place *place = &sheet->places[block->bucket[row]];
  const PenBucket *bucket = &sheet->query->buckets[block->bucket[row]];
  guint8 has = block->has[row];

  if (has & PEN_SAMPLE_HAS_TIME)
    pen_table_writer_time (sheet->writer, block->time[row]);
  else
    pen_table_writer_empty (sheet->writer);
  write_event (sheet, place->cells ? place->event : bucket->event);
  if (has & PEN_SAMPLE_HAS_CPU)
    pen_table_writer_unsigned (sheet->writer, block->cpu[row]);
  else
    pen_table_writer_empty (sheet->writer);
  write_thread (sheet, block->thread[row]);
  if (place->cells || (bucket->samples > 1 && sheet->n_places < MAX_PLACES))
    write_kept_place (sheet, place, bucket);
  else
    write_place (sheet, bucket);
  if (has & PEN_SAMPLE_HAS_PERIOD)
    pen_table_writer_unsigned (sheet->writer, block->period[row]);
  else
    pen_table_writer_empty (sheet->writer);
}

/* Memory of processes has no patches, and its maps are looked up as of the sample's time only. */
static gboolean
write_band (SampleSheet *sheet, const PenSampleBlock *block, guint row, GError **error)
{
  const PenBucket *bucket = &sheet->query->buckets[block->bucket[row]];
  gboolean is_asked = block->has[row] & PEN_SAMPLE_HAS_TIME && bucket->has_address
                      && (pen_query_is_kernel_kind (bucket->kind)
                          || (bucket->kind == PEN_KIND_UNKNOWN && bucket->address >> 63 != 0));
  const GArray *times = NULL;
  guint64 time = block->time[row];
  guint64 since = 0;
  guint64 until = 0;
  gboolean has_since;
  gboolean has_until;

  if (is_asked && !pen_change_times_find (sheet->times, bucket->address, &times, error))
    return FALSE;
  has_since = pen_change_times_get_since (times, time, &since);
  has_until = pen_change_times_get_until (times, time, &until);
  pen_query_write_unsigned_or_empty (sheet->writer, has_since, since);
  pen_query_write_unsigned_or_empty (sheet->writer, has_until, until);
  return TRUE;
}

static gboolean
write_more (SampleSheet *sheet, const PenSampleBatch *batch, guint row, GError **error)
{
  if (sheet->callchains
      && !pen_callchain_cells_write (sheet->callchains, batch->block, row, sheet->writer, error))
    return FALSE;
  if (sheet->times && !write_band (sheet, batch->block, row, error))
    return FALSE;
  return !sheet->payloads
         || pen_payload_cells_write (sheet->payloads, batch->number, batch->block, row,
                                     sheet->writer, error);
}

static gboolean
write_rows (const PenSampleBatch *batch, gpointer user_data, GError **error)
{
  SampleSheet *sheet = user_data;

  for (guint i = 0; i < batch->n_rows; i++) {
    write_sample (sheet, batch->block, batch->rows[i]);
    if (!write_more (sheet, batch, batch->rows[i], error)
        || !pen_table_writer_end_row (sheet->writer, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
sample_sheet_init (SampleSheet *sheet, PenQuery *query, PenSamplesColumns more,
                   PenTableWriter *writer, GError **error)
{
  *sheet = (SampleSheet){ .query = query, .writer = writer };
  if (more & PEN_SAMPLES_CALLCHAIN) {
    sheet->callchains = pen_callchain_cells_new (query, error);
    if (!sheet->callchains)
      return FALSE;
  }
  if (more & PEN_SAMPLES_BAND) {
    sheet->times = pen_change_times_new (query, error);
    if (!sheet->times) {
      g_clear_pointer (&sheet->callchains, pen_callchain_cells_free);
      return FALSE;
    }
  }
  if (more & PEN_SAMPLES_PAYLOAD)
    sheet->payloads = pen_payload_cells_new (query);
  sheet->events = fragments_new (query->events->len);
  sheet->threads = fragments_new (query->n_threads);
  sheet->occupants = fragments_new (query->n_functions);
  sheet->symbols = fragments_new (query->n_functions);
  sheet->places = g_new0 (Place, (gsize) query->n_buckets + 1);
  return TRUE;
}

static void
sample_sheet_clear (SampleSheet *sheet)
{
  fragments_free (sheet->events, sheet->query->events->len);
  fragments_free (sheet->threads, sheet->query->n_threads);
  fragments_free (sheet->occupants, sheet->query->n_functions);
  fragments_free (sheet->symbols, sheet->query->n_functions);
  for (guint i = 0; i < sheet->query->n_buckets; i++)
    g_clear_pointer (&sheet->places[i].cells, pen_table_fragment_free);
  g_free (sheet->places);
  g_clear_pointer (&sheet->callchains, pen_callchain_cells_free);
  g_clear_pointer (&sheet->payloads, pen_payload_cells_free);
  g_clear_pointer (&sheet->times, pen_change_times_free);
}

static void
set_columns (PenTableWriter *writer, PenSamplesColumns more)
{
  PenColumn columns[G_N_ELEMENTS (base_columns) + 4];
  guint n = G_N_ELEMENTS (base_columns);

  memcpy (columns, base_columns, sizeof base_columns);
  if (more & PEN_SAMPLES_CALLCHAIN)
    columns[n++] = callchain_column;
  if (more & PEN_SAMPLES_BAND) {
    columns[n++] = band_columns[0];
    columns[n++] = band_columns[1];
  }
  if (more & PEN_SAMPLES_PAYLOAD)
    columns[n++] = payload_column;
  pen_table_writer_set_columns (writer, columns, n);
}

gboolean
pen_query_write_wide_samples (PenQuery *self, const PenFilter *filter, PenSamplesColumns more,
                              PenTableWriter *writer, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  SampleSheet sheet;
  gboolean is_done;

  if (!matcher || !pen_query_load_buckets (self, error) || !pen_query_load_threads (self, error)
      || !sample_sheet_init (&sheet, self, more, writer, error))
    return FALSE;
  set_columns (writer, more);
  is_done = pen_query_scan (self, matcher, matcher->asks_time ? matcher->filter->from : 0,
                            matcher->asks_time ? matcher->filter->to : G_MAXUINT64, write_rows,
                            &sheet, error)
            && pen_table_writer_finish (writer, error);
  sample_sheet_clear (&sheet);
  return is_done;
}

gboolean
pen_query_write_samples (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                         GError **error)
{
  return pen_query_write_wide_samples (self, filter, 0, writer, error);
}
