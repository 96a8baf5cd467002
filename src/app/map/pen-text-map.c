/* pen-text-map.c: the text map: drawing and layout
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-text-map-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-format.h"

/* Logical pixels of a row and of a column of samples. */
#define CELL 2

G_DEFINE_FINAL_TYPE (PenTextMap, pen_text_map, PEN_TYPE_PLOT_VIEW)

PenMap
pen_text_map_get_map (PenTextMap *self, const PenPlot *plot)
{
  PenSession *session = self->parent_instance.session;
  const PenAnswers *answers = pen_session_get_answers (session);

  return (PenMap){ .outline = pen_session_get_opened (session)->outline,
                   .axis = answers->axis,
                   .bins = answers->map,
                   .axis_view = pen_session_get_view (session)->axis_view,
                   .view = plot->view,
                   .width = plot->width,
                   .height = plot->height };
}

static gboolean
has_map (PenTextMap *self)
{
  const PenAddressAxis *axis = pen_session_get_answers (self->parent_instance.session)->axis;

  return axis && !pen_address_axis_is_empty (axis);
}

/* Tells the session what is to be seen; it asks, if that is something else. */
static void
ask (PenTextMap *self)
{
  PenPlot plot = pen_plot_view_get_plot (&self->parent_instance);
  guint n_rows = (guint) MAX (plot.height / CELL, 1);
  guint n_columns = (guint) MAX (plot.width / CELL, 1);
  g_autofree guint64 *edges = NULL;
  PenMap map;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || !has_map (self))
    return;
  map = pen_text_map_get_map (self, &plot);
  edges = pen_address_axis_make_edges (map.axis, map.axis_view, n_rows);
  pen_session_set_map_cells (self->parent_instance.session, n_columns, edges, n_rows);
}

static void
describe (PenPlotView *view)
{
  PenTextMap *self = PEN_TEXT_MAP (view);
  PenClock clock = pen_session_get_clock (view->session);
  g_autoptr (GString) text = g_string_new (NULL);

  if (has_map (self)) {
    PenPlot plot = pen_plot_view_get_plot (view);
    PenMap map = pen_text_map_get_map (self, &plot);
    guint64 resolution = MAX (pen_span_length (map.view) / 1000, 1);
    g_autofree char *from = pen_clock_format_long (&clock, map.view.from, resolution);
    g_autofree char *to = pen_clock_format_long (&clock, map.view.to, resolution);
    g_autofree char *low
        = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", pen_map_get_address (&map, 0));
    g_autofree char *high
        = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", pen_map_get_address (&map, map.height));

    g_string_printf (text, _ ("%s to %s; addresses %s to %s"), from, to, low, high);
    if (map.bins) {
      g_autofree char *total = pen_map_format_total (map.bins);

      /* Translators: %s is such as "1 234 samples" */
      g_string_append_printf (
          text,
          ngettext ("; %s, %u patched place", "; %s, %u patched places", map.bins->marks->len),
          total, map.bins->marks->len);
    }
  }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text->str, -1);
}

/* ---- drawing ---- */

static void
draw_nothing (PenPlotView *view, const PenPlot *plot, PenPainter *painter, const PenTheme *theme)
{
  const GError *error = pen_session_get_error (view->session, PEN_JOB_MAP);
  g_autofree char *message = NULL;

  if (error)
    message = pen_format_error (error);
  else if (pen_session_get_answers (view->session)->axis)
    message = g_strdup (_ ("No known kernel text in this recording"));
  if (message)
    pen_painter_text (painter, message, PEN_LOOK_PLAIN, theme->dim, 12, 0,
                      plot->gutter_width + plot->width - 24, plot->y + plot->height, 0.5);
}

static void
draw (PenPlotView *view, const PenPlot *plot, PenRaster *raster, int scale, gboolean dark)
{
  PenMap map = pen_text_map_get_map (PEN_TEXT_MAP (view), plot);

  pen_map_draw (&map, raster, scale, dark);
}

static void
draw_words (PenPlotView *view, const PenPlot *plot, PenPainter *painter, const PenTheme *theme)
{
  PenMap map = pen_text_map_get_map (PEN_TEXT_MAP (view), plot);

  pen_map_draw_words (&map, plot, painter, theme);
  pen_map_draw_scroll (&map, plot, painter, theme);
}

/* ---- layout ---- */

static void
pen_text_map_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 280 : 120;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 800 : 420;
}

static void
pen_text_map_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);

  self->parent_instance.em = pen_snapshot_painter_get_em (self->parent_instance.painter);
  ask (self);
  pen_plot_view_invalidate (&self->parent_instance);
}

static void
pen_text_map_map (GtkWidget *widget)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);

  GTK_WIDGET_CLASS (pen_text_map_parent_class)->map (widget);
  ask (self);
}

/* ---- pointer ---- */

static char *
tell (PenPlotView *view, const PenPlot *plot, double x, double y)
{
  PenClock clock = pen_session_get_clock (view->session);
  PenMap map = pen_text_map_get_map (PEN_TEXT_MAP (view), plot);

  return pen_map_describe (&map, &clock, (int) floor (x) - plot->x, (int) floor (y) - plot->y);
}

static void
hover (PenPlotView *view, const PenPlot *plot, PenHover *hover)
{
  PenMap map = pen_text_map_get_map (PEN_TEXT_MAP (view), plot);
  int x = (int) view->pointer.x - plot->x;
  int y = (int) view->pointer.y - plot->y;
  const PenMapName *name = pen_map_find_name (&map, y);
  const PenBar *bar = pen_map_find_bar (&map, x, y);
  const PenMapMark *mark = pen_map_find_mark (&map, x, y);

  hover->batch = mark ? mark->batch : 0;
  hover->has_address = TRUE;
  hover->address_from = name  ? name->start
                        : bar ? bar->tenure.start
                              : pen_map_get_address (&map, y);
  hover->address_to = name  ? name->end
                      : bar ? bar->tenure.end
                            : MAX (pen_map_get_address (&map, y + 1), hover->address_from + 1);
}

/* The line that was patched there; else the function. */
static gboolean
open_at (PenPlotView *view, const PenPlot *plot, double x, double y)
{
  PenMap map = pen_text_map_get_map (PEN_TEXT_MAP (view), plot);
  const PenMapMark *mark = pen_map_find_mark (&map, (int) x - plot->x, (int) y - plot->y);
  const PenMapName *name = pen_map_find_name (&map, (int) y - plot->y);

  if (mark && mark->function != PEN_NO_FUNCTION) {
    guint64 address = mark->address;

    pen_session_set_playhead (view->session, mark->first);
    pen_session_set_function (view->session, mark->function);
    pen_session_set_line (view->session, &address);
  } else if (name) {
    pen_session_set_function (view->session, name->function);
  } else {
    return FALSE;
  }
  gtk_widget_activate_action (GTK_WIDGET (view), "win.show-code", NULL);
  return TRUE;
}

static gboolean
leave_only (PenPlotView *view, const PenPlot *plot, double x, double y)
{
  PenMap map = pen_text_map_get_map (PEN_TEXT_MAP (view), plot);
  const PenBar *bar = pen_map_find_bar (&map, (int) x - plot->x, (int) y - plot->y);
  g_autoptr (PenFilter) filter = NULL;

  if (!bar)
    return FALSE;
  filter = pen_filter_copy (pen_session_get_view (view->session)->filter);
  g_clear_pointer (&filter->only.occupants, g_ptr_array_unref);
  filter->only.occupants = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (filter->only.occupants, g_strdup (bar->tenure.occupant));
  pen_session_set_filter (view->session, filter);
  return TRUE;
}

/* On a mark and in the gutter, it opens what is there. */
static gboolean
click (PenPlotView *view, const PenPlot *plot, double x, double y)
{
  PenMap map = pen_text_map_get_map (PEN_TEXT_MAP (view), plot);

  if (!pen_map_find_mark (&map, (int) x - plot->x, (int) y - plot->y)
      && !pen_plot_is_in_gutter (plot, x))
    return FALSE;
  open_at (view, plot, x, y);
  return TRUE;
}

static void
press (PenPlotView *view, const PenPlot *plot, int n_press, double x, double y)
{
  if (n_press == 2
      && (y < plot->y || pen_plot_is_in_gutter (plot, x) || !leave_only (view, plot, x, y)))
    gtk_widget_activate_action (GTK_WIDGET (view), "textmap.zoom-fit", NULL);
}

/* At the pointer, or else at the playhead. */
static void
pick_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenPlotView *view = PEN_PLOT_VIEW (widget);
  PenPlot plot = pen_plot_view_get_plot (view);
  double playhead = pen_plot_get_x (&plot, pen_session_get_view (view->session)->playhead);
  double x
      = view->pointer.is_over ? view->pointer.x : CLAMP (playhead, plot.x, plot.x + plot.width);
  double y = view->pointer.is_over ? view->pointer.y : plot.y + plot.height / 2.0;

  if (!has_map (PEN_TEXT_MAP (widget)))
    return;
  if (g_str_has_suffix (name, "open"))
    open_at (view, &plot, x, y);
  else
    leave_only (view, &plot, x, y);
}

/* ---- object ---- */

/* There is an axis, or none any more; or new cells; or other addresses are looked at. */
static void
changed (PenPlotView *view)
{
  if (!pen_session_get_answers (view->session)->axis)
    view->brushing = FALSE;
  ask (PEN_TEXT_MAP (view));
  pen_plot_view_invalidate (view);
  describe (view);
}

static void
pen_text_map_class_init (PenTextMapClass *klass)
{
  static const PenPlotAction actions[] = {
    { "open", pick_action, { GDK_KEY_Return } },
    { "only-this", pick_action, { GDK_KEY_o } },
  };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  PenPlotViewClass *view_class = &klass->parent_class;

  widget_class->measure = pen_text_map_measure;
  widget_class->size_allocate = pen_text_map_size_allocate;
  widget_class->map = pen_text_map_map;
  view_class->has_addresses = TRUE;
  view_class->changed = changed;
  view_class->describe = describe;
  view_class->draw = draw;
  view_class->draw_under = draw_words;
  view_class->draw_over = pen_text_map_draw_over;
  view_class->draw_nothing = draw_nothing;
  view_class->hover = hover;
  view_class->tell = tell;
  view_class->find_note = pen_text_map_find_note;
  view_class->click = click;
  view_class->press = press;
  pen_plot_view_class_install_actions (view_class, "textmap", actions, G_N_ELEMENTS (actions));
}

static void
pen_text_map_init (PenTextMap *self)
{
  PenPlotView *view = &self->parent_instance;

  g_signal_group_connect_swapped (view->signals, "answered::map", G_CALLBACK (changed), self);
  g_signal_group_connect_swapped (view->signals, "notify::axis-view", G_CALLBACK (changed), self);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Text Map"), -1);
}
