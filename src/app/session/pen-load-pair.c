/* pen-load-pair.c: questions about two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-load-pair.h"

#include <string.h>

#include "pen-format.h"
#include "pen-settings.h"

/* Of one name; a runtime may have thousands. */
#define FUNCTIONS_MAX 16u

/* ---- answers ---- */

static void
clear_opened (gpointer data)
{
  PenPairOpened *self = data;

  for (guint i = 0; i < 2; i++) {
    g_clear_object (&self->queries[i]);
    g_free (self->names[i]);
  }
}

PenPairOpened *
pen_pair_opened_ref (PenPairOpened *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
pen_pair_opened_unref (PenPairOpened *self)
{
  g_atomic_rc_box_release_full (self, clear_opened);
}

static void
clear_list (gpointer data)
{
  PenPairList *self = data;

  g_clear_pointer (&self->pairs, pen_pairs_free);
  for (guint i = 0; i < 2; i++) {
    g_clear_object (&self->queries[i]);
    g_clear_pointer (&self->filters[i], pen_filter_free);
    g_free (self->names[i]);
  }
}

PenPairList *
pen_pair_list_ref (PenPairList *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
pen_pair_list_unref (PenPairList *self)
{
  g_atomic_rc_box_release_full (self, clear_list);
}

static void
clear_lines (gpointer data)
{
  PenPairLines *self = data;

  g_clear_pointer (&self->annotation, pen_pair_annotation_free);
  g_clear_pointer (&self->list, pen_pair_list_unref);
}

PenPairLines *
pen_pair_lines_ref (PenPairLines *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
pen_pair_lines_unref (PenPairLines *self)
{
  g_atomic_rc_box_release_full (self, clear_lines);
}

/* ---- questions ---- */

/* @opened, @list: what the question is about, as far as it needs them */
typedef struct {
  char *store;
  char *name;
  char *path;
  PenProgressBox *progress;
  PenPairOpened *opened;
  PenFilter *filter;
  PenPairList *list;
  guint index;
  PenSyntax syntax;
} Question;

static void
question_free (gpointer data)
{
  Question *self = data;

  g_free (self->store);
  g_free (self->name);
  g_free (self->path);
  g_clear_pointer (&self->progress, pen_progress_box_unref);
  g_clear_pointer (&self->opened, pen_pair_opened_unref);
  g_clear_pointer (&self->filter, pen_filter_free);
  g_clear_pointer (&self->list, pen_pair_list_unref);
  g_free (self);
}

static void
set_cancellable (PenQuery *const queries[2], GCancellable *cancellable)
{
  for (guint i = 0; i < 2; i++)
    pen_store_set_cancellable (pen_query_get_store (queries[i]), cancellable);
}

static gpointer
load_pair (G_GNUC_UNUSED PenQuery **query, gpointer input, GCancellable *cancellable,
           GError **error)
{
  Question *question = input;
  g_autoptr (PenSettings) settings = pen_settings_load ();
  const PenSources sources = pen_settings_get_sources (settings);
  g_autoptr (PenStore) a = pen_store_open (question->store, error);
  g_autoptr (PenStore) b = NULL;
  PenPairOpened *opened;

  if (!a)
    return NULL;
  b = pen_import_open_store (question->path, &sources, pen_progress_box_put, question->progress,
                             cancellable, error);
  if (!b)
    return NULL;
  opened = g_atomic_rc_box_new0 (PenPairOpened);
  opened->queries[0] = pen_query_new (a);
  opened->queries[1] = pen_query_new (b);
  opened->names[0] = g_steal_pointer (&question->name);
  opened->names[1] = pen_format_capture_in_folder (question->path);
  return opened;
}

/* The same part of the other recording: their clocks have nothing to do with each other. */
static void
move_time (PenFilter *filter, PenQuery *const queries[2])
{
  guint64 first[2], last[2];
  double scale;

  if (!filter->has_time)
    return;
  for (guint i = 0; i < 2; i++)
    if (!pen_query_get_time_range (queries[i], &first[i], &last[i]))
      return;
  scale = last[0] > first[0] ? (double) (last[1] - first[1]) / (double) (last[0] - first[0]) : 0;
  filter->from = first[1] + (guint64) ((double) (MAX (filter->from, first[0]) - first[0]) * scale);
  filter->to
      = MAX (filter->to, first[0]) >= last[0]
            ? last[1]
            : first[1] + (guint64) ((double) (MAX (filter->to, first[0]) - first[0]) * scale);
}

static gpointer
load_pair_list (G_GNUC_UNUSED PenQuery **query, gpointer input, GCancellable *cancellable,
                GError **error)
{
  Question *question = input;
  g_autoptr (PenPairList) list = g_atomic_rc_box_new0 (PenPairList);

  for (guint i = 0; i < 2; i++) {
    list->queries[i] = g_object_ref (question->opened->queries[i]);
    list->names[i] = g_strdup (question->opened->names[i]);
    list->filters[i] = pen_filter_copy (question->filter);
    list->sources[i] = (PenPairSource){ list->queries[i], list->filters[i], list->names[i] };
  }
  set_cancellable (list->queries, cancellable);
  move_time (list->filters[1], list->queries);
  list->pairs = pen_query_pair (list->sources, error);
  set_cancellable (list->queries, NULL);
  return list->pairs ? g_steal_pointer (&list) : NULL;
}

static gpointer
load_pair_lines (G_GNUC_UNUSED PenQuery **query, gpointer input, GCancellable *cancellable,
                 GError **error)
{
  Question *question = input;
  g_autoptr (PenPairLines) lines = g_atomic_rc_box_new0 (PenPairLines);

  lines->list = pen_pair_list_ref (question->list);
  lines->syntax = question->syntax;
  lines->row = question->list->pairs->rows->pdata[question->index];
  set_cancellable (lines->list->queries, cancellable);
  lines->annotation = pen_query_pair_annotate (lines->list->sources, lines->list->pairs, lines->row,
                                               question->syntax, FUNCTIONS_MAX, error);
  set_cancellable (lines->list->queries, NULL);
  return lines->annotation ? g_steal_pointer (&lines) : NULL;
}

void
pen_load_pair_async (PenWorker *worker, const char *store, const char *name, const char *path,
                     PenProgressBox *progress, GAsyncReadyCallback callback, gpointer user_data)
{
  Question *question = g_new0 (Question, 1);

  question->store = g_strdup (store);
  question->name = g_strdup (name);
  question->path = g_strdup (path);
  question->progress = pen_progress_box_ref (progress);
  pen_worker_run_async (worker, PEN_JOB_OPEN, "pair", load_pair, question, question_free,
                        (GDestroyNotify) pen_pair_opened_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (pair, PenPairOpened)

void
pen_load_pair_list_async (PenWorker *worker, PenPairOpened *opened, const PenFilter *filter,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  Question *question = g_new0 (Question, 1);

  question->opened = pen_pair_opened_ref (opened);
  question->filter = pen_filter_copy (filter);
  pen_worker_run_async (worker, PEN_JOB_FUNCTIONS, "pair_list", load_pair_list, question,
                        question_free, (GDestroyNotify) pen_pair_list_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (pair_list, PenPairList)

void
pen_load_pair_lines_async (PenWorker *worker, const PenPairList *list, guint index,
                           PenSyntax syntax, GAsyncReadyCallback callback, gpointer user_data)
{
  Question *question = g_new0 (Question, 1);

  question->list = pen_pair_list_ref ((PenPairList *) list);
  question->index = index;
  question->syntax = syntax;
  pen_worker_run_async (worker, PEN_JOB_ANNOTATION, "pair_lines", load_pair_lines, question,
                        question_free, (GDestroyNotify) pen_pair_lines_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (pair_lines, PenPairLines)
