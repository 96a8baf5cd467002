/* pen-load-lists.c: counts, lists and what they are made of, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-load-lists.h"

#include <glib/gi18n-lib.h>

#include "pen-load-flame.h"
#include "pen-query-functions.h"
#include "pen-query-info.h"
#include "pen-query-occupants.h"

/* @flame: whose measure the window has */
typedef struct {
  PenFilter *filter;
  PenFlameState *flame;
} Measured;

static Measured *
measured_new (const PenFilter *filter, const PenFlameState *flame)
{
  Measured *self = g_new0 (Measured, 1);

  self->filter = pen_filter_copy (filter);
  self->flame = pen_flame_state_copy (flame);
  return self;
}

static void
measured_free (gpointer data)
{
  Measured *self = data;

  pen_filter_free (self->filter);
  pen_flame_state_unref (self->flame);
  g_free (self);
}

static gpointer
load_counts (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Measured *question = input;
  PenQuery *asked = pen_load_flame_choose (*query, question->flame, error);
  g_autofree PenCounts *counts = g_new0 (PenCounts, 1);

  if (!asked
      || !pen_query_count_amounts (asked, question->filter, &counts->matching, &counts->total,
                                   error))
    return NULL;
  return g_steal_pointer (&counts);
}

void
pen_load_counts_async (PenWorker *worker, const PenFilter *filter, const PenFlameState *flame,
                       GAsyncReadyCallback callback, gpointer user_data)
{
  pen_worker_run_async (worker, PEN_JOB_COUNT, "counts", load_counts, measured_new (filter, flame),
                        measured_free, g_free, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (counts, PenCounts)

static gpointer
load_functions (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Measured *question = input;
  PenQuery *asked = pen_load_flame_choose (*query, question->flame, error);
  g_autoptr (PenFunctionList) table = NULL;

  if (!asked)
    return NULL;
  table = pen_function_list_new (asked);
  table->rows = pen_query_functions (asked, question->filter, &table->total, error);
  return table->rows ? g_steal_pointer (&table) : NULL;
}

void
pen_load_functions_async (PenWorker *worker, const PenFilter *filter, const PenFlameState *flame,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  pen_worker_run_async (worker, PEN_JOB_FUNCTIONS, "functions", load_functions,
                        measured_new (filter, flame), measured_free,
                        (GDestroyNotify) pen_function_list_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (functions, PenFunctionList)

static gpointer
load_occupants (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Measured *question = input;
  PenQuery *asked = pen_load_flame_choose (*query, question->flame, error);
  g_autoptr (PenOccupantTable) table = NULL;

  if (!asked)
    return NULL;
  table = pen_occupant_table_new (asked);
  table->rows = pen_query_occupants (asked, question->filter, &table->elsewhere, error);
  return table->rows ? g_steal_pointer (&table) : NULL;
}

void
pen_load_occupants_async (PenWorker *worker, const PenFilter *filter, const PenFlameState *flame,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  pen_worker_run_async (worker, PEN_JOB_OCCUPANTS, "occupants", load_occupants,
                        measured_new (filter, flame), measured_free,
                        (GDestroyNotify) pen_occupant_table_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (occupants, PenOccupantTable)

static gpointer
load_recording (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenRecording) recording = pen_recording_new (*query);

  recording->better = pen_better_recording_new (pen_query_get_store (*query), error);
  if (!recording->better)
    return NULL;
  recording->misattribution = pen_query_misattribution (*query, NULL, error);
  if (!recording->misattribution)
    return NULL;
  recording->facts = pen_query_load_info (*query, error);
  return recording->facts ? g_steal_pointer (&recording) : NULL;
}

void
pen_load_recording_async (PenWorker *worker, GAsyncReadyCallback callback, gpointer user_data)
{
  pen_worker_run_async (worker, PEN_JOB_RECORDING, "recording", load_recording, NULL, NULL,
                        (GDestroyNotify) pen_recording_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (recording, PenRecording)

static gpointer
load_choices (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  return pen_filter_choices_new (*query, error);
}

void
pen_load_choices_async (PenWorker *worker, GAsyncReadyCallback callback, gpointer user_data)
{
  pen_worker_run_async (worker, PEN_JOB_CHOICES, "choices", load_choices, NULL, NULL,
                        (GDestroyNotify) pen_filter_choices_free, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (choices, PenFilterChoices)

static gpointer
load_notes (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  return pen_query_notes (*query, input, error);
}

void
pen_load_notes_async (PenWorker *worker, const char *path, GAsyncReadyCallback callback,
                      gpointer user_data)
{
  pen_worker_run_async (worker, PEN_JOB_NOTES, "notes", load_notes, g_strdup (path), g_free,
                        (GDestroyNotify) g_ptr_array_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (notes, GPtrArray)

/* ---- changes ---- */

typedef struct {
  PenFilter *filter;
  PenChangeOrder order; /* @search: its own */
  PenCauseTable *causes;
  guint row;
} ChangeQuestion;

static void
change_question_free (gpointer data)
{
  ChangeQuestion *self = data;

  pen_filter_free (self->filter);
  g_free ((char *) self->order.search);
  g_clear_pointer (&self->causes, pen_cause_table_unref);
  g_free (self);
}

static PenChangeList *
list_changes_of_row (PenQuery *query, const ChangeQuestion *question, GError **error)
{
  const PenCauseTree *tree = question->causes->tree;
  const PenCauseRow *row = pen_cause_tree_get (tree, question->row);

  return pen_query_list_changes_of (query, &question->order,
                                    &g_array_index (tree->changes, guint32, row->first_change),
                                    row->n_changes, error);
}

static gpointer
load_changes (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const ChangeQuestion *question = input;
  g_autoptr (PenChangeTable) table = pen_change_table_new (*query);

  table->list = question->causes
                    ? list_changes_of_row (*query, question, error)
                    : pen_query_list_changes (*query, question->filter, &question->order, error);
  return table->list ? g_steal_pointer (&table) : NULL;
}

void
pen_load_changes_async (PenWorker *worker, const PenFilter *filter, const PenChangeOrder *order,
                        PenCauseTable *causes, guint row, GAsyncReadyCallback callback,
                        gpointer user_data)
{
  ChangeQuestion *question = g_new0 (ChangeQuestion, 1);

  question->filter = pen_filter_copy (filter);
  question->order = *order;
  question->order.search = g_strdup (order->search);
  question->causes = causes ? g_atomic_rc_box_acquire (causes) : NULL;
  question->row = row;
  pen_worker_run_async (worker, PEN_JOB_CHANGES, "changes", load_changes, question,
                        change_question_free, (GDestroyNotify) pen_change_table_unref, callback,
                        user_data);
}

PEN_DEFINE_LOAD_FINISH (changes, PenChangeTable)

static gpointer
load_change_rows (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const GArray *ids = input;

  return pen_query_load_changes (*query, (const guint32 *) ids->data, ids->len, error);
}

void
pen_load_change_rows_async (PenWorker *worker, GArray *ids, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  pen_worker_run_async (worker, PEN_JOB_CHANGE_ROWS, "change_rows", load_change_rows,
                        g_array_ref (ids), (GDestroyNotify) g_array_unref,
                        (GDestroyNotify) g_ptr_array_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (change_rows, GPtrArray)

static gpointer
load_change_id (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const PenMoment *moment = input;
  guint32 id;
  GError *failure = NULL;

  if (pen_query_find_change (*query, *moment, &id, &failure))
    return g_memdup2 (&id, sizeof id);
  if (failure)
    g_propagate_error (error, failure);
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("No such change"));
  return NULL;
}

void
pen_load_change_id_async (PenWorker *worker, PenMoment moment, GAsyncReadyCallback callback,
                          gpointer user_data)
{
  pen_worker_run_async (worker, PEN_JOB_FIND_CHANGE, "change_id", load_change_id,
                        g_memdup2 (&moment, sizeof moment), g_free, g_free, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (change_id, guint32)
