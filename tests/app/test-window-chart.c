/* test-window-chart.c: stacks in time order on the page of callers, used as a person would
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <string.h>

#include "pen-callers-private.h"
#include "pen-stack-chart.h"

#define CAPTURE "f-everything-z.data"

static void
settle (PenWindow *window)
{
  app_support_run (50);
  app_support_settle (window->session);
  app_support_run (50);
  app_support_settle (window->session);
}

static PenWindow *
open_chart (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);

  pen_session_set_page (window->session, PEN_PAGE_CALLERS);
  settle (window);
  g_assert_null (pen_session_get_answers (window->session)->chart);
  window_support_press (GTK_WIDGET (window->callers), "t");
  settle (window);
  return window;
}

static const PenStackChart *
get_chart (PenWindow *window)
{
  return pen_session_get_answers (window->session)->chart->chart;
}

static void
assert_same (const PenStackChart *a, const PenStackChart *b)
{
  g_assert_cmpuint (a->n_columns, ==, b->n_columns);
  g_assert_cmpuint (a->rows->len, ==, b->rows->len);
  for (guint i = 0; i < a->rows->len; i++) {
    const PenChartRow *x = &g_array_index (a->rows, PenChartRow, i);
    const PenChartRow *y = &g_array_index (b->rows, PenChartRow, i);

    g_assert_cmpint (x->number, ==, y->number);
    g_assert_cmpuint (x->samples, ==, y->samples);
  }
  g_assert_cmpmem (a->boxes->data, a->boxes->len * sizeof (PenChartBox), b->boxes->data,
                   b->boxes->len * sizeof (PenChartBox));
}

/* What the command line draws, at the width that there is. */
static void
assert_drawn (PenWindow *window, PenChartKey key)
{
  PenPlot plot = pen_plot_view_get_plot (PEN_PLOT_VIEW (window->callers->chart));
  const PenViewState *view = pen_session_get_view (window->session);
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  g_autoptr (PenStackChart) same
      = pen_stack_chart_load (query, view->filter, PEN_STACK_BY_FUNCTION, key, view->visible,
                              (guint) plot.width, 256, 2 * PEN_CHART_MOST_LEVELS, NULL);

  g_assert_cmpint (get_chart (window)->key, ==, key);
  g_assert_cmpuint (get_chart (window)->boxes->len, >, 100);
  if (get_chart (window)->n_left_out == 0)
    assert_same (get_chart (window), same);
  else
    g_assert_cmpuint (get_chart (window)->n_left_out + get_chart (window)->rows->len, ==,
                      same->rows->len);
}

static void
test_shown (void)
{
  PenWindow *window = open_chart ();
  GActionGroup *actions = G_ACTION_GROUP (window->callers->actions);
  PenSpan span = pen_session_get_span (window->session);

  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window->callers->chart)));
  g_assert_false (g_action_group_get_action_enabled (actions, "inverted"));
  assert_drawn (window, PEN_CHART_BY_CPU);
  g_action_group_change_action_state (actions, "by-task", g_variant_new_boolean (TRUE));
  settle (window);
  assert_drawn (window, PEN_CHART_BY_TASK);

  /* Zoomed in, and under a filter; a selected time is only marked. */
  pen_session_set_visible (window->session, (PenSpan){ span.from, span.from + 3000000000 });
  pen_session_add_filter_text (window->session, "kind:kernel", NULL);
  settle (window);
  g_assert_cmpuint (get_chart (window)->to, ==, span.from + 3000000000);
  assert_drawn (window, PEN_CHART_BY_TASK);

  /* Back to the stacks by weight. */
  g_action_group_change_action_state (actions, "order", g_variant_new_string ("heavy"));
  settle (window);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (window->callers->chart)));
  g_assert_false (g_action_group_get_action_enabled (actions, "by-task"));
  g_assert_true (g_action_group_get_action_enabled (actions, "inverted"));
  window_support_close_window (window);
}

/* The middle of a frame of a function of its own. */
static const PenChartBox *
find_frame (PenWindow *window, const PenPlot *plot, const char *name, double *x, double *y)
{
  const PenStackChart *chart = get_chart (window);

  for (int j = 0; j < plot->height; j += 5) {
    for (int i = 0; i < plot->width; i++) {
      const PenChartBox *box = pen_stack_chart_find (chart, plot, 0, i, j);

      if (!box || g_strcmp0 (chart->groups[box->group].symbol, name) != 0)
        continue;
      *x = plot->x + i;
      *y = plot->y + j;
      return box;
    }
  }
  return NULL;
}

/* A click moves the playhead there, and the lists beside are those of the frame's function. */
static void
test_click (void)
{
  PenWindow *window = open_chart ();
  PenPlotView *view = PEN_PLOT_VIEW (window->callers->chart);
  GtkEventController *drag
      = window_support_find_controller (GTK_WIDGET (view), GTK_TYPE_GESTURE_DRAG);
  PenPlot plot = pen_plot_view_get_plot (view);
  const PenChartBox *box;
  g_autofree char *tooltip = NULL;
  double x = 0, y = 0;

  box = find_frame (window, &plot, "ksys_read", &x, &y);
  g_assert_nonnull (box);
  tooltip = pen_plot_view_describe_point (view, x, y);
  g_assert_true (g_str_has_prefix (tooltip, "ksys_read\nKernel "));
  g_assert_nonnull (strstr (tooltip, "\nCPU "));
  g_signal_emit_by_name (drag, "drag-begin", x, y);
  g_signal_emit_by_name (drag, "drag-end", 0.0, 0.0);
  settle (window);
  g_assert_cmpuint (pen_session_get_view (window->session)->playhead, ==,
                    pen_plot_get_time (&plot, x));
  g_assert_cmpuint (pen_session_get_view (window->session)->flame->subject, ==,
                    get_chart (window)->groups[box->group].function);

  /* A drag selects time. */
  g_signal_emit_by_name (drag, "drag-begin", plot.x + 100.0, y);
  g_signal_emit_by_name (drag, "drag-update", 50.0, 0.0);
  g_signal_emit_by_name (drag, "drag-end", 50.0, 0.0);
  settle (window);
  g_assert_cmpuint (pen_session_get_view (window->session)->filter->from, ==,
                    pen_plot_get_time (&plot, plot.x + 100.0));
  assert_drawn (window, PEN_CHART_BY_CPU);
  window_support_close_window (window);
}

static gboolean
has_action (GMenuModel *menu, const char *action, GVariant **target)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
    g_autofree char *name = NULL;

    if (section && has_action (section, action, target))
      return TRUE;
    if (!g_menu_model_get_item_attribute (menu, i, "action", "s", &name)
        || !g_str_equal (name, action))
      continue;
    *target = g_menu_model_get_item_attribute_value (menu, i, "target", NULL);
    return TRUE;
  }
  return FALSE;
}

/* Takes the target from the menu, and activates it: callers, time, code. */
static void
choose (PenWindow *window, const char *action)
{
  GtkWidget *chart = GTK_WIDGET (window->callers->chart);
  GtkPopover *menu = window_support_find_menu (chart);
  g_autoptr (GVariant) target = NULL;

  g_assert_nonnull (menu);
  g_assert_true (
      has_action (gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (menu)), action, &target));
  g_assert_true (gtk_widget_activate_action_variant (chart, action, target));
  gtk_popover_popdown (menu);
  settle (window);
}

static GtkGesture *
find_secondary (GtkWidget *widget)
{
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GObject) item = g_list_model_get_item (all, i);

    if (GTK_IS_GESTURE_CLICK (item)
        && gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (item)) == GDK_BUTTON_SECONDARY)
      return GTK_GESTURE (item);
  }
  g_assert_not_reached ();
}

static void
test_menu (void)
{
  PenWindow *window = open_chart ();
  PenPlotView *view = PEN_PLOT_VIEW (window->callers->chart);
  PenPlot plot = pen_plot_view_get_plot (view);
  GtkGesture *secondary = find_secondary (GTK_WIDGET (view));
  const PenChartBox *box;
  double x = 0, y = 0;
  guint32 function, shown;
  guint64 from, to;

  /* None where there is no frame. */
  g_signal_emit_by_name (secondary, "pressed", 1, 2.0, plot.y + plot.height - 2.0);
  g_assert_null (gtk_widget_get_last_child (GTK_WIDGET (view)));
  box = find_frame (window, &plot, "ksys_read", &x, &y);
  g_assert_nonnull (box);
  function = get_chart (window)->groups[box->group].function;
  g_signal_emit_by_name (secondary, "pressed", 1, x, y);
  choose (window, "win.show-callers");
  g_assert_cmpuint (pen_session_get_view (window->session)->flame->subject, ==, function);

  pen_stack_chart_get_time (get_chart (window), box, &from, &to);
  g_signal_emit_by_name (secondary, "pressed", 1, x, y);
  choose (window, "win.zoom-to");
  g_assert_cmpuint (pen_session_get_view (window->session)->visible.from, <=, from);
  g_assert_cmpuint (pen_session_get_view (window->session)->visible.to, >=, to);
  g_assert_cmpuint (pen_span_length (pen_session_get_view (window->session)->visible), <,
                    pen_span_length (pen_session_get_span (window->session)) / 2);
  gtk_widget_activate_action (GTK_WIDGET (view), "stack-chart.zoom-fit", NULL);
  settle (window);

  g_signal_emit_by_name (secondary, "pressed", 1, x, y);
  choose (window, "stack-chart.show-code");
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CODE);
  g_assert_true (pen_session_get_function (window->session, &shown));
  g_assert_cmpuint (shown, ==, function);
  window_support_close_window (window);
}

/* Stacks in time order have all frames: the choices of the tree say that they do not hold. */
static void
test_choices (void)
{
  PenWindow *window = open_chart ();
  g_autoptr (PenFlameState) state = pen_session_dup_flame (window->session);
  GtkWidget *chip;

  state->lens = get_chart (window)->groups[1].function;
  pen_session_set_flame (window->session, state);
  settle (window);
  chip = gtk_widget_get_first_child (window->callers->choices);
  g_assert_nonnull (chip);
  g_assert_false (gtk_widget_get_sensitive (chip));
  g_assert_true (GTK_IS_LABEL (gtk_widget_get_next_sibling (chip)));
  assert_drawn (window, PEN_CHART_BY_CPU);
  g_action_group_change_action_state (G_ACTION_GROUP (window->callers->actions), "in-time",
                                      g_variant_new_boolean (FALSE));
  settle (window);
  chip = gtk_widget_get_first_child (window->callers->choices);
  g_assert_true (gtk_widget_get_sensitive (chip));
  g_assert_null (gtk_widget_get_next_sibling (chip));
  window_support_close_window (window);
}

/* It is higher than the window. */
static void
test_scroll (void)
{
  PenWindow *window = open_chart ();
  GtkAdjustment *down = pen_chart_picture_get_adjustment (window->callers->chart);

  g_assert_cmpfloat (gtk_adjustment_get_upper (down), >, gtk_adjustment_get_page_size (down));
  window_support_press (GTK_WIDGET (window->callers->chart), "Down");
  g_assert_cmpfloat (gtk_adjustment_get_value (down), >, 0);
  window_support_press (GTK_WIDGET (window->callers->chart), "Page_Down");
  window_support_press (GTK_WIDGET (window->callers->chart), "Page_Down");
  window_support_press (GTK_WIDGET (window->callers->chart), "Page_Down");
  window_support_press (GTK_WIDGET (window->callers->chart), "Page_Down");
  g_assert_cmpfloat (gtk_adjustment_get_value (down), ==,
                     gtk_adjustment_get_upper (down) - gtk_adjustment_get_page_size (down));
  window_support_close_window (window);
}

/* The state has words; what is compared is no chart. */
static void
test_state (void)
{
  g_autoptr (PenFlameState) state = pen_flame_state_new_from_words ("in-time,by-task");
  g_autofree char *words = pen_flame_state_to_words (state);

  g_assert_true (pen_flame_state_shows_chart (state));
  g_assert_cmpint (state->chart_key, ==, PEN_CHART_BY_TASK);
  g_assert_cmpstr (words, ==, "in-time,by-task");
  pen_flame_state_compare_batch (state, 2, (PenWindowRules){ 0 });
  g_assert_false (pen_flame_state_shows_chart (state));
  g_assert_false (pen_flame_state_shows_chart (NULL));
}

static void
add_tests (void)
{
  g_test_add_func ("/window/chart/shown", test_shown);
  g_test_add_func ("/window/chart/click", test_click);
  g_test_add_func ("/window/chart/menu", test_menu);
  g_test_add_func ("/window/chart/choices", test_choices);
  g_test_add_func ("/window/chart/scroll", test_scroll);
  g_test_add_func ("/window/chart/state", test_state);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
