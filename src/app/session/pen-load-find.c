/* pen-load-find.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-load-find.h"

typedef struct {
  char *text;
  guint64 time;
  gboolean is_fixed;
} Question;

static void
question_free (gpointer data)
{
  g_free (((Question *) data)->text);
  g_free (data);
}

PenFoundAnswer *
pen_found_answer_ref (PenFoundAnswer *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear_answer (gpointer data)
{
  PenFoundAnswer *self = data;

  g_clear_pointer (&self->found, pen_found_free);
  g_clear_object (&self->query);
  g_free (self->text);
}

void
pen_found_answer_unref (PenFoundAnswer *self)
{
  g_atomic_rc_box_release_full (self, clear_answer);
}

static gpointer
load_found (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const Question *question = input;
  PenMoment moment = pen_moment (question->time, G_MAXUINT64);
  g_autoptr (PenFoundAnswer) answer = g_atomic_rc_box_new0 (PenFoundAnswer);

  answer->query = g_object_ref (*query);
  answer->text = g_strdup (question->text);
  answer->found = question->is_fixed
                      ? pen_query_find (*query, question->text, moment, error)
                      : pen_query_find_at_own_time (*query, question->text, moment, error);
  return answer->found ? g_steal_pointer (&answer) : NULL;
}

void
pen_load_found_async (PenWorker *worker, const char *text, guint64 time, gboolean is_fixed,
                      GAsyncReadyCallback callback, gpointer user_data)
{
  Question *question = g_new0 (Question, 1);

  *question = (Question){ g_strdup (text), time, is_fixed };
  pen_worker_run_async (worker, PEN_JOB_FIND, "found", load_found, question, question_free,
                        (GDestroyNotify) pen_found_answer_unref, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (found, PenFoundAnswer)
