/* pen-chart-picture.c: stacks in time order, a row for each CPU or task
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-chart-picture.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-chart-menu.h"
#include "pen-load-matches.h"
#include "pen-stack-chart.h"

#define MIN_HEIGHT 80
#define NATURAL_HEIGHT 420
/* Rows that a notch of a wheel, or a key, scrolls. */
#define ROWS_A_NOTCH 3

struct _PenChartPicture {
  PenPlotView parent_instance;

  GtkAdjustment *down;
  char *search;    /* case folded; NULL: nothing */
  guint8 *matches; /* of each group of the chart, with a search */
};

G_DEFINE_FINAL_TYPE (PenChartPicture, pen_chart_picture, PEN_TYPE_PLOT_VIEW)

static const PenStackChart *
get_chart (PenChartPicture *self)
{
  const PenChartAnswer *answer = pen_session_get_answers (self->parent_instance.session)->chart;

  return answer ? answer->chart : NULL;
}

static int
get_top (PenChartPicture *self)
{
  return (int) lround (gtk_adjustment_get_value (self->down));
}

/* ---- layout ---- */

static void
adjust (PenChartPicture *self)
{
  const PenStackChart *chart = get_chart (self);
  PenPlot plot = pen_plot_view_get_plot (&self->parent_instance);
  int seen = MAX (plot.height, 1);
  int height = chart ? MAX (pen_stack_chart_get_height (chart, plot.em), seen) : seen;

  gtk_adjustment_configure (self->down,
                            CLAMP (gtk_adjustment_get_value (self->down), 0, height - seen), 0,
                            height, pen_stack_chart_get_row (plot.em), MAX (seen * 0.9, 1), seen);
}

static void
ask (PenChartPicture *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  PenPlot plot = pen_plot_view_get_plot (&self->parent_instance);

  if (gtk_widget_get_width (widget) > 0 && gtk_widget_get_mapped (widget))
    pen_session_set_chart_width (self->parent_instance.session, (guint) MAX (plot.width, 1));
}

static void
pen_chart_picture_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : MIN_HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 800 : NATURAL_HEIGHT;
}

static void
pen_chart_picture_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PenChartPicture *self = PEN_CHART_PICTURE (widget);

  self->parent_instance.em = pen_snapshot_painter_get_em (self->parent_instance.painter);
  adjust (self);
  ask (self);
  pen_plot_view_invalidate (&self->parent_instance);
}

static void
pen_chart_picture_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (pen_chart_picture_parent_class)->map (widget);
  ask (PEN_CHART_PICTURE (widget));
}

/* ---- words ---- */

static void
describe (PenPlotView *view)
{
  const PenStackChart *chart = get_chart (PEN_CHART_PICTURE (view));
  guint64 playhead = pen_session_get_view (view->session)->playhead;
  PenClock clock = pen_session_get_clock (view->session);
  guint64 resolution
      = MAX (pen_span_length (pen_session_get_view (view->session)->visible) / 1000, 1);
  g_autofree char *time = pen_clock_format_long (&clock, playhead, resolution);
  g_autofree char *stacks = chart ? pen_stack_chart_speak (chart, playhead) : NULL;
  g_autofree char *text = stacks && stacks[0]
                              ? g_strdup_printf (_ ("Playhead at %s; %s"), time, stacks)
                              : g_strdup_printf (_ ("Playhead at %s"), time);

  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
}

static const PenChartBox *
find (PenPlotView *view, const PenPlot *plot, double x, double y)
{
  PenChartPicture *self = PEN_CHART_PICTURE (view);
  const PenStackChart *chart = get_chart (self);

  return chart ? pen_stack_chart_find (chart, plot, get_top (self), x - plot->x, y - plot->y)
               : NULL;
}

static char *
tell (PenPlotView *view, const PenPlot *plot, double x, double y)
{
  const PenChartBox *box = find (view, plot, x, y);
  PenClock clock = pen_session_get_clock (view->session);

  return box ? pen_stack_chart_describe (get_chart (PEN_CHART_PICTURE (view)), &clock, box) : NULL;
}

/* ---- drawing ---- */

static void
draw (PenPlotView *view, const PenPlot *plot, PenRaster *raster, int scale, gboolean dark)
{
  const PenStackChart *chart = get_chart (PEN_CHART_PICTURE (view));

  if (chart)
    pen_stack_chart_draw (chart, plot, get_top (PEN_CHART_PICTURE (view)),
                          PEN_CHART_PICTURE (view)->matches, raster, scale, dark);
}

static void
draw_words (PenPlotView *view, const PenPlot *plot, PenPainter *painter, const PenTheme *theme)
{
  const PenStackChart *chart = get_chart (PEN_CHART_PICTURE (view));

  if (chart)
    pen_stack_chart_draw_words (chart, plot, get_top (PEN_CHART_PICTURE (view)),
                                PEN_CHART_PICTURE (view)->matches, painter, theme);
}

/* CPUs and tasks that have no row, or an estimate: as a note. */
static void
draw_note (const PenStackChart *chart, const PenPlot *plot, PenPainter *painter,
           const PenTheme *theme)
{
  g_autofree char *text = NULL;

  if (chart->n_left_out > 0)
    text = g_strdup_printf (chart->key == PEN_CHART_BY_CPU
                                ? ngettext ("%u more CPU", "%u more CPUs", chart->n_left_out)
                                : ngettext ("%u more task", "%u more tasks", chart->n_left_out),
                            chart->n_left_out);
  else if (chart->stride > 1)
    text = g_strdup (_ ("Estimate"));
  if (text)
    pen_plot_draw_note (plot, painter, theme, text, 0);
}

static void
draw_over (PenPlotView *view, const PenPlot *plot, PenPainter *painter, const PenTheme *theme)
{
  const PenStackChart *chart = get_chart (PEN_CHART_PICTURE (view));
  PenSpan selected;

  if (view->brushing)
    pen_plot_draw_selection (plot, painter, theme, MIN (view->brush_x0, view->brush_x1),
                             MAX (view->brush_x0, view->brush_x1));
  else if (pen_session_get_selected (view->session, &selected))
    pen_plot_draw_selection (plot, painter, theme, pen_plot_get_x (plot, selected.from),
                             pen_plot_get_x (plot, selected.to));
  if (chart)
    draw_note (chart, plot, painter, theme);
}

/* ---- pointer and keys ---- */

/* The function of a frame; NULL: none is known. */
static const PenFunction *
get_function (PenPlotView *view, const PenChartBox *box)
{
  const PenChartAnswer *answer = pen_session_get_answers (view->session)->chart;
  guint32 id = box ? answer->chart->groups[box->group].function : PEN_FLAME_NO_FUNCTION;

  return box && id < answer->n_functions ? &answer->functions[id] : NULL;
}

static void
hover (PenPlotView *view, const PenPlot *plot, PenHover *hover)
{
  const PenFunction *function
      = get_function (view, find (view, plot, view->pointer.x, view->pointer.y));

  if (!function || !pen_query_is_kernel_text (function))
    return;
  hover->has_address = TRUE;
  hover->address_from = function->start;
  hover->address_to = function->start + function->length;
}

static void
scroll_by (PenChartPicture *self, double pixels)
{
  gtk_adjustment_set_value (self->down, gtk_adjustment_get_value (self->down) + pixels);
}

/* In the gutter, rows. */
static gboolean
scroll (PenPlotView *view, const PenPlot *plot, double dy, GdkModifierType state)
{
  PenChartPicture *self = PEN_CHART_PICTURE (view);

  if (!view->pointer.is_over || !pen_plot_is_in_gutter (plot, view->pointer.x)
      || (state & GDK_CONTROL_MASK))
    return FALSE;
  scroll_by (self, dy * ROWS_A_NOTCH * gtk_adjustment_get_step_increment (self->down));
  return TRUE;
}

static gboolean
click (PenPlotView *view, const PenPlot *plot, double x, double y)
{
  const PenFunction *function = get_function (view, find (view, plot, x, y));

  if (function)
    pen_session_show_callers (view->session, function->id);
  return FALSE;
}

static void
press (PenPlotView *view, const PenPlot *plot, int n_press, double x, double y)
{
  if (n_press == 2)
    gtk_widget_activate_action (GTK_WIDGET (view), "stack-chart.zoom-fit", NULL);
}

static void
rows_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenChartPicture *self = PEN_CHART_PICTURE (widget);
  double step = strstr (name, "page")
                    ? gtk_adjustment_get_page_increment (self->down)
                    : ROWS_A_NOTCH * gtk_adjustment_get_step_increment (self->down);

  scroll_by (self, g_str_has_suffix (name, "up") ? -step : step);
}

static void
on_secondary (GtkGesture *gesture, int n_press G_GNUC_UNUSED, double x, double y, PenPlotView *view)
{
  PenPlot plot = pen_plot_view_get_plot (view);
  const PenChartBox *box = find (view, &plot, x, y);

  if (!box)
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (view));
  pen_chart_menu_popup (GTK_WIDGET (view), get_chart (PEN_CHART_PICTURE (view)), box,
                        get_function (view, box), x, y);
}

static void
on_long_press (GtkGesture *gesture, double x, double y, PenPlotView *view)
{
  on_secondary (gesture, 1, x, y, view);
}

static void
show_code_action (GtkWidget *widget, const char *name G_GNUC_UNUSED, GVariant *parameter)
{
  pen_session_set_function (PEN_PLOT_VIEW (widget)->session, g_variant_get_uint32 (parameter));
  gtk_widget_activate_action (widget, "win.show-code", NULL);
}

/* ---- searching ---- */

static void
match (PenChartPicture *self)
{
  const PenStackChart *chart = get_chart (self);

  g_clear_pointer (&self->matches, g_free);
  if (!chart || !self->search)
    return;
  self->matches = g_new0 (guint8, chart->n_groups + 1);
  for (guint i = 0; i < chart->boxes->len; i++) {
    guint32 group = g_array_index (chart->boxes, PenChartBox, i).group;

    /* Bit 1: looked at. */
    if (self->matches[group] == 0)
      self->matches[group] = pen_load_matches_is_match (chart->groups, group, self->search) ? 3 : 2;
  }
  for (guint i = 0; i < chart->n_groups; i++)
    self->matches[i] &= 1;
}

void
pen_chart_picture_search (PenChartPicture *self, const char *text)
{
  g_autofree char *search = text[0] != '\0' ? g_utf8_casefold (text, -1) : NULL;

  if (g_strcmp0 (search, self->search) == 0)
    return;
  g_free (self->search);
  self->search = g_steal_pointer (&search);
  match (self);
  pen_plot_view_invalidate (&self->parent_instance);
}

/* ---- object ---- */

GtkAdjustment *
pen_chart_picture_get_adjustment (PenChartPicture *self)
{
  return self->down;
}

static void
on_chart (PenPlotView *view)
{
  adjust (PEN_CHART_PICTURE (view));
  match (PEN_CHART_PICTURE (view));
  pen_plot_view_invalidate (view);
  describe (view);
}

static void
changed (PenPlotView *view)
{
  view->brushing = FALSE;
  ask (PEN_CHART_PICTURE (view));
  on_chart (view);
}

static void
on_flame (PenPlotView *view)
{
  adjust (PEN_CHART_PICTURE (view));
  ask (PEN_CHART_PICTURE (view));
  pen_plot_view_invalidate (view);
}

static void
pen_chart_picture_dispose (GObject *object)
{
  g_clear_object (&PEN_CHART_PICTURE (object)->down);

  G_OBJECT_CLASS (pen_chart_picture_parent_class)->dispose (object);
}

static void
pen_chart_picture_finalize (GObject *object)
{
  PenChartPicture *self = PEN_CHART_PICTURE (object);

  g_free (self->search);
  g_free (self->matches);

  G_OBJECT_CLASS (pen_chart_picture_parent_class)->finalize (object);
}

static void
pen_chart_picture_class_init (PenChartPictureClass *klass)
{
  static const PenPlotAction actions[] = {
    { "rows-up", rows_action, { GDK_KEY_Up } },
    { "rows-down", rows_action, { GDK_KEY_Down } },
    { "page-up", rows_action, { GDK_KEY_Page_Up } },
    { "page-down", rows_action, { GDK_KEY_Page_Down } },
  };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  PenPlotViewClass *view_class = &klass->parent_class;

  G_OBJECT_CLASS (klass)->dispose = pen_chart_picture_dispose;
  G_OBJECT_CLASS (klass)->finalize = pen_chart_picture_finalize;
  widget_class->measure = pen_chart_picture_measure;
  widget_class->size_allocate = pen_chart_picture_size_allocate;
  widget_class->map = pen_chart_picture_map;
  view_class->changed = changed;
  view_class->describe = describe;
  view_class->draw = draw;
  view_class->draw_under = draw_words;
  view_class->draw_over = draw_over;
  view_class->hover = hover;
  view_class->tell = tell;
  view_class->scroll = scroll;
  view_class->click = click;
  view_class->press = press;
  gtk_widget_class_install_action (widget_class, "stack-chart.show-code", "u", show_code_action);
  pen_plot_view_class_install_actions (view_class, "stack-chart", actions, G_N_ELEMENTS (actions));
}

static void
pen_chart_picture_init (PenChartPicture *self)
{
  PenPlotView *view = &self->parent_instance;
  GtkGesture *secondary = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect (secondary, "pressed", G_CALLBACK (on_secondary), self);
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect (press, "pressed", G_CALLBACK (on_long_press), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (secondary));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (press));
  self->down = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 1, 1, 1));
  g_signal_connect_object (self->down, "value-changed", G_CALLBACK (pen_plot_view_invalidate), self,
                           G_CONNECT_SWAPPED);
  g_signal_group_connect_swapped (view->signals, "answered::chart", G_CALLBACK (on_chart), self);
  g_signal_group_connect_swapped (view->signals, "notify::flame", G_CALLBACK (on_flame), self);
  g_signal_group_connect_swapped (view->signals, "notify::playhead", G_CALLBACK (describe), self);
  g_signal_group_connect_swapped (view->signals, "notify::clock", G_CALLBACK (describe), self);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Stacks in time order"), -1);
}
