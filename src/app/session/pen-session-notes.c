/* pen-session-notes.c: what the person writes about lines and times
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-note-flags.h"
#include "pen-session-private.h"

/* ---- writing ---- */

/* @note: NULL: the one of @id is taken away */
typedef struct {
  char *file;
  PenNote *note;
  gint64 id;
} Change;

static void
free_change (gpointer data)
{
  Change *change = data;

  g_free (change->file);
  g_clear_pointer (&change->note, pen_note_free);
  g_free (change);
}

/* Not the worker's job: there a newer job takes the place of an older one, and each note counts. */
static void
write_change (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Change *change = data;
  GError *error = NULL;
  gboolean written = change->note ? pen_notes_put (change->file, change->note, &error)
                                  : pen_notes_remove (change->file, change->id, &error);

  if (written)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) answer = user_data;
  PenSession *self = g_task_get_source_object (answer);
  const Change *change = g_task_get_task_data (G_TASK (result));
  GApplication *application = g_application_get_default ();
  g_autoptr (GError) error = NULL;

  if (application)
    g_application_release (application);
  if (pen_session_get_opened (self)
      && g_strcmp0 (pen_session_get_opened (self)->notes_file, change->file) == 0)
    pen_loader_make_stale (self->loader, 1u << PEN_JOB_NOTES);
  if (g_task_propagate_boolean (G_TASK (result), &error))
    g_task_return_boolean (answer, TRUE);
  else
    g_task_return_error (answer, g_steal_pointer (&error));
}

/* A written note is kept, even if the window is closed right now. The thread may let go of its task
 * last: the session is the answer's, which the window's thread lets go of. */
static void
change_notes (PenSession *self, Change *change, GAsyncReadyCallback callback, gpointer user_data)
{
  GTask *answer = g_task_new (self, NULL, callback, user_data);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_written, answer);
  GApplication *application = g_application_get_default ();

  if (application)
    g_application_hold (application);
  g_task_set_task_data (task, change, free_change);
  g_task_run_in_thread (task, write_change);
}

void
pen_session_put_note_async (PenSession *self, const PenNote *note, GAsyncReadyCallback callback,
                            gpointer user_data)
{
  Change *change = g_new0 (Change, 1);

  g_return_if_fail (pen_session_get_opened (self) != NULL);
  change->file = g_strdup (pen_session_get_opened (self)->notes_file);
  change->note = pen_note_copy (note);
  change->note->written = g_get_real_time ();
  change_notes (self, change, callback, user_data);
}

void
pen_session_remove_note_async (PenSession *self, gint64 id, GAsyncReadyCallback callback,
                               gpointer user_data)
{
  Change *change = g_new0 (Change, 1);

  g_return_if_fail (pen_session_get_opened (self) != NULL);
  change->file = g_strdup (pen_session_get_opened (self)->notes_file);
  change->id = id;
  change_notes (self, change, callback, user_data);
}

gboolean
pen_session_change_notes_finish (PenSession *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* ---- going there ---- */

void
pen_session_show_note (PenSession *self, const PenNoteRow *row)
{
  if (row->note->has_time) {
    pen_session_show_time (self, row->note->time);
    pen_session_set_playhead (self, row->note->time);
  }
  if (!row->note->has_address)
    return;
  if (row->has_function)
    pen_session_set_function (self, row->function);
  pen_session_set_line (self, &row->note->address);
  pen_session_set_page (self, PEN_PAGE_CODE);
}

gboolean
pen_session_step_note (PenSession *self, int direction)
{
  const PenNoteRow *row = pen_note_flags_step (pen_session_get_answers (self)->notes,
                                               pen_session_get_view (self)->playhead, direction);

  if (!row)
    return FALSE;
  pen_session_show_time (self, row->note->time);
  pen_session_set_playhead (self, row->note->time);
  return TRUE;
}
