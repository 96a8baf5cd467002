/* pen-importer-records.c: records of a capture, each to those who keep it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-importer.h"

#include "pen-compare.h"
#include "pen-reason.h"

#define PROGRESS_STEP 512
/* A damaged file may name every number there is as a type. */
#define MAX_OTHER_TYPES 1024

static void
count_record (PenImportCounts *counts, const PenRecord *record)
{
  gpointer key = GUINT_TO_POINTER (record->type);
  guint64 *count;

  counts->records++;
  counts->inflated += record->was_inflated;

  if (record->type < PEN_RECORD_TYPES) {
    counts->types[record->type]++;
    return;
  }

  count = g_tree_lookup (counts->others, key);
  if (!count && g_tree_nnodes (counts->others) < MAX_OTHER_TYPES) {
    count = g_new0 (guint64, 1);
    g_tree_insert (counts->others, key, count);
  }
  if (count)
    (*count)++;
}

/* Is there an event that a witness may write to? In pipe form events come one by one. */
static gboolean
may_have_readings (PenImporter *self)
{
  const GPtrArray *attrs = pen_reader_get_attrs (self->reader);

  for (; self->n_attrs < attrs->len; self->n_attrs++)
    self->has_output_event |= pen_attr_is_bpf_output (attrs->pdata[self->n_attrs]);
  return self->has_output_event;
}

/* Of a part: waits reach from one to the next. Ends of tasks make none. */
static gboolean
refuse_wait (const PenRecord *record, GError **error)
{
  if (record->type == PEN_RECORD_EXIT)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "waits need all records");
  return FALSE;
}

static gboolean
add_wait (PenImporter *self, const PenRecord *record, GError **error)
{
  const PenAttr *attr = record->event >= 0 ? g_ptr_array_index (pen_reader_get_attrs (self->reader),
                                                                (guint) record->event)
                                           : NULL;
  PenSortedSample *kept;

  if (!pen_wait_finder_wants (self->waits, record, attr))
    return TRUE;
  if (self->kept)
    return refuse_wait (record, error);
  if (pen_wait_finder_ends_run (self->waits) && !pen_chain_intake_wait (self->intake, error))
    return FALSE;
  if (!pen_wait_finder_add (self->waits, record, attr, &kept, error))
    return FALSE;
  return !kept || record->sample.callchain_length == 0
         || pen_chain_intake_add (self->intake, record, kept, error);
}

static gboolean
add_sample (PenImporter *self, const PenRecord *record, GError **error)
{
  gboolean has_time = (record->has & PEN_HAS_TIME) != 0;
  guint8 cpumode = pen_record_get_cpumode (record);
  const PenAttr *attr = record->event >= 0 ? g_ptr_array_index (pen_reader_get_attrs (self->reader),
                                                                (guint) record->event)
                                           : NULL;
  gboolean is_output = attr && pen_attr_is_bpf_output (attr);
  guint32 payload = 0;
  PenSortedSample *sample;

  /* What a witness read, and other output, is left for the whole import. */
  if (self->kept && is_output)
    return TRUE;
  if (may_have_readings (self))
    pen_readings_add (self->readings, record, attr, pen_reader_is_big_endian (self->reader),
                      &self->budget);
  if ((record->has & PEN_HAS_RAW) != 0) {
    if (!self->kept
        && !pen_payloads_add (self->payloads, record->sample.raw, record->sample.raw_length,
                              &payload, error))
      return FALSE;
    if (attr)
      pen_module_events_add (self->modules, record, attr, &self->budget);
  }
  if (record->was_kept)
    return TRUE;

  if (pen_sample_sorter_ends_run (self->sorter) && !pen_chain_intake_wait (self->intake, error))
    return FALSE;
  sample = pen_sample_sorter_add (self->sorter, error);
  if (!sample)
    return FALSE;

  *sample = (PenSortedSample){
    .time = has_time ? pen_moment (record->time, 0).time : 0,
    .position = record->position,
    .address = record->sample.address,
    .period = record->sample.period,
    .pid = record->pid,
    .cpu = record->cpu,
    .tid = record->tid,
    .payload = payload,
    .event = record->event >= 0 ? (guint32) record->event : PEN_SORTED_NO_EVENT,
    .has = record->has & 0x7f,
    .cpumode = cpumode,
    .time_is_max = has_time && record->time == G_MAXUINT64,
  };
  if (is_output)
    self->n_outputs++;
  if (self->sketcher && !is_output) {
    /* A pipe has its metadata before the first sample. */
    if (self->progress.state.samples == 0)
      pen_sketcher_set_facts (self->sketcher, self->reader);
    pen_sketcher_add_sample (self->sketcher, sample->time, cpumode);
  }
  self->progress.state.samples += !is_output;
  return record->sample.callchain_length == 0
         || pen_chain_intake_add (self->intake, record, sample, error);
}

static gboolean
add_record (PenImporter *self, const PenRecord *record, GError **error)
{
  switch (record->type) {
  case PEN_RECORD_SAMPLE:
    return add_sample (self, record, error);
  case PEN_RECORD_CALLCHAIN_DEFERRED:
    return pen_chain_intake_add_deferred (self->intake, record, error);
  default:
    if (pen_record_budget_take (&self->budget, record,
                                pen_sideband_knows_name (self->sideband, record)))
      pen_sideband_add (self->sideband, record);
    else
      pen_reader_set_aside (self->reader, record, PEN_REASON_TOO_MANY_RECORDS);
    return TRUE;
  }
}

static void
add_losses (PenImporter *self, const PenRecord *record, GPtrArray *problems)
{
  PenLossTracker *losses = self->kept ? self->kept->losses : self->losses;
  guint n = pen_loss_tracker_get_losses (losses)->len;

  pen_loss_tracker_add (losses, record, problems);
  for (; n < pen_loss_tracker_get_losses (losses)->len; n++)
    if (!pen_record_budget_take_loss (&self->budget))
      pen_loss_tracker_join (losses);
}

/* The header's and the records' memory is one: each gets what the other leaves. */
static void
share_budget (PenImporter *self)
{
  guint64 features = pen_reader_get_features (self->reader)->kept_bytes;

  if (self->budget.features == features && self->budget.taken == self->shared)
    return;
  pen_record_budget_set_features (&self->budget, features);
  self->shared = self->budget.taken;
  pen_reader_limit_features (self->reader, pen_record_budget_get_left (&self->budget));
}

gboolean
pen_importer_read_records (PenImporter *self, GError **error)
{
  GPtrArray *problems = pen_reader_get_problems (self->reader);
  GError *local_error = NULL;
  PenRecord record;

  if (!pen_progress_start (&self->progress, PEN_IMPORT_READ, pen_reader_get_size (self->reader),
                           error))
    return FALSE;

  share_budget (self);
  while (pen_reader_next (self->reader, &record, self->progress.cancellable, &local_error)) {
    if (!record.was_kept)
      count_record (&self->counts, &record);
    self->progress.state.records++;
    if (!record.was_kept)
      add_losses (self, &record, problems);

    if (!add_record (self, &record, error) || !add_wait (self, &record, error))
      return FALSE;
    share_budget (self);
    if (self->sketcher && record.type != PEN_RECORD_SAMPLE)
      pen_sketcher_add_record (self->sketcher, &record, pen_loss_tracker_get_losses (self->losses));

    if (self->counts.records % PROGRESS_STEP == 0
        && !pen_progress_step (&self->progress, pen_reader_get_bytes_read (self->reader), error))
      return FALSE;
  }

  if (local_error) {
    g_propagate_error (error, local_error);
    return FALSE;
  }
  return pen_chain_intake_finish (self->intake, error);
}
