/* pen-heat-picture.c: samples by column of time and by its fraction, in which time is selected
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-heat-picture.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "pen-picture-widget.h"
#include "pen-snapshot-painter.h"

/* Pixels. */
#define MIN_HEIGHT 80
#define NATURAL_HEIGHT 160
#define DRAG_THRESHOLD 4

/*
 * Times stand for cells: the next picture may have others.
 * @anchor: where the cells that are being chosen begin, or end; where @chooses
 */
struct _PenHeatPicture {
  GtkWidget parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  PenSnapshotPainter *painter;
  GskRenderNode *picture; /* until something in it changes */

  gboolean has_cursor;
  gboolean chooses;
  gboolean drags;
  double drag_x;
  double drag_y;
  guint64 cursor;
  guint64 anchor;

  PenPointer pointer;
};

G_DEFINE_FINAL_TYPE (PenHeatPicture, pen_heat_picture, GTK_TYPE_WIDGET)

static const PenHeat *
get_heat (PenHeatPicture *self)
{
  return pen_session_get_answers (self->session)->heat;
}

static PenPlot
get_plot (PenHeatPicture *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const PenHeat *heat = get_heat (self);
  PenSpan span = heat ? pen_heat_map_get_span (heat) : (PenSpan){ 0, PEN_SPAN_SHORTEST };

  return pen_plot_new (gtk_widget_get_width (widget), gtk_widget_get_height (widget),
                       PEN_PLOT_GUTTER, pen_snapshot_painter_get_em (self->painter),
                       gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL, span);
}

static void
invalidate (PenHeatPicture *self)
{
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- cells ---- */

static PenHeatCells
get_cells_between (const PenHeat *heat, guint64 a, guint64 b)
{
  return (PenHeatCells){ pen_heat_map_find_time (heat, MIN (a, b)),
                         pen_heat_map_find_time (heat, MAX (a, b)) };
}

gboolean
pen_heat_picture_get_cells (PenHeatPicture *self, PenHeatCells *cells)
{
  const PenHeat *heat = get_heat (self);

  if (!heat || !self->has_cursor)
    return FALSE;
  *cells = get_cells_between (heat, self->cursor, self->chooses ? self->anchor : self->cursor);
  return TRUE;
}

/* FALSE: none of the selected time is in the picture. */
static gboolean
get_selected (PenHeatPicture *self, PenHeatCells *cells)
{
  const PenHeat *heat = get_heat (self);
  PenSpan span;

  if (!heat || !pen_session_get_selected (self->session, &span) || span.to < heat->from
      || span.from >= heat->to)
    return FALSE;
  *cells = get_cells_between (heat, span.from, span.to);
  return TRUE;
}

static guint64
get_time (const PenHeat *heat, guint cell)
{
  return pen_heat_get_time (heat, cell / heat->n_rows, cell % heat->n_rows);
}

gboolean
pen_heat_picture_get_box (PenHeatPicture *self, guint cell, GdkRectangle *box)
{
  const PenHeat *heat = get_heat (self);
  PenPlot plot = get_plot (self);
  double width, height;

  if (!heat || cell > pen_heat_map_get_last (heat))
    return FALSE;
  width = (double) plot.width / heat->n_columns;
  height = (double) plot.height / heat->n_rows;
  *box = (GdkRectangle){ plot.x + (int) (cell / heat->n_rows * width),
                         plot.y + (int) (cell % heat->n_rows * height), MAX ((int) width, 1),
                         MAX ((int) height, 1) };
  return TRUE;
}

/* ---- words ---- */

static void
describe (PenHeatPicture *self)
{
  const PenHeat *heat = get_heat (self);
  PenClock clock = pen_session_get_clock (self->session);
  PenHeatCells cells;
  g_autofree char *text = NULL;

  if (pen_heat_picture_get_cells (self, &cells))
    text = pen_heat_map_speak (heat, &clock, cells);
  else if (heat)
    text = pen_heat_map_describe_scale (heat);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text ? text : "", -1);
}

static gboolean
find_point (PenHeatPicture *self, double x, double y, guint *cell)
{
  const PenHeat *heat = get_heat (self);
  PenPlot plot = get_plot (self);

  return heat && pen_heat_map_find (heat, &plot, x - plot.x, y - plot.y, cell);
}

char *
pen_heat_picture_describe_point (PenHeatPicture *self, double x, double y)
{
  PenClock clock = pen_session_get_clock (self->session);
  guint cell;

  if (!find_point (self, x, y, &cell))
    return NULL;
  return pen_heat_map_describe (get_heat (self), &clock, (PenHeatCells){ cell, cell });
}

static gboolean
pen_heat_picture_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard,
                                GtkTooltip *tooltip)
{
  PenHeatPicture *self = PEN_HEAT_PICTURE (widget);
  PenClock clock = pen_session_get_clock (self->session);
  g_autofree char *text = NULL;
  PenHeatCells cells;

  if (keyboard && pen_heat_picture_get_cells (self, &cells))
    text = pen_heat_map_describe (get_heat (self), &clock, cells);
  else if (!keyboard && !self->drags)
    text = pen_heat_picture_describe_point (self, x, y);
  if (text)
    gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

/* ---- drawing ---- */

/* While cells are being chosen: how long, and how many samples. */
static void
draw_note (PenHeatPicture *self, const PenPlot *plot, PenPainter *painter, const PenTheme *theme,
           PenHeatCells cells)
{
  PenClock clock = pen_session_get_clock (self->session);
  g_autofree char *note = pen_heat_map_describe (get_heat (self), &clock, cells);

  g_strdelimit (note, "\n", ' ');
  pen_plot_draw_note (plot, painter, theme, note, 2);
}

static void
draw_over (PenHeatPicture *self, const PenPlot *plot, PenPainter *painter, const PenTheme *theme)
{
  const PenHeat *heat = get_heat (self);
  const PenHover *hover = pen_session_get_hover (self->session);
  guint64 playhead = pen_session_get_view (self->session)->playhead;
  gboolean has_focus = gtk_widget_has_focus (GTK_WIDGET (self));
  PenHeatCells cells;

  if ((self->chooses && pen_heat_picture_get_cells (self, &cells)) || get_selected (self, &cells))
    pen_heat_map_draw_selection (heat, plot, painter, theme, cells);
  if (!self->drags && hover->has_time && hover->time >= heat->from && hover->time < heat->to) {
    cells.first = cells.last = pen_heat_map_find_time (heat, hover->time);
    pen_heat_map_draw_frame (heat, plot, painter, theme, cells, theme->line);
  }
  if (!self->drags && has_focus && pen_heat_picture_get_cells (self, &cells)) {
    cells.first = cells.last = pen_heat_map_find_time (heat, self->cursor);
    pen_heat_map_draw_frame (heat, plot, painter, theme, cells, theme->text);
  }
  if (playhead >= heat->from && playhead < heat->to)
    pen_plot_draw_playhead (plot, painter, theme, playhead);
  if (self->chooses && pen_heat_picture_get_cells (self, &cells))
    draw_note (self, plot, painter, theme, cells);
}

static void
pen_heat_picture_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PenHeatPicture *self = PEN_HEAT_PICTURE (widget);
  const PenHeat *heat = get_heat (self);
  PenTheme theme = pen_snapshot_painter_get_theme (widget);
  PenClock clock = pen_session_get_clock (self->session);
  int scale = gtk_widget_get_scale_factor (widget);
  PenPlot plot = get_plot (self);

  if (!heat)
    return;
  if (!self->picture) {
    PenRaster *raster = pen_raster_new (plot.width * scale, plot.height * scale);
    g_autoptr (GskRenderNode) cells = NULL;
    GtkSnapshot *drawn = gtk_snapshot_new ();
    PenPainter *painter;

    pen_heat_map_draw (heat, raster, scale, theme.dark);
    cells = pen_snapshot_painter_new_picture (raster, scale, plot.x, plot.y);
    gtk_snapshot_append_node (drawn, cells);
    painter = pen_snapshot_painter_begin (self->painter, drawn);
    pen_heat_map_draw_end (heat, &plot, painter, &theme);
    pen_heat_map_draw_words (heat, &plot, painter, &theme);
    pen_plot_draw_ruler (&plot, painter, &theme, &clock);
    self->picture = gtk_snapshot_free_to_node (drawn);
  }
  gtk_snapshot_append_node (snapshot, self->picture);
  draw_over (self, &plot, pen_snapshot_painter_begin (self->painter, snapshot), &theme);
}

/* ---- room ---- */

static void
pen_heat_picture_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                          int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : MIN_HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 800 : NATURAL_HEIGHT;
}

static void
ask (PenHeatPicture *self)
{
  guint columns = (guint) MAX (get_plot (self).width / PEN_HEAT_COLUMN_WIDTH, 1);

  if (gtk_widget_get_width (GTK_WIDGET (self)) > 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    pen_session_set_heat_columns (self->session, MIN (columns, PEN_HEAT_MOST_COLUMNS));
}

static void
pen_heat_picture_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  ask (PEN_HEAT_PICTURE (widget));
  invalidate (PEN_HEAT_PICTURE (widget));
}

static void
pen_heat_picture_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (pen_heat_picture_parent_class)->map (widget);
  ask (PEN_HEAT_PICTURE (widget));
}

/* ---- choosing ---- */

static void
stop_choosing (PenHeatPicture *self)
{
  self->chooses = self->drags = FALSE;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* @more: from where the cursor was at first */
static void
move_cursor (PenHeatPicture *self, guint64 time, gboolean more)
{
  if (more && !self->chooses)
    self->anchor = self->has_cursor ? self->cursor : time;
  self->chooses = more;
  self->cursor = time;
  self->has_cursor = TRUE;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* The end of a filter's time is in it. */
static void
select_chosen (PenHeatPicture *self)
{
  PenHeatCells cells;
  PenSpan span;

  if (!pen_heat_picture_get_cells (self, &cells))
    return;
  span = pen_heat_map_get_cells_span (get_heat (self), cells);
  span.to--;
  stop_choosing (self);
  pen_session_set_selected (self->session, &span);
}

/* ---- pointer ---- */

/* The same moment is lit up in the other views. */
static void
tell_hover (gpointer data)
{
  PenHeatPicture *self = data;
  PenHover hover = { .has_time = TRUE };
  guint cell;

  if (!self->pointer.is_over || !find_point (self, self->pointer.x, self->pointer.y, &cell)) {
    pen_session_set_hover (self->session, NULL);
    return;
  }
  hover.time = get_time (get_heat (self), cell);
  pen_session_set_hover (self->session, &hover);
}

/* Outside of the cells: the nearest one. */
static guint64
get_nearest (PenHeatPicture *self, double x, double y)
{
  const PenHeat *heat = get_heat (self);
  PenPlot plot = get_plot (self);
  guint cell;

  x = CLAMP (x - plot.x, 0, plot.width - 1);
  y = CLAMP (y - plot.y, 0, plot.height - 1);
  if (!pen_heat_map_find (heat, &plot, x, y, &cell))
    cell = pen_heat_map_get_last (heat);
  return get_time (heat, cell);
}

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, PenHeatPicture *self)
{
  PenPlot plot = get_plot (self);
  guint cell;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  /* The ruler is that of all pictures over time. */
  if (get_heat (self) && y < plot.y && !pen_plot_is_in_gutter (&plot, x))
    pen_session_set_playhead (self->session, pen_plot_get_time (&plot, x));
  if (!find_point (self, x, y, &cell)) {
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
    return;
  }
  move_cursor (self, get_time (get_heat (self), cell), FALSE);
  self->anchor = self->cursor;
  self->drag_x = x;
  self->drag_y = y;
  self->chooses = self->drags = TRUE;
}

static void
on_drag_update (GtkGestureDrag *drag, double dx, double dy, PenHeatPicture *self)
{
  /* A hand that is not quite still has clicked. */
  if (!self->drags || !get_heat (self)
      || (fabs (dx) < DRAG_THRESHOLD && fabs (dy) < DRAG_THRESHOLD && self->cursor == self->anchor))
    return;
  move_cursor (self, get_nearest (self, self->drag_x + dx, self->drag_y + dy), TRUE);
}

static void
on_drag_end (GtkGestureDrag *drag, double dx, double dy, PenHeatPicture *self)
{
  if (self->drags)
    select_chosen (self);
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, PenHeatPicture *self)
{
  if (self->drags)
    stop_choosing (self);
}

static void
add_controllers (PenHeatPicture *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  g_signal_connect_swapped (focus, "enter", G_CALLBACK (gtk_widget_queue_draw), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (gtk_widget_queue_draw), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (on_drag_cancel), self);
  pen_picture_widget_track (widget, &self->pointer, tell_hover);
  gtk_widget_add_controller (widget, focus);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
}

/* ---- keys ---- */

/* Where the arrows begin: the selected time, or all. */
static guint
get_first_cell (PenHeatPicture *self)
{
  PenHeatCells cells;

  return get_selected (self, &cells) ? cells.first : 0;
}

static void
step_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenHeatPicture *self = PEN_HEAT_PICTURE (widget);
  const PenHeat *heat = get_heat (self);
  gint64 cell, last;
  gint64 step = 0;

  if (!heat)
    return;
  if (!self->has_cursor) {
    move_cursor (self, get_time (heat, get_first_cell (self)), FALSE);
    return;
  }
  if (g_str_has_suffix (name, "left"))
    step = -(gint64) heat->n_rows;
  else if (g_str_has_suffix (name, "right"))
    step = heat->n_rows;
  else
    step = g_str_has_suffix (name, "up") ? -1 : 1;
  cell = pen_heat_map_find_time (heat, self->cursor);
  last = pen_heat_map_get_last (heat);
  if (cell + step >= 0 && cell + step <= last)
    cell += step;
  move_cursor (self, get_time (heat, (guint) cell), strstr (name, "extend") != NULL);
}

static void
select_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  select_chosen (PEN_HEAT_PICTURE (widget));
}

/* Escape gives up what is being chosen, then clears the selected time; then the window has it. */
static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  PenHeatPicture *self = PEN_HEAT_PICTURE (widget);
  PenSpan span;

  if (self->chooses) {
    stop_choosing (self);
    return TRUE;
  }
  if (!pen_session_get_selected (self->session, &span))
    return FALSE;
  pen_session_set_selected (self->session, NULL);
  return TRUE;
}

/* ---- object ---- */

static void
on_heat (PenHeatPicture *self)
{
  const PenHeat *heat = get_heat (self);

  invalidate (self);
  if (!heat)
    self->has_cursor = self->chooses = self->drags = FALSE;
  describe (self);
}

static void
on_clock (PenHeatPicture *self)
{
  invalidate (self);
  describe (self);
}

void
pen_heat_picture_set_session (PenHeatPicture *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_heat (self);
}

static void
pen_heat_picture_dispose (GObject *object)
{
  PenHeatPicture *self = PEN_HEAT_PICTURE (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->session);
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  g_clear_pointer (&self->painter, pen_snapshot_painter_free);

  G_OBJECT_CLASS (pen_heat_picture_parent_class)->dispose (object);
}

static void
pen_heat_picture_class_init (PenHeatPictureClass *klass)
{
  static const struct {
    const char *name;
    guint key;
    GdkModifierType modifier;
  } steps[] = {
    { "heat.left", GDK_KEY_Left, 0 },
    { "heat.right", GDK_KEY_Right, 0 },
    { "heat.up", GDK_KEY_Up, 0 },
    { "heat.down", GDK_KEY_Down, 0 },
    { "heat.extend-left", GDK_KEY_Left, GDK_SHIFT_MASK },
    { "heat.extend-right", GDK_KEY_Right, GDK_SHIFT_MASK },
    { "heat.extend-up", GDK_KEY_Up, GDK_SHIFT_MASK },
    { "heat.extend-down", GDK_KEY_Down, GDK_SHIFT_MASK },
  };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_heat_picture_dispose;
  widget_class->measure = pen_heat_picture_measure;
  widget_class->size_allocate = pen_heat_picture_size_allocate;
  widget_class->map = pen_heat_picture_map;
  widget_class->snapshot = pen_heat_picture_snapshot;
  widget_class->query_tooltip = pen_heat_picture_query_tooltip;
  pen_picture_widget_class_init (widget_class);
  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++) {
    gtk_widget_class_install_action (widget_class, steps[i].name, NULL, step_action);
    gtk_widget_class_add_binding_action (widget_class, steps[i].key, steps[i].modifier,
                                         steps[i].name, NULL);
  }
  gtk_widget_class_install_action (widget_class, "heat.select", NULL, select_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Return, 0, "heat.select", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_Enter, 0, "heat.select", NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape, NULL);
}

static void
pen_heat_picture_init (PenHeatPicture *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->session = pen_session_new ();
  self->painter = pen_snapshot_painter_new (widget);
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::heat", G_CALLBACK (on_heat), self);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (on_heat), self);
  g_signal_group_connect_swapped (self->signals, "notify::clock", G_CALLBACK (on_clock), self);
  g_signal_group_connect_swapped (self->signals, "notify::filter",
                                  G_CALLBACK (gtk_widget_queue_draw), self);
  g_signal_group_connect_swapped (self->signals, "notify::playhead",
                                  G_CALLBACK (gtk_widget_queue_draw), self);
  g_signal_group_connect_swapped (self->signals, "notify::hover",
                                  G_CALLBACK (gtk_widget_queue_draw), self);
  pen_picture_widget_init (widget, (PenPictureFunc) invalidate);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Heat map"), -1);
  add_controllers (self);
}
