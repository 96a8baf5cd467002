/* pen-strip.c: an annotation row over time: who stood there, and when samples landed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-strip.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>

#include "pen-slot-words.h"

#define SESSION_KEY "pen-session"
#define MIN_WIDTH 84
#define HEIGHT 14

struct _PenStrip {
  GtkWidget parent_instance;

  PenSlot *slot;
  PenSession *session; /* while it is on the screen */
  cairo_surface_t *picture;
  int width; /* of the picture, in logical pixels */
  int scale;
  gboolean dark;
};

G_DEFINE_FINAL_TYPE (PenStrip, pen_strip, GTK_TYPE_WIDGET)

/* ---- drawing ---- */

static void
update_picture (PenStrip *self, int width, int height, int scale, gboolean dark)
{
  static const cairo_user_data_key_t key;
  PenRaster *raster;

  if (self->picture && self->width == width && self->scale == scale && self->dark == dark)
    return;
  g_clear_pointer (&self->picture, cairo_surface_destroy);
  raster = pen_raster_new (width * scale, height * scale);
  pen_slot_draw_strip (self->slot, raster, scale, dark);
  self->picture
      = cairo_image_surface_create_for_data ((guchar *) raster->pixels, CAIRO_FORMAT_RGB24,
                                             raster->width, raster->height, raster->width * 4);
  cairo_surface_set_user_data (self->picture, &key, raster, (cairo_destroy_func_t) pen_raster_free);
  cairo_surface_set_device_scale (self->picture, scale, scale);
  self->width = width;
  self->scale = scale;
  self->dark = dark;
}

static void
draw_time (PenStrip *self, GtkSnapshot *snapshot, guint64 time, int y, const GdkRGBA *color)
{
  PenSpan span = pen_slot_get_strips (self->slot)->span;
  double position;

  if (time < span.from || time >= span.to)
    return;
  position = pen_span_position (span, time) * self->width;
  gtk_snapshot_append_color (
      snapshot, color,
      &GRAPHENE_RECT_INIT (MIN (floorf ((float) position), (float) self->width - 1), (float) y, 1,
                           HEIGHT));
}

/* The playhead; and the time that is pointed at, in whatever view. */
static void
draw_times (PenStrip *self, GtkSnapshot *snapshot, int y)
{
  GdkRGBA color = { 0, 0, 0, 1 };
  const PenHover *hover;

  if (!self->session)
    return;
  hover = pen_session_get_hover (self->session);
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &color);
  color.alpha = 0.7f;
  draw_time (self, snapshot, pen_session_get_view (self->session)->playhead, y, &color);
  color.alpha = 0.35f;
  if (hover->has_time)
    draw_time (self, snapshot, hover->time, y, &color);
}

static void
pen_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PenStrip *self = PEN_STRIP (widget);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  int width = gtk_widget_get_width (widget);
  int height = MIN (gtk_widget_get_height (widget), HEIGHT);
  int y = (gtk_widget_get_height (widget) - height) / 2;
  cairo_t *cr;

  if (!self->slot || width < 1 || height < 1)
    return;

  update_picture (self, width, height, gtk_widget_get_scale_factor (widget), dark);
  cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (0, (float) y, (float) width, (float) height));
  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface (cr, self->picture, 0, y);
  cairo_paint (cr);
  cairo_destroy (cr);
  draw_times (self, snapshot, y);
}

/* ---- while it is on the screen ---- */

static void
pen_strip_map (GtkWidget *widget)
{
  PenStrip *self = PEN_STRIP (widget);
  GtkWidget *table = gtk_widget_get_ancestor (widget, GTK_TYPE_COLUMN_VIEW);
  PenSession *session = table ? g_object_get_data (G_OBJECT (table), SESSION_KEY) : NULL;

  GTK_WIDGET_CLASS (pen_strip_parent_class)->map (widget);
  if (!session)
    return;
  self->session = g_object_ref (session);
  g_signal_connect_object (self->session, "notify::playhead", G_CALLBACK (gtk_widget_queue_draw),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::hover", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}

static void
pen_strip_unmap (GtkWidget *widget)
{
  PenStrip *self = PEN_STRIP (widget);

  if (self->session)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  GTK_WIDGET_CLASS (pen_strip_parent_class)->unmap (widget);
}

static void
pen_strip_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                   int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : HEIGHT;
}

static void
pen_strip_dispose (GObject *object)
{
  g_clear_object (&PEN_STRIP (object)->slot);
  g_clear_pointer (&PEN_STRIP (object)->picture, cairo_surface_destroy);

  G_OBJECT_CLASS (pen_strip_parent_class)->dispose (object);
}

static void
pen_strip_class_init (PenStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_strip_dispose;
  widget_class->snapshot = pen_strip_snapshot;
  widget_class->measure = pen_strip_measure;
  widget_class->map = pen_strip_map;
  widget_class->unmap = pen_strip_unmap;
  gtk_widget_class_set_css_name (widget_class, "strip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
pen_strip_init (PenStrip *self)
{
}

void
pen_strip_set_session (GtkColumnView *table, PenSession *session)
{
  g_object_set_data_full (G_OBJECT (table), SESSION_KEY, g_object_ref (session), g_object_unref);
}

GtkWidget *
pen_strip_new (void)
{
  return g_object_new (PEN_TYPE_STRIP, NULL);
}

gboolean
pen_strip_find_time (PenStrip *self, double x, guint64 *time)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));

  if (!self->slot || width < 1 || x < 0 || x >= width)
    return FALSE;
  *time = pen_span_time_at (pen_slot_get_strips (self->slot)->span, x / width);
  return TRUE;
}

void
pen_strip_set_slot (PenStrip *self, PenSlot *slot)
{
  g_set_object (&self->slot, slot);
  g_clear_pointer (&self->picture, cairo_surface_destroy);
  if (slot) {
    const PenAnnotationLine *line = pen_slot_get_nth_line (slot, 0);
    guint n = pen_slot_get_n_lines (slot);
    g_autofree char *offset = g_strdup_printf ("%" G_GINT64_MODIFIER "x", line->offset);
    g_autofree char *samples = pen_slot_dup_samples (slot);
    g_autofree char *label = g_strdup_printf (ngettext ("Over time, offset %s: %u version, %s",
                                                        "Over time, offset %s: %u versions, %s", n),
                                              offset, n, samples);

    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                    -1);
    if (pen_slot_get_samples (slot) == 0)
      g_clear_pointer (&samples, g_free);
    if (g_strcmp0 (gtk_widget_get_tooltip_text (GTK_WIDGET (self)), samples) != 0)
      gtk_widget_set_tooltip_text (GTK_WIDGET (self), samples);
  }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
