/* pen-timeline.c: the overview of a capture: samples, patches, programs and losses over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-timeline-private.h"

#include <glib/gi18n-lib.h>

#include "pen-amount-words.h"
#include "pen-format.h"

/* Logical pixels per step of the overview: narrower columns are noise. */
#define BIN_WIDTH 2

G_DEFINE_FINAL_TYPE (PenTimeline, pen_timeline, PEN_TYPE_PLOT_VIEW)

/* Aloud. */
static char *
dup_matching (PenAmount amount)
{
  return amount.population == PEN_POPULATION_WAITS
             ? pen_amount_format (amount)
             : g_strdup_printf ("%" G_GUINT64_FORMAT, amount.n);
}

static void
describe (PenPlotView *self)
{
  const PenCounts *counts = pen_session_get_answers (self->session)->counts;
  PenSpan visible = pen_session_get_view (self->session)->visible;
  PenClock clock = pen_session_get_clock (self->session);
  guint64 resolution = MAX (pen_span_length (visible) / 1000, 1);
  g_autofree char *from = pen_clock_format_long (&clock, visible.from, resolution);
  g_autofree char *to = pen_clock_format_long (&clock, visible.to, resolution);
  g_autofree char *playhead
      = pen_clock_format_long (&clock, pen_session_get_view (self->session)->playhead, resolution);
  g_autofree char *matching = counts ? dup_matching (counts->matching) : NULL;
  g_autofree char *total = counts ? pen_amount_phrase (counts->total, TRUE) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  const PenOverview *overview = pen_session_get_answers (self->session)->overview;
  PenSpan selected;

  g_string_printf (text, _ ("%s to %s shown; playhead at %s"), from, to, playhead);
  if (pen_session_get_view (self->session)->has_mark) {
    g_autofree char *mark
        = pen_clock_format_long (&clock, pen_session_get_view (self->session)->mark, resolution);

    g_string_append_printf (text, _ ("; compared with %s"), mark);
  }
  if (pen_session_get_selected (self->session, &selected)) {
    g_autofree char *first = pen_clock_format_long (&clock, selected.from, resolution);
    g_autofree char *last = pen_clock_format_long (&clock, selected.to, resolution);

    g_string_append_printf (text, _ ("; %s to %s selected"), first, last);
  }
  if (counts)
    g_string_append_printf (text, _ ("; %s of %s"), matching, total);
  if (overview && overview->population == PEN_POPULATION_WAITS) {
    g_autofree char *off_cpu = pen_format_duration (overview->total);

    g_string_append_printf (text, _ ("; %s off CPU shown"), off_cpu);
  }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text->str, -1);
}

/* ---- drawing ---- */

static void
draw (PenPlotView *view, const PenPlot *plot, PenRaster *raster, int scale, gboolean dark)
{
  pen_lanes_draw (&PEN_TIMELINE (view)->lanes, raster, scale,
                  pen_session_get_answers (view->session)->overview, plot->view, dark);
}

static void
draw_names (PenPlotView *view, const PenPlot *plot, PenPainter *painter, const PenTheme *theme)
{
  pen_timeline_draw_selection (PEN_TIMELINE (view), plot, painter, theme);
  pen_lane_words_draw_names (&PEN_TIMELINE (view)->lanes, plot, painter, theme,
                             pen_session_get_answers (view->session)->overview);
}

static void
draw_gutter (PenPlotView *view, const PenPlot *plot, PenPainter *painter, const PenTheme *theme)
{
  pen_lane_words_draw_gutter (&PEN_TIMELINE (view)->lanes, plot, painter, theme,
                              pen_session_get_answers (view->session)->overview);
}

static void
pen_timeline_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  GTK_WIDGET_CLASS (pen_timeline_parent_class)->snapshot (widget, snapshot);
  if (!pen_session_get_opened (PEN_PLOT_VIEW (widget)->session))
    return;
  gtk_widget_snapshot_child (widget, PEN_TIMELINE (widget)->folder, snapshot);
  gtk_widget_snapshot_child (widget, GTK_WIDGET (PEN_TIMELINE (widget)->times), snapshot);
}

/* ---- layout ---- */

static PenLanesShape
get_shape (PenTimeline *self)
{
  PenPlotView *view = &self->parent_instance;
  const PenOpened *opened = pen_session_get_opened (view->session);

  return (PenLanesShape){
    .outline = opened ? opened->outline : NULL,
    .cpus = pen_session_get_answers (view->session)->tasks[PEN_TASKS_BY_CPU],
    .tasks = pen_session_get_answers (view->session)->tasks[PEN_TASKS_BY_PROCESS],
    .folded = pen_session_get_view (view->session)->folded,
    .compact = self->is_folded,
    .first_row = self->first_row,
    .em = pen_snapshot_painter_get_em (view->painter),
  };
}

static void
lay_out (PenTimeline *self)
{
  PenLanesShape shape = get_shape (self);
  PenPlot plot;

  self->parent_instance.em = shape.em;
  plot = pen_plot_view_get_plot (&self->parent_instance);
  pen_lanes_layout (&self->lanes, &shape, plot.width, plot.height);
  self->first_row = self->lanes.first_row;
  pen_plot_view_invalidate (&self->parent_instance);
}

static void
pen_timeline_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                      int *natural, int *minimum_baseline, int *natural_baseline)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  PenLanesShape shape = get_shape (self);

  /* A child that is allocated has to be measured; its room is fixed. */
  gtk_widget_measure (GTK_WIDGET (self->times), orientation, -1, NULL, NULL, NULL, NULL);
  gtk_widget_measure (self->folder, orientation, -1, NULL, NULL, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = 280;
    *natural = 800;
    return;
  }
  *minimum = pen_plot_get_ruler (shape.em) + pen_lanes_get_min_height (&shape);
  *natural = *minimum + pen_lanes_get_extra_height (&shape);
}

static void
pen_timeline_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  GtkAllocation times, folder;
  PenPlot plot;

  lay_out (self);
  plot = pen_plot_view_get_plot (&self->parent_instance);
  /* On the outer side. */
  folder = (GtkAllocation){ plot.gutter_x + (plot.is_rtl ? plot.gutter_width - plot.y : 0), 0,
                            MIN (plot.y, plot.gutter_width), plot.y };
  times = (GtkAllocation){ plot.gutter_x + (plot.is_rtl ? 4 : folder.width), 0,
                           MAX (plot.gutter_width - folder.width - 4, 0), plot.y };
  gtk_widget_size_allocate (self->folder, &folder, -1);
  gtk_widget_size_allocate (GTK_WIDGET (self->times), &times, -1);
  pen_session_set_overview_bins (self->parent_instance.session,
                                 (guint) MAX (plot.width / BIN_WIDTH, 1));
}

void
pen_timeline_set_folded (PenTimeline *self, gboolean folded)
{
  const char *tooltip
      = folded ? _ ("Unfold the overview (Shift+F8)") : _ ("Fold the overview (Shift+F8)");

  gtk_button_set_icon_name (GTK_BUTTON (self->folder),
                            folded ? "pan-end-symbolic" : "pan-down-symbolic");
  gtk_widget_set_tooltip_text (self->folder, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->folder), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Fold the overview"), -1);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->folder), GTK_ACCESSIBLE_STATE_EXPANDED,
                               !folded, -1);
  self->is_folded = folded;
  lay_out (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

gboolean
pen_timeline_get_folded (PenTimeline *self)
{
  return self->is_folded;
}

/* ---- actions ---- */

static void
scroll_rows (PenTimeline *self, int rows)
{
  self->first_row = (guint) MAX ((int) self->first_row + rows, 0);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
fold (PenTimeline *self, PenLaneKind lane)
{
  /* Lanes have their rows again in an overview that is not folded. */
  if (self->is_folded) {
    gtk_widget_activate_action (GTK_WIDGET (self), "win.fold-overview", NULL);
    return;
  }
  pen_session_set_folded (self->parent_instance.session,
                          pen_session_get_view (self->parent_instance.session)->folded
                              ^ 1u << lane);
}

static void
rows_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  scroll_rows (PEN_TIMELINE (widget), g_str_has_suffix (name, "up") ? -1 : 1);
}

static void
select_visible_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenSession *session = PEN_PLOT_VIEW (widget)->session;
  PenSpan visible = pen_session_get_view (session)->visible;

  pen_session_set_selected (session, &visible);
}

/* Folds the lane under the pointer, or else the programs: they take most room. */
static void
fold_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenTimeline *self = PEN_TIMELINE (widget);
  PenPlotView *view = PEN_PLOT_VIEW (widget);
  PenPlot plot = pen_plot_view_get_plot (view);
  PenLaneKind lane = PEN_LANES;

  if (view->pointer.is_over)
    lane = pen_lanes_find_lane (&self->lanes, (int) view->pointer.y - plot.y);
  fold (self, lane < PEN_LANES ? lane : PEN_LANE_PROGRAMS);
}

static void
fold_lane_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenLaneKind lane;

  if (pen_lane_from_string (g_variant_get_string (parameter, NULL), &lane))
    fold (PEN_TIMELINE (widget), lane);
}

static void
tasks_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenSession *session = PEN_PLOT_VIEW (widget)->session;
  PenTaskKey key = g_str_has_suffix (name, "cpus") ? PEN_TASKS_BY_CPU : PEN_TASKS_BY_PROCESS;

  pen_session_set_shows_tasks (session, key, !pen_session_get_view (session)->shows_tasks[key]);
}

/* ---- pointer ---- */

static void
hover (PenPlotView *view, const PenPlot *plot, PenHover *hover)
{
  const PenLanes *lanes = &PEN_TIMELINE (view)->lanes;
  const PenOverview *overview = pen_session_get_answers (view->session)->overview;
  int x = (int) view->pointer.x - plot->x;
  int y = (int) view->pointer.y - plot->y;
  const PenBar *bar = pen_lanes_find_bar (lanes, plot->view, x, y);
  const PenPatchMark *mark
      = overview ? pen_lanes_find_mark (lanes, overview, plot->view, x, y) : NULL;

  if (bar) {
    hover->has_address = TRUE;
    hover->address_from = bar->tenure.start;
    hover->address_to = bar->tenure.end;
  } else if (mark) {
    hover->batch = mark->batch;
    hover->has_address = mark->count == 1;
    hover->address_from = hover->has_address ? mark->address : 0;
    hover->address_to = hover->has_address ? mark->address + 1 : 0;
  }
}

static char *
tell (PenPlotView *view, const PenPlot *plot, double x, double y)
{
  PenClock clock = pen_session_get_clock (view->session);

  return pen_lane_words_describe (&PEN_TIMELINE (view)->lanes, plot,
                                  pen_session_get_answers (view->session)->overview, &clock,
                                  (int) x - plot->x, (int) y - plot->y);
}

/* In the gutter, rows. */
static gboolean
scroll (PenPlotView *view, const PenPlot *plot, double dy, GdkModifierType state)
{
  if (!view->pointer.is_over || !pen_plot_is_in_gutter (plot, view->pointer.x)
      || (state & GDK_CONTROL_MASK))
    return FALSE;
  scroll_rows (PEN_TIMELINE (view), dy > 0 ? 1 : -1);
  return TRUE;
}

static void
press (PenPlotView *view, const PenPlot *plot, int n_press, double x, double y)
{
  PenTimeline *self = PEN_TIMELINE (view);
  guint64 time = pen_plot_get_time (plot, x);
  PenSpan selected;

  self->pressed_x = x;
  self->pressed_y = y;
  if (n_press != 2 || pen_plot_is_in_gutter (plot, x))
    return;
  /* The ruler stands for all of it. */
  if (y >= plot->y && pen_session_get_selected (view->session, &selected) && time >= selected.from
      && time <= selected.to)
    gtk_widget_activate_action (GTK_WIDGET (view), "timeline.zoom-selection", NULL);
  else
    gtk_widget_activate_action (GTK_WIDGET (view), "timeline.zoom-fit", NULL);
}

/* The picture is dragged by the names of its lanes: they fold when it was not. */
static void
release (PenPlotView *view, const PenPlot *plot, int n_press, double x, double y)
{
  PenTimeline *self = PEN_TIMELINE (view);
  PenLaneKind lane = pen_lanes_find_lane (&self->lanes, (int) self->pressed_y - plot->y);

  if (n_press == 1 && lane < PEN_LANES && pen_plot_is_in_gutter (plot, self->pressed_x)
      && !gtk_drag_check_threshold (GTK_WIDGET (self), (int) self->pressed_x, (int) self->pressed_y,
                                    (int) x, (int) y))
    fold (self, lane);
}

/* ---- object ---- */

static void
on_clock (PenTimeline *self)
{
  PenClock clock = pen_session_get_clock (self->parent_instance.session);
  gboolean wall = clock.times == PEN_TIMES_WALL && clock.has_wall;
  PenTimes shown = clock.times == PEN_TIMES_WALL && !wall ? PEN_TIMES_RECORDED : clock.times;
  g_autofree char *from = pen_clock_format_all (&clock, clock.span.from, 1000000);
  g_autofree char *tooltip = g_strdup_printf (_ ("Times shown\nRecording begins at %s"), from);

  gtk_menu_button_set_label (self->times, pen_times_get_unit (shown));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->times), tooltip);
  describe (&self->parent_instance);
}

/* There may be more or fewer rows. */
static void
on_lanes_changed (PenTimeline *self)
{
  lay_out (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
on_picture_changed (PenPlotView *view)
{
  pen_plot_view_invalidate (view);
  describe (view);
}

static void
changed (PenPlotView *view)
{
  PenTimeline *self = PEN_TIMELINE (view);

  self->first_row = 0;
  view->brushing = FALSE;
  on_lanes_changed (self);
  on_clock (self);
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
add_fold_button (PenTimeline *self)
{
  self->folder = gtk_button_new ();
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->folder), "win.fold-overview");
  gtk_widget_add_css_class (self->folder, "flat");
  gtk_widget_add_css_class (self->folder, "fold-button");
  gtk_widget_set_parent (self->folder, GTK_WIDGET (self));
  pen_timeline_set_folded (self, FALSE);
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
  g_clear_pointer (&self->folder, gtk_widget_unparent);

  G_OBJECT_CLASS (pen_timeline_parent_class)->dispose (object);
}

static void
pen_timeline_class_init (PenTimelineClass *klass)
{
  static const PenPlotAction actions[] = {
    { "rows-up", rows_action, { GDK_KEY_Up } },
    { "rows-down", rows_action, { GDK_KEY_Down } },
    { "select-visible", select_visible_action, { GDK_KEY_Return } },
    { "fold", fold_action, { GDK_KEY_space } },
    { "toggle-cpus", tasks_action, { GDK_KEY_c } },
    { "toggle-processes", tasks_action, { GDK_KEY_p } },
  };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  PenPlotViewClass *view_class = &klass->parent_class;

  G_OBJECT_CLASS (klass)->dispose = pen_timeline_dispose;
  widget_class->snapshot = pen_timeline_snapshot;
  widget_class->measure = pen_timeline_measure;
  widget_class->size_allocate = pen_timeline_size_allocate;
  view_class->changed = changed;
  view_class->describe = describe;
  view_class->draw = draw;
  view_class->draw_under = draw_names;
  view_class->draw_over = pen_timeline_draw_over;
  view_class->draw_last = draw_gutter;
  view_class->hover = hover;
  view_class->tell = tell;
  view_class->scroll = scroll;
  view_class->press = press;
  view_class->release = release;
  pen_plot_view_class_install_actions (view_class, "timeline", actions, G_N_ELEMENTS (actions));
  gtk_widget_class_install_action (widget_class, "timeline.fold-lane", "s", fold_lane_action);
}

static void
pen_timeline_init (PenTimeline *self)
{
  GSignalGroup *signals = self->parent_instance.signals;

  add_times_button (self);
  add_fold_button (self);
  g_signal_group_connect_swapped (signals, "answered::overview", G_CALLBACK (on_picture_changed),
                                  self);
  g_signal_group_connect_swapped (signals, "notify::filter", G_CALLBACK (describe), self);
  g_signal_group_connect_swapped (signals, "answered::counts", G_CALLBACK (describe), self);
  g_signal_group_connect_swapped (signals, "notify::playhead", G_CALLBACK (describe), self);
  g_signal_group_connect_swapped (signals, "notify::mark", G_CALLBACK (describe), self);
  g_signal_group_connect_swapped (signals, "notify::lanes", G_CALLBACK (on_lanes_changed), self);
  g_signal_group_connect_swapped (signals, "answered::tasks", G_CALLBACK (on_lanes_changed), self);
  g_signal_group_connect_swapped (signals, "notify::clock", G_CALLBACK (on_clock), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Timeline"), -1);
}
