/* pen-plot-view.c: a picture over time: what overview and text map have in common
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-plot-view-private.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>
#include <math.h>

G_DEFINE_ABSTRACT_TYPE (PenPlotView, pen_plot_view, GTK_TYPE_WIDGET)

PenPlot
pen_plot_view_get_plot (PenPlotView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  PenPlot plot = pen_plot_new (gtk_widget_get_width (widget), gtk_widget_get_height (widget),
                               PEN_PLOT_GUTTER, self->em,
                               gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL,
                               pen_session_get_view (self->session)->visible);

  if (self->ruler_hidden) {
    plot.height += plot.y;
    plot.y = 0;
  }
  return plot;
}

void
pen_plot_view_set_ruler_visible (PenPlotView *self, gboolean visible)
{
  if (self->ruler_hidden == !visible)
    return;
  self->ruler_hidden = !visible;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  pen_plot_view_invalidate (self);
}

void
pen_plot_view_invalidate (PenPlotView *self)
{
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
pen_plot_view_is_ready (PenPlotView *self)
{
  const PenAddressAxis *axis = pen_session_get_answers (self->session)->axis;

  return pen_session_get_opened (self->session)
         && (!PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses
             || (axis && !pen_address_axis_is_empty (axis)));
}

/* ---- moving ---- */

void
pen_plot_view_zoom_time (PenPlotView *self, guint64 anchor, double factor)
{
  pen_session_set_visible (self->session,
                           pen_span_zoom (pen_session_get_view (self->session)->visible, anchor,
                                          factor, pen_session_get_span (self->session)));
}

double
pen_plot_view_get_share (const PenPlot *plot, double y)
{
  return CLAMP ((y - plot->y) / MAX (plot->height, 1), 0, 1);
}

void
pen_plot_view_zoom_addresses (PenPlotView *self, const PenPlot *plot, PenAxisView view, double y,
                              double factor)
{
  const PenAddressAxis *axis = pen_session_get_answers (self->session)->axis;
  double position = view.from + pen_plot_view_get_share (plot, y) * (view.to - view.from);

  if (PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses && axis)
    pen_session_set_axis_view (self->session, pen_address_axis_zoom (axis, view, position, factor));
}

void
pen_plot_view_pan (PenPlotView *self, double time, double addresses)
{
  const PenViewState *view = pen_session_get_view (self->session);

  if (time != 0)
    pen_session_set_visible (
        self->session, pen_span_pan (view->visible, time, pen_session_get_span (self->session)));
  if (addresses != 0 && PEN_PLOT_VIEW_GET_CLASS (self)->has_addresses)
    pen_session_set_axis_view (self->session, pen_axis_view_pan (view->axis_view, addresses));
}

/* ---- tooltip ---- */

const PenNoteRow *
pen_plot_view_find_note (PenPlotView *self, const PenPlot *plot, double x, double y)
{
  PenPlotViewClass *klass = PEN_PLOT_VIEW_GET_CLASS (self);
  const PenNoteRow *note
      = pen_note_flags_find (pen_session_get_answers (self->session)->notes, plot, x, y);

  return note || !klass->find_note ? note : klass->find_note (self, plot, x, y);
}

char *
pen_plot_view_describe_point (PenPlotView *self, double x, double y)
{
  PenClock clock = pen_session_get_clock (self->session);
  PenPlot plot = pen_plot_view_get_plot (self);
  PenPlotViewClass *klass = PEN_PLOT_VIEW_GET_CLASS (self);
  const PenNoteRow *note;

  if (!pen_plot_view_is_ready (self) || (!klass->has_addresses && pen_plot_is_in_gutter (&plot, x)))
    return NULL;
  note = pen_plot_view_find_note (self, &plot, x, y);
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
  const PenViewState *view = pen_session_get_view (self->session);
  PenPlot ruler = *plot;

  ruler.has_marks = view->has_mark;
  ruler.marks[0] = view->playhead;
  ruler.marks[1] = view->mark;
  klass->draw_under (self, plot, painter, theme);
  pen_plot_draw_ruler (&ruler, painter, theme, &clock);
  if (!self->ruler_hidden) {
    pen_plot_draw_position (plot, painter, theme, pen_session_get_span (self->session));
    pen_note_flags_draw (pen_session_get_answers (self->session)->notes, plot, painter, theme);
  }
  klass->draw_over (self, plot, painter, theme);
  draw_hovered_time (self, plot, painter, theme);
  pen_plot_draw_playhead (plot, painter, theme, view->playhead);
  /* Translators: the letters of the two instants that are compared */
  if (view->has_mark)
    pen_plot_draw_marks (&ruler, painter, theme, C_ ("instant", "A"), C_ ("instant", "B"));
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

  if (!pen_plot_view_is_ready (self)) {
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
  pen_picture_widget_class_init (widget_class);
}

static void
pen_plot_view_init (PenPlotView *self)
{
  static const char *const over[] = { "notify::filter", "notify::playhead", "notify::hover",
                                      "notify::clock",  "answered::notes",  "notify::mark" };
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
  g_signal_group_connect_swapped (self->signals, "notify::part", G_CALLBACK (on_changed), self);
  pen_picture_widget_init (widget, (PenPictureFunc) pen_plot_view_invalidate);
  pen_plot_view_add_controllers (self);
}
