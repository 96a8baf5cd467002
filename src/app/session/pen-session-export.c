/* pen-session-export.c: tables out of a session, as CSV, and views as pictures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include "pen-format.h"
#include "pen-query-functions.h"

gboolean
pen_session_can_export (PenSession *self, PenExport table)
{
  if (self->state != PEN_SESSION_READY)
    return FALSE;
  if (table == PEN_EXPORT_ANNOTATION)
    return self->annotation && self->annotation->text->function != PEN_SESSION_NO_FUNCTION;
  if (table == PEN_EXPORT_HISTORY)
    return self->has_line;
  return TRUE;
}

/* What the search leaves of the list, as a part of the filter. */
static void
filter_by_search (PenSession *self, PenFilter *filter)
{
  if (self->search[0] == '\0' || !self->functions)
    return;
  g_clear_pointer (&filter->only.symbols, g_ptr_array_unref);
  filter->only.symbols = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < self->functions->rows->len; i++) {
    const PenFunction *row = &g_array_index (self->functions->rows, PenFunctionRow, i).function;

    if (row->symbol && pen_session_matches_search (self, row))
      g_ptr_array_add (filter->only.symbols, g_strdup (row->symbol));
  }
}

static void
on_exported (gpointer result, const GError *error, gpointer owner)
{
  PenSession *self = owner;
  g_autoptr (GTask) task = g_steal_pointer (&self->export_task);
  g_autoptr (GFile) file = result;

  if (error)
    g_task_return_error (task, g_error_copy (error));
  else
    g_task_return_boolean (task, TRUE);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

void
pen_session_export_async (PenSession *self, PenExport table, GFile *file,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  PenQuestion *question;

  if (!pen_session_can_export (self, table)) {
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is no %s to export",
                             pen_export_to_string (table));
    return;
  }
  if (self->export_task) {
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_BUSY,
                             "Another export is still being written");
    return;
  }

  question = pen_question_new (self->filter);
  question->table = table;
  question->syntax = self->syntax;
  question->path = g_strdup (self->opened->notes_file);
  question->file = g_object_ref (file);
  if (table == PEN_EXPORT_FUNCTIONS)
    filter_by_search (self, question->filter);
  question->address = table == PEN_EXPORT_HISTORY ? self->line
                      : self->annotation          ? self->annotation->text->annotated->start
                                                  : 0;
  question->change_order = self->change_order;
  question->change_order.search = g_strdup (self->change_order.search);
  self->export_task = g_steal_pointer (&task);
  pen_session_ask (self, PEN_JOB_EXPORT, pen_question_export, question, g_object_unref,
                   on_exported);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

/* ---- pictures ---- */

/* Sharp on a screen with twice the pixels, and on paper. */
#define PICTURE_SCALE 2
#define PICTURE_WIDTH 1600

gboolean
pen_session_can_export_picture (PenSession *self, PenView view)
{
  if (self->state != PEN_SESSION_READY)
    return FALSE;
  return view != PEN_VIEW_ANNOTATION || pen_session_can_export (self, PEN_EXPORT_ANNOTATION);
}

static void
describe_picture (PenSession *self, PenView view, gboolean dark, PenPictureOptions *options)
{
  const PenSessionDrawing *drawing = &self->drawing;

  *options = (PenPictureOptions){ .view = view,
                                  .width = view == PEN_VIEW_ANNOTATION ? 0 : PICTURE_WIDTH,
                                  .scale = PICTURE_SCALE,
                                  .dark = dark,
                                  .times = self->times,
                                  .has_span = TRUE,
                                  .span = self->visible,
                                  .function = self->annotation ? self->annotation->text->function
                                                               : G_MAXUINT32,
                                  .folded = drawing->folded,
                                  .cpus = drawing->shows_tasks[PEN_TASKS_BY_CPU],
                                  .processes = drawing->shows_tasks[PEN_TASKS_BY_PROCESS] };
  if (drawing->map_edges) {
    options->has_addresses = TRUE;
    options->address_from = drawing->map_edges[0];
    options->address_to = drawing->map_edges[drawing->map_rows];
  }
}

void
pen_session_export_picture_async (PenSession *self, PenView view, gboolean dark, GFile *file,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  PenQuestion *question;

  if (!pen_session_can_export_picture (self, view)) {
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "There is no %s to draw",
                             pen_view_to_string (view));
    return;
  }
  if (self->export_task) {
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_BUSY,
                             "Another export is still being written");
    return;
  }

  question = pen_question_new (self->filter);
  describe_picture (self, view, dark, &question->picture);
  question->capture = pen_format_capture (self->path);
  question->file = g_object_ref (file);
  self->export_task = g_steal_pointer (&task);
  pen_session_ask (self, PEN_JOB_EXPORT, pen_question_picture, question, g_object_unref,
                   on_exported);
  pen_session_notify (self, PEN_SESSION_PROP_BUSY);
}

gboolean
pen_session_export_finish (PenSession *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
