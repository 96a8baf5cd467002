/* pen-plot-view.c: a picture over time: what overview and text map have in common
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-plot-view.h"

#include <adwaita.h>
#include <math.h>
#include <string.h>

#define DRAG_THRESHOLD 4
/* A drag over time and addresses that is narrower or lower than this has no side of that sort. */
#define SIDE_MIN 4
/* Pixels of a touchpad for a notch of a wheel. */
#define NOTCH 40
/* To the end, however far that is. */
#define PAN_ALL 1e18

G_DEFINE_ABSTRACT_TYPE (PenPlotView, pen_plot_view, GTK_TYPE_WIDGET)

PenPlot
pen_plot_view_get_plot (PenPlotView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  return pen_plot_new (gtk_widget_get_width (widget), gtk_widget_get_height (widget),
                       PEN_PLOT_VIEW_GET_CLASS (self)->gutter, self->em,
                       gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL,
                       pen_session_get_view (self->session)->visible);
}

void
pen_plot_view_invalidate (PenPlotView *self)
{
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
is_ready (PenPlotView *self)
{
  const PenAddressAxis *axis = pen_session_get_answers (self->session)->axis;

  return pen_session_get_opened (self->session)
         && (!PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses
             || (axis && !pen_address_axis_is_empty (axis)));
}

/* ---- moving ---- */

static void
zoom_time (PenPlotView *self, guint64 anchor, double factor)
{
  pen_session_set_visible (self->session,
                           pen_span_zoom (pen_session_get_view (self->session)->visible, anchor,
                                          factor, pen_session_get_span (self->session)));
}

static double
get_share (const PenPlot *plot, double y)
{
  return CLAMP ((y - plot->y) / MAX (plot->height, 1), 0, 1);
}

/* Zooms @view; does nothing where there are no addresses. */
static void
zoom_addresses (PenPlotView *self, const PenPlot *plot, PenAxisView view, double y, double factor)
{
  const PenAddressAxis *axis = pen_session_get_answers (self->session)->axis;
  double position = view.from + get_share (plot, y) * (view.to - view.from);

  if (PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses && axis)
    pen_session_set_axis_view (self->session, pen_address_axis_zoom (axis, view, position, factor));
}

static void
pan (PenPlotView *self, double time, double addresses)
{
  const PenViewState *view = pen_session_get_view (self->session);

  if (time != 0)
    pen_session_set_visible (
        self->session, pen_span_pan (view->visible, time, pen_session_get_span (self->session)));
  if (addresses != 0 && PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses)
    pen_session_set_axis_view (self->session, pen_axis_view_pan (view->axis_view, addresses));
}

/* The time that keys zoom at: the one pointed at in a plane of time and addresses, or else the
 * playhead if it is in sight, or its nearest end or, of time alone, the middle. */
static guint64
get_anchor (PenPlotView *self, const PenPlot *plot)
{
  guint64 playhead = pen_session_get_view (self->session)->playhead;
  double end = plot->x + plot->width;

  if (PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses)
    return pen_plot_get_time (
        plot, self->hovered ? self->x : CLAMP (pen_plot_get_x (plot, playhead), plot->x, end));
  if (playhead > plot->view.from && playhead < plot->view.to)
    return playhead;
  return plot->view.from + pen_span_length (plot->view) / 2;
}

/* ---- actions ---- */

static void
zoom_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenPlotView *self = PEN_PLOT_VIEW (widget);
  PenPlot plot = pen_plot_view_get_plot (self);
  gboolean in = g_str_has_suffix (name, "in") || g_str_has_suffix (name, "expand");
  double step = PEN_PLOT_ZOOM_STEP * PEN_PLOT_ZOOM_STEP;
  double factor = in ? step : 1 / step;

  if (!is_ready (self))
    return;
  if (strstr (name, "zoom"))
    zoom_time (self, get_anchor (self, &plot), factor);
  zoom_addresses (self, &plot, pen_session_get_view (self->session)->axis_view,
                  self->hovered ? self->y : plot.y + plot.height / 2.0, factor);
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
      pan (PEN_PLOT_VIEW (widget), ways[i].time, ways[i].addresses);
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

  filter->has_time = FALSE;
  filter->from = filter->to = 0;
  if (PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses) {
    filter->has_address = FALSE;
    filter->address_from = filter->address_to = 0;
  }
  pen_session_set_filter (self->session, filter);
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

/* ---- pointer ---- */

/* The same is lit up in the other views. */
static void
tell_hover (PenPlotView *self)
{
  PenPlotViewClass *klass = PEN_PLOT_VIEW_GET_CLASS (self);
  PenPlot plot = pen_plot_view_get_plot (self);
  PenHover hover = { .has_time = TRUE };

  if (!self->hovered || !is_ready (self) || pen_plot_is_in_gutter (&plot, self->x)
      || (klass->has_addresses && self->y < plot.y)) {
    pen_session_set_hover (self->session, NULL);
    return;
  }
  hover.time = pen_plot_get_time (&plot, self->x);
  klass->hover (self, &plot, &hover);
  pen_session_set_hover (self->session, &hover);
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, PenPlotView *self)
{
  self->hovered = TRUE;
  self->x = x;
  self->y = y;
  tell_hover (self);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
}

static void
on_leave (GtkEventControllerMotion *motion, PenPlotView *self)
{
  self->hovered = FALSE;
  tell_hover (self);
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, PenPlotView *self)
{
  PenPlotViewClass *klass = PEN_PLOT_VIEW_GET_CLASS (self);
  GdkModifierType state
      = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll));
  PenPlot plot = pen_plot_view_get_plot (self);
  double factor;

  if (gtk_event_controller_scroll_get_unit (scroll) == GDK_SCROLL_UNIT_SURFACE) {
    dx /= NOTCH;
    dy /= NOTCH;
  }
  factor = pow (1 / PEN_PLOT_ZOOM_STEP, dy);
  if (klass->scroll && klass->scroll (self, &plot, dy, state))
    return TRUE;
  if (state & GDK_SHIFT_MASK) {
    pan (self, (dy + dx) * PEN_PLOT_PAN_STEP, 0);
  } else if (fabs (dx) > fabs (dy)) {
    pan (self, dx * PEN_PLOT_PAN_STEP, 0);
  } else if (is_ready (self)) {
    gboolean of_addresses = klass->has_addresses && (state & GDK_CONTROL_MASK);
    gboolean of_time = klass->has_addresses && !of_addresses && (state & GDK_ALT_MASK);
    double x = CLAMP (self->x, plot.x, plot.x + plot.width);

    if (!of_time)
      zoom_addresses (self, &plot, pen_session_get_view (self->session)->axis_view, self->y,
                      factor);
    if (!of_addresses)
      zoom_time (self, pen_plot_get_time (&plot, x), factor);
  }
  return TRUE;
}

/* ---- dragging ---- */

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, PenPlotView *self)
{
  PenPlot plot = pen_plot_view_get_plot (self);

  self->dragging = FALSE;
  self->drag_x = x;
  self->drag_y = y;
  /* In the gutter of the overview there are titles to be clicked, and a button. */
  if (!PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses && pen_plot_is_in_gutter (&plot, x))
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
  else
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, PenPlotView *self)
{
  PenPlot plot = pen_plot_view_get_plot (self);

  if (!self->dragging && fabs (dx) < DRAG_THRESHOLD && fabs (dy) < DRAG_THRESHOLD)
    return;
  self->dragging = TRUE;
  if (!is_ready (self))
    return;
  self->brushing = TRUE;
  self->brush_x0 = CLAMP (self->drag_x, plot.x, plot.x + plot.width);
  self->brush_y0 = CLAMP (self->drag_y, plot.y, plot.y + plot.height);
  self->brush_x1 = CLAMP (self->drag_x + dx, plot.x, plot.x + plot.width);
  self->brush_y1 = CLAMP (self->drag_y + dy, plot.y, plot.y + plot.height);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static guint64
get_address (PenPlotView *self, const PenPlot *plot, double y)
{
  PenAxisView view = pen_session_get_view (self->session)->axis_view;

  return pen_address_axis_get_address (pen_session_get_answers (self->session)->axis,
                                       view.from + get_share (plot, y) * (view.to - view.from));
}

/* In a plane, a drag that is only broad is of time, one that is only high of addresses. */
static void
select_brushed (PenPlotView *self, const PenPlot *plot)
{
  gboolean is_plane = PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses;
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_view (self->session)->filter);

  if (!is_plane || fabs (self->brush_x1 - self->brush_x0) >= SIDE_MIN) {
    filter->has_time = TRUE;
    filter->from = pen_plot_get_time (plot, MIN (self->brush_x0, self->brush_x1));
    filter->to = pen_plot_get_time (plot, MAX (self->brush_x0, self->brush_x1));
  }
  if (is_plane && fabs (self->brush_y1 - self->brush_y0) >= SIDE_MIN) {
    guint64 end = get_address (self, plot, MAX (self->brush_y0, self->brush_y1));

    filter->has_address = TRUE;
    filter->address_from = get_address (self, plot, MIN (self->brush_y0, self->brush_y1));
    filter->address_to = MAX (end, filter->address_from + 1) - 1;
  }
  pen_session_set_filter (self->session, filter);
}

static const PenNoteRow *
find_note (PenPlotView *self, const PenPlot *plot, double x, double y)
{
  PenPlotViewClass *klass = PEN_PLOT_VIEW_GET_CLASS (self);
  const PenNoteRow *note
      = pen_note_flags_find (pen_session_get_answers (self->session)->notes, plot, x, y);

  return note || !klass->find_note ? note : klass->find_note (self, plot, x, y);
}

static void
click (PenPlotView *self, const PenPlot *plot, double x, double y)
{
  PenPlotViewClass *klass = PEN_PLOT_VIEW_GET_CLASS (self);
  const PenNoteRow *note = find_note (self, plot, x, y);

  if (note)
    pen_session_show_note (self->session, note);
  else if (!klass->click || !klass->click (self, plot, x, y))
    pen_session_set_playhead (self->session, pen_plot_get_time (plot, x));
}

static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, PenPlotView *self)
{
  PenPlot plot = pen_plot_view_get_plot (self);
  gboolean dragged = self->dragging, brushed = self->brushing;

  self->dragging = self->brushing = FALSE;
  if (is_ready (self) && brushed)
    select_brushed (self, &plot);
  else if (is_ready (self) && !dragged)
    click (self, &plot, self->drag_x, self->drag_y);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, PenPlotView *self)
{
  self->dragging = self->brushing = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_pan_begin (GtkGestureDrag *drag, double x, double y, PenPlotView *self)
{
  self->pan_x = 0;
  self->pan_y = 0;
}

static void
pan_by (PenPlotView *self, double dx, double dy)
{
  PenPlot plot = pen_plot_view_get_plot (self);

  if (is_ready (self))
    pan (self, -dx / plot.width, -dy / plot.height);
}

static void
on_pan_update (GtkGestureDrag *drag, double dx, double dy, PenPlotView *self)
{
  pan_by (self, dx - self->pan_x, dy - self->pan_y);
  self->pan_x = dx;
  self->pan_y = dy;
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, PenPlotView *self)
{
  PenPlot plot = pen_plot_view_get_plot (self);

  if (is_ready (self))
    PEN_PLOT_VIEW_GET_CLASS (self)->press (self, &plot, n_press, x, y);
}

/* ---- two fingers ---- */

void
pen_plot_view_begin_pinch (PenPlotView *self)
{
  self->pinched_span = pen_session_get_view (self->session)->visible;
  self->pinched_axis = pen_session_get_view (self->session)->axis_view;
}

void
pen_plot_view_pinch (PenPlotView *self, double x, double y, double scale)
{
  PenPlot plot = pen_plot_view_get_plot (self);

  if (!is_ready (self))
    return;
  plot.view = self->pinched_span;
  pen_session_set_visible (self->session,
                           pen_span_zoom (self->pinched_span, pen_plot_get_time (&plot, x),
                                          1 / scale, pen_session_get_span (self->session)));
  zoom_addresses (self, &plot, self->pinched_axis, y, 1 / scale);
}

static void
on_zoom_begin (GtkGesture *zoom, GdkEventSequence *sequence, PenPlotView *self)
{
  pen_plot_view_begin_pinch (self);
}

static void
on_zoom_scale (GtkGestureZoom *zoom, double scale, PenPlotView *self)
{
  double x, y;

  if (scale > 0 && gtk_gesture_get_bounding_box_center (GTK_GESTURE (zoom), &x, &y))
    pen_plot_view_pinch (self, x, y, scale);
}

static void
add_controllers (PenPlotView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *middle = gtk_gesture_drag_new ();
  GtkGesture *press = gtk_gesture_click_new ();
  GtkGesture *zoom = gtk_gesture_zoom_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_drag_cancel), self);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (middle), GDK_BUTTON_MIDDLE);
  g_signal_connect (middle, "drag-begin", G_CALLBACK (on_pan_begin), self);
  g_signal_connect (middle, "drag-update", G_CALLBACK (on_pan_update), self);
  g_signal_connect (press, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect (zoom, "begin", G_CALLBACK (on_zoom_begin), self);
  g_signal_connect (zoom, "scale-changed", G_CALLBACK (on_zoom_scale), self);

  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (middle));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (press));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (zoom));
}

/* ---- tooltip ---- */

char *
pen_plot_view_describe_point (PenPlotView *self, double x, double y)
{
  PenClock clock = pen_session_get_clock (self->session);
  PenPlot plot = pen_plot_view_get_plot (self);
  PenPlotViewClass *klass = PEN_PLOT_VIEW_GET_CLASS (self);
  const PenNoteRow *note;

  if (!is_ready (self) || (!klass->has_addresses && pen_plot_is_in_gutter (&plot, x)))
    return NULL;
  note = find_note (self, &plot, x, y);
  return note ? pen_note_flags_describe (note, &clock) : klass->tell (self, &plot, x, y);
}

static gboolean
pen_plot_view_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard,
                             GtkTooltip *tooltip)
{
  PenPlotView *self = PEN_PLOT_VIEW (widget);
  g_autofree char *text = NULL;

  if (!keyboard && !self->brushing)
    text = pen_plot_view_describe_point (self, x, y);
  if (text)
    gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

/* ---- drawing ---- */

/* The moment that is pointed at in any view. */
static void
draw_hovered_time (PenPlotView *self, const PenPlot *plot, PenPainter *painter,
                   const PenTheme *theme)
{
  const PenHover *hover = pen_session_get_hover (self->session);
  double x;

  if (self->brushing || !hover->has_time)
    return;
  x = floor (pen_plot_get_x (plot, hover->time));
  if (x >= plot->x && x < plot->x + plot->width)
    pen_painter_fill (painter, theme->line, x, 0, 1, plot->y + plot->height);
}

static void
draw_over (PenPlotView *self, const PenPlot *plot, PenPainter *painter, const PenTheme *theme)
{
  PenPlotViewClass *klass = PEN_PLOT_VIEW_GET_CLASS (self);
  PenClock clock = pen_session_get_clock (self->session);

  klass->draw_under (self, plot, painter, theme);
  pen_plot_draw_ruler (plot, painter, theme, &clock);
  pen_plot_draw_position (plot, painter, theme, pen_session_get_span (self->session));
  pen_note_flags_draw (pen_session_get_answers (self->session)->notes, plot, painter, theme);
  klass->draw_over (self, plot, painter, theme);
  draw_hovered_time (self, plot, painter, theme);
  pen_plot_draw_playhead (plot, painter, theme, pen_session_get_view (self->session)->playhead);
  if (klass->draw_last)
    klass->draw_last (self, plot, painter, theme);
}

static void
pen_plot_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PenPlotView *self = PEN_PLOT_VIEW (widget);
  PenPlotViewClass *klass = PEN_PLOT_VIEW_GET_CLASS (self);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  int scale = gtk_widget_get_scale_factor (widget);
  PenPlot plot = pen_plot_view_get_plot (self);
  PenTheme theme = pen_snapshot_painter_get_theme (widget);

  if (!is_ready (self)) {
    if (klass->draw_nothing)
      klass->draw_nothing (self, &plot, pen_snapshot_painter_begin (self->painter, snapshot),
                           &theme);
    return;
  }
  if (!self->picture) {
    PenRaster *raster = pen_raster_new (plot.width * scale, plot.height * scale);

    klass->draw (self, &plot, raster, scale, dark);
    self->picture = pen_snapshot_painter_new_picture (raster, scale, plot.x, plot.y);
  }
  gtk_snapshot_append_node (snapshot, self->picture);
  draw_over (self, &plot, pen_snapshot_painter_begin (self->painter, snapshot), &theme);
}

/* ---- object ---- */

static void
on_changed (PenPlotView *self)
{
  PEN_PLOT_VIEW_GET_CLASS (self)->changed (self);
}

static void
on_visible (PenPlotView *self)
{
  pen_plot_view_invalidate (self);
  PEN_PLOT_VIEW_GET_CLASS (self)->describe (self);
}

void
pen_plot_view_set_session (PenPlotView *self, PenSession *session)
{
  if (g_set_object (&self->session, session))
    g_signal_group_set_target (self->signals, session);
  on_changed (self);
}

static void
pen_plot_view_dispose (GObject *object)
{
  PenPlotView *self = PEN_PLOT_VIEW (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->session);
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  g_clear_pointer (&self->painter, pen_snapshot_painter_free);

  G_OBJECT_CLASS (pen_plot_view_parent_class)->dispose (object);
}

static void
pen_plot_view_class_init (PenPlotViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_plot_view_dispose;
  widget_class->snapshot = pen_plot_view_snapshot;
  widget_class->query_tooltip = pen_plot_view_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "timeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
pen_plot_view_init (PenPlotView *self)
{
  static const char *const over[] = { "notify::filter", "notify::playhead", "notify::hover",
                                      "notify::clock", "answered::notes" };
  AdwStyleManager *style = adw_style_manager_get_default ();
  GtkWidget *widget = GTK_WIDGET (self);

  self->session = pen_session_new ();
  self->painter = pen_snapshot_painter_new (widget);
  self->em = PEN_EM;
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  for (guint i = 0; i < G_N_ELEMENTS (over); i++)
    g_signal_group_connect_swapped (self->signals, over[i], G_CALLBACK (gtk_widget_queue_draw),
                                    self);
  g_signal_group_connect_swapped (self->signals, "notify::visible", G_CALLBACK (on_visible), self);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_changed), self);
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (pen_plot_view_invalidate), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", G_CALLBACK (pen_plot_view_invalidate),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (pen_plot_view_invalidate), NULL);

  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  add_controllers (self);
}
