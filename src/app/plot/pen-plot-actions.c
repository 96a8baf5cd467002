/* pen-plot-actions.c: what keys and menus do to a picture over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-plot-view-private.h"

#include <string.h>

/* To the end, however far that is. */
#define PAN_ALL 1e18

/* The time that keys zoom at: the one pointed at in a plane of time and addresses, or else the
 * playhead if it is in sight, or its nearest end or, of time alone, the middle. */
static guint64
get_anchor (PenPlotView *self, const PenPlot *plot)
{
  guint64 playhead = pen_session_get_view (self->session)->playhead;
  double end = plot->x + plot->width;

  if (PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses)
    return pen_plot_get_time (plot, self->pointer.is_over
                                        ? self->pointer.x
                                        : CLAMP (pen_plot_get_x (plot, playhead), plot->x, end));
  if (playhead > plot->view.from && playhead < plot->view.to)
    return playhead;
  return plot->view.from + pen_span_length (plot->view) / 2;
}

static void
zoom_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenPlotView *self = PEN_PLOT_VIEW (widget);
  PenPlot plot = pen_plot_view_get_plot (self);
  gboolean in = g_str_has_suffix (name, "in") || g_str_has_suffix (name, "expand");
  double step = PEN_PLOT_ZOOM_STEP * PEN_PLOT_ZOOM_STEP;
  double factor = in ? step : 1 / step;

  if (!pen_plot_view_is_ready (self))
    return;
  if (strstr (name, "zoom"))
    pen_plot_view_zoom_time (self, get_anchor (self, &plot), factor);
  pen_plot_view_zoom_addresses (
      self, &plot, pen_session_get_view (self->session)->axis_view,
      self->pointer.is_over ? self->pointer.y : plot.y + plot.height / 2.0, factor);
}

static void
zoom_fit_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenPlotView *self = PEN_PLOT_VIEW (widget);

  pen_session_set_visible (self->session, pen_session_get_span (self->session));
  if (PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses)
    pen_session_set_axis_view (self->session, (PenAxisView){ 0, 1 });
}

static void
zoom_selection_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenPlotView *self = PEN_PLOT_VIEW (widget);
  const PenFilter *filter = pen_session_get_view (self->session)->filter;
  const PenAddressAxis *axis = pen_session_get_answers (self->session)->axis;

  if (filter->has_time)
    pen_session_set_visible (self->session, (PenSpan){ filter->from, filter->to });
  if (PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses && filter->has_address && axis) {
    PenAxisView view = { pen_address_axis_get_position (axis, filter->address_from),
                         pen_address_axis_get_position (axis, filter->address_to) };

    if (view.to > view.from)
      pen_session_set_axis_view (self->session, view);
  }
}

static void
pan_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  static const struct {
    const char *end;
    double time;
    double addresses;
  } ways[] = {
    { "left", -PEN_PLOT_PAN_STEP, 0 }, { "right", PEN_PLOT_PAN_STEP, 0 },
    { "up", 0, -PEN_PLOT_PAN_STEP },   { "down", 0, PEN_PLOT_PAN_STEP },
    { "begin", -PAN_ALL, 0 },          { "end", PAN_ALL, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++) {
    if (g_str_has_suffix (name, ways[i].end))
      pen_plot_view_pan (PEN_PLOT_VIEW (widget), ways[i].time, ways[i].addresses);
  }
}

static void
step_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenSession *session = PEN_PLOT_VIEW (widget)->session;
  int direction = strstr (name, ".next") ? 1 : -1;

  if (g_str_has_suffix (name, "note"))
    pen_session_step_note (session, direction);
  else
    pen_session_step_change (session, direction);
}

static void
add_note_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const PenViewState *view = pen_session_get_view (PEN_PLOT_VIEW (widget)->session);

  gtk_widget_activate_action (widget, "win.add-note-at", "(btbt)", FALSE, (guint64) 0, TRUE,
                              view->playhead);
}

static void
clear_selection_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenPlotView *self = PEN_PLOT_VIEW (widget);
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_view (self->session)->filter);

  /* The second instant was set last, more likely than not. */
  if (pen_session_get_view (self->session)->has_mark) {
    pen_session_set_mark (self->session, NULL);
    return;
  }
  filter->has_time = FALSE;
  filter->from = filter->to = 0;
  if (PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses) {
    filter->has_address = FALSE;
    filter->address_from = filter->address_to = 0;
  }
  pen_session_set_filter (self->session, filter);
}

static void
mark_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_mark_pointed (PEN_PLOT_VIEW (widget)->session);
}

static void
install_actions (GtkWidgetClass *widget_class, const char *prefix, const PenPlotAction *actions,
                 gsize n_actions)
{
  for (gsize i = 0; i < n_actions; i++) {
    const PenPlotAction *action = &actions[i];
    g_autofree char *name = g_strconcat (prefix, ".", action->name, NULL);

    gtk_widget_class_install_action (widget_class, name, NULL, action->activate);
    for (gsize k = 0; k < G_N_ELEMENTS (action->keys) && action->keys[k]; k++) {
      gtk_widget_class_add_binding_action (widget_class, action->keys[k], 0, name, NULL);
      /* Where it takes Shift to type it. */
      if (action->keys[k] == GDK_KEY_plus || action->keys[k] == GDK_KEY_less
          || action->keys[k] == GDK_KEY_greater)
        gtk_widget_class_add_binding_action (widget_class, action->keys[k], GDK_SHIFT_MASK, name,
                                             NULL);
    }
  }
}

void
pen_plot_view_class_install_actions (PenPlotViewClass *klass, const char *prefix,
                                     const PenPlotAction *actions, gsize n_actions)
{
  static const PenPlotAction common[] = {
    { "zoom-in", zoom_action, { GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_w } },
    { "zoom-out", zoom_action, { GDK_KEY_minus, GDK_KEY_s } },
    { "zoom-fit", zoom_fit_action, { GDK_KEY_0 } },
    { "zoom-selection", zoom_selection_action, { GDK_KEY_f, GDK_KEY_z } },
    { "pan-begin", pan_action, { GDK_KEY_Home } },
    { "pan-end", pan_action, { GDK_KEY_End } },
    { "pan-left", pan_action, { GDK_KEY_Left, GDK_KEY_a } },
    { "pan-right", pan_action, { GDK_KEY_Right, GDK_KEY_d } },
    { "previous-change", step_action, { GDK_KEY_comma } },
    { "next-change", step_action, { GDK_KEY_period } },
    { "previous-note", step_action, { GDK_KEY_less } },
    { "next-note", step_action, { GDK_KEY_greater } },
    { "add-note", add_note_action, { GDK_KEY_n } },
    { "mark", mark_action, { GDK_KEY_b } },
    { "clear-selection", clear_selection_action, { GDK_KEY_Escape } },
  };
  static const PenPlotAction of_addresses[] = {
    { "expand", zoom_action, { GDK_KEY_bracketright } },
    { "contract", zoom_action, { GDK_KEY_bracketleft } },
    { "pan-up", pan_action, { GDK_KEY_Up } },
    { "pan-down", pan_action, { GDK_KEY_Down } },
  };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  install_actions (widget_class, prefix, common, G_N_ELEMENTS (common));
  if (klass->has_addresses)
    install_actions (widget_class, prefix, of_addresses, G_N_ELEMENTS (of_addresses));
  install_actions (widget_class, prefix, actions, n_actions);
}
