/* pen-timeline.c: the overview of a capture: samples, patches, programs and losses over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-timeline-private.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>

#include "pen-phrases.h"

/* Logical pixels per step of the overview: narrower columns are noise. */
#define BIN_WIDTH 2

G_DEFINE_FINAL_TYPE (PenTimeline, pen_timeline, GTK_TYPE_WIDGET)

const PenOutline *
pen_timeline_get_outline (PenTimeline *self)
{
  const PenOpened *opened = self->session ? pen_session_get_opened (self->session) : NULL;

  return opened ? opened->outline : NULL;
}

PenPlot
pen_timeline_get_plot (PenTimeline *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  PenSpan view = self->session ? pen_session_get_view (self->session)->visible : (PenSpan){ 0, 1 };

  return pen_plot_new (gtk_widget_get_width (widget), gtk_widget_get_height (widget),
                       PEN_LANES_GUTTER, self->em,
                       gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL, view);
}

guint64
pen_timeline_get_time_at (PenTimeline *self, double x)
{
  PenPlot plot = pen_timeline_get_plot (self);

  return pen_plot_get_time (&plot, x);
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
  const PenCounts *counts = pen_session_get_answers (self->session)->counts;
  PenSpan visible = pen_session_get_view (self->session)->visible;
  PenClock clock = pen_session_get_clock (self->session);
  guint64 resolution = MAX (pen_span_length (visible) / 1000, 1);
  g_autofree char *from = pen_clock_format_long (&clock, visible.from, resolution);
  g_autofree char *to = pen_clock_format_long (&clock, visible.to, resolution);
  g_autofree char *playhead
      = pen_clock_format_long (&clock, pen_session_get_view (self->session)->playhead, resolution);
  g_autofree char *matching = g_strdup_printf ("%" G_GUINT64_FORMAT, counts ? counts->matching : 0);
  g_autofree char *total = pen_phrase_samples (counts ? counts->total : 0, TRUE);
  g_autoptr (GString) text = g_string_new (NULL);
  PenSpan selected;

  g_string_printf (text, _ ("%s to %s shown; playhead at %s"), from, to, playhead);
  if (pen_session_get_selected (self->session, &selected)) {
    g_autofree char *first = pen_clock_format_long (&clock, selected.from, resolution);
    g_autofree char *last = pen_clock_format_long (&clock, selected.to, resolution);

    g_string_append_printf (text, _ ("; %s to %s selected"), first, last);
  }
  if (counts)
    g_string_append_printf (text, _ ("; %s of %s"), matching, total);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text->str, -1);
}

/* ---- drawing ---- */

static void
draw_picture (PenTimeline *self)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  PenPlot plot = pen_timeline_get_plot (self);
  PenRaster *raster = pen_raster_new (plot.width * scale, plot.height * scale);

  pen_lanes_draw (&self->lanes, raster, scale, pen_session_get_answers (self->session)->overview,
                  plot.view, dark);
  self->picture = pen_snapshot_painter_new_picture (raster, scale, plot.x, plot.y);
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

static PenLanesShape
get_shape (PenTimeline *self)
{
  return (PenLanesShape){
    .outline = pen_timeline_get_outline (self),
    .cpus = pen_session_get_answers (self->session)->tasks[PEN_TASKS_BY_CPU],
    .tasks = pen_session_get_answers (self->session)->tasks[PEN_TASKS_BY_PROCESS],
    .folded = pen_session_get_view (self->session)->folded,
    .first_row = self->first_row,
    .em = pen_snapshot_painter_get_em (self->painter),
  };
}

static void
lay_out (PenTimeline *self)
{
  PenLanesShape shape = get_shape (self);
  PenPlot plot;

  self->em = shape.em;
  plot = pen_timeline_get_plot (self);
  pen_lanes_layout (&self->lanes, &shape, plot.width, plot.height);
  self->first_row = self->lanes.first_row;
  pen_timeline_invalidate (self);
}

static void
pen_timeline_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  double em = pen_snapshot_painter_get_em (self->painter);

  /* A child that is allocated has to be measured; its room is fixed. */
  gtk_widget_measure (GTK_WIDGET (self->times), orientation, -1, NULL, NULL, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = 280;
    *natural = 800;
    return;
  }
  *minimum = *natural = pen_plot_get_ruler (em);
  if (self->session) {
    PenLanesShape shape = get_shape (self);

    *minimum += pen_lanes_get_min_height (&shape);
    *natural = *minimum + pen_lanes_get_extra_height (&shape);
  }
}

static void
pen_timeline_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  GtkAllocation times;
  PenPlot plot;

  lay_out (self);
  plot = pen_timeline_get_plot (self);
  times = (GtkAllocation){ plot.gutter_x, 0, MAX (plot.gutter_width - 4, 0), plot.y };
  gtk_widget_size_allocate (GTK_WIDGET (self->times), &times, -1);
  pen_session_set_overview_bins (self->session, (guint) MAX (plot.width / BIN_WIDTH, 1));
}

/* ---- tooltip ---- */

char *
pen_timeline_describe_point (PenTimeline *self, double x, double y)
{
  PenClock clock = pen_session_get_clock (self->session);
  PenPlot plot = pen_timeline_get_plot (self);
  const PenNoteRow *note;

  if (pen_plot_is_in_gutter (&plot, x) || !pen_session_get_opened (self->session))
    return NULL;
  note = pen_note_flags_find (pen_session_get_answers (self->session)->notes, &plot, x, y);
  if (note)
    return pen_note_flags_describe (note, &clock);
  return pen_lane_words_describe (&self->lanes, &plot,
                                  pen_session_get_answers (self->session)->overview, &clock,
                                  (int) x - plot.x, (int) y - plot.y);
}

static gboolean
pen_timeline_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  g_autofree char *text = NULL;

  if (keyboard || self->brushing)
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
  g_autofree char *tooltip = g_strdup_printf (_ ("Times shown\nRecording begins at %s"), from);

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

/* There may be more or fewer rows. */
static void
on_lanes_changed (PenTimeline *self)
{
  lay_out (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
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

/* Which lanes there are; each can be folded, too. */
static GMenuModel *
make_lanes_menu (void)
{
  GMenu *lanes = g_menu_new ();

  g_menu_append (lanes, _ ("One Row per _CPU"), "timeline.toggle-cpus");
  g_menu_append (lanes, _ ("Rows for _Processes"), "timeline.toggle-processes");
  for (guint i = 0; i < PEN_LANES; i++) {
    g_autofree char *label = NULL;
    g_autofree char *action = NULL;

    if (i == PEN_LANE_CPUS || i == PEN_LANE_TASKS)
      continue;
    label = g_strdup_printf (_ ("Fold %s"), pen_lane_get_title (i));
    action = g_strdup_printf ("timeline.fold-lane::%s", pen_lane_to_string (i));
    g_menu_append (lanes, label, action);
  }
  return G_MENU_MODEL (lanes);
}

void
pen_timeline_set_times_menu (PenTimeline *self, GMenuModel *menu)
{
  g_autoptr (GMenuModel) lanes = make_lanes_menu ();
  g_autoptr (GMenu) all = g_menu_new ();

  g_menu_append_section (all, _ ("Times"), menu);
  g_menu_append_section (all, _ ("Lanes"), lanes);
  gtk_menu_button_set_menu_model (self->times, G_MENU_MODEL (all));
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
  g_clear_pointer (&self->painter, pen_snapshot_painter_free);

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
  self->painter = pen_snapshot_painter_new (widget);
  add_times_button (self);
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_state_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "answered::overview",
                                  G_CALLBACK (on_picture_changed), self);
  g_signal_group_connect_swapped (self->signals, "notify::visible", G_CALLBACK (on_picture_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::filter", G_CALLBACK (on_over_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "answered::counts", G_CALLBACK (on_over_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::playhead", G_CALLBACK (on_over_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::lanes", G_CALLBACK (on_lanes_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "answered::tasks", G_CALLBACK (on_lanes_changed),
                                  self);
  g_signal_group_connect_swapped (self->signals, "notify::hover",
                                  G_CALLBACK (gtk_widget_queue_draw), self);
  g_signal_group_connect_swapped (self->signals, "answered::notes",
                                  G_CALLBACK (gtk_widget_queue_draw), self);
  g_signal_group_connect_swapped (self->signals, "notify::clock", G_CALLBACK (on_clock), self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (pen_timeline_invalidate), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::high-contrast",
                           G_CALLBACK (pen_timeline_invalidate), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (pen_timeline_invalidate), NULL);

  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Timeline"), -1);
  pen_plot_input_init (&self->input, widget, &pen_timeline_input_funcs);
}
