/* pen-import.c: the passes from a capture to a store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import.h"

#include <glib/gi18n-lib.h>

#include "pen-bucket-book.h"
#include "pen-capture-links.h"
#include "pen-capture-mode.h"
#include "pen-chain-intake.h"
#include "pen-chain-tree.h"
#include "pen-code-ends.h"
#include "pen-compare.h"
#include "pen-decoder.h"
#include "pen-file-pass.h"
#include "pen-import-facts.h"
#include "pen-import-history.h"
#include "pen-import-key.h"
#include "pen-jit-pass.h"
#include "pen-kernel-text-pass.h"
#include "pen-line-pass.h"
#include "pen-loss-tracker.h"
#include "pen-module-events.h"
#include "pen-name-pass.h"
#include "pen-new-file.h"
#include "pen-output-pass.h"
#include "pen-notes-place.h"
#include "pen-poke-pass.h"
#include "pen-progress.h"
#include "pen-reason.h"
#include "pen-record-budget.h"
#include "pen-sample-pass.h"
#include "pen-sketcher.h"
#include "pen-store-header.h"
#include "pen-text-pass.h"
#include "pen-wait-finder.h"
#include "pen-witness-judge.h"

#define PROGRESS_STEP 512
#define OWN_MODE 0600
/* For callchains; the rest goes to a file until the samples are placed. */
#define CHAIN_MEMORY (16u << 20)
#define PAYLOAD_MEMORY (16u << 20)
#define OUTPUT_MEMORY (4u << 20)
/* A damaged file may name every number there is as a type. */
#define MAX_OTHER_TYPES 1024

typedef struct {
  const char *capture;
  PenReader *reader;
  PenHistory *history;
  PenSideband *sideband;
  GArray *changes; /* PenSidebandChange: the kernel's */
  PenRecordBudget budget;
  guint halvings; /* of what samples are counted in: see PenRecordBudget */
  PenLossTracker *losses;
  PenSampleSorter *sorter;
  PenWaitFinder *waits;
  PenChainSpool *chains;
  PenChainIntake *intake;
  PenFrameTable *frames;
  PenPayloads *payloads;
  PenOutputPass *outputs;
  guint64 n_outputs;
  PenReadings *readings;
  guint n_attrs; /* of which is known whether they are outputs */
  gboolean has_output_event;
  PenWitnessJudge *witness; /* NULL: nothing was read */
  gboolean is_text_ready;
  PenModuleEvents *modules;
  PenTracingData *tracing; /* or NULL */
  PenLoadedSources *sources;
  PenBucketTable *buckets;
  PenBucketBook *book;
  PenThreadTable *threads;
  PenFunctionTable *functions; /* of the book */
  PenNamePass *names;
  PenFilePass *files;
  PenLinePass *lines[2]; /* of user space, and of the kernel */
  PenLineBook *book_of_lines;
  PenJitPass *jit;
  const PenSources *given; /* or NULL */
  PenPokeBatches *batches;
  PenStoreWriter *writer;
  PenSketcher *sketcher; /* NULL: there is no listener */
  PenProgress progress;
  PenImportCounts counts;
  char *text_directory; /* where the kernel's text is kept; NULL: it is not */
  PenKernelTextPass *kernel_text;
} Import;

const char *
pen_import_stage_to_string (PenImportStage stage)
{
  static const char *const words[PEN_IMPORT_STAGES] = {
    [PEN_IMPORT_READ] = N_ ("reading records"),
    [PEN_IMPORT_HISTORY] = N_ ("building the history"),
    [PEN_IMPORT_SAMPLES] = N_ ("placing samples"),
    [PEN_IMPORT_TEXT] = N_ ("reading text and names"),
    [PEN_IMPORT_WRITE] = N_ ("writing"),
  };

  g_return_val_if_fail (stage < PEN_IMPORT_STAGES, "");
  return words[stage];
}

PenSketch *
pen_import_progress_draw (const PenImportProgress *progress)
{
  PenSketch *sketch;

  if (!progress->sketcher)
    return NULL;
  sketch = pen_sketcher_draw (progress->sketcher);
  sketch->n_samples = progress->samples;
  return sketch;
}

static int
compare_types (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  return PEN_COMPARE (GPOINTER_TO_UINT (a), GPOINTER_TO_UINT (b));
}

static void
import_clear (Import *self)
{
  g_clear_pointer (&self->kernel_text, pen_kernel_text_pass_free);
  g_clear_pointer (&self->text_directory, g_free);
  g_clear_pointer (&self->names, pen_name_pass_free); /* reads what comes next */
  g_clear_pointer (&self->files, pen_file_pass_free); /* so do these */
  for (guint i = 0; i < G_N_ELEMENTS (self->lines); i++)
    g_clear_pointer (&self->lines[i], pen_line_pass_free);
  g_clear_pointer (&self->book_of_lines, pen_line_book_free);
  g_clear_pointer (&self->batches, pen_poke_batches_free);
  g_clear_pointer (&self->jit, pen_jit_pass_free);
  g_clear_pointer (&self->witness, pen_witness_judge_free); /* reads what comes next */
  g_clear_pointer (&self->readings, pen_readings_free);
  g_clear_pointer (&self->book, pen_bucket_book_free);
  g_clear_pointer (&self->threads, pen_thread_table_free);
  g_clear_pointer (&self->buckets, pen_bucket_table_free);
  g_clear_pointer (&self->sources, pen_loaded_sources_free);
  g_clear_pointer (&self->tracing, pen_tracing_data_free);
  g_clear_pointer (&self->modules, pen_module_events_free);
  g_clear_pointer (&self->outputs, pen_output_pass_free);
  g_clear_pointer (&self->payloads, pen_payloads_free);
  g_clear_pointer (&self->frames, pen_frame_table_free);
  g_clear_pointer (&self->intake, pen_chain_intake_free); /* fills what comes next */
  g_clear_pointer (&self->waits, pen_wait_finder_free);   /* this, too */
  g_clear_pointer (&self->chains, pen_chain_spool_free);
  g_clear_pointer (&self->sorter, pen_sample_sorter_free);
  g_clear_pointer (&self->losses, pen_loss_tracker_free);
  g_clear_pointer (&self->sketcher, pen_sketcher_free);
  g_clear_pointer (&self->changes, g_array_unref);
  g_clear_pointer (&self->sideband, pen_sideband_free);
  g_clear_pointer (&self->history, pen_history_free);
  g_clear_pointer (&self->counts.others, g_tree_unref);
  pen_record_budget_clear (&self->budget);
  g_clear_object (&self->reader);
}

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
may_have_readings (Import *self)
{
  const GPtrArray *attrs = pen_reader_get_attrs (self->reader);

  for (; self->n_attrs < attrs->len; self->n_attrs++)
    self->has_output_event |= pen_attr_is_bpf_output (attrs->pdata[self->n_attrs]);
  return self->has_output_event;
}

static gboolean
add_wait (Import *self, const PenRecord *record, GError **error)
{
  const PenAttr *attr = record->event >= 0 ? g_ptr_array_index (pen_reader_get_attrs (self->reader),
                                                                (guint) record->event)
                                           : NULL;
  PenSortedSample *kept;

  if (!pen_wait_finder_wants (self->waits, record, attr))
    return TRUE;
  if (pen_wait_finder_ends_run (self->waits) && !pen_chain_intake_wait (self->intake, error))
    return FALSE;
  if (!pen_wait_finder_add (self->waits, record, attr, &kept, error))
    return FALSE;
  return !kept || record->sample.callchain_length == 0
         || pen_chain_intake_add (self->intake, record, kept, error);
}

static gboolean
add_sample (Import *self, const PenRecord *record, GError **error)
{
  gboolean has_time = (record->has & PEN_HAS_TIME) != 0;
  guint8 cpumode = pen_record_get_cpumode (record);
  const PenAttr *attr = record->event >= 0 ? g_ptr_array_index (pen_reader_get_attrs (self->reader),
                                                                (guint) record->event)
                                           : NULL;
  gboolean is_output = attr && pen_attr_is_bpf_output (attr);
  guint32 payload = 0;
  PenSortedSample *sample;

  if (may_have_readings (self))
    pen_readings_add (self->readings, record, attr, pen_reader_is_big_endian (self->reader),
                      &self->budget);
  if ((record->has & PEN_HAS_RAW) != 0) {
    if (!pen_payloads_add (self->payloads, record->sample.raw, record->sample.raw_length, &payload,
                           error))
      return FALSE;
    if (attr)
      pen_module_events_add (self->modules, record, attr);
  }

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
add_record (Import *self, const PenRecord *record, GError **error)
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

static gboolean
read_records (Import *self, GError **error)
{
  GPtrArray *problems = pen_reader_get_problems (self->reader);
  GError *local_error = NULL;
  PenRecord record;

  if (!pen_progress_start (&self->progress, PEN_IMPORT_READ, pen_reader_get_size (self->reader),
                           error))
    return FALSE;

  while (pen_reader_next (self->reader, &record, self->progress.cancellable, &local_error)) {
    count_record (&self->counts, &record);
    self->progress.state.records++;
    if (record.type == PEN_RECORD_TEXT_POKE)
      pen_decoder_prepare ();
    pen_loss_tracker_add (self->losses, &record, problems);

    if (!add_record (self, &record, error) || !add_wait (self, &record, error))
      return FALSE;
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

static gboolean
may_go_on (gpointer user_data)
{
  PenProgress *progress = user_data;

  return pen_progress_step (progress, progress->state.done, NULL);
}

static gboolean
add_modules (const PenModuleList *list, const char *path, gpointer user_data)
{
  Import *self = user_data;
  const char *release = pen_reader_get_features (self->reader)->os_release;
  guint added = list->date == PEN_SNAPSHOT_START && !list->is_rough
                    ? pen_sideband_add_modules (self->sideband, list->modules)
                    : list->modules->len;
  g_auto (GStrv) wrong = pen_module_snapshot_add (list, release, self->history);
  g_autofree char *reason
      = wrong ? pen_reason_new (PEN_REASON_MODULES_AT_ONE_ADDRESS, wrong[0], wrong[1], NULL) : NULL;

  if (reason)
    pen_loaded_sources_add_problem (self->sources, path, reason);
  return added > 0;
}

static void
add_registered (const char *name, PenKind kind, guint64 start, guint64 end, PenEvidence evidence,
                gpointer user_data)
{
  Import *self = user_data;

  pen_history_add_listed (self->history, name, kind, start, end, evidence);
}

/* What is known of text beside the records; once. */
static gboolean
prepare_text (Import *self, GError **error)
{
  if (self->is_text_ready)
    return TRUE;
  self->is_text_ready = TRUE;
  pen_loaded_sources_join_images (self->sources, pen_reader_get_features (self->reader),
                                  self->history);
  return pen_kernel_sources_check_kcores (self->sources->kernel, self->history, self->counts.first,
                                          self->counts.last, error);
}

/* Changes that only a witness tells of count like the others: they have to be known before. */
static gboolean
ask_witness (Import *self, GError **error)
{
  guint n;
  guint n_losses;
  const PenLoss *losses = pen_history_get_losses (self->history, &n_losses);

  self->counts.counters = pen_witness_counters_read (pen_reader_get_record_dir (self->reader));
  pen_readings_seal (self->readings, pen_reader_get_attrs (self->reader), losses, n_losses,
                     &self->counts.counters);
  pen_readings_get (self->readings, &n);
  if (n == 0)
    return TRUE;
  if (!pen_kernel_sources_wait (self->sources->kernel, error) || !prepare_text (self, error))
    return FALSE;
  self->witness = pen_witness_judge_new (self->readings, self->history, self->sources);
  return pen_witness_judge_run (self->witness, &self->progress, error);
}

static gboolean
build_history (Import *self, GError **error)
{
  const PenSpace *spaces;
  guint n_spaces;
  const PenFeatures *features = pen_reader_get_features (self->reader);
  const PenKernelPlace kernel = pen_sideband_get_kernel (self->sideband);

  if (!pen_progress_start (&self->progress, PEN_IMPORT_HISTORY, 0, error))
    return FALSE;

  pen_loss_tracker_finish (self->losses, pen_reader_get_problems (self->reader), self->history);
  pen_loss_tracker_get_span (self->losses, &self->counts.first, &self->counts.last);
  pen_user_names_set_features (self->sources->user_names, features);
  if (features->tracing_data)
    self->tracing = pen_tracing_data_parse (features->tracing_data);
  pen_module_events_finish (self->modules, self->tracing, kernel.start, kernel.end, self->history);
  if (!pen_kernel_sources_foreach_modules (self->sources->kernel, kernel.symbol, kernel.address,
                                           self->counts.first, self->counts.last, add_modules, self,
                                           error)
      || !pen_kernel_sources_foreach_registered (self->sources->kernel, kernel.symbol,
                                                 kernel.address, add_registered, self, error))
    return FALSE;
  pen_sideband_finish (self->sideband, features);
  self->jit = pen_jit_pass_start (self->sideband, self->given ? self->given->symfs : NULL,
                                  self->capture, pen_reader_get_attrs (self->reader), self->sources,
                                  self->history, self->progress.cancellable);
  self->counts.module_build_ids_dropped = pen_sideband_get_dropped_build_ids (self->sideband);
  pen_history_limit_copies (self->history, pen_record_budget_get_copies (&self->budget));
  if (!pen_history_seal (self->history, may_go_on, &self->progress))
    return !g_cancellable_set_error_if_cancelled (self->progress.cancellable, error);
  self->halvings
      = pen_record_budget_get_halvings (&self->budget, pen_history_get_copies (self->history));
  pen_frame_table_limit (self->frames, PEN_FRAMES_MAX >> self->halvings);

  pen_kernel_sources_set_facts (self->sources->kernel,
                                pen_kernel_facts_new (features, self->history));
  if (!ask_witness (self, error))
    return FALSE;
  if (self->sketcher) {
    pen_sketcher_set_facts (self->sketcher, self->reader);
    pen_sketcher_set_history (self->sketcher, self->history);
  }
  spaces = pen_history_get_spaces (self->history, &n_spaces);
  pen_user_names_set_spaces (self->sources->user_names, spaces, n_spaces);
  self->names = pen_name_pass_start (self->history, self->sources, self->progress.cancellable);

  if (!pen_sideband_resolve (self->sideband, &self->progress, error))
    return FALSE;
  self->changes = pen_sideband_get_kernel_changes (self->sideband);
  return pen_sideband_write (self->sideband, self->writer, &self->progress, error);
}

static PenChainCallers *
new_callers (const Import *self)
{
  return pen_chain_callers_new (PEN_CHAIN_NODES_MAX >> self->halvings);
}

static gboolean
place_samples (Import *self, GError **error)
{
  const GPtrArray *attrs = pen_reader_get_attrs (self->reader);
  g_autoptr (PenChainResolver) chains = pen_chain_resolver_new (self->chains, self->frames);
  g_autoptr (PenChainCallers) callers = new_callers (self);
  g_autoptr (PenSampleWriter) writer = NULL;
  guint64 n_samples = pen_sample_sorter_get_count (self->sorter);
  PenTimelessCounts timeless = { 0 };

  self->book = pen_bucket_book_new (self->buckets, self->history, self->sources, attrs->len);
  pen_bucket_book_limit (self->book, PEN_GENERATION_BUCKETS >> self->halvings);
  if (!pen_progress_start (&self->progress, PEN_IMPORT_SAMPLES, n_samples, error)
      || !pen_sample_sorter_sort (self->sorter, error))
    return FALSE;

  writer = pen_sample_writer_new (n_samples - self->n_outputs, self->buckets, self->book,
                                  self->payloads, self->outputs, self->writer);
  if (!pen_sample_pass_run (self->sorter, self->history, attrs, FALSE, self->witness, self->threads,
                            chains, callers, writer, self->progress.state.sketcher, &timeless,
                            &self->progress, error))
    return FALSE;
  self->counts.timeless_samples = timeless.samples;
  self->counts.timeless_unknown = timeless.unknown;
  if (self->sketcher)
    pen_sketcher_end_samples (self->sketcher);

  self->counts.chains_dropped = pen_chain_callers_get_dropped (callers);
  self->counts.chains_unjoined = pen_chain_spool_get_unjoined (self->chains);
  g_clear_pointer (&self->sorter, pen_sample_sorter_free);
  return TRUE;
}

/* The same as with samples, into tables of their own. */
static gboolean
place_found_waits (Import *self, PenSampleSorter *sorter, GError **error)
{
  const GPtrArray *attrs = pen_reader_get_attrs (self->reader);
  g_autoptr (PenChainResolver) chains = pen_chain_resolver_new (self->chains, self->frames);
  g_autoptr (PenChainCallers) callers = new_callers (self);
  g_autoptr (PenBucketTable) buckets = pen_bucket_table_new ();
  g_autoptr (PenBucketBook) book = pen_bucket_book_new_beside (self->book, buckets);
  g_autoptr (PenSampleWriter) writer = NULL;
  PenTimelessCounts timeless = { 0 };
  guint64 n = pen_sample_sorter_get_count (sorter);

  if (!pen_progress_start (&self->progress, PEN_IMPORT_SAMPLES, n, error)
      || !pen_store_writer_set_population (self->writer, PEN_POPULATION_WAITS, error))
    return FALSE;

  writer = pen_sample_writer_new (n, buckets, book, self->payloads, self->outputs, self->writer);
  if (!pen_sample_pass_run (sorter, self->history, attrs, TRUE, NULL, self->threads, chains,
                            callers, writer, NULL, &timeless, &self->progress, error)
      || !pen_bucket_book_write (book, self->writer, error)
      || !pen_store_writer_set_population (self->writer, PEN_POPULATION_SAMPLES, error))
    return FALSE;

  self->counts.timeless_waits = timeless.samples;
  self->counts.timeless_waits_unknown = timeless.unknown;
  self->counts.wait_chains_dropped = pen_chain_callers_get_dropped (callers);
  return TRUE;
}

static gboolean
place_waits (Import *self, GError **error)
{
  PenSampleSorter *sorter;

  if (!pen_wait_finder_finish (self->waits, pen_loss_tracker_get_losses (self->losses), &sorter,
                               &self->counts.waits, error)
      || (sorter && !place_found_waits (self, sorter, error)))
    return FALSE;

  pen_wait_finder_clear (self->waits);
  g_clear_pointer (&self->chains, pen_chain_spool_free);
  return TRUE;
}

static gboolean
write_history (Import *self, GError **error)
{
  const guint64 *samples = pen_bucket_book_get_tenure_samples (self->book);

  if (!pen_kernel_sources_wait (self->sources->kernel, error))
    return FALSE;
  pen_code_ends_find (self->history, self->sources->kernel,
                      pen_reader_get_features (self->reader)->os_release, samples);
  return pen_import_history_write (self->history, samples, self->writer, &self->progress, error);
}

/* Functions that are only ever callers have rows, too, without samples. */
static gboolean
find_functions_of_frames (Import *self, GError **error)
{
  GArray *frames = pen_frame_table_get_frames (self->frames);
  const PenTenure *tenures = pen_history_get_tenures (self->history, &(guint){ 0 });

  for (guint i = 0; i < frames->len; i++) {
    PenTableFrame *frame = &g_array_index (frames, PenTableFrame, i);
    const PenTenure *tenure = frame->tenure != 0 ? &tenures[frame->tenure - 1] : NULL;

    if (i % PROGRESS_STEP == 0 && !pen_progress_step (&self->progress, 0, error))
      return FALSE;

    frame->function = pen_bucket_book_find_function (self->book, tenure, frame->kind,
                                                     frame->address - (frame->is_return != 0));
  }
  return TRUE;
}

static gboolean
find_text (Import *self, GError **error)
{
  const PenFeatures *features = pen_reader_get_features (self->reader);
  const PenSources nothing = { 0 };
  const PenSources *given = self->given ? self->given : &nothing;
  guint n_pokes;

  pen_history_get_pokes (self->history, &n_pokes);
  if (!pen_progress_start (&self->progress, PEN_IMPORT_TEXT, n_pokes, error))
    return FALSE;

  self->functions = pen_bucket_book_get_functions (self->book, error);
  if (!self->functions)
    return FALSE;

  if (!prepare_text (self, error))
    return FALSE;
  if (self->text_directory)
    self->kernel_text
        = pen_kernel_text_pass_start (self->text_directory, self->sources->kernel, self->history);
  if (!pen_bucket_book_write (self->book, self->writer, error)
      || !find_functions_of_frames (self, error)
      || !pen_output_pass_write (self->outputs, self->history, self->book, self->payloads,
                                 self->readings, pen_reader_get_attrs (self->reader)->len,
                                 self->writer, error))
    return FALSE;
  self->files = pen_file_pass_start (self->functions, self->sources->user_names, features->arch,
                                     self->progress.cancellable);
  self->lines[0] = pen_line_pass_start_user (self->functions, self->sources, given->symfs,
                                             given->source_lines, self->progress.cancellable);

  self->batches = pen_poke_batches_new ();
  if (!pen_poke_pass_run (self->history, self->functions, self->sources, features, self->modules,
                          self->batches, &self->progress, error))
    return FALSE;
  if (self->sketcher)
    pen_sketcher_set_causes (self->sketcher, self->history);

  if (!pen_function_table_count_changes (self->functions, self->changes, &self->progress, error))
    return FALSE;

  self->lines[1]
      = pen_line_pass_start_kernel (self->functions, self->history, self->sources, given->symfs,
                                    given->source_lines, self->progress.cancellable);
  return pen_text_pass_write (pen_bucket_book_get_text (self->book), self->functions, self->sources,
                              features->arch, self->kernel_text != NULL, self->writer,
                              &self->progress, error)
         && (!self->witness || pen_witness_judge_write_text (self->witness, self->writer, error))
         && pen_jit_pass_write (self->jit, self->history,
                                pen_bucket_book_get_tenure_samples (self->book), self->writer,
                                error);
}

/* Files that gave lines are listed with the sources. */
static gboolean
wait_for_lines (Import *self, GError **error)
{
  PenLineTrouble trouble = { 0 };
  gboolean is_ok = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (self->lines); i++) {
    pen_line_pass_wait (self->lines[i], self->book_of_lines, &trouble);
    is_ok = is_ok && pen_line_pass_write_files (self->lines[i], self->writer, error);
  }
  pen_jit_pass_tell_lines (self->jit, self->history, self->functions,
                           pen_bucket_book_get_tenure_samples (self->book), self->book_of_lines);
  is_ok = is_ok && !g_cancellable_set_error_if_cancelled (self->progress.cancellable, error)
          && pen_line_trouble_write (&trouble, self->writer, error);
  g_free (trouble.failure);
  return is_ok;
}

static gboolean
write_facts (Import *self, GError **error)
{
  guint64 breaks = 0;
  guint64 explained = 0;
  guint64 changed_early = 0;
  guint n_pokes;
  const PenPoke *pokes = pen_history_get_pokes (self->history, &n_pokes);

  for (guint i = 0; i < n_pokes; i++) {
    breaks += pokes[i].breaks_chain;
    explained += pokes[i].break_loss != 0;
    changed_early += pokes[i].is_changed_early;
    self->counts.unannounced += pokes[i].cause == PEN_CAUSE_UNANNOUNCED;
  }

  self->counts.outputs = self->n_outputs;
  pen_readings_get (self->readings, &self->counts.readings);
  if (self->witness)
    self->counts.witness = pen_witness_judge_get_counts (self->witness);
  self->counts.module_space_samples = pen_bucket_book_get_module_space_samples (self->book);
  return pen_import_facts_write (
      self->writer, self->capture, self->reader, self->history, self->sources, self->tracing,
      &self->counts, pen_bucket_book_get_event_samples (self->book), breaks, explained,
      changed_early, pen_sideband_get_unmapped_modules (self->sideband), error);
}

static gboolean
write_batches (Import *self, GError **error)
{
  guint n;
  const PenBatch *batches = pen_poke_batches_finish (self->batches, &n);

  for (guint i = 0; i < n; i++)
    if (!pen_store_writer_add_batch (self->writer, &batches[i], error))
      return FALSE;
  return TRUE;
}

/* An import in the cache has none: it is made again whenever it has to be. */
static gboolean
write_notes (Import *self, GError **error)
{
  return self->text_directory || pen_notes_copy (self->writer, error);
}

/* The work of threads that may still run comes last. */
static gboolean
write_store (Import *self, GError **error)
{
  return pen_progress_start (&self->progress, PEN_IMPORT_WRITE, 0, error)
         && write_batches (self, error)
         && pen_sideband_write_pokes (self->sideband, self->writer, &self->progress, error)
         && pen_thread_table_write (self->threads, self->writer, error)
         && pen_function_table_write (self->functions, self->writer, error)
         && pen_module_events_write (self->modules, self->writer, error)
         && pen_frame_table_write (self->frames, self->writer, &self->progress, error)
         && pen_name_pass_finish (self->names, self->writer, error)
         && pen_file_pass_finish (self->files, self->writer, error) && wait_for_lines (self, error)
         && pen_kernel_text_pass_finish (self->kernel_text, self->writer, error)
         && write_facts (self, error) && write_notes (self, error)
         && pen_line_book_write (self->book_of_lines, self->writer, error)
         && pen_store_writer_end (self->writer, error);
}

static gboolean
import_start (Import *self, const char *store, const PenSources *sources, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (store);
  g_autofree char *base = g_path_get_basename (store);

  if (!pen_store_header_check_target (store, error))
    return FALSE;
  if (pen_new_file_remove_left (directory, base) > 0)
    self->progress.state.notes |= 1u << PEN_IMPORT_NOTE_INTERRUPTED;

  self->sources = pen_loaded_sources_open (pen_reader_get_kcore_dir (self->reader), sources,
                                           self->progress.cancellable, error);
  if (!self->sources)
    return FALSE;

  /* What is beside the kernel's text is in a place of the user's own. */
  self->writer = pen_store_writer_new (
      store, self->text_directory ? OWN_MODE : pen_capture_mode (self->capture),
      self->progress.cancellable, error);
  if (!self->writer)
    return FALSE;

  self->history = pen_history_new ();
  self->sideband = pen_sideband_new (self->history);
  self->losses = pen_loss_tracker_new ();
  self->sorter = pen_sample_sorter_new (directory, PEN_SORTER_MEMORY);
  self->waits = pen_wait_finder_new (directory, pen_reader_get_features (self->reader));
  self->chains = pen_chain_spool_new (directory, CHAIN_MEMORY);
  self->intake = pen_chain_intake_new (self->chains);
  self->frames = pen_frame_table_new ();
  self->modules = pen_module_events_new (pen_reader_get_features (self->reader));
  self->payloads = pen_payloads_new (directory, PAYLOAD_MEMORY);
  self->outputs = pen_output_pass_new (directory, OUTPUT_MEMORY);
  self->readings = pen_readings_new ();
  self->buckets = pen_bucket_table_new ();
  self->threads = pen_thread_table_new ();
  self->book_of_lines = pen_line_book_new ();
  self->counts.others = g_tree_new_full (compare_types, NULL, NULL, g_free);
  if (self->progress.func) {
    self->sketcher = pen_sketcher_new ();
    pen_sketcher_set_facts (self->sketcher, self->reader);
    self->progress.state.sketcher = self->sketcher;
  }
  return TRUE;
}

/* A reader that finds no file says so; a writer that must not write says so; only what may not be
 * read needs advice. */
static gboolean
import_open_capture (Import *self, GError **error)
{
  GError *local_error = NULL;

  self->reader = pen_reader_open (self->capture, self->progress.cancellable, &local_error);
  if (self->reader)
    return TRUE;

  pen_import_explain_error (&local_error, self->capture);
  g_propagate_error (error, local_error);
  return FALSE;
}

static gboolean
import (const char *capture, const char *store, gboolean keeps_text, const PenSources *sources,
        PenImportFunc func, gpointer user_data, GCancellable *cancellable, GError **error)
{
  g_autofree char *place = pen_import_find_capture (capture);
  Import self = { .capture = place,
                  .given = sources,
                  .text_directory = keeps_text ? g_path_get_dirname (store) : NULL };
  g_autoptr (PenStoreWriter) writer = NULL;
  gboolean ok;

  pen_progress_init (&self.progress, func, user_data, cancellable);
  pen_record_budget_init (&self.budget);
  ok = import_open_capture (&self, error) && import_start (&self, store, sources, error)
       && read_records (&self, error) && build_history (&self, error)
       && place_samples (&self, error) && place_waits (&self, error) && write_history (&self, error)
       && find_text (&self, error) && write_store (&self, error);
  /* While it goes to the disk. */
  writer = g_steal_pointer (&self.writer);
  import_clear (&self);
  ok = ok && pen_store_writer_finish (writer, error);
  return ok;
}

gboolean
pen_import (const char *capture, const char *store, const PenSources *sources, PenImportFunc func,
            gpointer user_data, GCancellable *cancellable, GError **error)
{
  return pen_capture_links_check (capture, error)
         && import (capture, store, FALSE, sources, func, user_data, cancellable, error);
}

gboolean
pen_import_with_kernel_text (const char *capture, const char *store, const PenSources *sources,
                             PenImportFunc func, gpointer user_data, GCancellable *cancellable,
                             GError **error)
{
  return import (capture, store, TRUE, sources, func, user_data, cancellable, error);
}
