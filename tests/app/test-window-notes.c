/* test-window-notes.c: writing, listing, changing and removing notes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "pen-notes-place.h"
#include "pen-notes-window.h"

/* Returns: (nullable): there is none */
static GtkWindow *
look_for_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

    if (ADW_IS_MESSAGE_DIALOG (window) && gtk_widget_get_visible (GTK_WIDGET (window)))
      return window;
  }
  return NULL;
}

static GtkWindow *
find_dialog (void)
{
  GtkWindow *dialog = look_for_dialog ();

  g_assert_nonnull (dialog);
  return dialog;
}

/* Waits until the session has @n notes. */
static void
wait_for (PenSession *session, guint n)
{
  app_support_wait_for (pen_session_get_answers (session)->notes
                        && pen_session_get_answers (session)->notes->len == n
                        && pen_session_is_settled (session));
}

static void
answer (const char *text, const char *response)
{
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (find_dialog ());

  gtk_editable_set_text (GTK_EDITABLE (adw_message_dialog_get_extra_child (dialog)), text);
  adw_message_dialog_response (dialog, response);
  gtk_window_destroy (GTK_WINDOW (dialog));
  app_support_run (20);
}

static const PenNoteRow *
get_row (PenSession *session, guint i)
{
  return g_ptr_array_index (pen_session_get_answers (session)->notes, i);
}

static gboolean
has_tooltip (GtkWidget *widget, gpointer data)
{
  return g_strcmp0 (gtk_widget_get_tooltip_text (widget), data) == 0;
}

static void
click (GtkWidget *window, const char *tooltip)
{
  GtkWidget *button = window_support_find_widget (window, has_tooltip, (gpointer) tooltip);

  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
}

/* "text | about what" */
static GStrv
dup_rows (GtkWidget *window)
{
  GtkListBox *list = window_support_find_type (window, GTK_TYPE_LIST_BOX);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (list, i)); i++) {
    g_autofree char *text
        = g_strdup_printf ("%s | %s", adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)),
                           adw_action_row_get_subtitle (ADW_ACTION_ROW (row)));

    g_strv_builder_add (builder, text);
  }
  return g_strv_builder_end (builder);
}

static void
test_notes (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  PenSession *session = window->session;
  PenSpan span = pen_session_get_span (session);
  guint64 time = span.from + pen_span_length (span) / 2, address = 0, line;
  guint32 function, now;
  g_auto (GStrv) rows = NULL;
  g_autofree char *exported = NULL;
  GtkWidget *list;

  wait_for (session, 0);
  window_support_select_function (window, "vfs_read");
  g_assert_true (pen_session_get_function (session, &function));
  g_assert_true (pen_answers_find_hottest_line (pen_session_get_answers (session), &address));
  pen_session_set_line (session, &address);
  app_support_settle (session);
  window_support_activate (window, "win.add-note");
  answer ("what is <b>this</b>?", "keep");
  wait_for (session, 1);
  g_assert_true (get_row (session, 0)->note->has_address);
  g_assert_cmpuint (get_row (session, 0)->note->address, ==, address);
  g_assert_cmpstr (get_row (session, 0)->symbol, ==, "vfs_read");

  /* about a time, while that is what one looks at */
  pen_session_set_playhead (session, time);
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (window->timeline)));
  window_support_activate (window, "win.add-note");
  answer ("it begins", "keep");
  wait_for (session, 2);
  g_assert_cmpuint (get_row (session, 0)->note->time, ==, time);
  /* nothing is kept of what was not to be */
  window_support_activate (window, "win.add-note");
  answer ("never mind", "cancel");
  app_support_settle (session);
  g_assert_cmpuint (pen_session_get_answers (session)->notes->len, ==, 2);

  window_support_activate (window, "win.notes");
  app_support_run (50);
  list = GTK_WIDGET (window->notes);
  rows = dup_rows (list);
  g_assert_true (g_str_has_prefix (rows[0], "it begins | "));
  g_assert_true (g_str_has_prefix (rows[1], "what is &lt;b&gt;this&lt;/b&gt;? | vfs_read +"));

  exported = app_support_session_export (session, PEN_EXPORT_NOTES);
  g_assert_true (g_str_has_prefix (exported, "id,time,address,symbol,offset,text,written\n"));
  g_assert_nonnull (strstr (exported, ",vfs_read,"));

  /* there, from somewhere else */
  window_support_select_function (window, "pipe_write");
  pen_session_show_note (session, get_row (session, 1));
  app_support_settle (session);
  g_assert_true (pen_session_get_function (session, &now));
  g_assert_cmpuint (now, ==, function);
  g_assert_true (pen_session_get_line (session, &line));
  g_assert_cmpuint (line, ==, address);
  pen_session_set_playhead (session, span.from);
  pen_session_show_note (session, get_row (session, 0));
  g_assert_cmpuint (pen_session_get_view (session)->playhead, ==, time);

  click (list, "Edit");
  answer ("it really begins", "keep");
  app_support_wait_for (g_str_equal (get_row (session, 0)->note->text, "it really begins"));
  click (list, "Remove");
  wait_for (session, 1);
  app_support_settle (session);
  window_support_close_window (window);

  /* they outlast the import */
  app_support_clear_cache ();
  window = window_support_open_window ("b-ftrace.data");
  wait_for (window->session, 1);
  g_assert_cmpstr (get_row (window->session, 0)->note->text, ==, "what is <b>this</b>?");
  g_assert_cmpint (get_row (window->session, 0)->note->id, >, 0);
  pen_session_remove_note_async (window->session, get_row (window->session, 0)->note->id, NULL,
                                 NULL);
  wait_for (window->session, 0);
  window_support_close_window (window);
}

static gboolean
is_undo (GtkWidget *widget, gpointer data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), "_Undo") == 0;
}

static void
undo (GtkWidget *window)
{
  GtkWidget *button;

  app_support_wait_for ((button = window_support_find_widget (window, is_undo, NULL)));
  /* As a click does. */
  gtk_widget_grab_focus (button);
  g_signal_emit_by_name (button, "clicked");
}

/* A note that was removed comes back as it was: from the window, and from the list of notes. */
static void
test_undo (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_autoptr (PenNote) before = NULL;
  const PenNote *after;

  wait_for (window->session, 0);
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (window->timeline)));
  window_support_activate (window, "win.add-note");
  answer ("not so fast", "keep");
  wait_for (window->session, 1);
  before = pen_note_copy (get_row (window->session, 0)->note);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.remove-note", "x", before->id);
  wait_for (window->session, 0);
  undo (GTK_WIDGET (window));
  wait_for (window->session, 1);
  after = get_row (window->session, 0)->note;
  g_assert_cmpstr (after->text, ==, "not so fast");
  g_assert_cmpint (after->id, ==, before->id);
  g_assert_cmpuint (after->time, ==, before->time);

  window_support_activate (window, "win.notes");
  app_support_run (50);
  click (GTK_WIDGET (window->notes), "Remove");
  wait_for (window->session, 0);
  undo (GTK_WIDGET (window->notes));
  wait_for (window->session, 1);
  click (GTK_WIDGET (window->notes), "Remove");
  wait_for (window->session, 0);
  window_support_close_window (window);
}

/* A store of one's own keeps its notes itself; one that may not be written to says so. */
static void
test_store (void)
{
  g_autofree char *capture = app_support_capture ("b-ftrace.data");
  g_autofree char *path = app_support_temporary ("mine.pentimento");
  g_autoptr (GPtrArray) notes = NULL;
  g_autoptr (GError) error = NULL;
  PenWindow *window;

  pen_import (capture, path, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  window = window_support_open_path (path);
  g_assert_cmpstr (pen_session_get_opened (window->session)->notes_file, ==, path);
  window_support_activate (window, "win.add-note");
  answer ("in it", "keep");
  wait_for (window->session, 1);
  notes = pen_notes_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (notes->len, ==, 1);
  /* what is open goes on being read */
  g_assert_true (pen_session_add_filter_text (window->session, "kind:kernel", NULL));
  app_support_settle (window->session);
  g_assert_null (pen_session_get_error (window->session, PEN_JOB_FUNCTIONS));

  if (geteuid () != 0) {
    g_chmod (path, 0400);
    window_support_activate (window, "win.add-note");
    answer ("not in it", "keep");
    app_support_wait_for (look_for_dialog ());
    g_assert_cmpstr (adw_message_dialog_get_heading (ADW_MESSAGE_DIALOG (find_dialog ())), ==,
                     "Could Not Save the Note");
  }
  window_support_close_window (window);
}

/* GTK 4.8 keeps a modal dialog that Escape closes while a mouse button is pressed in its parent. */
static void
test_dialog_kept (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  PenSession *session = NULL;
  g_autoptr (GtkWindow) dialog = NULL;

  wait_for (window->session, 0);
  g_set_weak_pointer (&session, window->session);
  window_support_activate (window, "win.add-note");
  dialog = g_object_ref (find_dialog ());
  gtk_window_close (dialog);
  app_support_run (20);
  window_support_close_window (window);
  g_assert_null (session);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/notes", test_notes);
  g_test_add_func ("/window/notes/undo", test_undo);
  g_test_add_func ("/window/notes/store", test_store);
  g_test_add_func ("/window/notes/dialog-kept", test_dialog_kept);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
