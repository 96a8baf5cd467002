/* pen-text-map.c: the text map: drawing and layout
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-text-map-private.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>
#include <math.h>

#include "pen-format.h"
#include "pen-palette.h"

/* Logical pixels of a row and of a column of samples. */
#define CELL 2

G_DEFINE_FINAL_TYPE (PenTextMap, pen_text_map, GTK_TYPE_WIDGET)

gboolean
pen_text_map_get_map (PenTextMap *self, PenMap *map, PenPlot *plot)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const PenOpened *opened = pen_session_get_opened (self->session);
  const PenAddressAxis *axis = pen_session_get_answers (self->session)->axis;

  *plot
      = pen_plot_new (gtk_widget_get_width (widget), gtk_widget_get_height (widget), PEN_MAP_GUTTER,
                      self->em, gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL,
                      pen_session_get_view (self->session)->visible);
  if (!opened || !axis || pen_address_axis_is_empty (axis))
    return FALSE;
  *map = (PenMap){ .outline = opened->outline,
                   .axis = axis,
                   .bins = pen_session_get_answers (self->session)->map,
                   .axis_view = pen_session_get_view (self->session)->axis_view,
                   .view = plot->view,
                   .width = plot->width,
                   .height = plot->height };
  return TRUE;
}

static void
invalidate (PenTextMap *self)
{
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Tells the session what is to be seen; it asks, if that is something else. */
static void
ask (PenTextMap *self)
{
  g_autofree guint64 *edges = NULL;
  guint n_rows, n_columns;
  PenPlot plot;
  PenMap map;

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || !pen_text_map_get_map (self, &map, &plot))
    return;
  n_rows = (guint) MAX (plot.height / CELL, 1);
  n_columns = (guint) MAX (plot.width / CELL, 1);
  edges = pen_address_axis_make_edges (map.axis, map.axis_view, n_rows);
  pen_session_set_map_cells (self->session, n_columns, edges, n_rows);
}

static void
describe (PenTextMap *self)
{
  PenClock clock = pen_session_get_clock (self->session);
  const PenMapBins *bins = pen_session_get_answers (self->session)->map;
  g_autoptr (GString) text = g_string_new (NULL);
  PenPlot plot;
  PenMap map;

  if (pen_text_map_get_map (self, &map, &plot)) {
    guint64 resolution = MAX (pen_span_length (map.view) / 1000, 1);
    g_autofree char *from = pen_clock_format_long (&clock, map.view.from, resolution);
    g_autofree char *to = pen_clock_format_long (&clock, map.view.to, resolution);
    g_autofree char *low
        = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", pen_map_get_address (&map, 0));
    g_autofree char *high
        = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", pen_map_get_address (&map, map.height));

    g_string_printf (text, _ ("%s to %s; addresses %s to %s"), from, to, low, high);
    if (bins)
      g_string_append_printf (text,
                              ngettext ("; %.0f samples, %u patched place",
                                        "; %.0f samples, %u patched places", bins->marks->len),
                              bins->total, bins->marks->len);
  }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text->str, -1);
}

/* ---- drawing ---- */

static void
draw_nothing (PenTextMap *self, GtkSnapshot *snapshot, const PenPlot *plot)
{
  PenTheme theme = pen_snapshot_painter_get_theme (GTK_WIDGET (self));
  PenPainter *painter = pen_snapshot_painter_begin (self->painter, snapshot);
  const GError *error = pen_session_get_error (self->session, PEN_JOB_MAP);
  g_autofree char *message = NULL;

  if (error)
    message = pen_format_error (error);
  else if (pen_session_get_answers (self->session)->axis)
    message = g_strdup (_ ("No known kernel text in this recording"));
  if (message)
    pen_painter_text (painter, message, PEN_LOOK_PLAIN, theme.dim, 12, 0,
                      plot->gutter_width + plot->width - 24, plot->y + plot->height, 0.5);
}

static void
pen_text_map_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  int scale = gtk_widget_get_scale_factor (widget);
  PenPlot plot;
  PenMap map;

  if (!pen_text_map_get_map (self, &map, &plot)) {
    draw_nothing (self, snapshot, &plot);
    return;
  }
  if (!self->picture) {
    PenRaster *raster = pen_raster_new (plot.width * scale, plot.height * scale);

    pen_map_draw (&map, raster, scale, dark);
    self->picture = pen_snapshot_painter_new_picture (raster, scale, plot.x, plot.y);
  }
  gtk_snapshot_append_node (snapshot, self->picture);
  pen_text_map_draw_over (self, snapshot, &map, &plot);
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

  self->em = pen_snapshot_painter_get_em (self->painter);
  ask (self);
  invalidate (self);
}

static void
pen_text_map_map (GtkWidget *widget)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);

  GTK_WIDGET_CLASS (pen_text_map_parent_class)->map (widget);
  ask (self);
}

/* ---- tooltip ---- */

char *
pen_text_map_describe_point (PenTextMap *self, double x, double y)
{
  PenClock clock = pen_session_get_clock (self->session);
  const PenNoteRow *note;
  PenPlot plot;
  PenMap map;

  if (!pen_text_map_get_map (self, &map, &plot))
    return NULL;
  note = pen_text_map_find_note (self, &map, &plot, x, y);
  if (note)
    return pen_note_flags_describe (note, &clock);
  return pen_map_describe (&map, &clock, (int) floor (x) - plot.x, (int) floor (y) - plot.y);
}

static gboolean
pen_text_map_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  PenTextMap *self = PEN_TEXT_MAP (widget);
  g_autofree char *text = NULL;

  if (keyboard || self->brushing)
    return FALSE;
  text = pen_text_map_describe_point (self, x, y);
  if (!text)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* ---- object ---- */

static void
on_changed (PenTextMap *self)
{
  invalidate (self);
  describe (self);
}

/* There is an axis, or none any more; or new cells; or other addresses are looked at. */
static void
on_map (PenTextMap *self)
{
  if (!pen_session_get_answers (self->session)->axis)
    self->brushing = FALSE;
  ask (self);
  on_changed (self);
}

static void
on_over_changed (PenTextMap *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
pen_text_map_set_session (PenTextMap *self, PenSession *session)
{
  if (g_set_object (&self->session, session))
    g_signal_group_set_target (self->signals, session);
  on_map (self);
}

static void
pen_text_map_dispose (GObject *object)
{
  PenTextMap *self = PEN_TEXT_MAP (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->session);
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  g_clear_pointer (&self->painter, pen_snapshot_painter_free);

  G_OBJECT_CLASS (pen_text_map_parent_class)->dispose (object);
}

static void
pen_text_map_class_init (PenTextMapClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_text_map_dispose;
  widget_class->snapshot = pen_text_map_snapshot;
  widget_class->measure = pen_text_map_measure;
  widget_class->size_allocate = pen_text_map_size_allocate;
  widget_class->map = pen_text_map_map;
  widget_class->query_tooltip = pen_text_map_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "timeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  pen_text_map_install_actions (widget_class);
}

static void
pen_text_map_init (PenTextMap *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->session = pen_session_new ();
  self->painter = pen_snapshot_painter_new (widget);
  self->em = PEN_EM;
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::map", G_CALLBACK (on_map), self);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_map), self);
  g_signal_group_connect_swapped (self->signals, "notify::axis-view", G_CALLBACK (on_map), self);
  g_signal_group_connect_swapped (self->signals, "notify::visible", G_CALLBACK (on_changed), self);
  g_signal_group_connect_swapped (self->signals, "notify::clock", G_CALLBACK (on_over_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::filter", G_CALLBACK (on_over_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::playhead", G_CALLBACK (on_over_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::hover", G_CALLBACK (on_over_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "answered::notes", G_CALLBACK (on_over_changed),
                                  self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (invalidate), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::high-contrast",
                           G_CALLBACK (invalidate), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (invalidate), NULL);

  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Text Map"), -1);
  pen_plot_input_init (&self->input, widget, &pen_text_map_input_funcs);
}
