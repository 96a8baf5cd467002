/* test-window-timeline.c: the overview, its legend, notes on it and what lights up
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <math.h>
#include <string.h>

#include "pen-palette.h"
#include "pen-plot-view-private.h"
#include "pen-query-functions.h"
#include "pen-text-map-private.h"
#include "pen-timeline-private.h"

#define CAPTURE "f-everything-z.data"

static void
point_at (GtkWidget *widget, double x, double y)
{
  GtkEventController *motion
      = window_support_find_controller (widget, GTK_TYPE_EVENT_CONTROLLER_MOTION);

  g_signal_emit_by_name (motion, "motion", x, y);
}

static void
click_at (GtkWidget *widget, double x, double y)
{
  GtkEventController *gesture = window_support_find_controller (widget, GTK_TYPE_GESTURE_DRAG);

  g_signal_emit_by_name (gesture, "drag-begin", x, y);
  g_signal_emit_by_name (gesture, "drag-end", 0.0, 0.0);
}

/* ---- the legend ---- */

static void
press_delete (GtkWidget *button)
{
  GtkEventController *keys = window_support_find_controller (button, GTK_TYPE_EVENT_CONTROLLER_KEY);
  gboolean handled = FALSE;

  g_signal_emit_by_name (keys, "key-pressed", GDK_KEY_Delete, 0, 0, &handled);
  g_assert_true (handled);
}

static gboolean
is_kind (GtkWidget *widget, gpointer title)
{
  g_autofree char *text = GTK_IS_TOGGLE_BUTTON (widget) ? window_support_dup_labels (widget) : NULL;

  return text && strstr (text, title);
}

static GtkWidget *
get_kind (PenWindow *window, PenKind kind)
{
  return window_support_find_widget (window_support_child (window->filter_bar, "legend"), is_kind,
                                     (gpointer) pen_palette_kind_title (kind));
}

static gboolean
has_square (PenWindow *window, PenKind kind, const char *square)
{
  g_autofree char *text = window_support_dup_labels (get_kind (window, kind));

  return strstr (text, square) != NULL;
}

/* What is left out looks so without its colour, too. */
static void
test_legend (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  GtkWidget *kernel = get_kind (window, PEN_KIND_KERNEL);
  const PenFilter *filter;

  g_assert_true (has_square (window, PEN_KIND_KERNEL, "■"));
  g_assert_true (has_square (window, PEN_KIND_DSO, "■"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (kernel), TRUE);
  filter = pen_session_get_view (window->session)->filter;
  g_assert_cmphex (filter->only.kinds, ==, 1u << PEN_KIND_KERNEL);
  g_assert_true (has_square (window, PEN_KIND_KERNEL, "■"));
  g_assert_true (has_square (window, PEN_KIND_DSO, "□"));
  g_assert_false (has_square (window, PEN_KIND_DSO, "<s>"));
  gtk_test_accessible_assert_property (get_kind (window, PEN_KIND_DSO),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "DSO, not selected");

  press_delete (kernel);
  filter = pen_session_get_view (window->session)->filter;
  g_assert_cmphex (filter->only.kinds, ==, 0);
  g_assert_cmphex (filter->none.kinds, ==, 1u << PEN_KIND_KERNEL);
  g_assert_true (has_square (window, PEN_KIND_KERNEL, "□"));
  g_assert_true (has_square (window, PEN_KIND_KERNEL, "<s>"));
  g_assert_true (has_square (window, PEN_KIND_DSO, "■"));
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (kernel)));
  press_delete (kernel);
  g_assert_true (pen_filter_is_empty (pen_session_get_view (window->session)->filter));
  g_assert_true (has_square (window, PEN_KIND_KERNEL, "■"));
  app_support_settle (window->session);
  window_support_close_window (window);
}

/* ---- notes ---- */

static void
on_put (GObject *source, GAsyncResult *result, gpointer data)
{
  g_assert_true (pen_session_change_notes_finish (PEN_SESSION (source), result, NULL));
  *(gboolean *) data = TRUE;
}

/* @address, @time: 0: about none */
static void
put_note (PenSession *session, const char *text, guint64 address, guint64 time)
{
  g_autoptr (PenNote) note = pen_note_new ();
  gboolean done = FALSE;

  note->text = g_strdup (text);
  note->has_address = address != 0;
  note->address = address;
  note->has_time = time != 0;
  note->time = time;
  pen_session_put_note_async (session, note, on_put, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
  app_support_settle (session);
}

static void
test_notes (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  PenSession *session = window->session;
  GtkWidget *timeline = GTK_WIDGET (window->timeline);
  PenSpan span = pen_session_get_span (session);
  guint64 early = span.from + pen_span_length (span) / 4;
  guint64 late = span.from + pen_span_length (span) / 2;
  PenPlot plot = pen_plot_view_get_plot (PEN_PLOT_VIEW (window->timeline));
  g_autofree char *tooltip = NULL;
  g_autofree char *nothing = NULL;

  g_assert_false (pen_session_step_note (session, 1));
  put_note (session, "later", 0, late);
  put_note (session, "it <began> here", 0, early);
  put_note (session, "no time at all", 0xffffffff81000010, 0);
  app_support_run (30);
  tooltip = pen_plot_view_describe_point (PEN_PLOT_VIEW (window->timeline),
                                          pen_plot_get_x (&plot, early) + 4, plot.y / 2);
  g_assert_true (g_str_has_prefix (tooltip, "Note: it <began> here\n"));
  nothing = pen_plot_view_describe_point (PEN_PLOT_VIEW (window->timeline),
                                          pen_plot_get_x (&plot, early) + 60, plot.y / 2);
  g_assert_true (!nothing || !g_str_has_prefix (nothing, "Note"));

  click_at (timeline, pen_plot_get_x (&plot, late) + 3, 4);
  g_assert_cmpuint (pen_session_get_view (session)->playhead, ==, late);
  gtk_widget_activate_action (timeline, "timeline.previous-note", NULL);
  g_assert_cmpuint (pen_session_get_view (session)->playhead, ==, early);
  gtk_widget_activate_action (timeline, "timeline.previous-note", NULL);
  g_assert_cmpuint (pen_session_get_view (session)->playhead, ==, early);
  /* What is out of sight comes into it. */
  pen_session_set_visible (session, (PenSpan){ early - 1000, early + 1000 });
  gtk_widget_activate_action (timeline, "timeline.next-note", NULL);
  g_assert_cmpuint (pen_session_get_view (session)->playhead, ==, late);
  g_assert_cmpuint (pen_session_get_view (session)->visible.to, >, late);
  app_support_settle (session);
  window_support_close_window (window);
}

/* A note about an address is at that address of the map. */
static void
test_note_in_map (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  const PenAddressAxis *axis;
  g_autofree char *tooltip = NULL;
  guint64 address;
  PenPlot plot;
  PenMap map;

  pen_session_set_page (window->session, PEN_PAGE_MAP);
  app_support_run (50);
  app_support_settle (window->session);
  axis = pen_session_get_answers (window->session)->axis;
  address = pen_address_axis_get_address (axis, 0.3);
  put_note (window->session, "look here", address, 0);
  app_support_run (30);
  plot = pen_plot_view_get_plot (PEN_PLOT_VIEW (window->map));
  map = pen_text_map_get_map (window->map, &plot);
  tooltip = pen_plot_view_describe_point (PEN_PLOT_VIEW (window->map), plot.x + 4,
                                          plot.y + pen_map_get_y (&map, address) - 3);
  g_assert_true (g_str_has_prefix (tooltip, "Note: look here\n"));
  click_at (GTK_WIDGET (window->map), plot.x + 4, plot.y + pen_map_get_y (&map, address) - 3);
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CODE);
  app_support_settle (window->session);
  window_support_close_window (window);
}

/* ---- two fingers, the middle button, the ends ---- */

/* The drag that pans. */
static GtkEventController *
find_middle (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (GTK_IS_GESTURE_DRAG (controller)
        && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) == GDK_BUTTON_MIDDLE)
      return controller;
  }
  g_assert_not_reached ();
}

static void
check_input (PenWindow *window, PenPlotView *view)
{
  PenSession *session = window->session;
  PenSpan span = pen_session_get_span (session);
  PenPlot plot = pen_plot_view_get_plot (view);
  double x = plot.x + plot.width * 0.4;
  guint64 under = pen_plot_get_time (&plot, x);
  GtkEventController *middle;
  PenSpan visible;

  pen_plot_view_begin_pinch (view);
  pen_plot_view_pinch (view, x, plot.y + plot.height * 0.4, 2);
  pen_plot_view_pinch (view, x, plot.y + plot.height * 0.4, 4);
  visible = pen_session_get_view (session)->visible;
  g_assert_cmpfloat_with_epsilon ((double) pen_span_length (visible),
                                  (double) pen_span_length (span) / 4, 10);
  g_assert_cmpfloat_with_epsilon (pen_span_position (visible, under), 0.4, 0.01);
  middle = find_middle (GTK_WIDGET (view));
  g_signal_emit_by_name (middle, "drag-begin", x, 0.0);
  g_signal_emit_by_name (middle, "drag-update", -plot.width / 2.0, 0.0);
  g_assert_cmpuint (pen_session_get_view (session)->visible.from, >, visible.from);
  g_signal_emit_by_name (middle, "drag-update", 0.0, 0.0);
  g_assert_cmpfloat_with_epsilon ((double) pen_session_get_view (session)->visible.from,
                                  (double) visible.from, 1000);
}

static void
test_input (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  PenSession *session = window->session;
  PenSpan span = pen_session_get_span (session);

  check_input (window, PEN_PLOT_VIEW (window->timeline));
  gtk_widget_activate_action (GTK_WIDGET (window->timeline), "timeline.pan-end", NULL);
  g_assert_cmpuint (pen_session_get_view (session)->visible.to, ==, span.to);
  gtk_widget_activate_action (GTK_WIDGET (window->timeline), "timeline.pan-begin", NULL);
  g_assert_cmpuint (pen_session_get_view (session)->visible.from, ==, span.from);

  pen_session_set_visible (session, span);
  pen_session_set_page (session, PEN_PAGE_MAP);
  app_support_run (50);
  app_support_settle (session);
  check_input (window, PEN_PLOT_VIEW (window->map));
  g_assert_cmpfloat_with_epsilon (pen_session_get_view (session)->axis_view.to
                                      - pen_session_get_view (session)->axis_view.from,
                                  0.25, 0.01);
  gtk_widget_activate_action (GTK_WIDGET (window->map), "textmap.pan-end", NULL);
  g_assert_cmpuint (pen_session_get_view (session)->visible.to, ==, span.to);
  gtk_widget_activate_action (GTK_WIDGET (window->map), "textmap.pan-begin", NULL);
  g_assert_cmpuint (pen_session_get_view (session)->visible.from, ==, span.from);
  app_support_settle (session);
  window_support_close_window (window);
}

/* ---- what lights up ---- */

static gboolean
is_lit (GtkWidget *widget, gpointer data)
{
  return gtk_widget_has_css_class (widget, "lit");
}

static void
test_rows_light_up (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  const PenFunctionList *functions = pen_session_get_answers (window->session)->functions;
  PenHover hover = { .has_address = TRUE };

  for (guint i = 0; i < functions->rows->len && hover.address_to == 0; i++) {
    const PenFunction *function = &g_array_index (functions->rows, PenFunctionRow, i).function;

    if (function->kind == PEN_KIND_KERNEL && function->length > 0) {
      hover.address_from = function->start + 1;
      hover.address_to = function->start + 2;
    }
  }
  g_assert_null (window_support_find_widget (GTK_WIDGET (window->functions), is_lit, NULL));
  pen_session_set_hover (window->session, &hover);
  g_assert_nonnull (window_support_find_widget (GTK_WIDGET (window->functions), is_lit, NULL));
  pen_session_set_hover (window->session, NULL);
  g_assert_null (window_support_find_widget (GTK_WIDGET (window->functions), is_lit, NULL));
  window_support_close_window (window);
}

static void
test_batch_lights_up (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  const PenOverview *overview = pen_session_get_answers (window->session)->overview;
  const PenHover *hover = pen_session_get_hover (window->session);
  PenLanes *lanes = &window->timeline->lanes;
  PenPlot plot = pen_plot_view_get_plot (PEN_PLOT_VIEW (window->timeline));
  const PenPatchMark *mark = NULL;

  for (guint i = 0; i < overview->marks->len; i++) {
    const PenPatchMark *one = &g_array_index (overview->marks, PenPatchMark, i);

    if (one->batch != 0 && one->count > 1)
      mark = one;
  }
  g_assert_nonnull (mark);
  for (guint i = 0; i < lanes->n_causes; i++) {
    if (lanes->causes[i] == mark->cause)
      point_at (GTK_WIDGET (window->timeline), floor (pen_plot_get_x (&plot, mark->first)),
                plot.y + pen_lanes_get_cause_box (lanes, i).y + 3);
  }
  g_assert_cmpuint (hover->batch, ==, mark->batch);
  app_support_run (30);
  point_at (GTK_WIDGET (window->timeline), 3, plot.y + 3);
  g_assert_cmpuint (hover->batch, ==, 0);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/timeline/legend", test_legend);
  g_test_add_func ("/window/timeline/notes", test_notes);
  g_test_add_func ("/window/timeline/note-in-map", test_note_in_map);
  g_test_add_func ("/window/timeline/input", test_input);
  g_test_add_func ("/window/timeline/rows-light-up", test_rows_light_up);
  g_test_add_func ("/window/timeline/batch-lights-up", test_batch_lights_up);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
