/* pen-snapshot-painter.c: words and lines over a picture, as nodes of a widget
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-snapshot-painter.h"

#include <adwaita.h>

#include "pen-raster.h"
#include "pen-table-hash.h"

/* Laid out words are thrown away when there are so many: those of a few frames. */
#define KEPT_MAX 1500
/* The size of letters whose line is PEN_EM high: 8.5 pt, as style.css has it. */
#define PLAIN_PIXELS 11.33

struct _PenSnapshotPainter {
  PenPainter painter;
  GtkWidget *widget;
  GtkSnapshot *snapshot;
  PangoContext *context;          /* the widget's, but from left to right */
  GHashTable *layouts[PEN_LOOKS]; /* text → PangoLayout */
  guint serial;                   /* of the fonts that they were laid out with */
};

static GdkRGBA
get_rgba (guint32 color)
{
  return (GdkRGBA){ (color >> 16 & 0xff) / 255.f, (color >> 8 & 0xff) / 255.f,
                    (color & 0xff) / 255.f, (color >> 24) / 255.f };
}

static guint32
get_argb (const GdkRGBA *rgba)
{
  return (guint32) (rgba->alpha * 255 + 0.5f) << 24 | (guint32) (rgba->red * 255 + 0.5f) << 16
         | (guint32) (rgba->green * 255 + 0.5f) << 8 | (guint32) (rgba->blue * 255 + 0.5f);
}

static void
fill (PenPainter *painter, guint32 color, double x, double y, double width, double height)
{
  PenSnapshotPainter *self = (PenSnapshotPainter *) painter;
  GdkRGBA rgba = get_rgba (color);

  gtk_snapshot_append_color (
      self->snapshot, &rgba,
      &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width, (float) height));
}

static void
triangle (PenPainter *painter, guint32 color, double x, double y, double width, double height)
{
  PenSnapshotPainter *self = (PenSnapshotPainter *) painter;
  GdkRGBA rgba = get_rgba (color);
  cairo_t *cr = gtk_snapshot_append_cairo (
      self->snapshot,
      &GRAPHENE_RECT_INIT ((float) x - 1, (float) y - 1, (float) width + 2, (float) height + 2));

  gdk_cairo_set_source_rgba (cr, &rgba);
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, x + width, y);
  cairo_line_to (cr, x + width / 2, y + height);
  cairo_close_path (cr);
  cairo_fill (cr);
  cairo_destroy (cr);
}

static PangoLayout *
make_layout (PenSnapshotPainter *self, const char *text, PenLook look)
{
  static const double scales[PEN_LOOKS] = { 1, 1, 0.92, 1 };
  PangoLayout *layout = pango_layout_new (self->context);
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_layout_set_text (layout, text, -1);
  pango_attr_list_insert (attributes, pango_attr_scale_new (scales[look]));
  if (look == PEN_LOOK_BOLD)
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  if (look == PEN_LOOK_CODE)
    pango_attr_list_insert (attributes, pango_attr_family_new ("monospace"));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  /* Right-to-left text in a box is placed by whoever asked, not by its direction; and what has no
   * letters ("≤ 8", "1–7 of 32") is no right-to-left text, whatever the language of the desktop. */
  pango_layout_set_auto_dir (layout, FALSE);
  return layout;
}

static PangoLayout *
get_layout (PenSnapshotPainter *self, const char *text, PenLook look)
{
  PangoLayout *layout = g_hash_table_lookup (self->layouts[look], text);

  if (!layout) {
    if (g_hash_table_size (self->layouts[look]) >= KEPT_MAX)
      g_hash_table_remove_all (self->layouts[look]);
    layout = make_layout (self, text, look);
    g_hash_table_insert (self->layouts[look], g_strdup (text), layout);
  }
  return layout;
}

static double
text (PenPainter *painter, const char *string, PenLook look, guint32 color, double x, double y,
      double width, double height, double align)
{
  PenSnapshotPainter *self = (PenSnapshotPainter *) painter;
  PangoLayout *layout = get_layout (self, string, look);
  GdkRGBA rgba = get_rgba (color);
  int text_width, text_height;

  pango_layout_set_width (layout, -1);
  pango_layout_get_pixel_size (layout, &text_width, &text_height);
  if (width > 0 && text_width > width) {
    /* The layout is kept by the node, so this one is of its own. */
    layout = pango_layout_copy (layout);
    pango_layout_set_width (layout, (int) (width * PANGO_SCALE));
    text_width = (int) width;
  } else {
    g_object_ref (layout);
  }
  gtk_snapshot_save (self->snapshot);
  gtk_snapshot_translate (self->snapshot,
                          &GRAPHENE_POINT_INIT ((float) (x + (width - text_width) * align),
                                                (float) (y + (height - text_height) / 2)));
  gtk_snapshot_append_layout (self->snapshot, layout, &rgba);
  gtk_snapshot_restore (self->snapshot);
  g_object_unref (layout);
  return text_width;
}

static double
measure (PenPainter *painter, const char *string, PenLook look)
{
  PangoLayout *layout = get_layout ((PenSnapshotPainter *) painter, string, look);
  int width;

  pango_layout_set_width (layout, -1);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

PenSnapshotPainter *
pen_snapshot_painter_new (GtkWidget *widget)
{
  PenSnapshotPainter *self = g_new0 (PenSnapshotPainter, 1);

  self->painter.em = PEN_EM;
  self->painter.fill = fill;
  self->painter.triangle = triangle;
  self->painter.text = text;
  self->painter.measure = measure;
  self->widget = widget;
  for (guint i = 0; i < PEN_LOOKS; i++)
    self->layouts[i] = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, g_object_unref);
  return self;
}

void
pen_snapshot_painter_free (PenSnapshotPainter *self)
{
  for (guint i = 0; i < PEN_LOOKS; i++)
    g_hash_table_unref (self->layouts[i]);
  g_clear_object (&self->context);
  g_free (self);
}

double
pen_snapshot_painter_get_em (PenSnapshotPainter *self)
{
  PangoContext *context = gtk_widget_get_pango_context (self->widget);
  const PangoFontDescription *font = pango_context_get_font_description (context);
  double pixels = pango_font_description_get_size (font) / (double) PANGO_SCALE;

  if (!pango_font_description_get_size_is_absolute (font))
    pixels *= 96 / 72.0;
  return CLAMP (PEN_EM * pixels / PLAIN_PIXELS, 8, 100);
}

PenPainter *
pen_snapshot_painter_begin (PenSnapshotPainter *self, GtkSnapshot *snapshot)
{
  guint serial = pango_context_get_serial (gtk_widget_get_pango_context (self->widget));

  if (!self->context || serial != self->serial) {
    g_clear_object (&self->context);
    self->context = gtk_widget_create_pango_context (self->widget);
    pango_context_set_base_dir (self->context, PANGO_DIRECTION_LTR);
    for (guint i = 0; i < PEN_LOOKS; i++)
      g_hash_table_remove_all (self->layouts[i]);
    self->serial = serial;
  }
  self->snapshot = snapshot;
  self->painter.em = pen_snapshot_painter_get_em (self);
  return &self->painter;
}

PenTheme
pen_snapshot_painter_get_theme (GtkWidget *widget)
{
  GtkStyleContext *style = gtk_widget_get_style_context (widget);
  AdwStyleManager *manager = adw_style_manager_get_default ();
  GdkRGBA color, accent;

  gtk_style_context_get_color (style, &color);
  if (!gtk_style_context_lookup_color (style, "accent_color", &accent))
    accent = color;
  return pen_theme_new_for (get_argb (&color), get_argb (&accent),
                            adw_style_manager_get_dark (manager),
                            adw_style_manager_get_high_contrast (manager));
}

GskRenderNode *
pen_snapshot_painter_new_picture (gpointer pixels, int scale, int x, int y)
{
  static const cairo_user_data_key_t key;
  PenRaster *raster = pixels;
  cairo_surface_t *surface
      = cairo_image_surface_create_for_data ((guchar *) raster->pixels, CAIRO_FORMAT_RGB24,
                                             raster->width, raster->height, raster->width * 4);
  GskRenderNode *node = gsk_cairo_node_new (
      &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) raster->width / (float) scale,
                           (float) raster->height / (float) scale));
  cairo_t *cr = gsk_cairo_node_get_draw_context (node);

  cairo_surface_set_user_data (surface, &key, raster, (cairo_destroy_func_t) pen_raster_free);
  cairo_surface_set_device_scale (surface, scale, scale);
  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface (cr, surface, x, y);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return node;
}
