/* pen-importer-history.c: the history of who held which text, from records and what is beside them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-importer.h"

#include "pen-module-snapshots.h"
#include "pen-reason.h"

static gboolean
add_modules (const PenModuleList *list, const char *path, gpointer user_data)
{
  PenImporter *self = user_data;
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
  PenImporter *self = user_data;

  pen_history_add_listed (self->history, name, kind, start, end, evidence);
  pen_range_index_add (self->named, start, end, 0);
}

static void
add_named (guint64 start, guint64 end, gpointer user_data)
{
  pen_range_index_add (user_data, start, end, 0);
}

/* Where nothing else names who was there. */
static gboolean
find_witnessed_modules (PenImporter *self, const PenKernelPlace *kernel, GError **error)
{
  gboolean is_ok;

  pen_sideband_foreach_ksymbol (self->sideband, add_named, self->named);
  is_ok = pen_kernel_sources_find_witnessed (
      self->sources->kernel, self->readings, self->named, kernel->start, kernel->end,
      pen_reader_get_features (self->reader)->os_release, add_modules, self, error);
  g_clear_pointer (&self->named, pen_range_index_free);
  return is_ok;
}

gboolean
pen_importer_prepare_text (PenImporter *self, GError **error)
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
ask_witness (PenImporter *self, GError **error)
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
  if (!pen_kernel_sources_wait (self->sources->kernel, error)
      || !pen_importer_prepare_text (self, error))
    return FALSE;
  self->witness = pen_witness_judge_new (self->readings, self->history, self->sources);
  return pen_witness_judge_run (self->witness, &self->progress, error);
}

/* Names of a part are those of the parts before, as long as the same is mapped. */
static gboolean
start_names (PenImporter *self, GError **error)
{
  if (self->kept && !pen_import_kept_take_maps (self->kept, self->history))
    return TRUE;
  if (self->kept && !pen_store_writer_clear_symbols (self->writer, error))
    return FALSE;
  self->names = pen_name_pass_start (self->history, self->sources, self->progress.cancellable);
  return TRUE;
}

static gboolean
refuse_history (PenImporter *self, GError **error)
{
  self->kept->is_other = TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "a record told of earlier times");
  return FALSE;
}

/* It was not sealed. */
static gboolean
end_seal (PenImporter *self, GError **error)
{
  if (self->kept && pen_history_is_other (self->history))
    return refuse_history (self, error);
  return !g_cancellable_set_error_if_cancelled (self->progress.cancellable, error);
}

/* @before: the end of the part before, ns; 0: there was none */
static gboolean
take_history (PenImporter *self, guint64 before, GError **error)
{
  guint64 doubt = pen_history_get_doubt (self->history, before);

  if (pen_jit_pass_is_other (self->jit) || !pen_import_kept_take_pokes (self->kept, self->history))
    return refuse_history (self, error);
  return self->kept->n_attrs == 0 || doubt == G_MAXUINT64
         || pen_store_writer_mark_unverified (self->writer, doubt, error);
}

gboolean
pen_importer_build_history (PenImporter *self, GError **error)
{
  PenKernelFacts *facts;
  const PenSpace *spaces;
  guint n_spaces;
  guint64 before;
  const PenFeatures *features = pen_reader_get_features (self->reader);
  const PenKernelPlace kernel = pen_sideband_get_kernel (self->sideband);

  if (!pen_progress_start (&self->progress, PEN_IMPORT_HISTORY, 0, error))
    return FALSE;

  before = self->counts.last;
  if (self->kept) {
    pen_loss_tracker_free (self->losses);
    self->losses = pen_loss_tracker_copy (self->kept->losses);
  }
  pen_loss_tracker_finish (self->losses, pen_reader_get_problems (self->reader), self->history);
  pen_loss_tracker_get_span (self->losses, &self->counts.first, &self->counts.last);
  self->counts.losses_joined = pen_loss_tracker_get_joined (self->losses);
  self->counts.module_events_dropped = pen_module_events_get_dropped (self->modules);
  pen_user_names_set_features (self->sources->user_names, features);
  if (features->tracing_data)
    self->tracing = pen_tracing_data_parse (features->tracing_data);
  pen_module_events_finish (self->modules, self->tracing, kernel.start, kernel.end, self->history);
  if (!pen_kernel_sources_foreach_modules (self->sources->kernel, kernel.symbol, kernel.address,
                                           self->counts.first, self->counts.last, add_modules, self,
                                           error)
      || !pen_kernel_sources_foreach_registered (self->sources->kernel, kernel.symbol,
                                                 kernel.address, add_registered, self, error)
      || !find_witnessed_modules (self, &kernel, error))
    return FALSE;
  pen_sideband_finish (self->sideband, features);
  self->jit = pen_jit_pass_start (self->sideband, self->given ? self->given->symfs : NULL,
                                  self->capture, pen_reader_get_attrs (self->reader), self->sources,
                                  self->history, self->kept ? self->kept->jit : NULL,
                                  self->counts.last, self->progress.cancellable);
  self->counts.module_build_ids_dropped = pen_sideband_get_dropped_build_ids (self->sideband);
  pen_history_limit_copies (self->history, pen_record_budget_get_copies (&self->budget));
  if (!pen_history_seal (self->history, pen_progress_may_go_on, &self->progress))
    return end_seal (self, error);
  if (self->kept && !take_history (self, before, error))
    return FALSE;
  self->halvings
      = pen_record_budget_get_halvings (&self->budget, pen_history_get_copies (self->history));
  pen_frame_table_limit (self->frames, PEN_FRAMES_MAX >> self->halvings);
  pen_thread_table_limit (
      self->threads, pen_record_budget_get_threads (
                         &self->budget, pen_history_get_copies (self->history), self->halvings));

  facts = pen_kernel_facts_new (features, self->history);
  if (self->way == PEN_IMPORTER_GROWING)
    pen_kernel_facts_assume_own (facts);
  pen_kernel_sources_set_facts (self->sources->kernel, facts);
  if (!ask_witness (self, error))
    return FALSE;
  if (self->sketcher) {
    pen_sketcher_set_facts (self->sketcher, self->reader);
    pen_sketcher_set_history (self->sketcher, self->history);
  }
  spaces = pen_history_get_spaces (self->history, &n_spaces);
  pen_user_names_set_spaces (self->sources->user_names, spaces, n_spaces);
  if (!start_names (self, error))
    return FALSE;

  if (!pen_sideband_resolve (self->sideband, self->kept ? &self->kept->sideband : NULL,
                             &self->progress, error))
    return FALSE;
  self->changes = pen_sideband_get_kernel_changes (self->sideband);
  return pen_sideband_write (self->sideband, self->kept ? &self->kept->sideband : NULL,
                             self->writer, &self->progress, error);
}
