/* pen-pair-timeline.c: one of two recordings over time, and a function in it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-timeline.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-display.h"
#include "pen-format.h"
#include "pen-palette.h"
#include "pen-picture-widget.h"
#include "pen-plot.h"
#include "pen-raster.h"
#include "pen-snapshot-painter.h"

/* Of a row of samples, where a line of words is PEN_EM high. */
#define ROW 19.0
/* Width of the line of a patch. */
#define PATCH 2

/* Shorter drags are clicks. */
#define DRAG_THRESHOLD 4

enum { ROW_ALL, ROW_FUNCTION, ROWS };
enum { SIGNAL_CHOSEN, SIGNALS };

struct _PenPairTimeline {
  GtkWidget parent_instance;

  PenPairList *list;   /* (nullable) */
  PenPairLines *lines; /* (nullable) */
  guint side;
  PenTimes times;
  PenSnapshotPainter *painter;
  GskRenderNode *picture;
  gboolean is_brushing;
  double brush_from; /* of the widget, where the drag began */
  double brush_to;
};

G_DEFINE_FINAL_TYPE (PenPairTimeline, pen_pair_timeline, GTK_TYPE_WIDGET)

static guint signals[SIGNALS];

/* ---- what there is ---- */

static PenOverview *
get_overview (PenPairTimeline *self, guint row, guint side)
{
  if (row == ROW_FUNCTION)
    return self->lines ? self->lines->overviews[side] : NULL;
  return self->list ? self->list->overviews[side] : NULL;
}

static guint64
count_bin (const PenOverview *overview, guint bin)
{
  guint64 sum = 0;

  for (guint kind = 0; kind < PEN_KINDS; kind++)
    sum += overview->samples[bin * PEN_KINDS + kind];
  return sum;
}

/* Samples per second of A that one sample in a bin of that side is; NAN: there are none. */
static double
get_unit (PenPairTimeline *self, guint side)
{
  double seconds = (double) pen_span_length (self->list->spans[side]) / 1e9;
  double factor = side == 0 ? 1 : self->list->pairs->factor;

  return 1 / (seconds * factor);
}

/* The count that is as high as the row: that of the other side, if it has more. */
static guint64
get_highest (PenPairTimeline *self, guint row)
{
  const PenOverview *own = get_overview (self, row, self->side);
  const PenOverview *other = get_overview (self, row, !self->side);
  guint64 highest = own ? own->max_in_bin : 0;
  double scale = get_unit (self, !self->side) / get_unit (self, self->side);

  if (other && isfinite (scale))
    highest = MAX (highest, (guint64) ceil ((double) other->max_in_bin * scale));
  return MAX (highest, 1);
}

static PenClock
make_clock (PenPairTimeline *self)
{
  return pen_pair_list_get_clock (self->list, self->side, self->times);
}

static PenPlot
get_plot (PenPairTimeline *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  PenSpan view = self->list ? self->list->spans[self->side] : (PenSpan){ 0, 0 };

  return pen_plot_new (gtk_widget_get_width (widget), gtk_widget_get_height (widget),
                       PEN_PLOT_GUTTER, pen_snapshot_painter_get_em (self->painter),
                       gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL, view);
}

static PenBox
get_row_box (const PenPlot *plot, guint row)
{
  int height = plot->height / ROWS;

  return (PenBox){ 0, (int) row * height, plot->width, height - 1 };
}

/* ---- drawing ---- */

static void
invalidate (gpointer widget)
{
  g_clear_pointer (&PEN_PAIR_TIMELINE (widget)->picture, gsk_render_node_unref);
  gtk_widget_queue_draw (widget);
}

static PenBox
scaled (PenBox box, int scale)
{
  return (PenBox){ box.x * scale, box.y * scale, box.width * scale, box.height * scale };
}

static void
draw_patches (const PenOverview *overview, PenSpan view, PenRaster *raster, PenBox box, int scale,
              gboolean dark)
{
  for (guint i = 0; i < overview->marks->len; i++) {
    const PenPatchMark *mark = &g_array_index (overview->marks, PenPatchMark, i);

    pen_raster_tick (raster, box, view, mark->first, PATCH * scale,
                     pen_palette_cause (mark->cause, dark));
  }
}

static void
draw_row (PenPairTimeline *self, const PenPlot *plot, guint row, PenRaster *raster, int scale,
          gboolean dark)
{
  const PenOverview *overview = get_overview (self, row, self->side);
  PenBox box = scaled (get_row_box (plot, row), scale);
  guint32 colors[PEN_KINDS];

  pen_raster_fill (raster, (PenBox){ box.x, box.y + box.height, box.width, scale },
                   pen_palette_lane (dark));
  if (!overview)
    return;
  for (guint i = 0; i < PEN_KINDS; i++)
    colors[i] = pen_palette_kind (i, dark);
  /* Of all that was recorded, there would be too many. */
  if (row == ROW_FUNCTION)
    draw_patches (overview, plot->view, raster, box, scale, dark);
  pen_raster_stack (raster, box, plot->view, (PenSpan){ overview->from, overview->to },
                    overview->samples, overview->n_bins, PEN_KINDS, pen_palette_stack_order (),
                    get_highest (self, row), colors);
}

static void
draw (PenPairTimeline *self, const PenPlot *plot, PenRaster *raster, int scale, gboolean dark)
{
  pen_raster_fill (raster, (PenBox){ 0, 0, raster->width, raster->height },
                   pen_palette_ground (dark));
  for (guint row = 0; row < ROWS; row++)
    draw_row (self, plot, row, raster, scale, dark);
}

static char *
dup_title (PenPairTimeline *self, guint row)
{
  const char *symbol = self->lines && self->lines->row->symbols[self->side]
                           ? self->lines->row->symbols[self->side]
                       : self->lines ? self->lines->row->symbol
                                     : NULL;

  if (row == ROW_ALL)
    return g_strdup_printf (_ ("%s: all"),
                            self->side == 0 ? C_ ("recording", "A") : C_ ("recording", "B"));
  return symbol ? pen_display_text (symbol) : g_strdup ("");
}

static void
draw_titles (PenPairTimeline *self, const PenPlot *plot, PenPainter *painter, const PenTheme *theme)
{
  for (guint row = 0; row < ROWS; row++) {
    PenBox box = get_row_box (plot, row);
    g_autofree char *title = dup_title (self, row);

    pen_plot_draw_title (plot, painter, title, PEN_LOOK_SMALL,
                         row == ROW_ALL ? theme->text : theme->dim, box.y, box.height, 0);
  }
}

/* What is compared of it, or will be. */
static void
draw_selected (PenPairTimeline *self, const PenPlot *plot, PenPainter *painter,
               const PenTheme *theme)
{
  PenSpan time;

  if (self->is_brushing)
    pen_plot_draw_selection (plot, painter, theme, MIN (self->brush_from, self->brush_to),
                             MAX (self->brush_from, self->brush_to));
  else if (pen_pair_list_get_time (self->list, self->side, &time))
    pen_plot_draw_selection (plot, painter, theme, pen_plot_get_x (plot, time.from),
                             pen_plot_get_x (plot, time.to));
}

static void
pen_pair_timeline_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PenPairTimeline *self = PEN_PAIR_TIMELINE (widget);
  int scale = gtk_widget_get_scale_factor (widget);
  PenTheme theme = pen_snapshot_painter_get_theme (widget);
  PenPainter *painter = pen_snapshot_painter_begin (self->painter, snapshot);
  PenPlot plot = get_plot (self);
  PenClock clock;

  if (!self->list || plot.width <= 0 || plot.height <= 0 || pen_span_length (plot.view) == 0)
    return;
  clock = make_clock (self);
  if (!self->picture) {
    PenRaster *raster = pen_raster_new (plot.width * scale, plot.height * scale);

    draw (self, &plot, raster, scale, theme.dark);
    self->picture = pen_snapshot_painter_new_picture (raster, scale, plot.x, plot.y);
  }
  gtk_snapshot_append_node (snapshot, self->picture);
  pen_plot_draw_ruler (&plot, painter, &theme, &clock);
  draw_titles (self, &plot, painter, &theme);
  draw_selected (self, &plot, painter, &theme);
}

static void
pen_pair_timeline_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  double em = pen_snapshot_painter_get_em (PEN_PAIR_TIMELINE (widget)->painter);

  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL
                            ? 200
                            : pen_plot_get_ruler (em) + ROWS * (int) (ROW * em / PEN_EM);
}

static void
pen_pair_timeline_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  invalidate (widget);
}

/* ---- words ---- */

static void
append_patches (GString *words, const PenOverview *overview, guint64 from, guint64 to)
{
  for (guint i = 0; i < overview->marks->len; i++) {
    const PenPatchMark *mark = &g_array_index (overview->marks, PenPatchMark, i);

    if (mark->last >= from && mark->first < to)
      g_string_append_printf (words, "\n%s", pen_palette_cause_title (mark->cause));
  }
}

char *
pen_pair_timeline_describe_point (PenPairTimeline *self, double x, double y)
{
  PenPlot plot = get_plot (self);
  guint row = (guint) CLAMP ((y - plot.y) * ROWS / MAX (plot.height, 1), 0, ROWS - 1);
  const PenOverview *overview = get_overview (self, row, self->side);
  PenBox box = { 0, 0, plot.width, plot.height };
  g_autofree char *title = NULL;
  g_autofree char *time = NULL;
  g_autofree char *count = NULL;
  guint64 from, to, samples;
  GString *words;
  PenClock clock;
  int bin;

  if (!overview || y < plot.y || pen_plot_is_in_gutter (&plot, x))
    return NULL;
  bin = pen_raster_find_bin (box, plot.view, (PenSpan){ overview->from, overview->to },
                             overview->n_bins, (int) (x - plot.x));
  if (bin < 0)
    return NULL;
  clock = make_clock (self);
  from = pen_span_time_at (plot.view, (double) bin / overview->n_bins);
  to = pen_span_time_at (plot.view, (double) (bin + 1) / overview->n_bins);
  samples = count_bin (overview, (guint) bin);
  title = dup_title (self, row);
  time = pen_clock_format_long (&clock, from, MAX (to - from, 1));
  count = pen_format_count (samples);
  words = g_string_new (title);
  /* Translators: number of samples and a time: "12 samples from 4.81 s on" */
  g_string_append_printf (
      words, ngettext ("\n%s sample from %s on", "\n%s samples from %s on", samples), count, time);
  if (row == ROW_FUNCTION)
    append_patches (words, overview, from, to);
  return g_string_free (words, FALSE);
}

static gboolean
pen_pair_timeline_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard,
                                 GtkTooltip *tooltip)
{
  g_autofree char *text
      = keyboard ? NULL : pen_pair_timeline_describe_point (PEN_PAIR_TIMELINE (widget), x, y);

  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

/* "all: 39 110 samples; vfs_read: 256 samples, 3 patches" */
static void
describe (PenPairTimeline *self)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint row = 0; row < ROWS; row++) {
    const PenOverview *overview = get_overview (self, row, self->side);
    g_autofree char *title = dup_title (self, row);
    g_autofree char *count = overview ? pen_format_count (overview->total) : NULL;

    if (!overview)
      continue;
    g_string_append_printf (words, "%s%s: ", words->len > 0 ? "; " : "", title);
    g_string_append_printf (words, ngettext ("%s sample", "%s samples", (gulong) overview->total),
                            count);
    if (row == ROW_FUNCTION && overview->marks->len > 0)
      g_string_append_printf (words, ngettext (", %u patch", ", %u patches", overview->marks->len),
                              overview->marks->len);
  }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->side == 0 ? _ ("Timeline of A") : _ ("Timeline of B"),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words->str, -1);
}

void
pen_pair_timeline_show (PenPairTimeline *self, const PenPairList *list, const PenPairLines *lines,
                        guint side, PenTimes times)
{
  g_clear_pointer (&self->lines, pen_pair_lines_unref);
  g_clear_pointer (&self->list, pen_pair_list_unref);
  if (list)
    self->list = pen_pair_list_ref ((PenPairList *) list);
  if (lines)
    self->lines = pen_pair_lines_ref ((PenPairLines *) lines);
  self->side = side;
  self->times = times;
  describe (self);
  invalidate (self);
}

/* ---- choosing a time ---- */

static void
on_drag_begin (PenPairTimeline *self, double x, double y, GtkGesture *gesture)
{
  PenPlot plot = get_plot (self);

  self->is_brushing = FALSE;
  self->brush_from = CLAMP (x, plot.x, plot.x + plot.width);
  if (pen_plot_is_in_gutter (&plot, x) || pen_span_length (plot.view) == 0)
    gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_DENIED);
  else
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
on_drag_update (PenPairTimeline *self, double dx)
{
  PenPlot plot = get_plot (self);

  self->is_brushing |= ABS (dx) >= DRAG_THRESHOLD;
  self->brush_to = CLAMP (self->brush_from + dx, plot.x, plot.x + plot.width);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
pen_pair_timeline_choose (PenPairTimeline *self, double from, double to)
{
  PenPlot plot = get_plot (self);
  PenSpan time
      = { pen_plot_get_time (&plot, MIN (from, to)), pen_plot_get_time (&plot, MAX (from, to)) };

  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0, &time);
}

static void
on_drag_end (PenPairTimeline *self)
{
  if (self->is_brushing)
    pen_pair_timeline_choose (self, self->brush_from, self->brush_to);
  self->is_brushing = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_drag_cancel (PenPairTimeline *self)
{
  self->is_brushing = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
clear_action (GtkWidget *widget, G_GNUC_UNUSED const char *name, G_GNUC_UNUSED GVariant *parameter)
{
  g_signal_emit (widget, signals[SIGNAL_CHOSEN], 0, NULL);
}

static void
add_drag (PenPairTimeline *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect_swapped (drag, "cancel", G_CALLBACK (on_drag_cancel), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

/* ---- object ---- */

static void
pen_pair_timeline_dispose (GObject *object)
{
  PenPairTimeline *self = PEN_PAIR_TIMELINE (object);

  g_clear_pointer (&self->picture, gsk_render_node_unref);
  g_clear_pointer (&self->painter, pen_snapshot_painter_free);
  g_clear_pointer (&self->lines, pen_pair_lines_unref);
  g_clear_pointer (&self->list, pen_pair_list_unref);

  G_OBJECT_CLASS (pen_pair_timeline_parent_class)->dispose (object);
}

static void
pen_pair_timeline_class_init (PenPairTimelineClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_pair_timeline_dispose;
  widget_class->snapshot = pen_pair_timeline_snapshot;
  widget_class->measure = pen_pair_timeline_measure;
  widget_class->size_allocate = pen_pair_timeline_size_allocate;
  widget_class->query_tooltip = pen_pair_timeline_query_tooltip;
  pen_picture_widget_class_init (widget_class);
  gtk_widget_class_install_action (widget_class, "pair-timeline.clear", NULL, clear_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "pair-timeline.clear",
                                       NULL);
  signals[SIGNAL_CHOSEN] = g_signal_new ("chosen", PEN_TYPE_PAIR_TIMELINE, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
pen_pair_timeline_init (PenPairTimeline *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->painter = pen_snapshot_painter_new (widget);
  pen_picture_widget_init (widget, invalidate);
  add_drag (self);
}
