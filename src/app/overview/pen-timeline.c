/* pen-timeline.c: the overview of a capture: samples, patches, programs and losses over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-timeline-private.h"

#include <adwaita.h>

#include "pen-format.h"
#include "pen-loss-words.h"
#include "pen-palette.h"

/* Logical pixels per step of the overview: narrower columns are noise. */
#define BIN_WIDTH 2
/* Of one point, in its tooltip. */
#define LOSSES_TOLD 8

G_DEFINE_FINAL_TYPE (PenTimeline, pen_timeline, GTK_TYPE_WIDGET)

int
pen_timeline_get_plot_width (PenTimeline *self)
{
  return MAX (gtk_widget_get_width (GTK_WIDGET (self)) - PEN_TIMELINE_GUTTER, 1);
}

const PenOutline *
pen_timeline_get_outline (PenTimeline *self)
{
  const PenOpened *opened = self->session ? pen_session_get_opened (self->session) : NULL;

  return opened ? opened->outline : NULL;
}

guint64
pen_timeline_get_time_at (PenTimeline *self, double x)
{
  return pen_span_time_at (pen_session_get_visible (self->session),
                           (x - PEN_TIMELINE_GUTTER) / pen_timeline_get_plot_width (self));
}

void
pen_timeline_invalidate (PenTimeline *self)
{
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
pen_timeline_describe (PenTimeline *self)
{
  const PenCounts *counts = pen_session_get_counts (self->session);
  PenSpan visible = pen_session_get_visible (self->session);
  PenClock clock = pen_session_get_clock (self->session);
  guint64 resolution = MAX (pen_span_length (visible) / 1000, 1);
  g_autofree char *from = pen_clock_format_long (&clock, visible.from, resolution);
  g_autofree char *to = pen_clock_format_long (&clock, visible.to, resolution);
  g_autofree char *playhead
      = pen_clock_format_long (&clock, pen_session_get_playhead (self->session), resolution);
  g_autoptr (GString) text = g_string_new (NULL);
  PenSpan selected;

  g_string_printf (text, "%s to %s shown; playhead at %s", from, to, playhead);
  if (pen_session_get_selected (self->session, &selected)) {
    g_autofree char *first = pen_clock_format_long (&clock, selected.from, resolution);
    g_autofree char *last = pen_clock_format_long (&clock, selected.to, resolution);

    g_string_append_printf (text, "; %s to %s selected", first, last);
  }
  if (counts)
    g_string_append_printf (text, "; %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " samples",
                            counts->matching, counts->total);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text->str, -1);
}

/* ---- drawing ---- */

static void
draw_picture (PenTimeline *self)
{
  static const cairo_user_data_key_t key;
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  int width = pen_timeline_get_plot_width (self);
  int height = gtk_widget_get_height (GTK_WIDGET (self)) - PEN_TIMELINE_RULER;
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  PenRaster *raster = pen_raster_new (width * scale, MAX (height, 1) * scale);
  cairo_surface_t *surface;
  cairo_t *cr;

  pen_lanes_draw (&self->lanes, raster, scale, pen_timeline_get_outline (self),
                  pen_session_get_overview (self->session), pen_session_get_visible (self->session),
                  dark);

  surface = cairo_image_surface_create_for_data ((guchar *) raster->pixels, CAIRO_FORMAT_RGB24,
                                                 raster->width, raster->height, raster->width * 4);
  cairo_surface_set_user_data (surface, &key, raster, (cairo_destroy_func_t) pen_raster_free);
  cairo_surface_set_device_scale (surface, scale, scale);

  self->picture = gsk_cairo_node_new (
      &GRAPHENE_RECT_INIT (PEN_TIMELINE_GUTTER, PEN_TIMELINE_RULER, width, MAX (height, 1)));
  cr = gsk_cairo_node_get_draw_context (self->picture);
  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface (cr, surface, PEN_TIMELINE_GUTTER, PEN_TIMELINE_RULER);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
pen_timeline_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PenTimeline *self = PEN_TIMELINE (widget);

  if (!pen_session_get_opened (self->session))
    return;
  if (!self->picture)
    draw_picture (self);
  gtk_snapshot_append_node (snapshot, self->picture);
  pen_timeline_draw_over (self, snapshot);
  gtk_widget_snapshot_child (widget, GTK_WIDGET (self->times), snapshot);
}

/* ---- layout ---- */

static void
lay_out (PenTimeline *self)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self)) - PEN_TIMELINE_RULER;

  pen_lanes_layout (&self->lanes, pen_timeline_get_outline (self),
                    pen_timeline_get_plot_width (self), MAX (height, 0), self->first_row);
  self->first_row = self->lanes.first_row;
  pen_timeline_invalidate (self);
}

static void
pen_timeline_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
  PenTimeline *self = PEN_TIMELINE (widget);

  /* A child that is allocated has to be measured; its room is fixed. */
  gtk_widget_measure (GTK_WIDGET (self->times), orientation, -1, NULL, NULL, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = 280;
    *natural = 800;
    return;
  }
  *minimum = PEN_TIMELINE_RULER;
  if (self->session)
    *minimum += pen_lanes_get_min_height (pen_timeline_get_outline (self));
  *natural = *minimum
             + (self->session ? pen_lanes_get_extra_height (pen_timeline_get_outline (self)) : 0);
}

static void
pen_timeline_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  GtkAllocation times = { 0, 0, PEN_TIMELINE_GUTTER - 4, PEN_TIMELINE_RULER };

  gtk_widget_size_allocate (GTK_WIDGET (self->times), &times, -1);
  lay_out (self);
  pen_session_set_overview_bins (self->session,
                                 (guint) pen_timeline_get_plot_width (self) / BIN_WIDTH);
}

/* ---- tooltip ---- */

static char *
describe_bar (const PenBar *bar, const PenClock *clock)
{
  g_autofree char *name = pen_display_text (bar->tenure.name);
  g_autofree char *when = pen_clock_format_tenancy (clock, bar->tenure.from, bar->tenure.to);
  g_autofree char *elsewhere
      = pen_clock_format_tenancy_elsewhere (clock, bar->tenure.from, bar->tenure.to);
  g_autofree char *samples = pen_format_count (bar->samples);

  return g_strdup_printf (
      "%s (%s)\n%s%s%s\n0x%" G_GINT64_MODIFIER "x, %" G_GUINT64_FORMAT " bytes · %s samples · %s",
      name, pen_palette_kind_title (bar->tenure.kind), when, elsewhere ? "\n" : "",
      elsewhere ? elsewhere : "", bar->tenure.start, bar->tenure.end - bar->tenure.start, samples,
      pen_evidence_to_string (bar->tenure.evidence));
}

static char *
describe_bin (PenTimeline *self, const PenOverview *overview, guint64 time)
{
  PenSpan span = { overview->from, overview->to };
  double bin = pen_span_position (span, time) * overview->n_bins;
  guint64 step = pen_span_length (span) / MAX (overview->n_bins, 1);
  PenClock clock = pen_session_get_clock (self->session);
  g_autofree char *at = pen_clock_format_all (&clock, time, step);
  g_autofree char *width = pen_format_duration (step);
  GString *text = g_string_new (NULL);

  g_string_printf (text, "%s\nwithin %s", at, width);
  if (bin < 0 || bin >= overview->n_bins)
    return g_string_free (text, FALSE);
  for (int i = PEN_KINDS - 1; i >= 0; i--) {
    PenKind kind = pen_palette_stack_order ()[i];
    guint32 count = overview->samples[(gsize) bin * PEN_KINDS + kind];

    if (count > 0)
      g_string_append_printf (text, "\n%s: %u", pen_palette_kind_title (kind), count);
  }
  return g_string_free (text, FALSE);
}

static char *
describe_tick (const PenPokeTick *tick, const PenClock *clock)
{
  g_autofree char *at = pen_clock_format_all (clock, tick->time, 1000);

  return g_strdup_printf ("%s patch\n%s\n0x%" G_GINT64_MODIFIER "x",
                          pen_palette_cause_title (tick->cause), at, tick->address);
}

/* Losses of several CPUs may lie over each other. */
static char *
describe_losses (PenTimeline *self, const PenOpened *opened, const PenClock *clock, int x)
{
  PenSpan visible = pen_session_get_visible (self->session);
  int width = pen_timeline_get_plot_width (self);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < opened->outline->losses->len; i++) {
    const PenLoss *loss = &g_array_index (opened->outline->losses, PenLoss, i);
    double from = pen_span_position (visible, loss->from) * width;
    double to = MAX (pen_span_position (visible, loss->to) * width, from + 3);
    g_autofree char *line = NULL;

    if (pen_loss_is_repeated (loss) || x < from - 1 || x > to + 1 || ++n > LOSSES_TOLD)
      continue;
    line = pen_loss_describe (loss, clock);
    g_string_append_printf (text, text->len > 0 ? "\n%s" : "%s", line);
  }
  if (n > LOSSES_TOLD)
    g_string_append_printf (text, "\n… and %u more", n - LOSSES_TOLD);
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

char *
pen_timeline_describe_point (PenTimeline *self, double x, double y)
{
  const PenOpened *opened = pen_session_get_opened (self->session);
  const PenOverview *overview = pen_session_get_overview (self->session);
  PenSpan visible = pen_session_get_visible (self->session);
  int plot_x = (int) x - PEN_TIMELINE_GUTTER;
  int plot_y = (int) y - PEN_TIMELINE_RULER;
  PenClock clock = pen_session_get_clock (self->session);
  const PenPokeTick *tick;
  const PenBar *bar;

  switch (pen_lanes_find_lane (&self->lanes, plot_y)) {
  case PEN_LANE_SAMPLES:
    return overview ? describe_bin (self, overview, pen_timeline_get_time_at (self, x)) : NULL;
  case PEN_LANE_PATCHES:
    tick = overview ? pen_lanes_find_tick (&self->lanes, overview, visible, plot_x, plot_y) : NULL;
    return tick ? describe_tick (tick, &clock) : NULL;
  case PEN_LANE_PROGRAMS:
    bar = pen_lanes_find_bar (&self->lanes, opened->outline, visible, plot_x, plot_y);
    return bar ? describe_bar (bar, &clock) : NULL;
  case PEN_LANE_LOST:
    return describe_losses (self, opened, &clock, plot_x);
  case PEN_LANES:
  default:
    return NULL;
  }
}

static gboolean
pen_timeline_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  g_autofree char *text = NULL;

  if (keyboard || self->brushing || x < PEN_TIMELINE_GUTTER
      || !pen_session_get_opened (self->session))
    return FALSE;
  text = pen_timeline_describe_point (self, x, y);
  if (!text)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* ---- object ---- */

static void
on_clock (PenTimeline *self)
{
  PenClock clock = pen_session_get_clock (self->session);
  gboolean wall = clock.times == PEN_TIMES_WALL && clock.has_wall;
  PenTimes shown = clock.times == PEN_TIMES_WALL && !wall ? PEN_TIMES_RECORDED : clock.times;
  g_autofree char *from = pen_clock_format_all (&clock, clock.span.from, 1000000);
  g_autofree char *tooltip = g_strdup_printf ("What times are shown\nBegins at %s", from);

  gtk_menu_button_set_label (self->times, pen_times_get_unit (shown));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->times), tooltip);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  pen_timeline_describe (self);
}

static void
on_picture_changed (PenTimeline *self)
{
  pen_timeline_invalidate (self);
  pen_timeline_describe (self);
}

static void
on_over_changed (PenTimeline *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  pen_timeline_describe (self);
}

static void
on_state_changed (PenTimeline *self)
{
  self->first_row = 0;
  self->brushing = FALSE;
  lay_out (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  on_clock (self);
}

void
pen_timeline_set_session (PenTimeline *self, PenSession *session)
{
  if (g_set_object (&self->session, session))
    g_signal_group_set_target (self->signals, session);
  on_state_changed (self);
}

void
pen_timeline_set_times_menu (PenTimeline *self, GMenuModel *menu)
{
  gtk_menu_button_set_menu_model (self->times, menu);
}

static void
add_times_button (PenTimeline *self)
{
  GtkWidget *button = gtk_menu_button_new ();

  self->times = GTK_MENU_BUTTON (button);
  gtk_menu_button_set_has_frame (self->times, FALSE);
  gtk_widget_add_css_class (button, "times");
  gtk_widget_set_parent (button, GTK_WIDGET (self));
}

static void
pen_timeline_dispose (GObject *object)
{
  PenTimeline *self = PEN_TIMELINE (object);

  if (self->times)
    gtk_widget_unparent (GTK_WIDGET (self->times));
  self->times = NULL;
  g_clear_object (&self->signals);
  g_clear_object (&self->session);
  g_clear_pointer (&self->picture, gsk_render_node_unref);

  G_OBJECT_CLASS (pen_timeline_parent_class)->dispose (object);
}

static void
pen_timeline_class_init (PenTimelineClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = pen_timeline_dispose;
  widget_class->snapshot = pen_timeline_snapshot;
  widget_class->measure = pen_timeline_measure;
  widget_class->size_allocate = pen_timeline_size_allocate;
  widget_class->query_tooltip = pen_timeline_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "timeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  pen_timeline_install_actions (widget_class);
}

static void
pen_timeline_init (PenTimeline *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->session = pen_session_new ();
  add_times_button (self);
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::overview",
                                  G_CALLBACK (on_picture_changed), self);
  g_signal_group_connect_swapped (self->signals, "notify::visible", G_CALLBACK (on_picture_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::filter", G_CALLBACK (on_over_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::counts", G_CALLBACK (on_over_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::playhead", G_CALLBACK (on_over_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::clock", G_CALLBACK (on_clock), self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (pen_timeline_invalidate), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (pen_timeline_invalidate), NULL);

  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, "Timeline",
                                  -1);
  pen_timeline_add_controllers (self);
}
