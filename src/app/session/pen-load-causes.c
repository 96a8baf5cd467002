/* pen-load-causes.c: the tree of causes, asked of the worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-load-causes.h"

#include "pen-load-flame.h"

typedef struct {
  PenFilter *filter;
  PenCauseOrder order; /* @search: its own */
  PenFlameState *flame;
  PenCauseTable *known;
} CauseQuestion;

static void
cause_question_free (gpointer data)
{
  CauseQuestion *self = data;

  pen_filter_free (self->filter);
  pen_flame_state_unref (self->flame);
  g_clear_pointer (&self->known, pen_cause_table_unref);
  g_free ((char *) self->order.search);
  g_free (self);
}

static gboolean
is_known (const PenCauseTable *known, PenQuery *query, const CauseQuestion *question)
{
  return known && known->query == query && known->grouping == question->order.grouping
         && pen_filter_equal (known->filter, question->filter);
}

static gpointer
load_causes (PenQuery **query, gpointer input, GCancellable *cancellable, GError **error)
{
  const CauseQuestion *question = input;
  PenQuery *asked = pen_load_flame_choose (*query, question->flame, error);
  g_autoptr (PenCauseTable) table = NULL;

  if (!asked)
    return NULL;
  table = pen_cause_table_new (asked);
  table->grouping = question->order.grouping;
  table->filter = pen_filter_copy (question->filter);
  table->tree = is_known (question->known, asked, question)
                    ? pen_cause_tree_reorder (question->known->tree, &question->order)
                    : pen_query_causes (asked, question->filter, &question->order, error);
  return table->tree ? g_steal_pointer (&table) : NULL;
}

void
pen_load_causes_async (PenWorker *worker, const PenFilter *filter, const PenFlameState *flame,
                       const PenCauseOrder *order, const PenCauseTable *known,
                       GAsyncReadyCallback callback, gpointer user_data)
{
  CauseQuestion *question = g_new0 (CauseQuestion, 1);

  question->filter = pen_filter_copy (filter);
  question->flame = pen_flame_state_copy (flame);
  question->order = *order;
  question->order.search = g_strdup (order->search);
  question->known = known ? g_atomic_rc_box_acquire ((PenCauseTable *) known) : NULL;
  pen_worker_run_async (worker, PEN_JOB_CAUSES, "causes", load_causes, question,
                        cause_question_free, (GDestroyNotify) pen_cause_table_unref, callback,
                        user_data);
}

PEN_DEFINE_LOAD_FINISH (causes, PenCauseTable)
