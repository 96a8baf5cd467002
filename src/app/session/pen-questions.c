/* pen-questions.c: the jobs that a session gives to its worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-questions.h"

#include "pen-clock.h"
#include "pen-filter-choices.h"
#include "pen-notes-place.h"
#include "pen-query-functions.h"
#include "pen-query-history.h"
#include "pen-query-info.h"
#include "pen-query-notes.h"
#include "pen-query-occupants.h"
#include "pen-query-resolve.h"
#include "pen-query-samples.h"
#include "pen-settings.h"

#include <glib/gstdio.h>

static const char *const export_words[PEN_EXPORTS] = {
  [PEN_EXPORT_FUNCTIONS] = "functions", [PEN_EXPORT_ANNOTATION] = "annotation",
  [PEN_EXPORT_HISTORY] = "history",     [PEN_EXPORT_SAMPLES] = "samples",
  [PEN_EXPORT_CHANGES] = "changes",     [PEN_EXPORT_NOTES] = "notes",
  [PEN_EXPORT_OCCUPANTS] = "occupants", [PEN_EXPORT_RECORDING] = "recording",
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

/* ---- progress ---- */

PenProgressBox *
pen_progress_box_new (GSourceFunc told, gpointer owner)
{
  PenProgressBox *self = g_atomic_rc_box_new0 (PenProgressBox);

  g_mutex_init (&self->lock);
  self->begun = g_get_monotonic_time ();
  self->told = told;
  self->owner = owner;
  return self;
}

PenProgressBox *
pen_progress_box_ref (PenProgressBox *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
progress_box_clear (PenProgressBox *self)
{
  g_clear_pointer (&self->sketch, pen_sketch_unref);
  g_mutex_clear (&self->lock);
}

void
pen_progress_box_unref (PenProgressBox *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) progress_box_clear);
}

PenSketch *
pen_progress_box_dup_sketch (PenProgressBox *self)
{
  PenSketch *sketch;

  g_mutex_lock (&self->lock);
  sketch = self->sketch ? pen_sketch_ref (self->sketch) : NULL;
  g_mutex_unlock (&self->lock);
  return sketch;
}

void
pen_progress_box_disown (PenProgressBox *self)
{
  self->owner = NULL;
}

static gboolean
tell (gpointer data)
{
  PenProgressBox *box = data;

  g_mutex_lock (&box->lock);
  box->pending = FALSE;
  g_mutex_unlock (&box->lock);
  if (box->owner)
    box->told (box->owner);
  return G_SOURCE_REMOVE;
}

/* What is over at once is not worth a picture. */
static PenSketch *
draw_sketch (const PenProgressBox *box, const PenImportProgress *progress)
{
  return g_get_monotonic_time () - box->begun >= PEN_PROGRESS_BOX_PATIENCE
             ? pen_import_progress_draw (progress)
             : NULL;
}

static void
on_progress (const PenImportProgress *progress, gpointer user_data)
{
  PenProgressBox *box = user_data;
  PenSketch *sketch = draw_sketch (box, progress);
  g_autoptr (PenSketch) older = NULL;
  gboolean pending;

  g_mutex_lock (&box->lock);
  box->newest = *progress;
  box->newest.sketcher = NULL; /* of this call only */
  if (sketch) {
    older = g_steal_pointer (&box->sketch);
    box->sketch = sketch;
  }
  box->notes |= progress->notes;
  box->newest.notes = box->notes;
  pending = box->pending;
  box->pending = TRUE;
  g_mutex_unlock (&box->lock);

  if (!pending)
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, tell, pen_progress_box_ref (box),
                     (GDestroyNotify) pen_progress_box_unref);
}

/* To be told with the next progress. */
static void
add_note (PenProgressBox *box, PenImportNote note)
{
  g_mutex_lock (&box->lock);
  box->notes |= 1u << note;
  g_mutex_unlock (&box->lock);
}

static guint32
get_notes (PenProgressBox *box)
{
  guint32 notes;

  g_mutex_lock (&box->lock);
  notes = box->notes;
  g_mutex_unlock (&box->lock);
  return notes;
}

/* ---- questions ---- */

PenQuestion *
pen_question_new (const PenFilter *filter)
{
  PenQuestion *self = g_new0 (PenQuestion, 1);

  if (filter)
    self->filter = pen_filter_copy (filter);
  return self;
}

void
pen_question_free (PenQuestion *self)
{
  g_free (self->path);
  g_clear_pointer (&self->progress, pen_progress_box_unref);
  g_clear_pointer (&self->filter, pen_filter_free);
  g_clear_pointer (&self->text, pen_annotated_text_unref);
  g_clear_pointer (&self->axis, pen_address_axis_unref);
  g_free (self->edges);
  g_clear_object (&self->file);
  g_free (self->capture);
  g_free ((char *) self->change_order.search);
  g_clear_pointer (&self->ids, g_array_unref);
  g_free (self);
}

static PenStore *
open_store (PenQuestion *question, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenSettings) settings = pen_settings_load ();
  const PenSources sources = pen_settings_get_sources (settings);

  return pen_import_open_store (question->path, &sources, on_progress, question->progress,
                                cancellable, error);
}

/* Everything that is kept while the capture is open. */
static PenOpened *
load_opened (PenStore *store, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenQuery) query = pen_query_new (store);
  g_autoptr (PenOpened) opened = pen_opened_new (query);
  guint64 first, last, matching;

  pen_store_set_cancellable (store, cancellable);
  opened->store = g_strdup (pen_store_get_path (store));
  opened->release = g_strdup (pen_store_get_fact (store, "osrelease"));
  opened->has_wall = pen_clock_find_wall (store, &opened->wall_offset);
  opened->outline = pen_outline_load (query, error);
  if (!opened->outline || !pen_query_count (query, NULL, &matching, &opened->samples, error))
    return NULL;

  opened->problems = pen_store_load_problems (store, error);
  if (!opened->problems)
    return NULL;

  if (pen_query_get_time_range (query, &first, &last) && last < G_MAXUINT64)
    opened->span = (PenSpan){ first, last + 1 };
  else
    opened->span = (PenSpan){ 0, PEN_SPAN_SHORTEST };
  pen_store_set_cancellable (store, NULL);
  return g_steal_pointer (&opened);
}

static gboolean
is_function (const PenFunction *function, const PenLastView *view)
{
  return function->start == view->start && g_strcmp0 (function->symbol, view->symbol) == 0;
}

/* What was looked at when this very capture was last open. */
static void
load_last_view (PenOpened *opened, const char *path)
{
  g_autoptr (PenLastView) view = NULL;
  const PenFunction *functions;
  guint n_functions;

  if (pen_import_is_stream (path))
    return;
  opened->view_file = pen_last_view_dup_file (path);
  view = pen_last_view_load (opened->view_file);
  if (!view || !pen_span_equal (view->span, opened->span) || view->samples != opened->samples)
    return;
  functions = pen_store_get_functions (pen_query_get_store (opened->query), &n_functions, NULL);
  for (guint i = 0; functions && view->has_function && i < n_functions; i++) {
    if (is_function (&functions[i], view)) {
      opened->has_last_function = TRUE;
      opened->last_function = functions[i].id;
      break;
    }
  }
  opened->last_view = g_steal_pointer (&view);
}

static PenSyntax
load_syntax (void)
{
  g_autoptr (PenSettings) settings = pen_settings_load ();

  return settings->syntax;
}

gpointer
pen_question_open (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  PenQuestion *question = input;
  g_autoptr (PenStore) store = open_store (question, cancellable, error);
  g_autoptr (PenOpened) opened = NULL;
  g_autoptr (GError) damage = NULL;

  if (!store)
    return NULL;
  opened = load_opened (store, cancellable, &damage);
  if (!opened && damage->domain == PEN_STORE_ERROR && !pen_import_is_stream (question->path)
      && !pen_store_is_store (question->path)) {
    /* The recording is there; only what the cache has of it is damaged. */
    add_note (question->progress, PEN_IMPORT_NOTE_DAMAGED);
    g_unlink (pen_store_get_path (store));
    g_clear_error (&damage);
    g_object_unref (store);
    store = open_store (question, cancellable, error);
    if (!store)
      return NULL;
    opened = load_opened (store, cancellable, &damage);
  }
  if (!opened) {
    g_propagate_error (error, g_steal_pointer (&damage));
    return NULL;
  }
  opened->notes = get_notes (question->progress);
  opened->syntax = load_syntax ();
  opened->notes_file = pen_notes_find_place (pen_query_get_store (opened->query), question->path);
  load_last_view (opened, question->path);
  g_set_object (query, opened->query);
  return g_steal_pointer (&opened);
}

gpointer
pen_question_overview (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  PenQuestion *question = input;

  return pen_query_overview (*query, question->filter, question->span.from, question->span.to,
                             question->n_bins, error);
}

gpointer
pen_question_map (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  PenQuestion *question = input;
  g_autoptr (PenMapAnswer) answer = g_new0 (PenMapAnswer, 1);

  answer->axis = question->axis ? pen_address_axis_ref (question->axis)
                                : pen_address_axis_load (*query, error);
  if (!answer->axis)
    return NULL;
  if (question->edges) {
    answer->bins = (question->exactly ? pen_query_map_exactly : pen_query_map) (
        *query, question->filter, question->span.from, question->span.to, question->n_bins,
        question->edges, question->n_rows, error);
    if (!answer->bins)
      return NULL;
  }
  return g_steal_pointer (&answer);
}

gpointer
pen_question_tasks (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  PenQuestion *question = input;

  return pen_query_task_bins (*query, question->filter, question->task_key, question->span.from,
                              question->span.to, question->n_bins, question->n_rows,
                              question->n_blocks, error);
}

gpointer
pen_question_count (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  PenQuestion *question = input;
  g_autofree PenCounts *counts = g_new0 (PenCounts, 1);

  if (!pen_query_count (*query, question->filter, &counts->matching, &counts->total, error))
    return NULL;
  return g_steal_pointer (&counts);
}

gpointer
pen_question_functions (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  PenQuestion *question = input;
  g_autoptr (PenFunctionList) table = pen_function_list_new (*query);

  table->rows = pen_query_functions (*query, question->filter, &table->total, error);
  if (!table->rows)
    return NULL;
  return g_steal_pointer (&table);
}

gpointer
pen_question_look_up (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  PenQuestion *question = input;
  PenTextTarget target;

  if (!pen_query_look_up (*query, question->path, question->moment, &target, error))
    return NULL;
  return g_memdup2 (&target, sizeof target);
}

gpointer
pen_question_strips (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  PenQuestion *question = input;
  PenAnnotated *annotated = question->text->annotated;
  g_autoptr (PenStrips) strips = pen_strips_new (question->text);
  gsize n = (gsize) annotated->lines->len * question->n_bins;

  strips->span = question->span;
  strips->n_bins = question->n_bins;
  strips->counts = g_new0 (guint32, MAX (n, 1));
  if (!pen_query_strips (*query, question->filter, annotated, question->span.from,
                         question->span.to, question->n_bins, strips->counts, error))
    return NULL;
  for (gsize i = 0; i < n; i++)
    strips->max = MAX (strips->max, strips->counts[i]);
  return g_steal_pointer (&strips);
}

gpointer
pen_question_annotation (PenQuery **query, gpointer input, GCancellable *cancellable,
                         GError **error)
{
  PenQuestion *question = input;

  g_clear_pointer (&question->text, pen_annotated_text_unref);
  question->text = pen_annotated_text_new (*query);
  question->text->annotated
      = question->function != G_MAXUINT32
            ? pen_query_annotate (*query, question->filter, question->function, question->syntax,
                                  error)
            : pen_query_annotate_at (*query, question->filter, question->address, question->moment,
                                     question->syntax, error);
  if (!question->text->annotated)
    return NULL;
  question->text->function = question->text->annotated->function;
  return pen_question_strips (query, question, cancellable, error);
}

gpointer
pen_question_sides (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  PenQuestion *question = input;
  PenAnnotated *annotated = question->text->annotated;
  g_autoptr (PenSides) sides = pen_sides_new (question->text);

  sides->bands = g_new0 (PenBandCount, MAX (annotated->lines->len, 1));
  if (!pen_query_count_bands (*query, question->filter, annotated, PEN_BAND, sides->bands, error))
    return NULL;
  /* The text is told, whether or not a function is known. */
  if (annotated->pokes->len > 0 && annotated->function != G_MAXUINT32)
    sides->compared
        = pen_query_compare_function (*query, question->filter, annotated->function, NULL);
  return g_steal_pointer (&sides);
}

gpointer
pen_question_history (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  PenQuestion *question = input;
  g_autoptr (PenHistoryTable) table = pen_history_table_new (*query);

  table->address = question->address;
  table->rows
      = pen_query_history (*query, question->filter, question->address, question->syntax, error);
  if (!table->rows)
    return NULL;
  table->compared = pen_query_compare_address (*query, question->filter, question->address, error);
  if (!table->compared)
    return NULL;
  return g_steal_pointer (&table);
}

gpointer
pen_question_choices (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  return pen_filter_choices_new (*query, error);
}

gpointer
pen_question_occupants (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  PenQuestion *question = input;
  g_autoptr (PenOccupantTable) table = pen_occupant_table_new (*query);

  table->rows = pen_query_occupants (*query, question->filter, error);
  if (!table->rows)
    return NULL;
  return g_steal_pointer (&table);
}

gpointer
pen_question_recording (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenRecording) recording = pen_recording_new (*query);

  recording->better = pen_better_recording_new (pen_query_get_store (*query), error);
  if (!recording->better)
    return NULL;
  recording->misattribution = pen_query_misattribution (*query, NULL, error);
  if (!recording->misattribution)
    return NULL;
  recording->facts = pen_query_load_info (*query, error);
  if (!recording->facts)
    return NULL;
  return g_steal_pointer (&recording);
}

gpointer
pen_question_changes (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  PenQuestion *question = input;
  g_autoptr (PenChangeTable) table = pen_change_table_new (*query);

  table->list = pen_query_list_changes (*query, question->filter, &question->change_order, error);
  if (!table->list)
    return NULL;
  return g_steal_pointer (&table);
}

gpointer
pen_question_find_change (PenQuery **query, gpointer input, GCancellable *cancellable,
                          GError **error)
{
  PenQuestion *question = input;
  guint32 id;
  GError *failure = NULL;

  if (pen_query_find_change (*query, question->moment, &id, &failure))
    return g_memdup2 (&id, sizeof id);
  if (failure)
    g_propagate_error (error, failure);
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is no such change");
  return NULL;
}

gpointer
pen_question_change_rows (PenQuery **query, gpointer input, GCancellable *cancellable,
                          GError **error)
{
  PenQuestion *question = input;

  return pen_query_load_changes (*query, (const guint32 *) question->ids->data, question->ids->len,
                                 error);
}

/* As the list shows them: sorted and searched. */
static gboolean
write_changes (PenQuery *query, PenQuestion *question, PenTableWriter *writer, GError **error)
{
  g_autoptr (PenChangeList) list
      = pen_query_list_changes (query, question->filter, &question->change_order, error);

  return list && pen_query_write_change_list (query, list, writer, error);
}

gpointer
pen_question_notes (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  return pen_query_notes (*query, ((PenQuestion *) input)->path, error);
}

static gboolean
write_table (PenQuery *query, PenQuestion *question, PenTableWriter *writer, GError **error)
{
  g_autofree char *target = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", question->address);

  switch (question->table) {
  case PEN_EXPORT_FUNCTIONS:
    return pen_query_write_functions (query, question->filter, writer, error);
  case PEN_EXPORT_ANNOTATION:
    return pen_query_write_annotation (query, question->filter, target, question->syntax, writer,
                                       error);
  case PEN_EXPORT_HISTORY:
    return pen_query_write_history (query, question->filter, target, question->syntax, writer,
                                    error);
  case PEN_EXPORT_SAMPLES:
    return pen_query_write_samples (query, question->filter, writer, error);
  case PEN_EXPORT_CHANGES:
    return write_changes (query, question, writer, error);
  case PEN_EXPORT_NOTES:
    return pen_query_write_notes (query, question->path, writer, error);
  case PEN_EXPORT_OCCUPANTS:
    return pen_query_write_occupants (query, question->filter, writer, error);
  case PEN_EXPORT_RECORDING:
    return pen_query_write_info (query, writer, error);
  case PEN_EXPORTS:
  default:
    g_return_val_if_reached (FALSE);
  }
}

static gboolean
write_as_table (PenQuery *query, PenQuestion *question, GOutputStream *stream,
                GCancellable *cancellable, GError **error)
{
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, PEN_FORMAT_CSV);

  return write_table (query, question, writer, error) && pen_table_writer_finish (writer, error);
}

static gboolean
write_as_picture (PenQuery *query, PenQuestion *question, GOutputStream *stream,
                  GCancellable *cancellable, GError **error)
{
  g_autofree char *name = g_file_get_basename (question->file);
  PenPictureOptions options = question->picture;

  options.filter = question->filter;
  options.capture = question->capture;
  return pen_picture_format_from_name (name, &options.format, error)
         && pen_picture_write (query, &options, stream, cancellable, error);
}

typedef gboolean (*WriteFunc) (PenQuery *query, PenQuestion *question, GOutputStream *stream,
                               GCancellable *cancellable, GError **error);

static gpointer
write_file (PenQuery *query, PenQuestion *question, WriteFunc write, GCancellable *cancellable,
            GError **error)
{
  g_autoptr (GFileOutputStream) file = NULL;
  g_autoptr (GOutputStream) stream = NULL;

  file = g_file_replace (question->file, NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION,
                         cancellable, error);
  if (!file)
    return NULL;
  stream = g_buffered_output_stream_new (G_OUTPUT_STREAM (file));

  if (!write (query, question, stream, cancellable, error)) {
    g_autoptr (GCancellable) abandon = g_cancellable_new ();

    /* Closing a cancelled replacement keeps the file that was there before. */
    g_cancellable_cancel (abandon);
    g_output_stream_close (G_OUTPUT_STREAM (file), abandon, NULL);
    return NULL;
  }
  if (!g_output_stream_close (stream, cancellable, error))
    return NULL;
  return g_object_ref (question->file);
}

gpointer
pen_question_export (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  return write_file (*query, input, write_as_table, cancellable, error);
}

gpointer
pen_question_picture (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  return write_file (*query, input, write_as_picture, cancellable, error);
}
