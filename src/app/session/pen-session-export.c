/* pen-session-export.c: tables out of a session, as CSV, profiles, and views as pictures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-session-private.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"
#include "pen-load-flame.h"
#include "pen-query-functions.h"

/* Functions are asked for by name. (nullable) */
static const char *
find_subject (PenSession *self)
{
  const PenAnswers *answers = pen_session_get_answers (self);
  guint32 id = pen_load_flame_find_subject (pen_session_get_view (self));
  const PenFunction *function = answers->flame && id < answers->flame->n_functions
                                    ? &answers->flame->functions[id]
                                    : pen_answers_find_function (answers, id);

  return function && function->symbol && function->symbol[0] ? function->symbol : NULL;
}

gboolean
pen_session_can_export (PenSession *self, PenExport table)
{
  const PenStrips *strips = pen_session_get_answers (self)->annotation;

  if (pen_session_get_state (self) != PEN_SESSION_READY)
    return FALSE;
  if (table == PEN_EXPORT_ANNOTATION)
    return pen_session_get_answers (self)->instants
           || (strips && strips->text->function != PEN_NO_FUNCTION);
  if (table == PEN_EXPORT_CALLERS || table == PEN_EXPORT_CALLEES)
    return find_subject (self) != NULL;
  if (table == PEN_EXPORT_HISTORY)
    return pen_session_get_view (self)->has_line;
  return TRUE;
}

/* Adds the list's search as a part of the filter. */
static void
filter_by_search (PenSession *self, PenFilter *filter)
{
  const PenFunctionList *functions = pen_session_get_answers (self)->functions;

  if (pen_session_get_search (self)[0] == '\0' || !functions)
    return;
  g_clear_pointer (&filter->only.symbols, g_ptr_array_unref);
  filter->only.symbols = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < functions->rows->len; i++) {
    const PenFunction *row = &g_array_index (functions->rows, PenFunctionRow, i).function;

    if (row->symbol && pen_session_matches_search (self, row))
      g_ptr_array_add (filter->only.symbols, g_strdup (row->symbol));
  }
}

/* The annotation of one load is exported as it is shown. */
static void
filter_by_load (const PenStrips *strips, PenFilter *filter)
{
  g_autofree char *load = g_strdup_printf ("%u", strips ? strips->text->load : 0);

  if (strips && strips->text->load != 0)
    pen_filter_add_value (filter, PEN_FILTER_TENURE, load, NULL);
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

/* NULL: it was told why there is nothing to write. */
static GTask *
begin_export (PenSession *self, gboolean can, const char *missing, GAsyncReadyCallback callback,
              gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  if (!can)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s", missing);
  else if (pen_session_is_busy (self, PEN_JOB_EXPORT))
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_BUSY,
                             _ ("Another export is in progress"));
  else
    return g_steal_pointer (&task);
  return NULL;
}

void
pen_session_export_async (PenSession *self, PenExport table, GFile *file,
                          GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *missing
      = g_strdup_printf (_ ("Nothing to export: %s"), pen_export_to_string (table));
  GTask *task
      = begin_export (self, pen_session_can_export (self, table), missing, callback, user_data);
  const PenViewState *view = pen_session_get_view (self);
  const PenStrips *strips = pen_session_get_answers (self)->annotation;
  g_autoptr (PenFilter) filter = NULL;
  PenExportScope scope;
  guint row;

  if (!task)
    return;
  filter = pen_filter_copy (view->filter);
  if (table == PEN_EXPORT_FUNCTIONS)
    filter_by_search (self, filter);
  if (table == PEN_EXPORT_ANNOTATION)
    filter_by_load (strips, filter);
  scope = (PenExportScope){ .filter = filter,
                            .syntax = pen_session_get_syntax (self),
                            .subject = find_subject (self),
                            .flame = view->flame,
                            .notes_file = pen_session_get_opened (self)->notes_file,
                            .address = table == PEN_EXPORT_HISTORY ? view->line
                                       : strips                    ? strips->text->annotated->start
                                                                   : 0,
                            .end = strips ? strips->text->annotated->end : 0,
                            .has_instants = table == PEN_EXPORT_ANNOTATION
                                            && pen_session_get_answers (self)->instants != NULL,
                            .instants = { view->playhead, view->mark },
                            .all = view->mark_all,
                            .order = *pen_session_get_change_order (self),
                            .cause_order = *pen_session_get_cause_order (self) };
  scope.causes = pen_loader_get_changes_of (self->loader, &row);
  scope.cause_row = row;
  pen_export_table_async (pen_loader_get_worker (self->loader), table, &scope,
                          pen_session_get_path (self), file, on_exported, task);
}

gboolean
pen_session_can_export_profile (PenSession *self)
{
  return pen_session_get_state (self) == PEN_SESSION_READY;
}

void
pen_session_export_profile_async (PenSession *self, PenProfileFormat format, GFile *file,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *missing
      = g_strdup_printf (_ ("Nothing to export: %s"), pen_profile_format_to_string (format));
  GTask *task
      = begin_export (self, pen_session_can_export_profile (self), missing, callback, user_data);
  const PenViewState *view = pen_session_get_view (self);
  const PenExportScope scope = { .filter = view->filter, .flame = view->flame };

  if (task)
    pen_export_profile_async (pen_loader_get_worker (self->loader), format, &scope,
                              pen_session_get_path (self), file, on_exported, task);
}

/* ---- pictures ---- */

/* Sharp on a screen with twice the pixels, and on paper. */
#define PICTURE_SCALE 2
#define PICTURE_WIDTH 1600

gboolean
pen_session_can_export_picture (PenSession *self, PenView view)
{
  if (pen_session_get_state (self) != PEN_SESSION_READY)
    return FALSE;
  return view != PEN_VIEW_ANNOTATION || pen_session_can_export (self, PEN_EXPORT_ANNOTATION);
}

void
pen_session_export_picture_async (PenSession *self, PenView view, gboolean dark, GFile *file,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_autofree char *missing = g_strdup_printf (_ ("Nothing to draw: %s"), pen_view_to_string (view));
  GTask *task = begin_export (self, pen_session_can_export_picture (self, view), missing, callback,
                              user_data);
  PenLoader *loader = self->loader;
  const PenViewState *state = pen_session_get_view (self);
  const PenStrips *strips = pen_session_get_answers (self)->annotation;
  g_autofree char *capture = NULL;
  PenPictureOptions options;

  if (!task)
    return;
  capture = pen_format_capture (pen_session_get_path (self));
  options
      = (PenPictureOptions){ .view = view,
                             .width = view == PEN_VIEW_ANNOTATION ? 0 : PICTURE_WIDTH,
                             .scale = PICTURE_SCALE,
                             .dark = dark,
                             .capture = capture,
                             .filter = state->filter,
                             .times = state->times,
                             .has_span = TRUE,
                             .span = state->visible,
                             .function = strips ? strips->text->function : PEN_NO_FUNCTION,
                             .folded = state->folded,
                             .cpus = state->shows_tasks[PEN_TASKS_BY_CPU],
                             .processes
                             = view == PEN_VIEW_CHART
                                   ? state->flame && state->flame->chart_key == PEN_CHART_BY_TASK
                                   : state->shows_tasks[PEN_TASKS_BY_PROCESS] };
  options.has_addresses
      = pen_loader_get_map_addresses (loader, &options.address_from, &options.address_to);
  pen_export_picture_async (pen_loader_get_worker (loader), &options, state->flame,
                            pen_session_get_path (self), file, on_exported, task);
}

gboolean
pen_session_export_finish (PenSession *self, GAsyncResult *result, guint64 *n_rows, GError **error)
{
  g_autofree guint64 *written = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  written = g_task_propagate_pointer (G_TASK (result), error);
  if (written && n_rows)
    *n_rows = *written;
  return written != NULL;
}

void
pen_session_cancel_export (PenSession *self)
{
  pen_worker_cancel (pen_loader_get_worker (self->loader), PEN_JOB_EXPORT);
}
