/* pen-load-pair.c: questions about two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-load-pair.h"

#include <inttypes.h>
#include <string.h>

#include "pen-format.h"
#include "pen-settings.h"

/* Of one name; a runtime may have thousands. */
#define FUNCTIONS_MAX 16u

#define NS ((guint64) 1000000000)

/* Of an overview, which is drawn in any width. */
#define BINS 400u

/* ---- answers ---- */

static void
clear_opened (gpointer data)
{
  PenPairOpened *self = data;

  for (guint i = 0; i < 2; i++) {
    g_clear_object (&self->queries[i]);
    g_free (self->names[i]);
    g_free (self->paths[i]);
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
    g_clear_pointer (&self->overviews[i], pen_overview_free);
    g_free (self->names[i]);
    g_free (self->paths[i]);
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

gboolean
pen_pair_list_get_time (const PenPairList *self, guint side, PenSpan *time)
{
  const PenFilter *filter = self->filters[side];
  PenSpan span = self->spans[side];

  if (!filter->has_time || (filter->from <= span.from && filter->to >= span.to))
    return FALSE;
  time->from = CLAMP (filter->from, span.from, span.to);
  time->to = CLAMP (filter->to, span.from, span.to);
  return TRUE;
}

static void
append_seconds (GString *text, guint64 time)
{
  g_string_append_printf (text, "%" PRIu64 ".%09" PRIu64, time / NS, time % NS);
}

char *
pen_pair_list_dup_time (const PenPairList *self, guint side)
{
  const PenFilter *filter = self->filters[side];
  GString *text;

  if (!filter->has_time)
    return NULL;
  text = g_string_new (NULL);
  append_seconds (text, filter->from);
  g_string_append_c (text, ',');
  if (filter->to < G_MAXUINT64)
    append_seconds (text, filter->to);
  return g_string_free (text, FALSE);
}

PenClock
pen_pair_list_get_clock (const PenPairList *self, guint side, PenTimes times)
{
  return (PenClock){ .times = times == PEN_TIMES_WALL ? PEN_TIMES_RELATIVE : times,
                     .span = self->spans[side] };
}

static void
clear_lines (gpointer data)
{
  PenPairLines *self = data;

  g_clear_pointer (&self->annotation, pen_pair_annotation_free);
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&self->overviews[i], pen_overview_free);
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

static void
clear_tree (gpointer data)
{
  PenPairTree *self = data;

  g_clear_pointer (&self->paths, pen_pair_paths_free);
  g_clear_pointer (&self->list, pen_pair_list_unref);
}

PenPairTree *
pen_pair_tree_ref (PenPairTree *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
pen_pair_tree_unref (PenPairTree *self)
{
  g_atomic_rc_box_release_full (self, clear_tree);
}

static void
clear_cause_list (gpointer data)
{
  PenPairCauseList *self = data;

  g_clear_pointer (&self->causes, pen_pair_causes_free);
  g_clear_pointer (&self->list, pen_pair_list_unref);
}

PenPairCauseList *
pen_pair_cause_list_ref (PenPairCauseList *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
pen_pair_cause_list_unref (PenPairCauseList *self)
{
  g_atomic_rc_box_release_full (self, clear_cause_list);
}

/* ---- questions ---- */

/* @opened, @list: what the question is about, as far as it needs them */
typedef struct {
  char *store;
  char *name;
  char *own_path;
  char *path;
  PenProgressBox *progress;
  PenPairOpened *opened;
  PenFilter *filter;
  gboolean has_time; /* of B, its own */
  PenSpan time;
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
  g_free (self->own_path);
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
  /* Two times of one recording: it is open. */
  b = g_str_equal (question->path, question->own_path)
          ? pen_store_open (question->store, error)
          : pen_import_open_store (question->path, &sources, pen_progress_box_put,
                                   question->progress, cancellable, error);
  if (!b)
    return NULL;
  opened = g_atomic_rc_box_new0 (PenPairOpened);
  opened->queries[0] = pen_query_new (a);
  opened->queries[1] = pen_query_new (b);
  opened->names[0] = g_steal_pointer (&question->name);
  opened->paths[0] = g_steal_pointer (&question->own_path);
  opened->paths[1] = g_strdup (question->path);
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

/* Where B has a time of its own, A has one, too, if it is all times: as it takes two --time. */
static void
set_times (PenPairList *list, const Question *question)
{
  PenFilter *const *filters = list->filters;

  if (!question->has_time) {
    move_time (filters[1], list->queries);
    return;
  }
  if (!filters[0]->has_time) {
    filters[0]->has_time = TRUE;
    filters[0]->from = 0;
    filters[0]->to = G_MAXUINT64;
  }
  filters[1]->has_time = TRUE;
  filters[1]->from = question->time.from;
  filters[1]->to = question->time.to;
}

/* @filter: its time is not applied. FALSE with @error; a recording without samples has none. */
static gboolean
load_overview (const PenPairList *list, guint side, const PenFilter *filter, PenOverview **overview,
               GError **error)
{
  if (pen_span_length (list->spans[side]) == 0)
    return TRUE;
  *overview = pen_query_overview (list->queries[side], filter, list->spans[side].from,
                                  list->spans[side].to, BINS, error);
  return *overview != NULL;
}

static gboolean
load_overviews (PenPairList *list, GError **error)
{
  for (guint i = 0; i < 2; i++) {
    guint64 from, to;

    if (pen_query_get_sample_time_range (list->queries[i], &from, &to))
      list->spans[i] = (PenSpan){ from, to + 1 };
    if (!load_overview (list, i, list->filters[i], &list->overviews[i], error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
load_overviews_of_row (PenPairLines *lines, GError **error)
{
  for (guint i = 0; i < 2; i++) {
    g_autoptr (PenFilter) filter = NULL;

    if (lines->row->functions[i]->len == 0)
      continue;
    filter = pen_pair_row_new_filter (&lines->list->sources[i], lines->row, i);
    if (filter && !load_overview (lines->list, i, filter, &lines->overviews[i], error))
      return FALSE;
  }
  return TRUE;
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
    list->paths[i] = g_strdup (question->opened->paths[i]);
    list->filters[i] = pen_filter_copy (question->filter);
    list->sources[i] = (PenPairSource){ list->queries[i], list->filters[i], list->names[i] };
  }
  set_cancellable (list->queries, cancellable);
  set_times (list, question);
  for (guint i = 0; i < 2; i++)
    pen_query_get_time_range (list->queries[i], &list->ranges[i].from, &list->ranges[i].to);
  if (load_overviews (list, error))
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
  if (load_overviews_of_row (lines, error))
    lines->annotation
        = pen_query_pair_annotate (lines->list->sources, lines->list->pairs, lines->row,
                                   question->syntax, FUNCTIONS_MAX, error);
  set_cancellable (lines->list->queries, NULL);
  return lines->annotation ? g_steal_pointer (&lines) : NULL;
}

static gpointer
load_pair_tree (G_GNUC_UNUSED PenQuery **query, gpointer input, GCancellable *cancellable,
                GError **error)
{
  Question *question = input;
  g_autoptr (PenPairTree) tree = g_atomic_rc_box_new0 (PenPairTree);

  tree->list = pen_pair_list_ref (question->list);
  if (question->index != G_MAXUINT)
    tree->row = question->list->pairs->rows->pdata[question->index];
  set_cancellable (tree->list->queries, cancellable);
  tree->paths = pen_query_pair_paths (tree->list->sources, tree->list->pairs, tree->row,
                                      PEN_PAIR_PATHS_LEAST, error);
  set_cancellable (tree->list->queries, NULL);
  return tree->paths ? g_steal_pointer (&tree) : NULL;
}

static gpointer
load_pair_causes (G_GNUC_UNUSED PenQuery **query, gpointer input, GCancellable *cancellable,
                  GError **error)
{
  Question *question = input;
  g_autoptr (PenPairCauseList) causes = g_atomic_rc_box_new0 (PenPairCauseList);

  causes->list = pen_pair_list_ref (question->list);
  set_cancellable (causes->list->queries, cancellable);
  causes->causes = pen_query_pair_causes (causes->list->sources, causes->list->pairs, error);
  set_cancellable (causes->list->queries, NULL);
  return causes->causes ? g_steal_pointer (&causes) : NULL;
}

void
pen_load_pair_async (PenWorker *worker, const char *store, const char *name, const char *own_path,
                     const char *path, PenProgressBox *progress, GAsyncReadyCallback callback,
                     gpointer user_data)
{
  Question *question = g_new0 (Question, 1);

  question->store = g_strdup (store);
  question->name = g_strdup (name);
  question->own_path = g_strdup (own_path);
  question->path = g_strdup (path);
  question->progress = pen_progress_box_ref (progress);
  pen_worker_run_async (worker, PEN_JOB_OPEN, "pair", load_pair, question, question_free,
                        (GDestroyNotify) pen_pair_opened_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (pair, PenPairOpened)

void
pen_load_pair_list_async (PenWorker *worker, PenPairOpened *opened, const PenFilter *filter,
                          const PenCompared *compared, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  Question *question = g_new0 (Question, 1);

  question->opened = pen_pair_opened_ref (opened);
  question->filter = pen_filter_copy (filter);
  question->has_time = compared->has_time;
  question->time = compared->time;
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

void
pen_load_pair_tree_async (PenWorker *worker, const PenPairList *list, guint index,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  Question *question = g_new0 (Question, 1);

  question->list = pen_pair_list_ref ((PenPairList *) list);
  question->index = index;
  pen_worker_run_async (worker, PEN_JOB_FLAME, "pair_tree", load_pair_tree, question, question_free,
                        (GDestroyNotify) pen_pair_tree_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (pair_tree, PenPairTree)

void
pen_load_pair_causes_async (PenWorker *worker, const PenPairList *list,
                            GAsyncReadyCallback callback, gpointer user_data)
{
  Question *question = g_new0 (Question, 1);

  question->list = pen_pair_list_ref ((PenPairList *) list);
  pen_worker_run_async (worker, PEN_JOB_CAUSES, "pair_causes", load_pair_causes, question,
                        question_free, (GDestroyNotify) pen_pair_cause_list_unref, callback,
                        user_data);
}

PEN_DEFINE_LOAD_FINISH (pair_causes, PenPairCauseList)
