/* pen-importer.c: one import, from its start to its end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-importer.h"

#include "pen-capture-mode.h"
#include "pen-compare.h"
#include "pen-import-key.h"
#include "pen-new-file.h"
#include "pen-store-header.h"

#define OWN_MODE 0600
/* For callchains; the rest goes to a file until the samples are placed. */
#define CHAIN_MEMORY (16u << 20)
#define PAYLOAD_MEMORY (16u << 20)
#define OUTPUT_MEMORY (4u << 20)

static int
compare_types (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  return PEN_COMPARE (GPOINTER_TO_UINT (a), GPOINTER_TO_UINT (b));
}

/* What was taken from it. */
static void
leave_kept (PenImporter *self)
{
  self->threads = NULL;
  self->buckets = NULL;
  self->frames = NULL;
  self->writer = NULL;
  if (self->sources)
    self->sources->user_names = NULL;
}

static void
take_kept (PenImporter *self)
{
  PenImportKept *kept = self->kept;

  self->threads = kept->threads;
  self->buckets = kept->buckets;
  self->frames = kept->frames;
  self->writer = kept->writer;
  self->counts = kept->counts;
  pen_loss_tracker_next_reader (kept->losses);
  if (kept->user_names)
    pen_user_names_free (self->sources->user_names);
  else
    kept->user_names = self->sources->user_names;
  self->sources->user_names = kept->user_names;
}

void
pen_importer_free (PenImporter *self)
{
  if (!self)
    return;

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
  if (self->kept && self->threads)
    leave_kept (self);
  g_clear_pointer (&self->threads, pen_thread_table_free);
  g_clear_pointer (&self->buckets, pen_bucket_table_free);
  g_clear_pointer (&self->sources, pen_loaded_sources_free);
  g_clear_pointer (&self->tracing, pen_tracing_data_free);
  g_clear_pointer (&self->modules, pen_module_events_free);
  g_clear_pointer (&self->named, pen_range_index_free);
  g_clear_pointer (&self->outputs, pen_output_pass_free);
  g_clear_pointer (&self->payloads, pen_payloads_free);
  g_clear_pointer (&self->frames, pen_frame_table_free);
  g_clear_pointer (&self->frame_functions, g_array_unref);
  g_clear_pointer (&self->intake, pen_chain_intake_free); /* fills what comes next */
  g_clear_pointer (&self->waits, pen_wait_finder_free);   /* this, too */
  g_clear_pointer (&self->chains, pen_chain_spool_free);
  g_clear_pointer (&self->sorter, pen_sample_sorter_free);
  g_clear_pointer (&self->losses, pen_loss_tracker_free);
  g_clear_pointer (&self->sketcher, pen_sketcher_free);
  g_clear_pointer (&self->changes, g_array_unref);
  g_clear_pointer (&self->sideband, pen_sideband_free);
  g_clear_pointer (&self->history, pen_history_free);
  if (!self->kept)
    g_clear_pointer (&self->counts.others, g_tree_unref);
  pen_record_budget_clear (&self->budget);
  g_clear_object (&self->reader);
  g_clear_pointer (&self->writer, pen_store_writer_free);
  g_free (self->capture);
  g_free (self);
}

static gboolean
open_sources (PenImporter *self, GError **error)
{
  self->sources
      = pen_loaded_sources_open (self->reader, self->given, self->progress.cancellable, error);
  return self->sources != NULL;
}

static gboolean
open_store (PenImporter *self, const char *store, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (store);
  g_autofree char *base = g_path_get_basename (store);

  if (!pen_store_header_check_target (store, error))
    return FALSE;
  if (pen_new_file_remove_left (directory, base) > 0)
    self->progress.state.notes |= 1u << PEN_IMPORT_NOTE_INTERRUPTED;
  if (!open_sources (self, error))
    return FALSE;

  /* What is beside the kernel's text is in a place of the user's own. */
  self->writer = pen_store_writer_new (
      store, self->text_directory ? OWN_MODE : pen_capture_mode (self->capture),
      self->progress.cancellable, error);
  return self->writer != NULL;
}

/* @directory: for scratch files */
static void
start (PenImporter *self, const char *directory)
{
  self->history = pen_history_new ();
  self->sideband = pen_sideband_new (self->history);
  self->losses = pen_loss_tracker_new ();
  self->sorter = pen_sample_sorter_new (directory, PEN_SORTER_MEMORY);
  self->waits = pen_wait_finder_new (directory, pen_reader_get_features (self->reader));
  self->chains = pen_chain_spool_new (directory, CHAIN_MEMORY);
  self->intake = pen_chain_intake_new (self->chains);
  if (self->kept) {
    pen_history_go_on (self->history, self->kept->present);
    take_kept (self);
  } else
    self->frames = pen_frame_table_new ();
  self->modules = pen_module_events_new (pen_reader_get_features (self->reader));
  self->named = pen_range_index_new ();
  self->payloads = pen_payloads_new (directory, PAYLOAD_MEMORY);
  self->outputs = pen_output_pass_new (directory, OUTPUT_MEMORY);
  self->readings = pen_readings_new ();
  self->book_of_lines = pen_line_book_new ();
  if (!self->kept) {
    self->buckets = pen_bucket_table_new ();
    self->threads = pen_thread_table_new ();
    self->counts.others = g_tree_new_full (compare_types, NULL, NULL, g_free);
  }
  if (self->progress.func) {
    self->sketcher = pen_sketcher_new ();
    pen_sketcher_set_facts (self->sketcher, self->reader);
    self->progress.state.sketcher = self->sketcher;
  }
}

/* A reader that finds no file says so; a writer that must not write says so; only what may not be
 * read needs advice. */
static gboolean
open_capture (PenImporter *self, GError **error)
{
  GError *local_error = NULL;

  self->reader
      = self->way == PEN_IMPORTER_GROWING
            ? pen_reader_open_growing (self->capture, self->progress.cancellable, &local_error)
            : pen_reader_open (self->capture, self->progress.cancellable, &local_error);
  if (self->reader)
    return TRUE;

  pen_import_explain_error (&local_error, self->capture);
  g_propagate_error (error, local_error);
  return FALSE;
}

PenImporter *
pen_importer_new (const char *capture, const char *store, PenImporterWay way,
                  const PenSources *given, PenImportFunc func, gpointer user_data,
                  GCancellable *cancellable, GError **error)
{
  g_autoptr (PenImporter) self = g_new0 (PenImporter, 1);
  g_autofree char *directory = g_path_get_dirname (store);

  self->capture = pen_import_find_capture (capture);
  self->given = given;
  self->way = way;
  self->text_directory = way == PEN_IMPORTER_BESIDE_TEXT ? g_path_get_dirname (store) : NULL;
  pen_progress_init (&self->progress, func, user_data, cancellable);
  pen_record_budget_init (&self->budget);
  if (!open_capture (self, error) || !open_store (self, store, error))
    return NULL;
  start (self, directory);
  return g_steal_pointer (&self);
}

PenImporter *
pen_importer_new_part (const char *capture, PenReader *reader, PenImportKept *kept,
                       const char *directory, const PenSources *given, GCancellable *cancellable,
                       GError **error)
{
  g_autoptr (PenImporter) self = g_new0 (PenImporter, 1);

  self->capture = pen_import_find_capture (capture);
  self->given = given;
  self->way = PEN_IMPORTER_GROWING;
  self->reader = reader;
  self->kept = kept;
  pen_progress_init (&self->progress, NULL, NULL, cancellable);
  pen_record_budget_init (&self->budget);
  if (!open_sources (self, error)
      || (kept->n_attrs > 0 && !pen_store_writer_begin_part (kept->writer, cancellable, error)))
    return NULL;
  start (self, directory);
  return g_steal_pointer (&self);
}
