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
#include "pen-store-outputs.h"
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
  const PenMatcher *matcher;
  PenOutputCursor *outputs;   /* NULL: there are none */
  const PenBpfOutput *output; /* the next one; NULL: no more */
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

/* A row without its place: what a block, or an output, says of it. */
typedef struct {
  guint8 has;
  guint64 time;
  guint32 cpu;
  guint32 thread;
  guint64 period;
} Row;

static void
write_head (SampleSheet *sheet, const Row *row, int event)
{
  if (row->has & PEN_SAMPLE_HAS_TIME)
    pen_table_writer_time (sheet->writer, row->time);
  else
    pen_table_writer_empty (sheet->writer);
  write_event (sheet, event);
  if (row->has & PEN_SAMPLE_HAS_CPU)
    pen_table_writer_unsigned (sheet->writer, row->cpu);
  else
    pen_table_writer_empty (sheet->writer);
  write_thread (sheet, row->thread);
}

static void
write_period (SampleSheet *sheet, const Row *row)
{
  if (row->has & PEN_SAMPLE_HAS_PERIOD)
    pen_table_writer_unsigned (sheet->writer, row->period);
  else
    pen_table_writer_empty (sheet->writer);
}

static void
write_sample (SampleSheet *sheet, const PenSampleBlock *block, guint index)
{
  Place *place = &sheet->places[block->bucket[index]];
  const PenBucket *bucket = &sheet->query->buckets[block->bucket[index]];
  const Row row = { block->has[index], block->time[index], block->cpu[index], block->thread[index],
                    block->period[index] };

  write_head (sheet, &row, place->cells ? place->event : bucket->event);
  if (place->cells || (bucket->samples > 1 && sheet->n_places < MAX_PLACES))
    write_kept_place (sheet, place, bucket);
  else
    write_place (sheet, bucket);
  write_period (sheet, &row);
}

/* Memory of processes has no patches, and its maps are looked up as of the sample's time only. */
static gboolean
write_band (SampleSheet *sheet, guint8 has, guint64 time, const PenBucket *bucket, GError **error)
{
  gboolean is_asked = has & PEN_SAMPLE_HAS_TIME && bucket->has_address
                      && (pen_query_is_kernel_kind (bucket->kind)
                          || (bucket->kind == PEN_KIND_UNKNOWN && bucket->address >> 63 != 0));
  const GArray *times = NULL;
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
  if (sheet->times
      && !write_band (sheet, batch->block->has[row], batch->block->time[row],
                      &sheet->query->buckets[batch->block->bucket[row]], error))
    return FALSE;
  return !sheet->payloads
         || pen_payload_cells_write (sheet->payloads, batch->number, batch->block, row,
                                     sheet->writer, error);
}

/* ---- outputs of BPF programs, between the samples ---- */

static gboolean
write_output (SampleSheet *sheet, const PenBpfOutput *output, GError **error)
{
  const PenBucket bucket = {
    .event = output->event == PEN_OUTPUT_NO_EVENT ? -1 : (int) output->event,
    .tenure = output->tenure,
    .revision = output->revision,
    .kind = output->kind,
    .has_address = output->has_address,
    .address = output->address,
    .function = output->function,
  };
  const Row row
      = { (guint8) output->has, output->time, output->cpu, output->thread, output->period };

  if (output->thread >= sheet->query->n_threads)
    return TRUE;
  write_head (sheet, &row, bucket.event);
  write_place (sheet, &bucket);
  write_period (sheet, &row);
  if (sheet->callchains
      && !pen_callchain_cells_write_output (sheet->callchains, output, &bucket, sheet->writer,
                                            error))
    return FALSE;
  if (sheet->times && !write_band (sheet, row.has, row.time, &bucket, error))
    return FALSE;
  if (sheet->payloads && (row.has & PEN_SAMPLE_HAS_PAYLOAD))
    pen_table_writer_bytes (sheet->writer, output->payload, output->payload_length);
  else if (sheet->payloads)
    pen_table_writer_empty (sheet->writer);
  return pen_table_writer_end_row (sheet->writer, error);
}

/* Those that stand before sample @before of the sample table. */
static gboolean
write_outputs (SampleSheet *sheet, guint64 before, GError **error)
{
  GError *local_error = NULL;

  for (; sheet->output && sheet->output->sample <= before;) {
    if (pen_matcher_lists_output (sheet->matcher, sheet->output)
        && !write_output (sheet, sheet->output, error))
      return FALSE;
    if (!pen_output_cursor_next (sheet->outputs, &sheet->output, &local_error))
      sheet->output = NULL;
  }
  if (!local_error)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

static gboolean
start_outputs (SampleSheet *sheet, GError **error)
{
  GError *local_error = NULL;

  /* Those of offcpu-time are waits, too. */
  if (pen_store_get_population (sheet->query->store) == PEN_POPULATION_WAITS
      || pen_store_get_fact_int (sheet->query->store, "outputs", 0) == 0)
    return TRUE;
  sheet->outputs = pen_output_cursor_new (sheet->query->store, error);
  if (!sheet->outputs)
    return FALSE;
  if (pen_output_cursor_next (sheet->outputs, &sheet->output, &local_error))
    return TRUE;
  sheet->output = NULL;
  if (!local_error)
    return TRUE;
  g_propagate_error (error, local_error);
  return FALSE;
}

static gboolean
write_rows (const PenSampleBatch *batch, gpointer user_data, GError **error)
{
  SampleSheet *sheet = user_data;

  for (guint i = 0; i < batch->n_rows; i++) {
    if (!write_outputs (sheet, (guint64) batch->number * PEN_BLOCK_SAMPLES + batch->rows[i], error))
      return FALSE;
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
  g_clear_pointer (&sheet->outputs, pen_output_cursor_free);
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
  sheet.matcher = matcher;
  is_done = start_outputs (&sheet, error)
            && pen_query_scan (self, matcher, matcher->asks_time ? matcher->filter->from : 0,
                               matcher->asks_time ? matcher->filter->to : G_MAXUINT64, write_rows,
                               &sheet, error)
            && write_outputs (&sheet, G_MAXUINT64, error)
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
