/* test-window-map.c: the text map and the lanes of the overview, used as a person would
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "pen-function-item.h"
#include "pen-name-label.h"
#include "pen-text-map-private.h"
#include "pen-timeline-private.h"

#define CAPTURE "f-everything-z.data"

static PenWindow *
open_map (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);

  pen_session_set_page (window->session, PEN_PAGE_MAP);
  app_support_run (50);
  app_support_settle (window->session);
  app_support_run (50);
  app_support_settle (window->session);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window->map)));
  return window;
}

static void
get_map (PenWindow *window, PenMap *map, PenPlot *plot)
{
  *plot = pen_plot_view_get_plot (PEN_PLOT_VIEW (window->map));
  *map = pen_text_map_get_map (window->map, plot);
  g_assert_nonnull (map->bins);
}

static void
drag (GtkWidget *widget, double x, double y, double dx, double dy)
{
  GtkEventController *gesture = window_support_find_controller (widget, GTK_TYPE_GESTURE_DRAG);

  g_signal_emit_by_name (gesture, "drag-begin", x, y);
  g_signal_emit_by_name (gesture, "drag-update", dx / 2, dy / 2);
  g_signal_emit_by_name (gesture, "drag-update", dx, dy);
  g_signal_emit_by_name (gesture, "drag-end", dx, dy);
}

static void
point_at (GtkWidget *widget, double x, double y)
{
  GtkEventController *motion
      = window_support_find_controller (widget, GTK_TYPE_EVENT_CONTROLLER_MOTION);

  g_signal_emit_by_name (motion, "motion", x, y);
}

static void
press_twice (GtkWidget *widget, double x, double y)
{
  GtkEventController *click = window_support_find_controller (widget, GTK_TYPE_GESTURE_CLICK);

  g_signal_emit_by_name (click, "pressed", 2, x, y);
}

/* Of the map only the addresses are asked for before it is looked at. */
static void
test_asked_when_shown (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  PenMap map;
  PenPlot plot;

  g_assert_nonnull (pen_session_get_answers (window->session)->axis);
  g_assert_null (pen_session_get_answers (window->session)->map);
  window_support_close_window (window);

  window = open_map ();
  get_map (window, &map, &plot);
  g_assert_cmpfloat (map.bins->total, >, 1000);
  g_assert_cmpuint (map.bins->marks->len, >, 10);
  window_support_close_window (window);
}

static void
test_rectangle (void)
{
  PenWindow *window = open_map ();
  GtkWidget *widget = GTK_WIDGET (window->map);
  guint64 all = pen_session_get_answers (window->session)->counts->matching.n;
  const PenFilter *filter;
  PenAxisView axis_view;
  PenMap map;
  PenPlot plot;

  get_map (window, &map, &plot);
  drag (widget, plot.x + 100, plot.y + 20, 200, 60);
  app_support_settle (window->session);
  filter = pen_session_get_view (window->session)->filter;
  g_assert_true (filter->has_time);
  g_assert_true (filter->has_address);
  g_assert_cmpuint (filter->from, ==, pen_plot_get_time (&plot, plot.x + 100));
  g_assert_cmpuint (filter->to, ==, pen_plot_get_time (&plot, plot.x + 300));
  g_assert_cmphex (filter->address_from, ==, pen_map_get_address (&map, 20));
  g_assert_cmphex (filter->address_to, ==, pen_map_get_address (&map, 80) - 1);
  g_assert_cmpuint (pen_session_get_answers (window->session)->counts->matching.n, <, all);

  gtk_widget_activate_action (widget, "textmap.zoom-selection", NULL);
  g_assert_cmpuint (pen_session_get_view (window->session)->visible.from, ==, filter->from);
  axis_view = pen_session_get_view (window->session)->axis_view;
  g_assert_cmpfloat (axis_view.to - axis_view.from, <, 0.5);
  gtk_widget_activate_action (widget, "textmap.clear-selection", NULL);
  g_assert_true (pen_filter_is_empty (pen_session_get_view (window->session)->filter));

  /* Broad, but not high: time alone. */
  gtk_widget_activate_action (widget, "textmap.zoom-fit", NULL);
  drag (widget, plot.x + 100, plot.y + 20, 200, 1);
  g_assert_true (pen_session_get_view (window->session)->filter->has_time);
  g_assert_false (pen_session_get_view (window->session)->filter->has_address);
  app_support_settle (window->session);
  window_support_close_window (window);
}

static void
test_zoom (void)
{
  PenWindow *window = open_map ();
  GtkWidget *widget = GTK_WIDGET (window->map);
  GtkEventController *scroll
      = window_support_find_controller (widget, GTK_TYPE_EVENT_CONTROLLER_SCROLL);
  PenSpan all = pen_session_get_view (window->session)->visible;
  gboolean handled;
  guint64 time, address;
  PenMap map;
  PenPlot plot;

  get_map (window, &map, &plot);
  point_at (widget, plot.x + 250, plot.y + 30);
  time = pen_plot_get_time (&plot, plot.x + 250);
  address = pen_map_get_address (&map, 30);
  for (int i = 0; i < 5; i++)
    g_signal_emit_by_name (scroll, "scroll", 0.0, -1.0, &handled);
  g_assert_true (handled);
  get_map (window, &map, &plot);
  g_assert_cmpuint (pen_span_length (map.view), <, pen_span_length (all) / 2);
  g_assert_cmpfloat (map.axis_view.to - map.axis_view.from, <, 0.5);
  /* What was under the pointer is there still. */
  g_assert_cmpfloat (fabs (pen_plot_get_x (&plot, time) - plot.x - 250), <, 2);
  g_assert_cmpfloat (fabs (pen_map_get_y (&map, address) - 30), <, 3);
  app_support_settle (window->session);
  get_map (window, &map, &plot);
  g_assert_cmpuint (map.bins->from, ==, map.view.from);
  g_assert_cmphex (map.bins->edges[0], ==, pen_map_get_address (&map, 0));

  gtk_widget_activate_action (widget, "textmap.expand", NULL);
  g_assert_true (pen_span_equal (pen_session_get_view (window->session)->visible, map.view));
  gtk_widget_activate_action (widget, "textmap.pan-down", NULL);
  g_assert_cmpfloat (pen_session_get_view (window->session)->axis_view.from, >, map.axis_view.from);
  gtk_widget_activate_action (widget, "textmap.zoom-fit", NULL);
  g_assert_cmpfloat (pen_session_get_view (window->session)->axis_view.to, ==, 1);
  g_assert_true (pen_span_equal (pen_session_get_view (window->session)->visible, all));
  app_support_settle (window->session);
  window_support_close_window (window);
}

/* A click on a patch goes to its line. */
static void
test_open_patch (void)
{
  PenWindow *window = open_map ();
  GtkWidget *widget = GTK_WIDGET (window->map);
  const PenMapMark *mark = NULL;
  guint64 line;
  double x = 0, y = 0;
  PenMap map;
  PenPlot plot;

  get_map (window, &map, &plot);
  for (guint i = 0; i < map.bins->marks->len; i++) {
    mark = &g_array_index (map.bins->marks, PenMapMark, i);
    x = floor (pen_plot_get_x (&plot, mark->first)) + 1;
    y = floor (plot.y + pen_map_get_y (&map, mark->address)) + 1;
    if (mark->function != G_MAXUINT32
        && pen_map_find_mark (&map, (int) x - plot.x, (int) y - plot.y) == mark)
      break;
    mark = NULL;
  }
  g_assert_nonnull (mark);
  {
    guint64 address = mark->address;
    guint64 time = mark->first;

    drag (widget, x, y, 0, 0);
    app_support_settle (window->session);
    g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CODE);
    g_assert_true (pen_session_get_line (window->session, &line));
    g_assert_cmphex (line, ==, address);
    g_assert_cmpuint (pen_session_get_view (window->session)->playhead, ==, time);
  }
  window_support_close_window (window);
}

/* A double click on an occupant leaves only that; elsewhere it shows all again. */
static void
test_only_this (void)
{
  PenWindow *window = open_map ();
  GtkWidget *widget = GTK_WIDGET (window->map);
  const PenOutline *outline = pen_session_get_opened (window->session)->outline;
  const PenBar *bar = NULL;
  const PenFilter *filter;
  PenMap map;
  PenPlot plot;
  int x = 0, y = 0;

  get_map (window, &map, &plot);
  for (guint i = 0; i < outline->bars->len && !bar; i++) {
    const PenTenure *tenure = &g_array_index (outline->bars, PenBar, i).tenure;

    x = (int) (pen_plot_get_x (&plot, MAX (tenure->from.time, map.view.from)) - plot.x) + 2;
    y = (int) (pen_map_get_y (&map, tenure->start)) + 1;
    bar = pen_map_find_bar (&map, x, y);
  }
  g_assert_nonnull (bar);
  press_twice (widget, plot.x + x, plot.y + y);
  filter = pen_session_get_view (window->session)->filter;
  g_assert_nonnull (filter->only.occupants);
  g_assert_cmpstr (g_ptr_array_index (filter->only.occupants, 0), ==, bar->tenure.occupant);
  app_support_settle (window->session);

  pen_session_set_axis_view (window->session, (PenAxisView){ 0.2, 0.4 });
  press_twice (widget, plot.x + 5, 2);
  g_assert_cmpfloat (pen_session_get_view (window->session)->axis_view.from, ==, 0);
  window_support_close_window (window);
}

/* What is pointed at in one view lights up in the others. */
static void
test_hover (void)
{
  PenWindow *window = open_map ();
  const PenHover *hover = pen_session_get_hover (window->session);
  GtkEventController *motion;
  g_autofree char *text = NULL;
  PenMap map;
  PenPlot plot;

  get_map (window, &map, &plot);
  point_at (GTK_WIDGET (window->map), plot.x + 120, plot.y + 40);
  g_assert_true (hover->has_time);
  g_assert_true (hover->has_address);
  g_assert_cmpuint (hover->time, ==, pen_plot_get_time (&plot, plot.x + 120));
  g_assert_cmphex (hover->address_from, <, hover->address_to);
  text = pen_plot_view_describe_point (PEN_PLOT_VIEW (window->map), plot.x + 120, plot.y + 40);
  g_assert_nonnull (strstr (text, "0xffffffff"));
  motion
      = window_support_find_controller (GTK_WIDGET (window->map), GTK_TYPE_EVENT_CONTROLLER_MOTION);
  g_signal_emit_by_name (motion, "leave");
  g_assert_false (hover->has_time);
  app_support_run (30);
  window_support_close_window (window);
}

static gboolean
is_name (GtkWidget *widget, gpointer name)
{
  return PEN_IS_NAME_LABEL (widget)
         && g_str_equal (pen_name_label_get_name (PEN_NAME_LABEL (widget)), name);
}

/* Whichever of the list's motion controllers it is that tells. */
static void
move_over (GtkWidget *list, const char *signal, double x, double y)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (list);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
      g_signal_emit_by_name (controller, signal, x, y);
  }
}

static void
test_hover_function (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  const PenHover *hover = pen_session_get_hover (window->session);
  g_autoptr (PenFunctionItem) first = g_list_model_get_item (
      G_LIST_MODEL (window_support_child (window->functions, "selection")), 0);
  const PenFunction *function = &pen_function_item_get_row (first)->function;
  g_autofree char *name = pen_function_item_dup_name (first);
  GtkWidget *label = window_support_find_widget (GTK_WIDGET (window->functions), is_name, name);
  GtkWidget *list = gtk_widget_get_ancestor (label, GTK_TYPE_COLUMN_VIEW);
  double x, y;

  g_assert_cmpint (function->kind, ==, PEN_KIND_KERNEL);
  g_assert_true (gtk_widget_translate_coordinates (label, list, 2, 2, &x, &y));
  move_over (list, "motion", x, y);
  g_assert_true (hover->has_address);
  g_assert_cmphex (hover->address_from, ==, function->start);
  g_assert_cmphex (hover->address_to, ==, function->start + function->length);
  move_over (list, "leave", 0, 0);
  g_assert_false (hover->has_address);
  window_support_close_window (window);
}

/* ---- lanes of the overview ---- */

static void
test_fold (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  PenTimeline *timeline = window->timeline;
  GtkEventController *click
      = window_support_find_controller (GTK_WIDGET (timeline), GTK_TYPE_GESTURE_CLICK);
  PenPlot plot = pen_plot_view_get_plot (PEN_PLOT_VIEW (timeline));
  int before = timeline->lanes.boxes[PEN_LANE_PATCHES].height;
  int y = plot.y + timeline->lanes.boxes[PEN_LANE_PATCHES].y + 3;

  g_signal_emit_by_name (click, "pressed", 1, plot.gutter_x + 10.0, (double) y);
  app_support_run (30);
  g_assert_false (pen_lanes_is_folded (&timeline->lanes, PEN_LANE_PATCHES));
  g_signal_emit_by_name (click, "released", 1, plot.gutter_x + 10.0, (double) y);
  app_support_run (30);
  g_assert_true (pen_lanes_is_folded (&timeline->lanes, PEN_LANE_PATCHES));
  g_assert_cmpint (timeline->lanes.boxes[PEN_LANE_PATCHES].height, <, before);
  gtk_widget_activate_action (GTK_WIDGET (timeline), "timeline.fold-lane", "s", "patches");
  app_support_run (30);
  g_assert_cmpint (timeline->lanes.boxes[PEN_LANE_PATCHES].height, ==, before);
  window_support_close_window (window);
}

static void
test_task_lanes (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  GtkWidget *timeline = GTK_WIDGET (window->timeline);
  const PenTaskBins *bins;

  g_assert_null (pen_session_get_answers (window->session)->tasks[PEN_TASKS_BY_CPU]);
  gtk_widget_activate_action (timeline, "timeline.toggle-cpus", NULL);
  gtk_widget_activate_action (timeline, "timeline.toggle-processes", NULL);
  app_support_run (30);
  app_support_settle (window->session);
  bins = pen_session_get_answers (window->session)->tasks[PEN_TASKS_BY_CPU];
  g_assert_nonnull (bins);
  g_assert_cmpuint (bins->rows->len, >, 0);
  g_assert_nonnull (pen_session_get_answers (window->session)->tasks[PEN_TASKS_BY_PROCESS]);
  app_support_run (30);
  g_assert_cmpint (window->timeline->lanes.boxes[PEN_LANE_CPUS].height, >, 0);
  g_assert_cmpint (window->timeline->lanes.boxes[PEN_LANE_TASKS].height, >, 0);

  gtk_widget_activate_action (timeline, "timeline.toggle-cpus", NULL);
  app_support_run (30);
  g_assert_null (pen_session_get_answers (window->session)->tasks[PEN_TASKS_BY_CPU]);
  g_assert_cmpint (window->timeline->lanes.boxes[PEN_LANE_CPUS].height, ==, 0);
  window_support_close_window (window);
}

static guint
count_marks (PenWindow *window, guint32 batch, guint *n_patches)
{
  const PenOverview *overview;
  guint n = 0;

  app_support_run (30);
  app_support_settle (window->session);
  overview = pen_session_get_answers (window->session)->overview;
  *n_patches = 0;
  for (guint i = 0; i < overview->marks->len; i++) {
    const PenPatchMark *mark = &g_array_index (overview->marks, PenPatchMark, i);

    n += mark->batch == batch;
    *n_patches += mark->batch == batch ? mark->count : 0;
  }
  return n;
}

/* What was patched together is one mark with all its patches, until its sites are apart. */
static void
test_batch (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  const PenOutline *outline = pen_session_get_opened (window->session)->outline;
  const PenBatch *batch = NULL;
  guint64 bin;
  guint n_patches;
  g_autofree char *tooltip = NULL;
  g_autofree char *title = NULL;

  for (guint i = 0; i < outline->n_batches; i++) {
    if (outline->batches[i].n_sites > 20 && outline->batches[i].to > outline->batches[i].from
        && outline->batches[i].effect == PEN_POKE_PATCH)
      batch = &outline->batches[i];
  }
  g_assert_nonnull (batch);
  bin = (batch->to - batch->from) / (PEN_BATCH_STEPS - 2);
  pen_session_set_visible (
      window->session,
      (PenSpan){ batch->from - bin,
                 batch->from + bin * pen_session_get_answers (window->session)->overview->n_bins });
  g_assert_cmpuint (count_marks (window, batch->id, &n_patches), ==, 1);
  g_assert_cmpuint (n_patches, ==, batch->n_sites);
  tooltip = window_support_dup_tooltip (window, batch->from, PEN_LANE_PATCHES);
  title = g_strdup_printf (": %u sites in ", batch->n_sites);
  g_assert_nonnull (strstr (tooltip, title));

  pen_session_set_visible (window->session, (PenSpan){ batch->from - 1000, batch->to + 1000 });
  g_assert_cmpuint (count_marks (window, batch->id, &n_patches), >, 5);
  g_assert_cmpuint (n_patches, ==, batch->n_sites);
  window_support_close_window (window);
}

/* ---- other people's screens ---- */

static void
test_right_to_left (void)
{
  PenWindow *window = open_map ();
  PenPlot before = pen_plot_view_get_plot (PEN_PLOT_VIEW (window->timeline));
  PenPlot plot;
  PenMap map;

  gtk_widget_set_direction (GTK_WIDGET (window->timeline), GTK_TEXT_DIR_RTL);
  gtk_widget_set_direction (GTK_WIDGET (window->map), GTK_TEXT_DIR_RTL);
  app_support_run (50);
  plot = pen_plot_view_get_plot (PEN_PLOT_VIEW (window->timeline));
  g_assert_cmpint (plot.x, ==, 0);
  g_assert_cmpint (plot.width, ==, before.width);
  g_assert_cmpfloat (pen_plot_get_x (&plot, plot.view.from), <,
                     pen_plot_get_x (&plot, plot.view.to));
  get_map (window, &map, &plot);
  g_assert_cmpint (plot.x, ==, 0);
  window_support_close_window (window);
}

static void
test_large_text (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  PenWindow *window = open_map ();
  int before = window->timeline->lanes.row_heights[PEN_LANE_PATCHES];
  int dpi;
  PenPlot plot;
  PenMap map;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 192 * 1024, NULL);
  app_support_run (100);
  app_support_settle (window->session);
  /* The window is low for letters of that size. */
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (window->timeline)), >, 120);
  g_assert_true (pen_timeline_get_folded (window->timeline));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.fold-overview", NULL);
  app_support_run (50);
  g_assert_cmpint (window->timeline->lanes.row_heights[PEN_LANE_PATCHES], >, before * 3 / 2);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.fold-overview", NULL);
  get_map (window, &map, &plot);
  g_assert_cmpint (plot.gutter_width, >, PEN_PLOT_GUTTER * 3 / 2);
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  app_support_run (50);
  window_support_close_window (window);
}

/* ---- pictures ---- */

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  gboolean *written = user_data;

  *written = pen_session_export_finish (PEN_SESSION (source), result, NULL, &error);
  g_assert_no_error (error);
}

static void
test_pictures (void)
{
  PenWindow *window = open_map ();
  g_autofree char *directory = g_dir_make_tmp ("pentimento-pictures-XXXXXX", NULL);

  for (guint view = 0; view < PEN_VIEWS; view++) {
    g_autofree char *name = g_strdup_printf ("%s.png", pen_view_to_string (view));
    g_autofree char *path = g_build_filename (directory, name, NULL);
    g_autoptr (GFile) file = g_file_new_for_path (path);
    g_autofree char *content = NULL;
    gboolean written = FALSE;
    gsize length;

    g_assert_true (pen_session_can_export_picture (window->session, view));
    pen_session_export_picture_async (window->session, view, TRUE, file, on_written, &written);
    app_support_settle (window->session);
    g_assert_true (written);
    g_assert_true (g_file_get_contents (path, &content, &length, NULL));
    g_assert_cmpuint (length, >, 1000);
    g_assert_cmpint (memcmp (content, "\x89PNG", 4), ==, 0);
    g_assert_cmpint (g_remove (path), ==, 0);
  }
  g_assert_cmpint (g_rmdir (directory), ==, 0);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/map/asked-when-shown", test_asked_when_shown);
  g_test_add_func ("/map/rectangle", test_rectangle);
  g_test_add_func ("/map/zoom", test_zoom);
  g_test_add_func ("/map/open-patch", test_open_patch);
  g_test_add_func ("/map/only-this", test_only_this);
  g_test_add_func ("/map/hover", test_hover);
  g_test_add_func ("/map/hover-function", test_hover_function);
  g_test_add_func ("/map/right-to-left", test_right_to_left);
  g_test_add_func ("/map/large-text", test_large_text);
  g_test_add_func ("/map/pictures", test_pictures);
  g_test_add_func ("/lanes/fold", test_fold);
  g_test_add_func ("/lanes/batch", test_batch);
  g_test_add_func ("/lanes/tasks", test_task_lanes);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
