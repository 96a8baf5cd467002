/* pen-window-drag.c: what a window shows, dragged out of it as a file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-window-private.h"

#include <glib/gi18n-lib.h>

#include "pen-css-class.h"
#include "pen-format.h"

/* Longer than the 100 ms for which GTK after 4.8 keeps a pointer to a source that was pressed, even
 * if its window is closed meanwhile. */
#define PRESSED_MS 200

/* ---- what is dragged ---- */

static gboolean
choose_table (PenWindow *self, PenExport table, PenExportChoice *choice)
{
  *choice = (PenExportChoice){ .sort = PEN_WINDOW_EXPORT_TABLE, .table = table, .ending = "csv" };
  return pen_session_can_export (self->session, table);
}

static gboolean
choose_picture (PenWindow *self, PenView view, PenExportChoice *choice)
{
  *choice
      = (PenExportChoice){ .sort = PEN_WINDOW_EXPORT_PICTURE, .picture = view, .ending = "png" };
  return pen_session_can_export_picture (self->session, view);
}

/* Of the panes, that with the focus, or else the text. */
static gboolean
choose_code (PenWindow *self, PenExportChoice *choice)
{
  if (pen_window_shows_pair (self)) {
    gboolean is_detail = pen_window_has_focus_in (self, pen_pair_view_get_detail (self->pair_view));

    *choice = (PenExportChoice){ .sort = is_detail ? PEN_WINDOW_EXPORT_COMPARED
                                                   : PEN_WINDOW_EXPORT_COMPARISON,
                                 .ending = "csv" };
    return pen_pair_session_can_export (self->pair);
  }
  if (pen_window_has_focus_in (self, self->history)
      && choose_table (self, PEN_EXPORT_HISTORY, choice))
    return TRUE;
  if (!pen_window_has_focus_in (self, self->functions)
      && choose_table (self, PEN_EXPORT_ANNOTATION, choice))
    return TRUE;
  return choose_table (self, PEN_EXPORT_FUNCTIONS, choice);
}

static gboolean
choose_callers (PenWindow *self, PenExportChoice *choice)
{
  const PenFlameState *flame = pen_session_get_view (self->session)->flame;

  if (pen_window_has_focus_in (self, pen_callers_view_get_heat (self->callers)))
    return choose_picture (self, PEN_VIEW_HEAT, choice);
  if (pen_flame_state_shows_chart (flame))
    return choose_picture (self, PEN_VIEW_CHART, choice);
  if (flame && flame->is_table)
    return choose_table (self, PEN_EXPORT_STACKS, choice);
  return choose_picture (self, PEN_VIEW_FLAME, choice);
}

/* Returns: FALSE: there is nothing to export */
static gboolean
choose_shown (PenWindow *self, PenExportChoice *choice)
{
  switch (pen_session_get_view (self->session)->page) {
  case PEN_PAGE_CODE:
    return choose_code (self, choice);
  case PEN_PAGE_CALLERS:
    return choose_callers (self, choice);
  case PEN_PAGE_MAP:
    return choose_picture (self, PEN_VIEW_MAP, choice);
  case PEN_PAGE_CAUSES:
    return choose_table (self,
                         pen_window_has_focus_in (self, self->changes) ? PEN_EXPORT_CHANGES
                                                                       : PEN_EXPORT_CAUSES,
                         choice);
  case PEN_PAGE_OCCUPANTS:
    return choose_table (self, PEN_EXPORT_OCCUPANTS, choice);
  case PEN_PAGE_RECORDING:
    return choose_table (self, PEN_EXPORT_RECORDING, choice);
  case PEN_PAGES:
  default:
    g_return_val_if_reached (FALSE);
  }
}

/* ---- the file ---- */

typedef struct {
  PenWindow *window;
  PenDraggedFile *file;
  PenExportChoice choice;
} Drag;

static void
drag_free (Drag *self)
{
  g_application_release (g_application_get_default ());
  if (self->window->dragged == self->file)
    self->window->dragged = NULL;
  g_object_unref (self->window);
  g_object_unref (self->file);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Drag, drag_free)

/* @error: (nullable) */
static void
end_writing (Drag *self, const GError *error)
{
  pen_dragged_file_set_written (self->file, error);
  if (error && self->window->session && !pen_dragged_file_is_given_up (self->file)
      && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    g_autofree char *message = pen_format_error (error);

    pen_window_add_toast (self->window, message);
  }
}

static void
on_exported (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Drag) self = user_data;
  g_autoptr (GError) error = NULL;
  guint64 n_rows;

  pen_window_export_finish (source, result, &n_rows, &error);
  end_writing (self, error);
}

static void
on_placed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Drag) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = pen_dragged_file_place_finish (self->file, result, &error);
  PenWindow *window = self->window;
  const PenExportChoice *choice = &self->choice;

  if (file && (!window->session || pen_dragged_file_is_given_up (self->file)))
    g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("The recording was closed"));
  if (error)
    end_writing (self, error);
  else
    pen_window_export_async (window, choice, file, on_exported, g_steal_pointer (&self));
}

/* It is written as soon as the drag begins: what is shown then is what is dropped, and programs do
 * not wait for long. */
static PenDraggedFile *
begin_writing (PenWindow *self, const PenExportChoice *choice)
{
  g_autofree char *name = pen_window_suggest_name (self, choice);
  PenDraggedFile *file = pen_dragged_file_new (
      name, choice->sort == PEN_WINDOW_EXPORT_PICTURE ? "image/png" : "text/csv");
  Drag *drag = g_new (Drag, 1);

  *drag = (Drag){ g_object_ref (self), g_object_ref (file), *choice };
  /* What was dropped is written, even if the window is closed. */
  g_application_hold (g_application_get_default ());
  self->dragged = file;
  pen_dragged_file_place_async (file, on_placed, drag);
  return file;
}

/* ---- the drag ---- */

/* Other gestures have the press to themselves. */
static void
deny (gpointer source)
{
  gtk_gesture_set_state (source, GTK_EVENT_SEQUENCE_DENIED);
}

static gboolean
is_exporting (PenWindow *self)
{
  return self->dragged || pen_session_is_busy (self->session, PEN_JOB_EXPORT);
}

static GdkContentProvider *
prepare (PenWindow *self, GtkDragSource *source, gboolean can, const PenExportChoice *choice)
{
  if (can && !is_exporting (self))
    return GDK_CONTENT_PROVIDER (begin_writing (self, choice));
  if (can)
    pen_window_add_toast (self, _ ("Another export is in progress"));
  deny (source);
  return NULL;
}

static GdkContentProvider *
on_prepare_shown (GtkDragSource *source, double x, double y, PenWindow *self)
{
  PenExportChoice choice;
  gboolean can = g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "main") == 0
                 && choose_shown (self, &choice);

  return prepare (self, source, can, &choice);
}

static gboolean
is_lane_name (PenWindow *self, double x, double y)
{
  PenPlot plot = pen_plot_view_get_plot (PEN_PLOT_VIEW (self->timeline));

  return pen_plot_is_in_gutter (&plot, x) && y >= plot.y;
}

static GdkContentProvider *
on_prepare_overview (GtkDragSource *source, double x, double y, PenWindow *self)
{
  PenExportChoice choice;
  gboolean can = is_lane_name (self, x, y) && choose_picture (self, PEN_VIEW_OVERVIEW, &choice);

  return prepare (self, source, can, &choice);
}

/* "▤ perf-data.functions.csv" */
static void
show_icon (GdkDrag *drag, PenDraggedFile *file)
{
  g_autofree char *name = pen_display_text (pen_dragged_file_get_name (file));
  g_autoptr (GIcon) icon = g_content_type_get_icon (pen_dragged_file_get_mime_type (file));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *image = gtk_image_new_from_gicon (icon);
  GtkWidget *label = gtk_label_new (name);

  gtk_image_set_icon_size (GTK_IMAGE (image), GTK_ICON_SIZE_LARGE);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 48);
  gtk_box_append (GTK_BOX (box), image);
  gtk_box_append (GTK_BOX (box), label);
  gtk_widget_add_css_class (box, "dragged-file");
  /* Elsewhere corners would be black. */
  pen_css_class_set (box, "rounded", gdk_display_is_composited (gdk_drag_get_display (drag)));
  gtk_drag_icon_set_child (GTK_DRAG_ICON (gtk_drag_icon_get_for_drag (drag)), box);
  /* Beside the pointer, which shows whether it can be dropped. */
  gdk_drag_set_hotspot (drag, -12, -12);
}

static void
on_drag_begin (GtkDragSource *source, GdkDrag *drag, PenWindow *self)
{
  show_icon (drag, PEN_DRAGGED_FILE (gdk_drag_get_content (drag)));
}

static gboolean
on_drag_cancel (GtkDragSource *source, GdkDrag *drag, GdkDragCancelReason reason, PenWindow *self)
{
  PenDraggedFile *file = PEN_DRAGGED_FILE (gdk_drag_get_content (drag));

  pen_dragged_file_give_up (file);
  if (self->session && self->dragged == file) {
    pen_session_cancel_export (self->session);
    pen_pair_session_cancel_export (self->pair);
  }
  return FALSE;
}

static gboolean
let_go (gpointer source)
{
  return G_SOURCE_REMOVE;
}

static void
on_press (GtkGesture *source, GdkEventSequence *sequence, PenWindow *self)
{
  gtk_gesture_get_point (source, sequence, &self->pressed_x, &self->pressed_y);
  g_timeout_add_full (G_PRIORITY_DEFAULT, PRESSED_MS, let_go, g_object_ref (source),
                      g_object_unref);
}

static void
on_press_overview (GtkGesture *source, GdkEventSequence *sequence, PenWindow *self)
{
  on_press (source, sequence, self);
  /* A drag in the plot selects time. */
  if (!is_lane_name (self, self->pressed_x, self->pressed_y))
    deny (source);
}

/* A header moves its window by its buttons, too. */
static void
deny_header (GtkWidget *widget)
{
  GtkWidget *handle = gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW_HANDLE);
  g_autoptr (GListModel) controllers = handle ? gtk_widget_observe_controllers (handle) : NULL;

  for (guint i = 0; controllers && i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (GTK_IS_GESTURE_DRAG (controller))
      deny (controller);
  }
}

/* It is no click any more. */
static void
on_move (GtkGesture *source, GdkEventSequence *sequence, PenWindow *self)
{
  GtkWidget *widget = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (source));
  double x, y;

  if (gtk_gesture_get_point (source, sequence, &x, &y)
      && gtk_drag_check_threshold (widget, (int) self->pressed_x, (int) self->pressed_y, (int) x,
                                   (int) y)) {
    deny_header (widget);
    gtk_gesture_set_state (source, GTK_EVENT_SEQUENCE_CLAIMED);
  }
}

static void
add_source (PenWindow *self, GtkWidget *widget, GCallback on_begin, GCallback on_prepare)
{
  GtkDragSource *source = gtk_drag_source_new ();

  g_signal_connect_object (source, "begin", on_begin, self, 0);
  g_signal_connect_object (source, "update", G_CALLBACK (on_move), self, 0);
  g_signal_connect_object (source, "prepare", on_prepare, self, 0);
  g_signal_connect_object (source, "drag-begin", G_CALLBACK (on_drag_begin), self, 0);
  g_signal_connect_object (source, "drag-cancel", G_CALLBACK (on_drag_cancel), self, 0);
  /* Before the button takes the press. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (source), GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (source));
}

void
pen_window_init_drag (PenWindow *self)
{
  add_source (self, GTK_WIDGET (self->export_button), G_CALLBACK (on_press),
              G_CALLBACK (on_prepare_shown));
  add_source (self, GTK_WIDGET (self->timeline), G_CALLBACK (on_press_overview),
              G_CALLBACK (on_prepare_overview));
}
