/* pen-load-capture.c: from a path to a capture that is open
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-load-capture.h"

#include <glib/gstdio.h>

#include "pen-clock.h"
#include "pen-notes-place.h"
#include "pen-settings.h"
#include "pen-store-callchains.h"
#include "pen-store-pokes.h"
#include "pen-store-records.h"

/* @live: (nullable): the next part of it is wanted; @progress: NULL for that */
typedef struct {
  char *path;
  PenProgressBox *progress;
  PenLive *live;
} Question;

static void
question_free (gpointer data)
{
  Question *self = data;

  g_free (self->path);
  g_clear_pointer (&self->progress, pen_progress_box_unref);
  g_clear_pointer (&self->live, pen_live_unref);
  g_free (self);
}

static PenStore *
open_store (Question *question, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenSettings) settings = pen_settings_load ();
  const PenSources sources = pen_settings_get_sources (settings);

  return pen_import_open_store (question->path, &sources, pen_progress_box_put, question->progress,
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
  opened->has_waits = pen_store_has_waits (store);
  opened->has_wall = pen_clock_find_wall (store, &opened->wall_offset);
  opened->outline = pen_outline_load (query, error);
  if (!opened->outline || !pen_query_count (query, NULL, &matching, &opened->samples, error))
    return NULL;

  opened->callchains = pen_store_count_chains (store);
  opened->problems = pen_store_load_problems (store, error);
  if (!opened->problems)
    return NULL;

  opened->better = pen_better_recording_new (store, error);
  if (!opened->better)
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

/* The batch that stacks were compared around, by its time; without it, nothing is compared. */
static void
find_batch (PenOpened *opened, PenLastView *view)
{
  guint n = 0;
  const PenBatch *batches
      = view->batch_from > 0 ? pen_store_get_batches (pen_query_get_store (opened->query), &n, NULL)
                             : NULL;

  if (view->batch_from == 0)
    return;
  for (guint i = 0; batches && i < n; i++) {
    if (batches[i].from == view->batch_from) {
      view->state.flame->pair.batch = batches[i].id;
      return;
    }
  }
  view->state.flame->pair = (PenFlamePair){ 0 };
}

/* The view that this very capture had when it was last open. */
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
  for (guint i = 0; functions && view->state.has_function && i < n_functions; i++) {
    if (is_function (&functions[i], view)) {
      opened->has_last_function = TRUE;
      opened->last_function = functions[i].id;
      break;
    }
  }
  find_batch (opened, view);
  opened->last_view = g_steal_pointer (&view);
}

static PenSyntax
load_syntax (void)
{
  g_autoptr (PenSettings) settings = pen_settings_load ();

  return settings->syntax;
}

/* What is kept of a part while there are others, and of all of it after them. */
static gboolean
load_live (PenOpened *opened, const Question *question, PenLive *live, gboolean is_last,
           GError **error)
{
  PenStore *store = pen_query_get_store (opened->query);
  g_autofree char *part_notes = pen_live_dup_notes_file (store, question->path);

  opened->syntax = load_syntax ();
  opened->ids = pen_function_ids_new (store, error);
  if (!opened->ids)
    return FALSE;
  if (!is_last) {
    opened->live = pen_live_ref (live);
    opened->notes_file = g_steal_pointer (&part_notes);
    return TRUE;
  }
  opened->notes_file = pen_notes_find_place (store, question->path);
  if (!pen_live_move_notes (part_notes, opened->notes_file, error))
    return FALSE;
  if (!pen_import_is_stream (question->path))
    opened->view_file = pen_last_view_dup_file (question->path);
  return TRUE;
}

static gpointer
load_part (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  Question *question = input;
  gboolean is_last;
  g_autoptr (PenStore) store
      = pen_live_next (question->live, question->progress, &is_last, cancellable, error);
  g_autoptr (PenOpened) opened = store ? load_opened (store, cancellable, error) : NULL;

  if (!opened || !load_live (opened, question, question->live, is_last, error))
    return NULL;
  g_set_object (query, opened->query);
  return g_steal_pointer (&opened);
}

/* The first part; or all of it, if that has come. */
static PenOpened *
load_first_part (PenQuery **query, Question *question, GCancellable *cancellable, GError **error)
{
  question->live = pen_live_new (question->path, error);
  return question->live ? load_part (query, question, cancellable, error) : NULL;
}

static gpointer
load_capture (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  Question *question = input;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenOpened) opened = NULL;
  g_autoptr (GError) damage = NULL;

  if (pen_live_is_possible (question->path))
    return load_first_part (query, question, cancellable, error);
  store = open_store (question, cancellable, error);
  if (!store)
    return NULL;
  opened = load_opened (store, cancellable, &damage);
  if (!opened && damage->domain == PEN_STORE_ERROR && !pen_import_is_stream (question->path)
      && !pen_store_is_store (question->path)) {
    /* The recording is there; only what the cache has of it is damaged. */
    pen_progress_box_add_note (question->progress, PEN_IMPORT_NOTE_DAMAGED);
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
  opened->notes = pen_progress_box_get_notes (question->progress);
  opened->syntax = load_syntax ();
  opened->notes_file = pen_notes_find_place (pen_query_get_store (opened->query), question->path);
  load_last_view (opened, question->path);
  g_set_object (query, opened->query);
  return g_steal_pointer (&opened);
}

void
pen_load_capture_async (PenWorker *worker, const char *path, PenProgressBox *progress,
                        GAsyncReadyCallback callback, gpointer user_data)
{
  Question *question = g_new0 (Question, 1);

  question->path = g_strdup (path);
  question->progress = pen_progress_box_ref (progress);
  pen_worker_run_async (worker, PEN_JOB_OPEN, "capture", load_capture, question, question_free,
                        (GDestroyNotify) pen_opened_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (capture, PenOpened)

void
pen_load_part_async (PenWorker *worker, PenLive *live, const char *path,
                     GAsyncReadyCallback callback, gpointer user_data)
{
  Question *question = g_new0 (Question, 1);

  question->path = g_strdup (path);
  question->live = pen_live_ref (live);
  pen_worker_run_async (worker, PEN_JOB_OPEN, "part", load_part, question, question_free,
                        (GDestroyNotify) pen_opened_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (part, PenOpened)
