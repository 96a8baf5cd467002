/* pen-importer-text.c: names, bytes and causes of text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-importer.h"

#include "pen-code-ends.h"
#include "pen-import-history.h"
#include "pen-poke-pass.h"
#include "pen-text-pass.h"

#define PROGRESS_STEP 512

gboolean
pen_importer_write_history (PenImporter *self, GError **error)
{
  const guint64 *samples = pen_bucket_book_get_tenure_samples (self->book);

  if (!pen_kernel_sources_wait (self->sources->kernel, error))
    return FALSE;
  pen_code_ends_find (self->history, self->sources->kernel,
                      pen_reader_get_features (self->reader)->os_release, samples);
  return pen_import_history_write (self->history, samples, self->kept ? &self->kept->rows : NULL,
                                   self->writer, &self->progress, error);
}

/* Functions that are only ever callers have rows, too, without samples. */
static gboolean
find_functions_of_frames (PenImporter *self, GError **error)
{
  GArray *frames = pen_frame_table_get_frames (self->frames);
  const GArray *known = self->frame_functions;
  guint first = self->kept ? self->kept->n_frames : 0;

  for (guint i = first; i < frames->len; i++) {
    PenTableFrame *frame = &g_array_index (frames, PenTableFrame, i);

    if (i % PROGRESS_STEP == 0 && !pen_progress_step (&self->progress, 0, error))
      return FALSE;

    frame->function = known && i < known->len
                          ? g_array_index (known, guint32, i)
                          : pen_bucket_book_find_frame_function (self->book, frame);
  }
  g_clear_pointer (&self->frame_functions, g_array_unref);
  if (self->kept)
    self->kept->n_frames = frames->len;
  return TRUE;
}

static gboolean
write_buckets (PenImporter *self, GError **error)
{
  return self->kept ? pen_bucket_book_write_rest (self->book, self->writer, error)
                    : pen_bucket_book_write (self->book, self->writer, error);
}

gboolean
pen_importer_find_text (PenImporter *self, GError **error)
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

  if (!pen_importer_prepare_text (self, error))
    return FALSE;
  if (self->text_directory)
    self->kernel_text
        = pen_kernel_text_pass_start (self->text_directory, self->sources->kernel, self->history);
  if (!write_buckets (self, error) || !find_functions_of_frames (self, error))
    return FALSE;
  pen_frame_table_begin_write (self->frames, self->progress.cancellable);
  if (!pen_output_pass_write (self->outputs, self->history, self->book, self->payloads,
                              self->readings, pen_reader_get_attrs (self->reader)->len,
                              self->writer, error))
    return FALSE;
  self->files
      = pen_file_pass_start (self->functions, self->sources->user_names, features->arch,
                             self->kept ? self->kept->has_text : NULL, self->progress.cancellable);
  if (self->way != PEN_IMPORTER_GROWING)
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

  if (self->way != PEN_IMPORTER_GROWING)
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
