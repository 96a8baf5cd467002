/* pen-export.c: tables, profiles and pictures, written to files by the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-export.h"

#include <sys/stat.h>

#include "pen-capture-mode.h"
#include "pen-load-flame.h"
#include "pen-new-file-stream.h"
#include "pen-numbers.h"
#include "pen-profile-writer.h"
#include "pen-query-annotation.h"
#include "pen-query-functions.h"
#include "pen-query-history.h"
#include "pen-query-info.h"
#include "pen-query-instants.h"
#include "pen-query-notes.h"
#include "pen-query-occupants.h"
#include "pen-query-samples.h"

/* @table: PEN_EXPORTS: it is @picture, with @is_profile @profile, or with @pair a comparison. All
 * have strings of their own. */
typedef struct {
  PenExport table;
  gboolean is_profile;
  PenProfileFormat profile;
  PenFilter *filter;
  PenExportScope scope;
  PenCauseTable *causes; /* the scope's */
  PenPictureOptions picture;
  PenFlameState *flame; /* the scope's, or the picture's */
  PenPairList *pair;
  PenPairShown shown;
  const PenPairRow *row; /* of the pair's */
  char *path;
  GFile *file;
} Export;

static gboolean
is_picture (const Export *self)
{
  return self->table == PEN_EXPORTS && !self->is_profile && !self->pair;
}

static void
export_free (gpointer data)
{
  Export *self = data;

  g_clear_pointer (&self->filter, pen_filter_free);
  g_clear_pointer (&self->pair, pen_pair_list_unref);
  g_free ((char *) self->scope.notes_file);
  g_free ((char *) self->scope.subject);
  g_clear_pointer (&self->flame, pen_flame_state_unref);
  g_free ((char *) self->scope.order.search);
  g_free ((char *) self->scope.cause_order.search);
  g_clear_pointer (&self->causes, pen_cause_table_unref);
  g_free ((char *) self->picture.capture);
  g_object_unref (self->file);
  g_free (self->path);
  g_free (self);
}

static const char *const export_words[PEN_EXPORTS] = {
  [PEN_EXPORT_FUNCTIONS] = "functions", [PEN_EXPORT_ANNOTATION] = "annotation",
  [PEN_EXPORT_HISTORY] = "history",     [PEN_EXPORT_SAMPLES] = "samples",
  [PEN_EXPORT_CAUSES] = "causes",       [PEN_EXPORT_CHANGES] = "changes",
  [PEN_EXPORT_NOTES] = "notes",         [PEN_EXPORT_OCCUPANTS] = "occupants",
  [PEN_EXPORT_RECORDING] = "recording", [PEN_EXPORT_CALLERS] = "callers",
  [PEN_EXPORT_CALLEES] = "callees",     [PEN_EXPORT_STACKS] = "stacks",
};

const char *
pen_export_to_string (PenExport table)
{
  g_return_val_if_fail (table < PEN_EXPORTS, NULL);
  return export_words[table];
}

gboolean
pen_export_from_string (const char *word, PenExport *table)
{
  for (guint i = 0; i < PEN_EXPORTS; i++) {
    if (g_strcmp0 (word, export_words[i]) == 0) {
      *table = i;
      return TRUE;
    }
  }
  return FALSE;
}

static gboolean
write_neighbours (PenQuery *query, const Export *self, PenStackSide side, PenTableWriter *writer,
                  GError **error)
{
  PenMoment playhead = pen_moment (self->scope.instants[0], G_MAXUINT64);

  return pen_query_write_neighbours (
      query, self->filter, self->scope.subject,
      pen_flame_state_follows_playhead (self->flame) ? &playhead : NULL, side,
      self->flame->grouping, pen_load_flame_get_measure (query, self->flame), FALSE, writer, error);
}

/* As the list shows them: sorted and searched. */
static gboolean
write_changes (PenQuery *query, const Export *self, PenTableWriter *writer, GError **error)
{
  const PenCauseTree *tree = self->causes ? self->causes->tree : NULL;
  const PenCauseRow *row = tree ? pen_cause_tree_get (tree, self->scope.cause_row) : NULL;
  g_autoptr (PenChangeList) list
      = row ? pen_query_list_changes_of (query, &self->scope.order,
                                         &g_array_index (tree->changes, guint32, row->first_change),
                                         row->n_changes, error)
            : pen_query_list_changes (query, self->filter, &self->scope.order, error);

  return list && pen_query_write_change_list (query, list, writer, error);
}

/* As the annotation shows it. */
static gboolean
write_annotation (PenQuery *query, const Export *self, const char *target, PenTableWriter *writer,
                  GError **error)
{
  const PenExportScope *scope = &self->scope;
  PenMoment moments[] = { pen_moment (scope->instants[0], G_MAXUINT64),
                          pen_moment (scope->instants[1], G_MAXUINT64) };

  if (scope->has_instants)
    return pen_query_write_instants_of (query, self->filter, scope->address, scope->end, moments,
                                        scope->syntax, scope->all, writer, error);
  return pen_query_write_annotation (query, self->filter, target, scope->syntax, writer, error);
}

/* Compared stacks have all frames, whatever is zoomed into. */
static gboolean
fill_flame (PenQuery *query, const PenFlameState *state, PenFlameOptions *options, GArray *hidden,
            GError **error)
{
  if (!pen_load_flame_fill_options (query, state, options, hidden, error))
    return FALSE;
  if (state->pair.is_set) {
    options->n_zoom = 0;
    options->least_share = PEN_FLAME_DIFF_LEAST;
  }
  return TRUE;
}

/* Compared, as they are seen. */
static gboolean
write_stacks (PenQuery *query, const Export *self, PenTableWriter *writer, GError **error)
{
  const PenFlameState *state = self->flame;
  g_autoptr (GArray) hidden = g_array_new (FALSE, FALSE, sizeof (guint32));
  PenFlameWindow windows[2];
  PenFlameOptions options;

  if (!state->pair.is_set)
    return pen_query_write_stacks (query, self->filter, state->grouping,
                                   pen_load_flame_get_measure (query, state), 0, writer, error);
  return fill_flame (query, state, &options, hidden, error)
         && pen_load_flame_find_windows (query, &state->pair, windows, error)
         && pen_query_write_flame_diff (query, self->filter, &options, windows, writer, error);
}

static gboolean
write_comparison (const Export *self, PenTableWriter *writer, GError **error)
{
  const PenPairSource *sources = self->pair->sources;
  const PenPairs *pairs = self->pair->pairs;
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  if (self->row)
    g_ptr_array_add (rows, (gpointer) self->row);
  switch (self->shown) {
  case PEN_PAIR_SHOWN_INSTRUCTIONS:
  case PEN_PAIR_SHOWN_SOURCES:
    return pen_query_write_pair_text_of (
        sources, pairs, rows,
        self->shown == PEN_PAIR_SHOWN_SOURCES ? PEN_PAIR_BY_SOURCE_LINE : PEN_PAIR_BY_INSTRUCTION,
        self->scope.syntax, writer, error);
  case PEN_PAIR_SHOWN_CALLERS:
  case PEN_PAIR_SHOWN_PATHS:
    return pen_query_write_pair_paths_of (sources, pairs,
                                          self->shown == PEN_PAIR_SHOWN_CALLERS ? self->row : NULL,
                                          PEN_PAIR_PATHS_LEAST, writer, error);
  case PEN_PAIR_SHOWN_CAUSES:
    return pen_query_write_pair_causes_of (sources, pairs, writer, error);
  case PEN_PAIR_SHOWN_FUNCTIONS:
  default:
    return pen_query_write_pair_of (sources, pairs, writer, error);
  }
}

static gboolean
write_table (PenQuery *query, const Export *self, PenTableWriter *writer, GError **error)
{
  g_autofree char *target = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", self->scope.address);

  switch (self->table) {
  case PEN_EXPORT_FUNCTIONS:
    return pen_query_write_functions (query, self->filter, writer, error);
  case PEN_EXPORT_ANNOTATION:
    return write_annotation (query, self, target, writer, error);
  case PEN_EXPORT_HISTORY:
    return pen_query_write_history (query, self->filter, target, self->scope.syntax, writer, error);
  case PEN_EXPORT_CALLERS:
    return write_neighbours (query, self, PEN_STACK_CALLERS, writer, error);
  case PEN_EXPORT_CALLEES:
    return write_neighbours (query, self, PEN_STACK_CALLEES, writer, error);
  case PEN_EXPORT_STACKS:
    return write_stacks (query, self, writer, error);
  case PEN_EXPORT_SAMPLES:
    return pen_query_write_samples (query, self->filter, writer, error);
  case PEN_EXPORT_CAUSES:
    return pen_query_write_causes (query, self->filter, &self->scope.cause_order, writer, error);
  case PEN_EXPORT_CHANGES:
    return write_changes (query, self, writer, error);
  case PEN_EXPORT_NOTES:
    return pen_query_write_notes (query, self->scope.notes_file, writer, error);
  case PEN_EXPORT_OCCUPANTS:
    return pen_query_write_occupants (query, self->filter, writer, error);
  case PEN_EXPORT_RECORDING:
    return pen_query_write_info (query, writer, error);
  case PEN_EXPORTS:
  default:
    g_return_val_if_reached (FALSE);
  }
}

static gboolean
write_as_table (PenQuery *query, const Export *self, GOutputStream *stream,
                GCancellable *cancellable, guint64 *n_rows, GError **error)
{
  g_autofree char *name = g_file_get_basename (self->file);
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (
      stream, g_str_has_suffix (name, ".json") ? PEN_FORMAT_JSON : PEN_FORMAT_CSV);

  if (query && pen_query_is_of_waits (query)) {
    pen_table_writer_rename (writer, "samples", "waits");
    pen_table_writer_rename (writer, "period", "off_cpu");
  }
  if (!(self->pair ? write_comparison (self, writer, error)
                   : write_table (query, self, writer, error)))
    return FALSE;
  *n_rows = pen_table_writer_get_n_rows (writer);
  return TRUE;
}

static gboolean
write_as_picture (PenQuery *query, const Export *self, GOutputStream *stream,
                  GCancellable *cancellable, guint64 *n_rows, GError **error)
{
  g_autofree char *name = g_file_get_basename (self->file);
  PenPictureOptions options = self->picture;
  g_autoptr (GArray) hidden = g_array_new (FALSE, FALSE, sizeof (guint32));

  options.upwards = !self->flame->is_downwards;
  options.compares = options.view == PEN_VIEW_FLAME && self->flame->pair.is_set;
  options.batch = self->flame->pair.batch;
  if (options.compares
      && !pen_load_flame_find_windows (query, &self->flame->pair, options.windows, error))
    return FALSE;
  return fill_flame (query, self->flame, &options.flame, hidden, error)
         && pen_picture_format_from_name (name, &options.format, error)
         && pen_picture_write (query, &options, stream, cancellable, error);
}

/* Most programs that draw stacks read them folded. */
static gboolean
is_folded (const Export *self)
{
  g_autofree char *name = g_file_get_basename (self->file);

  return self->table == PEN_EXPORT_STACKS && !g_str_has_suffix (name, ".csv");
}

static gboolean
write_as_profile (PenQuery *query, const Export *self, GOutputStream *stream, guint64 *n_rows,
                  GError **error)
{
  const PenProfileOptions options = {
    .format = self->profile,
    .filter = self->filter,
    .grouping = self->flame->grouping,
    .measure = pen_load_flame_get_measure (query, self->flame),
    .suffixes = pen_profile_format_get_suffixes (self->profile),
  };

  return pen_profile_write (query, &options, stream, n_rows, error);
}

/* What follows the measure of the window. */
static gboolean
is_measured (const Export *self)
{
  if (self->table == PEN_EXPORTS)
    return TRUE;
  return self->table == PEN_EXPORT_STACKS || self->table == PEN_EXPORT_CALLERS
         || self->table == PEN_EXPORT_CALLEES || self->table == PEN_EXPORT_FUNCTIONS
         || self->table == PEN_EXPORT_OCCUPANTS || self->table == PEN_EXPORT_HISTORY
         || self->table == PEN_EXPORT_ANNOTATION || self->table == PEN_EXPORT_CAUSES;
}

static gboolean
write_content (PenQuery *query, const Export *self, GOutputStream *stream,
               GCancellable *cancellable, guint64 *n_rows, GError **error)
{
  if (self->pair)
    return write_as_table (NULL, self, stream, cancellable, n_rows, error);
  if (is_measured (self))
    query = pen_load_flame_choose (query, self->flame, error);
  if (!query)
    return FALSE;
  if (self->is_profile)
    return write_as_profile (query, self, stream, n_rows, error);
  if (is_folded (self))
    return pen_query_write_folded (query, self->filter, self->flame->grouping,
                                   pen_load_flame_get_measure (query, self->flame), 0, stream,
                                   error);
  return is_picture (self) ? write_as_picture (query, self, stream, cancellable, n_rows, error)
                           : write_as_table (query, self, stream, cancellable, n_rows, error);
}

static gboolean
is_private (const Export *self)
{
  if (!self->pair)
    return (pen_capture_mode (self->path) & S_IROTH) == 0;
  return ((pen_capture_mode (self->pair->paths[0]) & pen_capture_mode (self->pair->paths[1]))
          & S_IROTH)
         == 0;
}

/* Anywhere that GIO knows. */
static gboolean
write_elsewhere (PenQuery *query, const Export *self, GCancellable *cancellable, guint64 *n_rows,
                 GError **error)
{
  g_autoptr (GFileOutputStream) file = NULL;
  g_autoptr (GOutputStream) stream = NULL;

  file = g_file_replace (self->file, NULL, FALSE,
                         G_FILE_CREATE_REPLACE_DESTINATION
                             | (is_private (self) ? G_FILE_CREATE_PRIVATE : G_FILE_CREATE_NONE),
                         cancellable, error);
  if (!file)
    return FALSE;
  stream = g_buffered_output_stream_new (G_OUTPUT_STREAM (file));

  if (!write_content (query, self, stream, cancellable, n_rows, error)) {
    g_autoptr (GCancellable) abandon = g_cancellable_new ();

    /* Closing a cancelled replacement keeps the file that was there before. */
    g_cancellable_cancel (abandon);
    g_output_stream_close (G_OUTPUT_STREAM (file), abandon, NULL);
    return FALSE;
  }
  return g_output_stream_close (stream, cancellable, error);
}

/* GIO leaves its temporary file where the process is killed, for ever, and gives a new file its
 * name before the disk has the content. */
static gboolean
write_here (PenQuery *query, const Export *self, const char *path, GCancellable *cancellable,
            guint64 *n_rows, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  g_autoptr (PenNewFile) file = NULL;
  g_autoptr (GOutputStream) plain = NULL;
  g_autoptr (GOutputStream) stream = NULL;

  pen_new_file_remove_left (directory, base);
  file = pen_new_file_create (path, is_private (self) ? 0600 : 0666, error);
  if (!file)
    return FALSE;
  plain = pen_new_file_stream_new (file);
  stream = g_buffered_output_stream_new (plain);
  if (!write_content (query, self, stream, cancellable, n_rows, error)
      || !g_output_stream_close (stream, cancellable, error))
    return FALSE;
  pen_new_file_begin_sync (file, cancellable);
  return pen_new_file_finish (file, error);
}

/* Devices and pipes are GIO's. */
static gboolean
is_file_name (const char *path)
{
  return path
         && (g_file_test (path, G_FILE_TEST_IS_REGULAR) || !g_file_test (path, G_FILE_TEST_EXISTS));
}

/* A comparison has its own stores. */
static void
set_cancellable (const Export *self, GCancellable *cancellable)
{
  for (guint i = 0; self->pair && i < 2; i++)
    pen_store_set_cancellable (pen_query_get_store (self->pair->queries[i]), cancellable);
}

static gpointer
write_file (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Export *self = input;
  const char *path = g_file_peek_path (self->file);
  /* A picture is for people, as the window is. */
  gboolean is_plain = !is_picture (self);
  PenNumbers numbers = is_plain ? pen_numbers_begin_plain () : NULL;
  gboolean is_written;
  guint64 n_rows = 0;

  set_cancellable (self, cancellable);
  is_written = is_file_name (path) ? write_here (*query, self, path, cancellable, &n_rows, error)
                                   : write_elsewhere (*query, self, cancellable, &n_rows, error);
  set_cancellable (self, NULL);
  if (is_plain)
    pen_numbers_end_plain (numbers);
  return is_written ? g_memdup2 (&n_rows, sizeof n_rows) : NULL;
}

static void
run (PenWorker *worker, Export *self, const char *path, GFile *file, GAsyncReadyCallback callback,
     gpointer user_data)
{
  self->path = g_strdup (path);
  self->file = g_object_ref (file);
  pen_worker_run_async (worker, PEN_JOB_EXPORT, "export", write_file, self, export_free, g_free,
                        callback, user_data);
}

static Export *
new_of_scope (PenExport table, const PenExportScope *scope)
{
  Export *self = g_new0 (Export, 1);

  self->table = table;
  self->filter = pen_filter_copy (scope->filter);
  self->scope = *scope;
  self->scope.notes_file = g_strdup (scope->notes_file);
  self->scope.subject = g_strdup (scope->subject);
  self->flame = pen_flame_state_copy (scope->flame);
  self->scope.order.search = g_strdup (scope->order.search);
  self->scope.cause_order.search = g_strdup (scope->cause_order.search);
  self->causes = scope->causes ? g_atomic_rc_box_acquire ((PenCauseTable *) scope->causes) : NULL;
  return self;
}

void
pen_export_table_async (PenWorker *worker, PenExport table, const PenExportScope *scope,
                        const char *path, GFile *file, GAsyncReadyCallback callback,
                        gpointer user_data)
{
  run (worker, new_of_scope (table, scope), path, file, callback, user_data);
}

void
pen_export_comparison_async (PenWorker *worker, const PenPairList *list, PenPairShown shown,
                             const PenPairRow *row, PenSyntax syntax, GFile *file,
                             GAsyncReadyCallback callback, gpointer user_data)
{
  Export *self = g_new0 (Export, 1);

  self->table = PEN_EXPORTS;
  self->pair = pen_pair_list_ref ((PenPairList *) list);
  self->shown = shown;
  self->row = row;
  self->scope.syntax = syntax;
  run (worker, self, NULL, file, callback, user_data);
}

void
pen_export_profile_async (PenWorker *worker, PenProfileFormat format, const PenExportScope *scope,
                          const char *path, GFile *file, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  Export *self = new_of_scope (PEN_EXPORTS, scope);

  self->is_profile = TRUE;
  self->profile = format;
  run (worker, self, path, file, callback, user_data);
}

void
pen_export_picture_async (PenWorker *worker, const PenPictureOptions *options,
                          const PenFlameState *flame, const char *path, GFile *file,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  Export *self = g_new0 (Export, 1);

  self->table = PEN_EXPORTS;
  self->filter = pen_filter_copy (options->filter);
  self->picture = *options;
  self->picture.filter = self->filter;
  self->picture.capture = g_strdup (options->capture);
  self->flame = pen_flame_state_copy (flame);
  run (worker, self, path, file, callback, user_data);
}

gboolean
pen_export_finish (GAsyncResult *result, guint64 *n_rows, GError **error)
{
  g_autofree guint64 *written = pen_worker_run_finish (result, "export", error);

  if (written)
    *n_rows = *written;
  return written != NULL;
}
