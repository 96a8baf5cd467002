/* pen-pair-session.c: another recording, which is compared with the open one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-session.h"

#include <glib/gi18n-lib.h>

#include "pen-export.h"
#include "pen-format.h"
#include "pen-load-pair.h"

enum { SIGNAL_STATE, SIGNAL_LIST, SIGNAL_LINES, SIGNAL_TREE, SIGNAL_CAUSES, SIGNALS };

struct _PenPairSession {
  GObject parent_instance;

  PenSession *session;
  PenPairState state;
  gboolean is_new;       /* no list was shown yet of what was chosen to be compared */
  PenCompared *compared; /* (nullable): what is open, or being opened */
  PenWorker *worker;
  PenProgressBox *progress;
  PenPairOpened *opened;
  PenPairList *list;
  PenPairLines *lines;
  PenPairTree *tree;
  PenPairCauseList *causes;
  GError *error;
};

G_DEFINE_FINAL_TYPE (PenPairSession, pen_pair_session, G_TYPE_OBJECT)

static guint signals[SIGNALS];

static void
tell (PenPairSession *self, guint signal)
{
  g_signal_emit (self, signals[signal], 0);
}

/* ---- answers ---- */

static void
take_error (PenPairSession *self, GError *error)
{
  g_clear_error (&self->error);
  self->error = error;
}

static void
on_lines (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenPairSession *self = user_data;
  g_autoptr (PenPairLines) lines = NULL;
  GError *error = NULL;

  if (pen_worker_was_dropped (result))
    return;
  lines = pen_load_pair_lines_finish (result, &error);
  take_error (self, error);
  g_clear_pointer (&self->lines, pen_pair_lines_unref);
  self->lines = g_steal_pointer (&lines);
  tell (self, SIGNAL_LINES);
}

static void
on_tree (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenPairSession *self = user_data;
  g_autoptr (PenPairTree) tree = NULL;
  GError *error = NULL;

  if (pen_worker_was_dropped (result))
    return;
  tree = pen_load_pair_tree_finish (result, &error);
  take_error (self, error);
  g_clear_pointer (&self->tree, pen_pair_tree_unref);
  self->tree = g_steal_pointer (&tree);
  tell (self, SIGNAL_TREE);
}

static void
on_causes (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenPairSession *self = user_data;
  g_autoptr (PenPairCauseList) causes = NULL;
  GError *error = NULL;

  if (pen_worker_was_dropped (result))
    return;
  causes = pen_load_pair_causes_finish (result, &error);
  take_error (self, error);
  g_clear_pointer (&self->causes, pen_pair_cause_list_unref);
  self->causes = g_steal_pointer (&causes);
  tell (self, SIGNAL_CAUSES);
}

static void
clear_answers (PenPairSession *self)
{
  g_clear_pointer (&self->lines, pen_pair_lines_unref);
  g_clear_pointer (&self->tree, pen_pair_tree_unref);
  g_clear_pointer (&self->causes, pen_pair_cause_list_unref);
  g_clear_pointer (&self->list, pen_pair_list_unref);
}

static void
tell_answers (PenPairSession *self)
{
  tell (self, SIGNAL_STATE);
  tell (self, SIGNAL_LIST);
  tell (self, SIGNAL_LINES);
  tell (self, SIGNAL_TREE);
  tell (self, SIGNAL_CAUSES);
}

static void
on_list (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenPairSession *self = user_data;
  g_autoptr (PenPairList) list = NULL;
  GError *error = NULL;

  if (pen_worker_was_dropped (result))
    return;
  list = pen_load_pair_list_finish (result, &error);
  take_error (self, error);
  clear_answers (self);
  self->list = g_steal_pointer (&list);
  self->state = self->list ? PEN_PAIR_READY : PEN_PAIR_FAILED;
  tell_answers (self);
  self->is_new = FALSE;
}

static void
ask_list (PenPairSession *self)
{
  const PenViewState *view = pen_session_get_view (self->session);

  if (!self->opened || !view->compared)
    return;
  pen_worker_cancel (self->worker, PEN_JOB_ANNOTATION);
  pen_worker_cancel (self->worker, PEN_JOB_FLAME);
  pen_worker_cancel (self->worker, PEN_JOB_CAUSES);
  pen_load_pair_list_async (self->worker, self->opened, view->filter, view->compared, on_list,
                            self);
  tell (self, SIGNAL_STATE);
}

static void
on_opened (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  PenPairSession *self = user_data;
  GError *error = NULL;

  if (pen_worker_was_dropped (result))
    return;
  self->opened = pen_load_pair_finish (result, &error);
  take_error (self, error);
  if (self->opened) {
    ask_list (self);
    return;
  }
  self->state = PEN_PAIR_FAILED;
  tell (self, SIGNAL_STATE);
}

/* ---- what is asked ---- */

static gboolean
on_progress (gpointer owner)
{
  tell (owner, SIGNAL_STATE);
  return G_SOURCE_REMOVE;
}

static void
end (PenPairSession *self)
{
  if (self->state == PEN_PAIR_CLOSED)
    return;
  self->state = PEN_PAIR_CLOSED;
  self->is_new = FALSE;
  if (self->worker)
    pen_worker_shutdown (self->worker);
  g_clear_object (&self->worker);
  if (self->progress)
    pen_progress_box_disown (self->progress);
  g_clear_pointer (&self->progress, pen_progress_box_unref);
  g_clear_pointer (&self->opened, pen_pair_opened_unref);
  g_clear_pointer (&self->compared, pen_compared_unref);
  clear_answers (self);
  g_clear_error (&self->error);
  tell_answers (self);
}

static void
begin (PenPairSession *self, PenCompared *compared)
{
  const PenOpened *opened = pen_session_get_opened (self->session);
  g_autofree char *name = NULL;

  end (self);
  self->compared = pen_compared_ref (compared);
  name = pen_format_capture_in_folder (pen_session_get_path (self->session));
  self->state = PEN_PAIR_OPENING;
  self->worker = pen_worker_new (NULL, self);
  self->progress = pen_progress_box_new (on_progress, self);
  pen_load_pair_async (self->worker, opened->store, name, pen_session_get_path (self->session),
                       compared->path, self->progress, on_opened, self);
  tell (self, SIGNAL_STATE);
}

/* What is looked at says what is compared: a step back may begin and end it. */
static void
on_compared (PenPairSession *self)
{
  PenCompared *compared = pen_session_get_view (self->session)->compared;

  if (!compared)
    end (self);
  else if (!pen_compared_is_same_recording (self->compared, compared)
           || self->state == PEN_PAIR_FAILED)
    begin (self, compared);
  else
    ask_list (self);
}

void
pen_pair_session_open (PenPairSession *self, const char *path, const PenSpan *time)
{
  g_autoptr (PenCompared) compared = pen_compared_new (path, time);

  g_return_if_fail (pen_session_get_opened (self->session) != NULL);

  pen_pair_session_close (self);
  pen_session_set_compared (self->session, compared);
  self->is_new = TRUE;
}

void
pen_pair_session_set_time (PenPairSession *self, const PenSpan *time)
{
  g_autoptr (PenCompared) compared = NULL;

  if (!self->compared)
    return;
  compared = pen_compared_new (self->compared->path, time);
  pen_session_set_compared (self->session, compared);
}

void
pen_pair_session_close (PenPairSession *self)
{
  pen_session_set_compared (self->session, NULL);
}

void
pen_pair_session_choose (PenPairSession *self, guint index)
{
  g_return_if_fail (self->list && index < self->list->pairs->rows->len);

  pen_load_pair_lines_async (self->worker, self->list, index,
                             pen_session_get_syntax (self->session), on_lines, self);
}

void
pen_pair_session_ask_tree (PenPairSession *self, guint index)
{
  g_return_if_fail (self->list && (index == G_MAXUINT || index < self->list->pairs->rows->len));

  g_clear_pointer (&self->tree, pen_pair_tree_unref);
  pen_load_pair_tree_async (self->worker, self->list, index, on_tree, self);
  tell (self, SIGNAL_TREE);
}

void
pen_pair_session_ask_causes (PenPairSession *self)
{
  g_return_if_fail (self->list != NULL);

  if (pen_worker_is_busy (self->worker, PEN_JOB_CAUSES))
    return;
  pen_load_pair_causes_async (self->worker, self->list, on_causes, self);
}

/* ---- what is known ---- */

PenPairState
pen_pair_session_get_state (PenPairSession *self)
{
  return self->state;
}

void
pen_pair_session_get_progress (PenPairSession *self, PenImportProgress *progress)
{
  *progress = (PenImportProgress){ 0 };
  if (self->progress)
    pen_progress_box_get_newest (self->progress, progress);
}

gboolean
pen_pair_session_is_busy (PenPairSession *self)
{
  return self->worker
         && (pen_worker_is_busy (self->worker, PEN_JOB_OPEN)
             || pen_worker_is_busy (self->worker, PEN_JOB_FUNCTIONS)
             || pen_worker_is_busy (self->worker, PEN_JOB_ANNOTATION)
             || pen_worker_is_busy (self->worker, PEN_JOB_FLAME)
             || pen_worker_is_busy (self->worker, PEN_JOB_CAUSES));
}

const GError *
pen_pair_session_get_error (PenPairSession *self)
{
  return self->error;
}

const PenPairList *
pen_pair_session_get_list (PenPairSession *self)
{
  return self->list;
}

gboolean
pen_pair_session_is_new (PenPairSession *self)
{
  return self->is_new;
}

const PenPairLines *
pen_pair_session_get_lines (PenPairSession *self)
{
  return self->lines;
}

const PenPairTree *
pen_pair_session_get_tree (PenPairSession *self)
{
  return self->tree;
}

const PenPairCauseList *
pen_pair_session_get_causes (PenPairSession *self)
{
  return self->causes;
}

/* ---- files ---- */

gboolean
pen_pair_session_can_export (PenPairSession *self)
{
  return self->list && !pen_worker_is_busy (self->worker, PEN_JOB_EXPORT);
}

static void
on_exported (GObject *worker, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  guint64 n_rows;

  if (pen_export_finish (result, &n_rows, &error))
    g_task_return_pointer (task, g_memdup2 (&n_rows, sizeof n_rows), g_free);
  else
    g_task_return_error (task, error);
}

void
pen_pair_session_export_async (PenPairSession *self, PenPairShown shown, const PenPairRow *row,
                               GFile *file, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  if (!pen_pair_session_can_export (self))
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s",
                             _ ("Nothing to export, or another export is in progress"));
  else
    pen_export_comparison_async (self->worker, self->list, shown, row,
                                 pen_session_get_syntax (self->session), file, on_exported,
                                 g_steal_pointer (&task));
}

gboolean
pen_pair_session_export_finish (PenPairSession *self, GAsyncResult *result, guint64 *n_rows,
                                GError **error)
{
  g_autofree guint64 *written = g_task_propagate_pointer (G_TASK (result), error);

  if (written)
    *n_rows = *written;
  return written != NULL;
}

void
pen_pair_session_cancel_export (PenPairSession *self)
{
  if (self->worker)
    pen_worker_cancel (self->worker, PEN_JOB_EXPORT);
}

/* ---- object ---- */

static void
on_session_state (PenPairSession *self)
{
  if (pen_session_get_state (self->session) != PEN_SESSION_READY)
    end (self);
}

static void
on_syntax (PenPairSession *self)
{
  if (!self->lines || self->lines->syntax == pen_session_get_syntax (self->session))
    return;
  for (guint i = 0; i < self->list->pairs->rows->len; i++)
    if (self->list->pairs->rows->pdata[i] == self->lines->row)
      pen_pair_session_choose (self, i);
}

static void
pen_pair_session_dispose (GObject *object)
{
  PenPairSession *self = PEN_PAIR_SESSION (object);

  end (self);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_pair_session_parent_class)->dispose (object);
}

static void
pen_pair_session_class_init (PenPairSessionClass *klass)
{
  static const char *const names[SIGNALS] = { "state", "list", "lines", "tree", "causes" };

  G_OBJECT_CLASS (klass)->dispose = pen_pair_session_dispose;
  for (guint i = 0; i < SIGNALS; i++)
    signals[i] = g_signal_new (names[i], PEN_TYPE_PAIR_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 0);
}

static void
pen_pair_session_init (G_GNUC_UNUSED PenPairSession *self)
{
}

PenPairSession *
pen_pair_session_new (PenSession *session)
{
  PenPairSession *self = g_object_new (PEN_TYPE_PAIR_SESSION, NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::state", G_CALLBACK (on_session_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::compared", G_CALLBACK (on_compared), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::filter", G_CALLBACK (ask_list), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "answered::annotation", G_CALLBACK (on_syntax), self,
                           G_CONNECT_SWAPPED);
  return self;
}
