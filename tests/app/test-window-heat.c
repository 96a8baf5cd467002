/* test-window-heat.c: the heat map of the page of callers, used as a person would
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <string.h>

#include "pen-callers-private.h"
#include "pen-heat-picture.h"

#define CAPTURE "f-everything-z.data"

static void
settle (PenWindow *window)
{
  app_support_run (50);
  app_support_settle (window->session);
  app_support_run (50);
  app_support_settle (window->session);
}

/* The key of the page. */
static void
press_h (PenWindow *window)
{
  window_support_press (GTK_WIDGET (window->callers), "h");
  settle (window);
}

static PenWindow *
open_heat (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);

  pen_session_set_page (window->session, PEN_PAGE_CALLERS);
  settle (window);
  g_assert_null (pen_session_get_answers (window->session)->heat);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (window->callers->heat)));
  press_h (window);
  return window;
}

static PenHeatPicture *
get_picture (PenWindow *window)
{
  return window_support_child (window->callers->heat, "picture");
}

static const PenHeat *
get_heat (PenWindow *window)
{
  return pen_session_get_answers (window->session)->heat;
}

static void
press (PenWindow *window, const char *keys)
{
  window_support_press (GTK_WIDGET (get_picture (window)), keys);
  app_support_settle (window->session);
}

static guint64
count_stacks (PenWindow *window)
{
  const PenFlameTree *tree = pen_session_get_answers (window->session)->flame->tree;

  return pen_flame_tree_get (tree, 0)->total.samples;
}

/* The stretch of cells is selected, and no sample more or fewer is in the stacks. */
static void
assert_selected (PenWindow *window, guint first, guint last)
{
  PenSpan span, of_cells;
  PenHeatCells cells = { first, last };

  settle (window);
  of_cells = pen_heat_map_get_cells_span (get_heat (window), cells);
  g_assert_true (pen_session_get_selected (window->session, &span));
  g_assert_cmpuint (span.from, ==, of_cells.from);
  g_assert_cmpuint (span.to, ==, of_cells.to - 1);
  g_assert_cmpuint (count_stacks (window), ==, pen_heat_map_count (get_heat (window), cells));
}

static void
get_middle (PenWindow *window, guint cell, double *x, double *y)
{
  GdkRectangle box;

  g_assert_true (pen_heat_picture_get_box (get_picture (window), cell, &box));
  *x = box.x + box.width / 2.0;
  *y = box.y + box.height / 2.0 + 0.5;
}

/* From the middle of one cell to that of another. */
static void
drag (PenWindow *window, guint from, guint to)
{
  GtkEventController *gesture
      = window_support_find_controller (GTK_WIDGET (get_picture (window)), GTK_TYPE_GESTURE_DRAG);
  double x0, y0, x1, y1;

  get_middle (window, from, &x0, &y0);
  get_middle (window, to, &x1, &y1);
  g_signal_emit_by_name (gesture, "drag-begin", x0, y0);
  if (from != to)
    g_signal_emit_by_name (gesture, "drag-update", x1 - x0, y1 - y0);
  g_signal_emit_by_name (gesture, "drag-end", x1 - x0, y1 - y0);
}

/* It has what the command line has: all samples of the visible time, whatever time is selected. */
static void
test_shown (void)
{
  PenWindow *window = open_heat ();
  const PenHeat *heat = get_heat (window);
  PenSpan span = pen_session_get_span (window->session);
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  g_autoptr (PenHeat) same = NULL;
  PenHeatCells all = { 0, 0 };
  const char *scale;

  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window->callers->heat)));
  g_assert_nonnull (heat);
  all.last = pen_heat_map_get_last (heat);
  g_assert_cmpuint (pen_heat_map_count (heat, all), ==,
                    pen_session_get_answers (window->session)->counts->total.n);
  same = pen_query_heat (query, NULL, span.from, span.to, heat->column, NULL);
  g_assert_cmpuint (same->n_columns, ==, heat->n_columns);
  g_assert_cmpmem (same->counts, same->n_columns * same->n_rows * sizeof *same->counts,
                   heat->counts, heat->n_columns * heat->n_rows * sizeof *heat->counts);
  scale = gtk_label_get_text (window_support_child (window->callers->heat, "scale"));
  g_assert_nonnull (strstr (scale, " a column, "));
  g_assert_nonnull (strstr (scale, " a row; darkest: "));

  /* Zoomed in, it has other columns; other filters leave samples out. */
  pen_session_set_visible (window->session, (PenSpan){ span.from, span.from + 1000000000 });
  settle (window);
  g_assert_cmpuint (get_heat (window)->to, ==, span.from + 1000000000);
  pen_session_add_filter_text (window->session, "comm:nobody", NULL);
  settle (window);
  g_assert_cmpuint (get_heat (window)->max, ==, 0);
  window_support_close_window (window);
}

/* The ruler sets the playhead, and selects nothing. */
static void
test_playhead (void)
{
  PenWindow *window = open_heat ();
  GtkEventController *gesture
      = window_support_find_controller (GTK_WIDGET (get_picture (window)), GTK_TYPE_GESTURE_DRAG);
  guint64 column = get_heat (window)->column;
  GdkRectangle box;
  PenSpan span;
  guint64 time;

  g_assert_true (
      pen_heat_picture_get_box (get_picture (window), 2 * get_heat (window)->n_rows, &box));
  g_signal_emit_by_name (gesture, "drag-begin", box.x + 2.0, box.y - 4.0);
  g_signal_emit_by_name (gesture, "drag-end", 0.0, 0.0);
  settle (window);
  time = pen_session_get_view (window->session)->playhead;
  g_assert_cmpuint (time, >=, get_heat (window)->from + 2 * column);
  g_assert_cmpuint (time, <, get_heat (window)->from + 3 * column);
  g_assert_false (pen_session_get_selected (window->session, &span));
  window_support_close_window (window);
}

/* Forwards and backwards, and a click; the picture stays the same. */
static void
test_drag (void)
{
  PenWindow *window = open_heat ();
  const PenHeat *heat = get_heat (window);
  guint first = 3 * heat->n_rows + 20, last = 5 * heat->n_rows + 4;

  drag (window, first, last);
  assert_selected (window, first, last);
  g_assert_true (get_heat (window) == heat);
  drag (window, last + 7, first + 2);
  assert_selected (window, first + 2, last + 7);
  drag (window, first, first);
  assert_selected (window, first, first);
  press (window, "Escape");
  g_assert_false (pen_session_get_view (window->session)->filter->has_time);
  g_assert_true (get_heat (window) == heat);
  window_support_close_window (window);
}

static void
test_keys (void)
{
  PenWindow *window = open_heat ();
  PenHeatPicture *picture = get_picture (window);
  guint n_rows = get_heat (window)->n_rows;
  PenHeatCells cells;

  g_assert_false (pen_heat_picture_get_cells (picture, &cells));
  press (window, "Down");
  g_assert_true (pen_heat_picture_get_cells (picture, &cells));
  g_assert_cmpuint (cells.first, ==, 0);
  /* Nothing is before it. */
  press (window, "Left");
  press (window, "Up");
  pen_heat_picture_get_cells (picture, &cells);
  g_assert_cmpuint (cells.last, ==, 0);
  press (window, "Right");
  press (window, "Down");
  press (window, "Return");
  assert_selected (window, n_rows + 1, n_rows + 1);

  /* More cells, which are selected as a person says so. */
  press (window, "<Shift>Right");
  press (window, "<Shift>Up");
  pen_heat_picture_get_cells (picture, &cells);
  g_assert_cmpuint (cells.first, ==, n_rows + 1);
  g_assert_cmpuint (cells.last, ==, 2 * n_rows);
  assert_selected (window, n_rows + 1, n_rows + 1);
  press (window, "Return");
  assert_selected (window, n_rows + 1, 2 * n_rows);

  /* Escape gives up what was begun, then the selection; then H hides it. */
  press (window, "<Shift>Down");
  press (window, "Escape");
  assert_selected (window, n_rows + 1, 2 * n_rows);
  press (window, "Escape");
  g_assert_false (pen_session_get_view (window->session)->filter->has_time);
  press_h (window);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (window->callers->heat)));
  window_support_close_window (window);
}

/* Time, samples, and patches by cause; another view lights up with it. */
static void
test_tooltip (void)
{
  PenWindow *window = open_heat ();
  const PenHeat *heat = get_heat (window);
  PenClock clock = pen_session_get_clock (window->session);
  const PenHeatTick *tick = &g_array_index (heat->ticks, PenHeatTick, 0);
  guint cell = tick->column * heat->n_rows + tick->row;
  GtkEventController *motion = window_support_find_controller (GTK_WIDGET (get_picture (window)),
                                                               GTK_TYPE_EVENT_CONTROLLER_MOTION);
  g_autofree char *text = NULL;
  g_autofree char *patches = g_strdup_printf ("\n%u patch", tick->n);
  g_autofree char *spoken = pen_heat_map_speak (heat, &clock, (PenHeatCells){ cell, cell });
  guint n = 0;
  double x, y;

  get_middle (window, cell, &x, &y);
  text = pen_heat_picture_describe_point (get_picture (window), x, y);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "–"));
  g_assert_nonnull (strstr (text, " s\n"));
  g_assert_nonnull (strstr (text, " sample"));
  g_assert_nonnull (strstr (text, patches));
  g_assert_null (strchr (spoken, '\n'));
  g_assert_nonnull (strstr (spoken, " patch"));

  g_signal_emit_by_name (motion, "motion", x, y);
  g_assert_true (pen_session_get_hover (window->session)->has_time);
  g_assert_cmpuint (pen_session_get_hover (window->session)->time, ==,
                    pen_heat_get_time (heat, tick->column, tick->row));
  g_signal_emit_by_name (motion, "leave");
  g_assert_false (pen_session_get_hover (window->session)->has_time);

  /* Each patch has one cause. */
  for (guint i = 0; i < heat->causes->len; i++)
    n += g_array_index (heat->causes, PenHeatTick, i).n;
  for (guint i = 0; i < heat->ticks->len; i++)
    n -= g_array_index (heat->ticks, PenHeatTick, i).n;
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpuint (heat->causes->len, >, heat->ticks->len);
  window_support_close_window (window);
}

/* It comes back with the recording. */
static void
test_reopened (void)
{
  PenWindow *window = open_heat ();

  window_support_close_window (window);
  window = window_support_open_again (CAPTURE);
  settle (window);
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CALLERS);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window->callers->heat)));
  g_assert_nonnull (get_heat (window));

  /* In a narrow window, in place of callers and callees. */
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window->callers->neighbours)));
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 700);
  app_support_wait_for (!gtk_widget_get_visible (GTK_WIDGET (window->callers->neighbours)));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window->callers->heat)));
  press_h (window);
  app_support_wait_for (gtk_widget_get_visible (GTK_WIDGET (window->callers->neighbours)));
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/heat/shown", test_shown);
  g_test_add_func ("/window/heat/drag", test_drag);
  g_test_add_func ("/window/heat/playhead", test_playhead);
  g_test_add_func ("/window/heat/keys", test_keys);
  g_test_add_func ("/window/heat/tooltip", test_tooltip);
  g_test_add_func ("/window/heat/reopened", test_reopened);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
