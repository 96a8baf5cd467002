/* pen-strip.c: an annotation row over time: who stood there, and when samples landed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-strip-private.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>
#include <math.h>

#include "pen-slot-words.h"

#define TABLE_KEY "pen-strip-table"
#define MIN_WIDTH 84
#define HEIGHT 20
/* Length of a dash. */
#define DASH 3

G_DEFINE_FINAL_TYPE (PenStrip, pen_strip, GTK_TYPE_WIDGET)

PenSpan
pen_strip_get_span (PenStrip *self)
{
  PenSpan visible = { 0, 0 };

  if (self->table && pen_session_get_opened (self->table->session))
    visible = pen_session_get_view (self->table->session)->visible;
  return pen_span_length (visible) > 0 ? visible : pen_slot_get_strips (self->slot)->span;
}

/* ---- drawing ---- */

static GskRenderNode *
draw_picture (PenStrip *self)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  PenRaster *raster = pen_raster_new (self->width * self->scale, self->height * self->scale);
  PenStripSheet sheet = pen_slot_make_sheet (self->slot, self->span);
  guint first = pen_slot_get_first (self->slot), n = pen_slot_get_n_lines (self->slot);
  g_autoptr (GskRenderNode) pixels = NULL;

  pen_strip_sheet_draw (&sheet, raster, (PenBox){ 0, 0, raster->width, raster->height },
                        self->scale, first, n, self->theme.dark);
  pixels = pen_snapshot_painter_new_picture (raster, self->scale, 0, 0);
  gtk_snapshot_append_node (snapshot, pixels);
  pen_strip_sheet_draw_words (&sheet, pen_snapshot_painter_begin (self->painter, snapshot),
                              &self->theme, 0, 0, self->width, self->height, first, n);
  return gtk_snapshot_free_to_node (snapshot);
}

static void
update_picture (PenStrip *self, int width, int height)
{
  PenSpan span = pen_strip_get_span (self);
  PenTheme theme = pen_snapshot_painter_get_theme (GTK_WIDGET (self));
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  if (self->picture && self->width == width && self->height == height && self->scale == scale
      && pen_span_equal (self->span, span) && self->theme.dark == theme.dark
      && self->theme.text == theme.text)
    return;
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  self->span = span;
  self->width = width;
  self->height = height;
  self->scale = scale;
  self->theme = theme;
  self->picture = draw_picture (self);
}

static void
draw_time (PenStrip *self, PenPainter *painter, guint64 time, guint32 color, int dash)
{
  double x;

  if (time < self->span.from || time > self->span.to)
    return;
  x = MIN (floor (pen_span_position (self->span, time) * self->width), self->width - 1);
  for (int y = 0; y < self->height; y += 2 * dash)
    pen_painter_fill (painter, color, x, y, 1, MIN (dash, self->height - y));
}

static void
draw_selected (PenStrip *self, PenPainter *painter)
{
  PenSpan selected = self->table->brush;
  double left, right;

  if (!self->table->brushing && !pen_session_get_selected (self->table->session, &selected))
    return;
  left = CLAMP (pen_span_position (self->span, selected.from), 0, 1) * self->width;
  right = CLAMP (pen_span_position (self->span, selected.to), 0, 1) * self->width;
  pen_painter_fill (painter, pen_theme_fade (self->theme.accent, 0.16), left, 0, right - left,
                    self->height);
  if (pen_span_position (self->span, selected.from) >= 0)
    pen_painter_fill (painter, self->theme.accent, floor (left), 0, 1, self->height);
  if (pen_span_position (self->span, selected.to) <= 1)
    pen_painter_fill (painter, self->theme.accent, ceil (right) - 1, 0, 1, self->height);
}

/* The selected stretch, playhead and second marker, and the time that is pointed at in whatever
 * view. */
static void
draw_times (PenStrip *self, PenPainter *painter)
{
  const PenViewState *view = pen_session_get_view (self->table->session);
  const PenHover *hover = pen_session_get_hover (self->table->session);

  draw_selected (self, painter);
  if (hover->has_time)
    draw_time (self, painter, hover->time, pen_theme_fade (self->theme.text, 0.35), self->height);
  if (view->has_mark)
    draw_time (self, painter, view->mark, self->theme.text, DASH);
  draw_time (self, painter, view->playhead, pen_theme_fade (self->theme.text, 0.8), self->height);
}

static void
pen_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PenStrip *self = PEN_STRIP (widget);
  int width = gtk_widget_get_width (widget);
  int height = MIN (gtk_widget_get_height (widget), HEIGHT);
  int y = (gtk_widget_get_height (widget) - height) / 2;

  if (!self->slot || width < 1 || height < 1)
    return;
  update_picture (self, width, height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (0, (float) y));
  gtk_snapshot_append_node (snapshot, self->picture);
  if (self->table)
    draw_times (self, pen_snapshot_painter_begin (self->painter, snapshot));
  gtk_snapshot_restore (snapshot);
}

/* ---- while it is on the screen ---- */

static void
pen_strip_map (GtkWidget *widget)
{
  static const char *const signals[] = { "notify::playhead", "notify::hover", "notify::visible",
                                         "notify::filter", "notify::mark" };
  PenStrip *self = PEN_STRIP (widget);
  GtkWidget *view = gtk_widget_get_ancestor (widget, GTK_TYPE_COLUMN_VIEW);

  GTK_WIDGET_CLASS (pen_strip_parent_class)->map (widget);
  self->table = view ? g_object_get_data (G_OBJECT (view), TABLE_KEY) : NULL;
  if (!self->table)
    return;
  self->view = g_object_ref (view);
  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (self->table->session, signals[i], G_CALLBACK (gtk_widget_queue_draw),
                             self, G_CONNECT_SWAPPED);
}

static void
pen_strip_unmap (GtkWidget *widget)
{
  PenStrip *self = PEN_STRIP (widget);

  if (self->table)
    g_signal_handlers_disconnect_by_data (self->table->session, self);
  self->table = NULL;
  g_clear_object (&self->view);
  GTK_WIDGET_CLASS (pen_strip_parent_class)->unmap (widget);
}

static gboolean
pen_strip_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  PenStrip *self = PEN_STRIP (widget);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *samples = NULL;
  guint64 time;
  const PenAnnotationLine *line = keyboard ? NULL : pen_strip_find_version (self, x, &time);

  if (!self->slot)
    return FALSE;
  for (guint i = 0; line && i < pen_slot_get_n_lines (self->slot); i++) {
    g_autofree char *segment = NULL;

    if (pen_slot_get_nth_line (self->slot, i) != line)
      continue;
    segment = pen_slot_dup_segment (self->slot, i);
    g_string_append (text, segment);
  }
  samples = pen_slot_dup_samples (self->slot);
  if (pen_slot_get_samples (self->slot) > 0)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", samples);
  gtk_tooltip_set_text (tooltip, text->str);
  return text->len > 0;
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
  PenStrip *self = PEN_STRIP (object);

  g_clear_object (&self->slot);
  g_clear_object (&self->view);
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  g_clear_pointer (&self->painter, pen_snapshot_painter_free);

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
  widget_class->query_tooltip = pen_strip_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "strip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
pen_strip_init (PenStrip *self)
{
  self->painter = pen_snapshot_painter_new (GTK_WIDGET (self));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  pen_strip_add_pointer (self);
}

/* ---- what it shows ---- */

static void
free_table (gpointer data)
{
  PenStripTable *table = data;

  g_object_unref (table->session);
  g_free (table);
}

void
pen_strip_set_session (GtkColumnView *view, PenSession *session)
{
  PenStripTable *table = g_new0 (PenStripTable, 1);

  table->session = g_object_ref (session);
  g_object_set_data_full (G_OBJECT (view), TABLE_KEY, table, free_table);
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
  *time = pen_span_time_at (pen_strip_get_span (self), x / width);
  return TRUE;
}

const PenAnnotationLine *
pen_strip_find_version (PenStrip *self, double x, guint64 *time)
{
  PenStripSheet sheet;
  guint found;

  if (!pen_strip_find_time (self, x, time))
    return NULL;
  sheet = pen_slot_make_sheet (self->slot, pen_strip_get_span (self));
  found = pen_strip_sheet_find (&sheet, gtk_widget_get_width (GTK_WIDGET (self)), x,
                                pen_slot_get_first (self->slot), pen_slot_get_n_lines (self->slot),
                                time);
  return found != G_MAXUINT ? g_ptr_array_index (sheet.annotated->lines, found) : NULL;
}

void
pen_strip_set_slot (PenStrip *self, PenSlot *slot)
{
  g_set_object (&self->slot, slot);
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  if (slot) {
    const PenAnnotationLine *line = pen_slot_get_nth_line (slot, 0);
    guint n = pen_slot_get_n_lines (slot);
    g_autofree char *offset = g_strdup_printf ("%" G_GINT64_MODIFIER "x", line->offset);
    g_autofree char *samples = pen_slot_dup_samples (slot);
    g_autofree char *segments = pen_slot_dup_segments (slot);
    g_autofree char *label = g_strdup_printf (ngettext ("Over time, offset %s: %u version, %s",
                                                        "Over time, offset %s: %u versions, %s", n),
                                              offset, n, samples);

    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                    GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, segments ? segments : "",
                                    -1);
  }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
