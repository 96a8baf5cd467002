/* pen-window-pair.c: the open recording, compared with another one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

#include <glib/gi18n-lib.h>

#include "pen-chooser.h"
#include "pen-shell-command.h"

/* A state of the page of the code: its panes are there again afterwards. */
static void
on_pair_state (PenWindow *self)
{
  gboolean is_open = pen_pair_session_get_state (self->pair) != PEN_PAIR_CLOSED;
  const char *page = is_open ? "pair" : "panes";

  if (!is_open)
    g_clear_object (&self->compared);
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->code_stack), page) != 0) {
    gtk_stack_set_visible_child_name (self->code_stack, page);
    if (is_open)
      pen_session_set_page (self->session, PEN_PAGE_CODE);
  }
  pen_window_update_actions (self);
}

/* What is still being recorded is compared when it is complete. */
static void
compare_if_ready (PenWindow *self)
{
  PenSessionState state = pen_session_get_state (self->session);
  g_autoptr (GFile) file = NULL;

  if (state == PEN_SESSION_EMPTY || state == PEN_SESSION_FAILED)
    g_clear_object (&self->compare_later);
  if (!self->compare_later || state != PEN_SESSION_READY
      || pen_session_get_live (self->session) != PEN_LIVE_NONE)
    return;
  file = g_steal_pointer (&self->compare_later);
  if (g_file_peek_path (file)) {
    pen_pair_session_open (self->pair, g_file_peek_path (file), NULL);
    g_set_object (&self->compared, file);
  } else {
    pen_window_add_toast (self, _ ("The file is not on this machine. Copy it here first."));
  }
}

gboolean
pen_window_shows_pair (PenWindow *self)
{
  return pen_session_get_view (self->session)->page == PEN_PAGE_CODE
         && pen_pair_session_get_list (self->pair) != NULL;
}

/* ---- files and commands ---- */

void
pen_window_export_pair (PenWindow *self, PenWindowExport sort, GFile *file,
                        GAsyncReadyCallback callback, gpointer user_data)
{
  const PenPairRow *row;
  PenPairShown shown = pen_pair_view_get_shown (self->pair_view, &row);

  if (sort == PEN_WINDOW_EXPORT_COMPARISON || (!row && shown < PEN_PAIR_SHOWN_PATHS))
    shown = PEN_PAIR_SHOWN_FUNCTIONS;
  pen_pair_session_export_async (self->pair, shown, row, file, callback, user_data);
}

/* Each on its own clock. */
static char *
dup_time_option (const PenPairList *list, guint side)
{
  g_autofree char *time = pen_pair_list_dup_time (list, side);

  return time ? g_strconcat ("--time=", time, NULL) : NULL;
}

char *
pen_window_dup_pair_command (PenWindow *self)
{
  const PenPairList *list = pen_pair_session_get_list (self->pair);
  const PenPairRow *row;
  PenPairShown shown = pen_pair_view_get_shown (self->pair_view, &row);
  g_autoptr (PenFilter) filter = pen_filter_copy (list->filters[0]);
  g_autofree char *other = list->paths[1][0] == '-' ? g_strconcat ("./", list->paths[1], NULL)
                                                    : g_strdup (list->paths[1]);
  g_autofree char *first = dup_time_option (list, 0);
  g_autofree char *second = dup_time_option (list, 1);
  const char *words[] = { "compare", other, NULL, NULL, NULL };
  const char *times[] = { first, second, NULL };
  guint n = 2;

  filter->has_time = FALSE;
  /* A function is asked for by its name. */
  if (shown < PEN_PAIR_SHOWN_PATHS && row && row->symbol && row->symbol[0] != '-')
    words[n++] = row->symbol;
  if (shown == PEN_PAIR_SHOWN_CAUSES)
    words[n++] = "--by=cause";
  else if (shown == PEN_PAIR_SHOWN_PATHS || (n > 2 && shown == PEN_PAIR_SHOWN_CALLERS))
    words[n++] = "--by=path";
  else if (n > 2 && shown == PEN_PAIR_SHOWN_SOURCES)
    words[n++] = "--by=line";
  return pen_shell_command_new (words, list->paths[0], filter, times);
}

/* ---- actions ---- */

void
pen_window_compare_with (PenWindow *self, GFile *file)
{
  g_set_object (&self->compare_later, file);
  compare_if_ready (self);
}

static void
on_compare_response (PenWindow *self, int response, GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = NULL;

  g_clear_pointer (&self->chooser, pen_chooser_release);
  if (response != GTK_RESPONSE_ACCEPT || pen_session_get_state (self->session) != PEN_SESSION_READY)
    return;
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  if (file)
    pen_window_compare_with (self, file);
}

static void
compare_with_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenWindow *self = PEN_WINDOW (widget);
  GtkFileChooserNative *chooser = pen_window_new_chooser (
      self, _ ("Compare With Recording"), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Compare"));

  pen_window_add_recording_filters (GTK_FILE_CHOOSER (chooser));
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_compare_response), self,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* The selected time and as much beside it, or two halves: others can be chosen then. */
static void
compare_times_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenWindow *self = PEN_WINDOW (widget);
  PenSpan times[2];

  pen_session_find_two_times (self->session, times);
  pen_session_set_selected (self->session, &times[0]);
  pen_pair_session_open (self->pair, pen_session_get_path (self->session), &times[1]);
}

static void
end_comparison_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_pair_session_close (PEN_WINDOW (widget)->pair);
}

void
pen_window_install_pair (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.compare-with", NULL, compare_with_action);
  gtk_widget_class_install_action (widget_class, "win.compare-times", NULL, compare_times_action);
  gtk_widget_class_install_action (widget_class, "win.end-comparison", NULL, end_comparison_action);
}

void
pen_window_init_pair (PenWindow *self)
{
  self->pair = pen_pair_session_new (self->session);
  pen_pair_view_set_session (self->pair_view, self->session, self->pair);
  g_signal_connect_object (self->pair, "state", G_CALLBACK (on_pair_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::state", G_CALLBACK (compare_if_ready), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::part", G_CALLBACK (compare_if_ready), self,
                           G_CONNECT_SWAPPED);
}
