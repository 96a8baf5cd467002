/* pen-importer-store.c: the rest of the store, and its end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-importer.h"

#include "pen-import-facts.h"
#include "pen-notes-place.h"

/* Files that gave lines are listed with the sources. */
static gboolean
wait_for_lines (PenImporter *self, GError **error)
{
  PenLineTrouble trouble = { 0 };
  gboolean is_ok = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (self->lines); i++) {
    if (!self->lines[i])
      continue;
    pen_line_pass_wait (self->lines[i], self->book_of_lines, &trouble);
    is_ok = is_ok && pen_line_pass_write_files (self->lines[i], self->writer, error);
  }
  if (!self->kept)
    pen_jit_pass_tell_lines (self->jit, self->history, self->functions,
                             pen_bucket_book_get_tenure_samples (self->book), self->book_of_lines);
  is_ok = is_ok && !g_cancellable_set_error_if_cancelled (self->progress.cancellable, error)
          && pen_line_trouble_write (&trouble, self->writer, error);
  g_free (trouble.failure);
  return is_ok;
}

static gboolean
write_facts (PenImporter *self, GError **error)
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
    self->counts.unannounced_unheld
        += pokes[i].cause == PEN_CAUSE_UNANNOUNCED && pokes[i].effect == PEN_POKE_SAME;
  }

  self->counts.outputs = self->n_outputs;
  self->counts.tasks_dropped = pen_thread_table_get_dropped (self->threads);
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
write_batches (PenImporter *self, GError **error)
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
write_notes (PenImporter *self, GError **error)
{
  return self->way != PEN_IMPORTER_ALONE || pen_notes_copy (self->writer, error);
}

static gboolean
end_part (PenImporter *self, GError **error)
{
  PenImportKept *kept = self->kept;
  const GArray *wanted = pen_text_pass_get_wanted (pen_bucket_book_get_text (self->book));

  g_clear_pointer (&kept->state, pen_page_state_unref);
  kept->state = pen_store_writer_publish (self->writer, error);
  if (!kept->state)
    return FALSE;
  pen_history_leave (self->history, kept->present);
  pen_bucket_book_leave (self->book);
  kept->counts = self->counts;
  kept->n_attrs = pen_reader_get_attrs (self->reader)->len;
  g_clear_pointer (&kept->wanted, g_array_unref);
  kept->wanted = g_array_copy ((GArray *) wanted);
  return TRUE;
}

/* The work of threads that may still run comes last. */
gboolean
pen_importer_write_store (PenImporter *self, GError **error)
{
  return pen_progress_start (&self->progress, PEN_IMPORT_WRITE, 0, error)
         && write_batches (self, error)
         && pen_sideband_write_pokes (self->sideband, self->writer, &self->progress, error)
         && pen_thread_table_write (self->threads, self->writer, error)
         && pen_function_table_write (self->functions, self->writer, error)
         && pen_module_events_write (self->modules, self->writer, error)
         && pen_frame_table_write (self->frames, self->writer, &self->progress, error)
         && (!self->names || pen_name_pass_finish (self->names, self->writer, error))
         && pen_file_pass_finish (self->files, self->writer, error) && wait_for_lines (self, error)
         && pen_kernel_text_pass_finish (self->kernel_text, self->writer, error)
         && write_facts (self, error) && write_notes (self, error)
         && pen_line_book_write (self->book_of_lines, self->writer, error)
         && (self->kept ? end_part (self, error) : pen_store_writer_end (self->writer, error));
}
