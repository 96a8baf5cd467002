/* pair-support.c: windows that compare two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pair-support.h"

#include <string.h>

#include "pen-pair-item.h"

void
pair_support_wait (PenWindow *window)
{
  app_support_wait_for (pen_pair_session_get_state (window->pair) != PEN_PAIR_OPENING
                        && !pen_pair_session_is_busy (window->pair));
  app_support_settle (window->session);
}

PenWindow *
pair_support_open (const char *a, const char *b)
{
  PenWindow *window = window_support_open_window (a);
  g_autofree char *path = app_support_capture (b);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  pen_window_compare_with (window, file);
  pair_support_wait (window);
  return window;
}

GListModel *
pair_support_get_rows (PenWindow *window)
{
  return G_LIST_MODEL (window_support_child (window->pair_view, "selection"));
}

void
pair_support_select_row (PenWindow *window, const char *symbol)
{
  GListModel *rows = pair_support_get_rows (window);

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (PenPairItem) item = g_list_model_get_item (rows, i);

    if (g_strcmp0 (pen_pair_item_get_row (item)->symbol, symbol) != 0)
      continue;
    gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (rows), i);
    pair_support_wait (window);
    return;
  }
  g_assert_not_reached ();
}

guint64
pair_support_sum_rows (PenWindow *window, guint side)
{
  GListModel *rows = pair_support_get_rows (window);
  guint64 sum = 0;

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (PenPairItem) item = g_list_model_get_item (rows, i);

    sum += pen_pair_item_get_row (item)->rates[side].samples;
  }
  return sum;
}

void
pair_support_choose_detail (PenWindow *window, guint detail)
{
  gtk_drop_down_set_selected (
      window_support_child (pen_pair_view_get_detail (window->pair_view), "choice"), detail);
  pair_support_wait (window);
}

const char *
pair_support_get_selected (PenWindow *window)
{
  PenPairItem *item = gtk_single_selection_get_selected_item (
      window_support_child (window->pair_view, "selection"));

  return pen_pair_item_get_row (item)->symbol;
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  guint64 n_rows;
  gboolean *is_done = user_data;

  g_assert_true (
      pen_pair_session_export_finish (PEN_PAIR_SESSION (source), result, &n_rows, &error));
  g_assert_no_error (error);
  *is_done = TRUE;
}

char *
pair_support_export (PenWindow *window, PenWindowExport sort, const char *name)
{
  g_autofree char *path = g_build_filename (g_get_user_runtime_dir (), name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  gboolean is_done = FALSE;
  char *content;

  pen_window_export_pair (window, sort, file, on_written, &is_done);
  app_support_wait_for (is_done);
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_file_delete (file, NULL, NULL);
  return content;
}

/* What is exported is what the copied command prints, also of a part of the time. */
void
pair_support_check_exports (PenWindow *window)
{
  for (guint detail = 0; detail < 5; detail++) {
    g_autofree char *command = NULL;
    g_autofree char *csv = NULL;
    g_autofree char *json = NULL;
    g_autofree char *printed = NULL;
    g_autofree char *printed_json = NULL;

    pair_support_choose_detail (window, detail);
    command = pen_window_dup_pair_command (window);
    g_assert_cmpint (strstr (command, " vfs_read ") != NULL
                         || g_str_has_suffix (command, " vfs_read"),
                     ==, detail < 3);
    csv = g_strconcat (command, " --format=csv", NULL);
    printed = app_support_run_command (csv);
    json = g_strconcat (command, " --format=json", NULL);
    printed_json = app_support_run_command (json);
    g_free (csv);
    g_free (json);
    csv = pair_support_export (window, PEN_WINDOW_EXPORT_COMPARED, "pair.csv");
    json = pair_support_export (window, PEN_WINDOW_EXPORT_COMPARED, "pair.json");
    g_assert_true (g_str_equal (csv, printed));
    g_assert_true (g_str_equal (json, printed_json));
  }
}
