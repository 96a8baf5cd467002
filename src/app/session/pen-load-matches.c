/* pen-load-matches.c: stacks through frames that are searched for, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-load-matches.h"

#include <string.h>

#include "pen-flame.h"
#include "pen-load-flame.h"

typedef struct {
  PenFilter *filter;
  PenFlameState *state;
  char *search;
  char *folded;
} Question;

static void
question_free (gpointer data)
{
  Question *self = data;

  pen_filter_free (self->filter);
  pen_flame_state_unref (self->state);
  g_free (self->search);
  g_free (self->folded);
  g_free (self);
}

gboolean
pen_load_matches_is_match (const PenStackGroup *groups, guint32 group, const char *folded)
{
  /* For its names alone. */
  const PenFlameTree tree = { .groups = groups };
  g_autofree char *name = pen_flame_dup_name (&tree, group);
  g_autofree char *lower = g_utf8_casefold (name, -1);

  return strstr (lower, folded) != NULL;
}

static gboolean
is_match (const PenStackGroup *group, guint32 index, gpointer user_data)
{
  const Question *question = user_data;

  return pen_load_matches_is_match (group - index, index, question->folded);
}

static gpointer
load_matches (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  Question *question = input;
  g_autoptr (PenMatchAnswer) answer = g_new0 (PenMatchAnswer, 1);
  g_autoptr (GArray) hidden = g_array_new (FALSE, FALSE, sizeof (guint32));
  const PenFlamePair *pair = &question->state->pair;
  PenFlameWindow windows[2];
  PenFlameOptions options;

  if (!pen_load_flame_fill_options (*query, question->state, &options, hidden, error)
      || (pair->is_set && !pen_load_flame_find_windows (*query, pair, windows, error))
      || !pen_query_stack_matches (*query, question->filter, &options,
                                   pair->is_set ? windows : NULL, is_match, question,
                                   &answer->found, error))
    return NULL;
  answer->search = g_strdup (question->search);
  return g_steal_pointer (&answer);
}

void
pen_load_matches_async (PenWorker *worker, const PenViewState *view, const char *search,
                        GAsyncReadyCallback callback, gpointer user_data)
{
  Question *question = g_new0 (Question, 1);

  question->filter = pen_filter_copy (view->filter);
  question->state = pen_flame_state_copy (view->flame);
  question->search = g_strdup (search);
  question->folded = g_utf8_casefold (search, -1);
  pen_worker_run_async (worker, PEN_JOB_MATCHES, "matches", load_matches, question, question_free,
                        (GDestroyNotify) pen_match_answer_free, callback, user_data);
}

PEN_DEFINE_LOAD_FINISH (matches, PenMatchAnswer)
