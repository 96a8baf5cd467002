/* pen-text-map-input.c: pointer, keys and actions of the text map
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>
#include <string.h>

#include "pen-text-map-private.h"

/* A drag that is narrower or lower than this has no side of that sort. */
#define SIDE_MIN 4

/* @x, @y: of the widget */
static void
zoom_time (PenTextMap *self, double x, double factor)
{
  PenPlot plot;
  PenMap map;

  if (!pen_text_map_get_map (self, &map, &plot))
    return;
  pen_session_set_visible (self->session,
                           pen_span_zoom (plot.view, pen_plot_get_time (&plot, x), factor,
                                          pen_session_get_span (self->session)));
}

static double
get_position (const PenMap *map, const PenPlot *plot, double y)
{
  double share = CLAMP ((y - plot->y) / MAX (plot->height, 1), 0, 1);

  return map->axis_view.from + share * (map->axis_view.to - map->axis_view.from);
}

static void
zoom_addresses (PenTextMap *self, double y, double factor)
{
  PenPlot plot;
  PenMap map;

  if (!pen_text_map_get_map (self, &map, &plot))
    return;
  pen_session_set_axis_view (
      self->session,
      pen_address_axis_zoom (map.axis, map.axis_view, get_position (&map, &plot, y), factor));
}

static void
pan (PenTextMap *self, double time, double addresses)
{
  if (time != 0)
    pen_session_set_visible (self->session,
                             pen_span_pan (pen_session_get_view (self->session)->visible, time,
                                           pen_session_get_span (self->session)));
  if (addresses != 0)
    pen_session_set_axis_view (
        self->session,
        pen_axis_view_pan (pen_session_get_view (self->session)->axis_view, addresses));
}

/* ---- what is at the pointer, or else at the playhead ---- */

static void
get_focus (PenTextMap *self, const PenPlot *plot, double *x, double *y)
{
  guint64 playhead = pen_session_get_view (self->session)->playhead;

  if (self->input.hovered) {
    *x = self->input.x;
    *y = self->input.y;
    return;
  }
  *x = CLAMP (pen_plot_get_x (plot, playhead), plot->x, plot->x + plot->width);
  *y = plot->y + plot->height / 2.0;
}

/* The line that was patched there; else the function. */
static gboolean
open_at (PenTextMap *self, double x, double y)
{
  const PenMapMark *mark;
  const PenMapName *name;
  PenPlot plot;
  PenMap map;

  if (!pen_text_map_get_map (self, &map, &plot))
    return FALSE;
  mark = pen_map_find_mark (&map, (int) x - plot.x, (int) y - plot.y);
  name = pen_map_find_name (&map, (int) y - plot.y);
  if (mark && mark->function != G_MAXUINT32) {
    guint64 address = mark->address;

    pen_session_set_playhead (self->session, mark->first);
    pen_session_set_function (self->session, mark->function);
    pen_session_set_line (self->session, &address);
  } else if (name) {
    pen_session_set_function (self->session, name->function);
  } else {
    return FALSE;
  }
  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-code", NULL);
  return TRUE;
}

static gboolean
leave_only (PenTextMap *self, double x, double y)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_view (self->session)->filter);
  const PenBar *bar;
  PenPlot plot;
  PenMap map;

  if (!pen_text_map_get_map (self, &map, &plot))
    return FALSE;
  bar = pen_map_find_bar (&map, (int) x - plot.x, (int) y - plot.y);
  if (!bar)
    return FALSE;
  g_clear_pointer (&filter->only.occupants, g_ptr_array_unref);
  filter->only.occupants = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (filter->only.occupants, g_strdup (bar->tenure.occupant));
  pen_session_set_filter (self->session, filter);
  return TRUE;
}

/* ---- actions ---- */

static void
zoom_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  double factor = pen_plot_input_get_key_factor (g_str_has_suffix (name, "in")
                                                 || g_str_has_suffix (name, "expand"));
  PenPlot plot;
  PenMap map;
  double x, y;

  if (!pen_text_map_get_map (self, &map, &plot))
    return;
  get_focus (self, &plot, &x, &y);
  if (strstr (name, "zoom"))
    zoom_time (self, x, factor);
  zoom_addresses (self, y, factor);
}

static void
zoom_fit_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);

  pen_session_set_visible (self->session, pen_session_get_span (self->session));
  pen_session_set_axis_view (self->session, (PenAxisView){ 0, 1 });
}

static void
zoom_selection_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  const PenFilter *filter = pen_session_get_view (self->session)->filter;
  const PenAddressAxis *axis = pen_session_get_answers (self->session)->axis;
  PenSpan selected;

  if (pen_session_get_selected (self->session, &selected))
    pen_session_set_visible (self->session, selected);
  if (filter->has_address && axis) {
    PenAxisView view = { pen_address_axis_get_position (axis, filter->address_from),
                         pen_address_axis_get_position (axis, filter->address_to) };

    if (view.to > view.from)
      pen_session_set_axis_view (self->session, view);
  }
}

static void
pan_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  double time = g_str_has_suffix (name, "left")    ? -PEN_PLOT_PAN_STEP
                : g_str_has_suffix (name, "right") ? PEN_PLOT_PAN_STEP
                                                   : 0;
  double addresses = g_str_has_suffix (name, "up")     ? -PEN_PLOT_PAN_STEP
                     : g_str_has_suffix (name, "down") ? PEN_PLOT_PAN_STEP
                                                       : 0;

  pan (PEN_TEXT_MAP (widget), time, addresses);
}

static void
ends_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pan (PEN_TEXT_MAP (widget),
       g_str_has_suffix (name, "begin") ? -PEN_PLOT_PAN_ALL : PEN_PLOT_PAN_ALL, 0);
}

static void
change_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_step_change (PEN_TEXT_MAP (widget)->session,
                           g_str_has_prefix (name, "textmap.next") ? 1 : -1);
}

static void
note_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_session_step_note (PEN_TEXT_MAP (widget)->session,
                         g_str_has_prefix (name, "textmap.next") ? 1 : -1);
}

static void
add_note_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_plot_input_add_note (widget, pen_session_get_view (PEN_TEXT_MAP (widget)->session)->playhead);
}

static void
pick_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  PenPlot plot;
  PenMap map;
  double x, y;

  if (!pen_text_map_get_map (self, &map, &plot))
    return;
  get_focus (self, &plot, &x, &y);
  if (g_str_has_suffix (name, "open"))
    open_at (self, x, y);
  else
    leave_only (self, x, y);
}

static void
clear_selection_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_view (self->session)->filter);

  filter->has_time = filter->has_address = FALSE;
  filter->from = filter->to = filter->address_from = filter->address_to = 0;
  pen_session_set_filter (self->session, filter);
}

void
pen_text_map_install_actions (GtkWidgetClass *widget_class)
{
  static const PenPlotAction actions[] = {
    { "textmap.zoom-in", zoom_action, { GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_w } },
    { "textmap.zoom-out", zoom_action, { GDK_KEY_minus, GDK_KEY_s } },
    { "textmap.expand", zoom_action, { GDK_KEY_bracketright } },
    { "textmap.contract", zoom_action, { GDK_KEY_bracketleft } },
    { "textmap.zoom-fit", zoom_fit_action, { GDK_KEY_0 } },
    { "textmap.zoom-selection", zoom_selection_action, { GDK_KEY_f, GDK_KEY_z } },
    { "textmap.pan-begin", ends_action, { GDK_KEY_Home } },
    { "textmap.pan-end", ends_action, { GDK_KEY_End } },
    { "textmap.pan-left", pan_action, { GDK_KEY_Left, GDK_KEY_a } },
    { "textmap.pan-right", pan_action, { GDK_KEY_Right, GDK_KEY_d } },
    { "textmap.pan-up", pan_action, { GDK_KEY_Up } },
    { "textmap.pan-down", pan_action, { GDK_KEY_Down } },
    { "textmap.previous-change", change_action, { GDK_KEY_comma } },
    { "textmap.next-change", change_action, { GDK_KEY_period } },
    { "textmap.previous-note", note_action, { GDK_KEY_less } },
    { "textmap.next-note", note_action, { GDK_KEY_greater } },
    { "textmap.add-note", add_note_action, { GDK_KEY_n } },
    { "textmap.open", pick_action, { GDK_KEY_Return } },
    { "textmap.only-this", pick_action, { GDK_KEY_o } },
    { "textmap.clear-selection", clear_selection_action, { GDK_KEY_Escape } },
  };

  pen_plot_input_install_actions (widget_class, actions, G_N_ELEMENTS (actions));
}

/* ---- pointer ---- */

static void
tell_hover (PenTextMap *self)
{
  PenHover hover = { 0 };
  const PenMapName *name;
  const PenMapMark *mark;
  const PenBar *bar;
  PenPlot plot;
  PenMap map;
  int x, y;

  if (!self->input.hovered || !pen_text_map_get_map (self, &map, &plot)
      || pen_plot_is_in_gutter (&plot, self->input.x) || self->input.y < plot.y) {
    pen_session_set_hover (self->session, NULL);
    return;
  }
  x = (int) self->input.x - plot.x;
  y = (int) self->input.y - plot.y;
  name = pen_map_find_name (&map, y);
  bar = pen_map_find_bar (&map, x, y);
  mark = pen_map_find_mark (&map, x, y);
  hover.has_time = TRUE;
  hover.time = pen_plot_get_time (&plot, self->input.x);
  hover.batch = mark ? mark->batch : 0;
  hover.has_address = TRUE;
  hover.address_from = name ? name->start : bar ? bar->tenure.start : pen_map_get_address (&map, y);
  hover.address_to = name  ? name->end
                     : bar ? bar->tenure.end
                           : MAX (pen_map_get_address (&map, y + 1), hover.address_from + 1);
  pen_session_set_hover (self->session, &hover);
}

static void
on_hover (GtkWidget *widget)
{
  tell_hover (PEN_TEXT_MAP (widget));
}

static void
on_scroll (GtkWidget *widget, double dx, double dy, GdkModifierType state)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  double factor = pow (1 / PEN_PLOT_ZOOM_STEP, dy);

  if (state & GDK_SHIFT_MASK)
    pan (self, (dy + dx) * PEN_PLOT_PAN_STEP, 0);
  else if (fabs (dx) > fabs (dy))
    pan (self, dx * PEN_PLOT_PAN_STEP, 0);
  else if (state & GDK_CONTROL_MASK)
    zoom_addresses (self, self->input.y, factor);
  else if (state & GDK_ALT_MASK)
    zoom_time (self, self->input.x, factor);
  else {
    zoom_addresses (self, self->input.y, factor);
    zoom_time (self, self->input.x, factor);
  }
}

static gboolean
on_drag_begin (GtkWidget *widget, double x, double y)
{
  return TRUE;
}

static void
on_drag (GtkWidget *widget, double x0, double y0, double x1, double y1)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  PenPlot plot;
  PenMap map;

  if (!pen_text_map_get_map (self, &map, &plot))
    return;
  self->brushing = TRUE;
  self->brush_x0 = CLAMP (x0, plot.x, plot.x + plot.width);
  self->brush_y0 = CLAMP (y0, plot.y, plot.y + plot.height);
  self->brush_x1 = CLAMP (x1, plot.x, plot.x + plot.width);
  self->brush_y1 = CLAMP (y1, plot.y, plot.y + plot.height);
}

/* A drag that is only broad is of time, one that is only high of addresses. */
static void
select_brushed (PenTextMap *self, const PenMap *map, const PenPlot *plot)
{
  g_autoptr (PenFilter) filter = pen_filter_copy (pen_session_get_view (self->session)->filter);

  if (fabs (self->brush_x1 - self->brush_x0) >= SIDE_MIN) {
    filter->has_time = TRUE;
    filter->from = pen_plot_get_time (plot, MIN (self->brush_x0, self->brush_x1));
    filter->to = pen_plot_get_time (plot, MAX (self->brush_x0, self->brush_x1));
  }
  if (fabs (self->brush_y1 - self->brush_y0) >= SIDE_MIN) {
    guint64 end = pen_map_get_address (map, MAX (self->brush_y0, self->brush_y1) - plot->y);

    filter->has_address = TRUE;
    filter->address_from
        = pen_map_get_address (map, MIN (self->brush_y0, self->brush_y1) - plot->y);
    filter->address_to = MAX (end, filter->address_from + 1) - 1;
  }
  pen_session_set_filter (self->session, filter);
}

static void
on_drag_end (GtkWidget *widget, gboolean dragged, double x0, double y0)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  gboolean brushed = self->brushing;
  const PenNoteRow *note;
  PenPlot plot;
  PenMap map;

  self->brushing = FALSE;
  if (!pen_text_map_get_map (self, &map, &plot) || (dragged && !brushed))
    return;
  if (dragged)
    select_brushed (self, &map, &plot);
  else if ((note = pen_text_map_find_note (self, &map, &plot, x0, y0)))
    pen_session_show_note (self->session, note);
  else if (pen_map_find_mark (&map, (int) x0 - plot.x, (int) y0 - plot.y))
    open_at (self, x0, y0);
  else if (!pen_plot_is_in_gutter (&plot, x0))
    pen_session_set_playhead (self->session, pen_plot_get_time (&plot, x0));
  else
    open_at (self, x0, y0);
}

static void
on_drag_cancel (GtkWidget *widget)
{
  PEN_TEXT_MAP (widget)->brushing = FALSE;
}

static void
on_pan (GtkWidget *widget, double dx, double dy)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  PenPlot plot;
  PenMap map;

  if (pen_text_map_get_map (self, &map, &plot))
    pan (self, -dx / plot.width, -dy / plot.height);
}

static void
on_press (GtkWidget *widget, int n_press, double x, double y)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  PenPlot plot;
  PenMap map;

  if (n_press != 2 || !pen_text_map_get_map (self, &map, &plot))
    return;
  if (y < plot.y || pen_plot_is_in_gutter (&plot, x) || !leave_only (self, x, y))
    gtk_widget_activate_action (widget, "textmap.zoom-fit", NULL);
}

static void
on_pinch_begin (GtkWidget *widget)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);

  self->pinched_span = pen_session_get_view (self->session)->visible;
  self->pinched_view = pen_session_get_view (self->session)->axis_view;
}

static void
on_pinch (GtkWidget *widget, double x, double y, double scale)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  PenPlot plot;
  PenMap map;

  if (!pen_text_map_get_map (self, &map, &plot))
    return;
  plot.view = self->pinched_span;
  map.axis_view = self->pinched_view;
  pen_session_set_visible (self->session,
                           pen_span_zoom (self->pinched_span, pen_plot_get_time (&plot, x),
                                          1 / scale, pen_session_get_span (self->session)));
  pen_session_set_axis_view (self->session,
                             pen_address_axis_zoom (map.axis, self->pinched_view,
                                                    get_position (&map, &plot, y), 1 / scale));
}

const PenPlotInputFuncs pen_text_map_input_funcs = {
  .hover = on_hover,
  .scroll = on_scroll,
  .drag_begin = on_drag_begin,
  .drag = on_drag,
  .drag_end = on_drag_end,
  .drag_cancel = on_drag_cancel,
  .pan = on_pan,
  .press = on_press,
  .pinch_begin = on_pinch_begin,
  .pinch = on_pinch,
};
