/* pen-import-timeline.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-timeline.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>

#include "pen-format.h"
#include "pen-lane-words.h"
#include "pen-palette.h"
#include "pen-sketch-picture.h"
#include "pen-snapshot-painter.h"

/* As those of the timeline. */
#define BIN_WIDTH 2
/* ms: to another stretch of time. */
#define GLIDE 250
/* The share of the window, in per cent, that the timeline gets at first. */
#define SHARE 36

struct _PenImportTimeline {
  GtkWidget parent_instance;

  PenSession *session;
  PenSnapshotPainter *painter;
  PenSketch *sketch; /* (nullable) */
  PenOutline *outline;
  PenOverview *overview; /* of @view; NULL: to be made */
  PenLanes lanes;
  GskRenderNode *picture;

  PenSpan view;   /* that is shown */
  PenSpan target; /* that will be, when it stands still */
  PenSpan start;
  AdwAnimation *glide;
};

G_DEFINE_FINAL_TYPE (PenImportTimeline, pen_import_timeline, GTK_TYPE_WIDGET)

static PenPlot
get_plot (PenImportTimeline *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  return pen_plot_new (gtk_widget_get_width (widget), gtk_widget_get_height (widget),
                       PEN_PLOT_GUTTER, pen_snapshot_painter_get_em (self->painter),
                       gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL, self->view);
}

static void
invalidate (PenImportTimeline *self)
{
  g_clear_pointer (&self->overview, pen_overview_free);
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- layout ---- */

/* Patches are in one row until their causes are known. */
static PenLanesShape
get_shape (PenImportTimeline *self)
{
  guint32 folded = pen_session_get_view (self->session)->folded;

  if (self->sketch && !self->sketch->has_causes)
    folded |= 1u << PEN_LANE_PATCHES;
  return (PenLanesShape){ .outline = self->outline,
                          .folded = folded,
                          .em = pen_snapshot_painter_get_em (self->painter) };
}

static void
lay_out (PenImportTimeline *self)
{
  PenLanesShape shape = get_shape (self);
  PenPlot plot = get_plot (self);

  pen_lanes_layout (&self->lanes, &shape, plot.width, plot.height);
}

static void
pen_import_timeline_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                             int *minimum, int *natural, int *minimum_baseline,
                             int *natural_baseline)
{
  PenImportTimeline *self = PEN_IMPORT_TIMELINE (widget);
  PenLanesShape shape = get_shape (self);
  GtkNative *native = gtk_widget_get_native (widget);
  int least, most;

  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = 280;
    *natural = 800;
    return;
  }
  least = pen_plot_get_ruler (shape.em) + pen_lanes_get_min_height (&shape);
  most = native ? gtk_widget_get_height (GTK_WIDGET (native)) * SHARE / 100 : G_MAXINT;
  *minimum = least;
  *natural = MAX (MIN (least + pen_lanes_get_extra_height (&shape), most), least);
}

static void
pen_import_timeline_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PenImportTimeline *self = PEN_IMPORT_TIMELINE (widget);

  lay_out (self);
  invalidate (self);
  /* The real one is asked for as soon as there is a store, and comes before it is looked at. */
  pen_session_set_overview_bins (self->session, (guint) MAX (get_plot (self).width / BIN_WIDTH, 1));
}

/* ---- drawing ---- */

static const PenOverview *
get_overview (PenImportTimeline *self)
{
  if (!self->overview && self->sketch && pen_span_length (self->view) > 0)
    self->overview = pen_sketch_picture_new_overview (
        self->sketch, self->view, (guint) MAX (get_plot (self).width / BIN_WIDTH, 1));
  return self->overview;
}

/* As far as it was read, and then as far as samples have their place. */
static void
draw_frontier (PenImportTimeline *self, const PenPlot *plot, PenPainter *painter,
               const PenTheme *theme)
{
  guint64 time = self->sketch->is_read ? self->sketch->placed_to : self->sketch->to;
  double x = pen_plot_get_x (plot, time);

  if (x > plot->x && x < plot->x + plot->width - 1)
    pen_painter_fill (painter, theme->accent, x, plot->y, 1, plot->height);
}

static void
pen_import_timeline_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PenImportTimeline *self = PEN_IMPORT_TIMELINE (widget);
  int scale = gtk_widget_get_scale_factor (widget);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  PenTheme theme = pen_snapshot_painter_get_theme (widget);
  PenPainter *painter = pen_snapshot_painter_begin (self->painter, snapshot);
  const PenOverview *overview = get_overview (self);
  PenPlot plot = get_plot (self);
  PenClock clock = { .times = pen_session_get_view (self->session)->times, .span = self->view };

  if (!self->picture) {
    PenRaster *raster = pen_raster_new (plot.width * scale, plot.height * scale);

    pen_lanes_draw (&self->lanes, raster, scale, overview, plot.view, dark);
    self->picture = pen_snapshot_painter_new_picture (raster, scale, plot.x, plot.y);
  }
  gtk_snapshot_append_node (snapshot, self->picture);
  if (overview) {
    pen_lane_words_draw_names (&self->lanes, &plot, painter, &theme, overview);
    pen_plot_draw_ruler (&plot, painter, &theme, &clock);
    draw_frontier (self, &plot, painter, &theme);
  }
  pen_lane_words_draw_gutter (&self->lanes, &plot, painter, &theme, overview);
}

/* ---- words ---- */

static char *
describe_bar (PenImportTimeline *self, const PenPlot *plot, int x, int y)
{
  PenClock clock = { .times = pen_session_get_view (self->session)->times, .span = self->view };
  const PenBar *bar = pen_lanes_find_bar (&self->lanes, plot->view, x, y);
  g_autofree char *name = NULL;
  g_autofree char *when = NULL;

  if (!bar)
    return NULL;
  name = pen_lane_words_dup_name (&bar->tenure);
  when = pen_clock_format_tenancy (&clock, bar->tenure.from, bar->tenure.to);
  return g_strdup_printf ("%s (%s)\n%s", name, pen_palette_kind_title (bar->tenure.kind), when);
}

/* The tooltip leaves out patches and programs as far as only the finished import knows them. */
static gboolean
pen_import_timeline_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard,
                                   GtkTooltip *tooltip)
{
  PenImportTimeline *self = PEN_IMPORT_TIMELINE (widget);
  PenPlot plot = get_plot (self);
  PenLaneKind lane = pen_lanes_find_lane (&self->lanes, y - plot.y);
  PenClock clock = { .times = pen_session_get_view (self->session)->times, .span = self->view };
  g_autofree char *text = NULL;

  if (keyboard || !self->overview || pen_plot_is_in_gutter (&plot, x))
    return FALSE;
  if (lane == PEN_LANE_PROGRAMS)
    text = describe_bar (self, &plot, x - plot.x, y - plot.y);
  else if (lane == PEN_LANE_SAMPLES || lane == PEN_LANE_LOST)
    text = pen_lane_words_describe (&self->lanes, &plot, self->overview, &clock, x - plot.x,
                                    y - plot.y);
  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

static void
describe (PenImportTimeline *self)
{
  const PenSketch *sketch = self->sketch;
  g_autofree char *samples = NULL;
  g_autofree char *patches = NULL;
  g_autofree char *programs = NULL;
  g_autofree char *text = NULL;

  if (sketch) {
    samples = pen_format_count (sketch->n_samples);
    patches = pen_format_count (sketch->n_patches);
    programs = pen_format_count (sketch->n_programs);
    text = g_strdup_printf (_ ("So far: %s samples, %s patches, %s programs"), samples, patches,
                            programs);
  }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text ? text : _ ("Nothing read yet"), -1);
}

/* ---- keeping up ---- */

static guint64
between (guint64 from, guint64 to, double value)
{
  return from <= to ? from + (guint64) ((double) (to - from) * value)
                    : from - (guint64) ((double) (from - to) * value);
}

static void
on_glide (double value, gpointer user_data)
{
  PenImportTimeline *self = user_data;

  self->view.from = between (self->start.from, self->target.from, value);
  self->view.to = between (self->start.to, self->target.to, value);
  if (value >= 1)
    self->view = self->target;
  invalidate (self);
}

/* The first stretch is there at once; so is every one where nothing is to move. */
static void
move_to (PenImportTimeline *self, PenSpan target)
{
  if (pen_span_equal (target, self->target))
    return;
  self->target = target;
  self->start = self->view;
  if (pen_span_length (self->view) == 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    on_glide (1, self);
  else
    adw_animation_play (self->glide);
}

void
pen_import_timeline_show (PenImportTimeline *self, PenSketch *sketch, double part)
{
  gboolean is_new = sketch != self->sketch;

  if (!sketch) {
    adw_animation_reset (self->glide);
    self->view = self->target = (PenSpan){ 0, 0 };
  }
  if (is_new) {
    PenLanesShape before = get_shape (self);
    int height = pen_lanes_get_min_height (&before) + pen_lanes_get_extra_height (&before);
    PenLanesShape after;

    g_clear_pointer (&self->outline, pen_outline_free);
    g_clear_pointer (&self->sketch, pen_sketch_unref);
    if (sketch) {
      self->sketch = pen_sketch_ref (sketch);
      self->outline = pen_sketch_picture_new_outline (sketch);
    }
    after = get_shape (self);
    if (height != pen_lanes_get_min_height (&after) + pen_lanes_get_extra_height (&after))
      gtk_widget_queue_resize (GTK_WIDGET (self));
    lay_out (self);
    describe (self);
  }
  invalidate (self);
  if (sketch)
    move_to (self, pen_sketch_picture_get_span (sketch, part, self->target));
}

void
pen_import_timeline_set_session (PenImportTimeline *self, PenSession *session)
{
  g_set_object (&self->session, session);
}

/* ---- object ---- */

static void
pen_import_timeline_dispose (GObject *object)
{
  PenImportTimeline *self = PEN_IMPORT_TIMELINE (object);

  g_clear_object (&self->glide);
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  g_clear_pointer (&self->overview, pen_overview_free);
  g_clear_pointer (&self->outline, pen_outline_free);
  g_clear_pointer (&self->sketch, pen_sketch_unref);
  g_clear_pointer (&self->painter, pen_snapshot_painter_free);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (pen_import_timeline_parent_class)->dispose (object);
}

static void
pen_import_timeline_class_init (PenImportTimelineClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_import_timeline_dispose;
  widget_class->snapshot = pen_import_timeline_snapshot;
  widget_class->measure = pen_import_timeline_measure;
  widget_class->size_allocate = pen_import_timeline_size_allocate;
  widget_class->query_tooltip = pen_import_timeline_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "timeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
pen_import_timeline_init (PenImportTimeline *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->session = pen_session_new ();
  self->painter = pen_snapshot_painter_new (widget);
  self->glide = adw_timed_animation_new (widget, 0, 1, GLIDE,
                                         adw_callback_animation_target_new (on_glide, self, NULL));
  adw_timed_animation_set_easing (ADW_TIMED_ANIMATION (self->glide), ADW_EASE_OUT_CUBIC);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (invalidate), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::high-contrast",
                           G_CALLBACK (invalidate), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (invalidate), NULL);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Import timeline"), -1);
}
