/* pen-flame-view.c: the stacks of samples as frames side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pen-flame-difference.h"

/* px: frames at least so wide light up */
#define LIGHT_MIN 3
/* px: a window that is being resized does not ask for each width */
#define WIDTH_STEP 64

guint pen_flame_view_signals[PEN_FLAME_VIEW_SIGNALS];

G_DEFINE_FINAL_TYPE (PenFlameView, pen_flame_view, GTK_TYPE_WIDGET)

const PenFlameTree *
pen_flame_view_get_tree (PenFlameView *self)
{
  return self->answer ? self->answer->tree : NULL;
}

void
pen_flame_view_invalidate (PenFlameView *self)
{
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- layout ---- */

static gboolean
is_upwards (PenFlameView *self)
{
  const PenFlameState *state = pen_session_get_view (self->session)->flame;

  return !state || !state->is_downwards;
}

int
pen_flame_view_get_top (PenFlameView *self)
{
  return (int) lround (gtk_adjustment_get_value (self->down));
}

/* At first the outermost frames are in sight, wherever they are. */
static void
adjust (PenFlameView *self, gboolean to_root)
{
  int seen = MAX (gtk_widget_get_height (GTK_WIDGET (self)), 1);
  int height = self->flame ? self->flame->height : seen;
  double value = gtk_adjustment_get_value (self->down);
  double end = height - seen;
  double old_end
      = gtk_adjustment_get_upper (self->down) - gtk_adjustment_get_page_size (self->down);

  /* Flames grow from the bottom, which stays where it is. */
  if (is_upwards (self))
    value = to_root ? end : value + end - old_end;
  else if (to_root)
    value = 0;
  gtk_adjustment_configure (self->down, CLAMP (value, 0, MAX (end, 0)), 0, height,
                            self->flame ? self->flame->row : 1, MAX (seen * 0.9, 1), seen);
}

static void
lay_out (PenFlameView *self, gboolean to_root)
{
  GtkWidget *widget = GTK_WIDGET (self);

  g_clear_pointer (&self->flame, pen_flame_free);
  if (self->answer && gtk_widget_get_width (widget) > 0)
    self->flame = pen_flame_new (pen_flame_view_get_tree (self), self->root, is_upwards (self),
                                 gtk_widget_get_width (widget), gtk_widget_get_height (widget),
                                 pen_snapshot_painter_get_em (self->painter));
  if (self->flame)
    self->flame->diff = self->answer->diff;
  adjust (self, to_root);
  pen_flame_view_invalidate (self);
}

static void
ask (PenFlameView *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));

  if (width > 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    pen_session_set_flame_width (self->session,
                                 (guint) (width + WIDTH_STEP - 1) / WIDTH_STEP * WIDTH_STEP);
}

static void
pen_flame_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                        int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 80;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 800 : 420;
}

static void
pen_flame_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  PenFlameView *self = PEN_FLAME_VIEW (widget);

  ask (self);
  lay_out (self, !self->flame);
}

static void
pen_flame_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (pen_flame_view_parent_class)->map (widget);
  ask (PEN_FLAME_VIEW (widget));
}

/* ---- selection ---- */

static void
describe (PenFlameView *self)
{
  const PenFlameTree *tree = pen_flame_view_get_tree (self);
  g_autofree char *text = NULL;

  guint node = self->selected != PEN_FLAME_NONE ? self->selected : self->root;

  if (tree)
    text = self->answer->diff ? pen_flame_difference_speak (self->answer->diff, node)
                              : pen_flame_speak (tree, node);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text ? text : "", -1);
}

void
pen_flame_view_scroll_to (PenFlameView *self, guint node)
{
  double top = gtk_adjustment_get_value (self->down);
  double seen = gtk_adjustment_get_page_size (self->down);
  PenBox box;

  if (!self->flame || !pen_flame_get_box (self->flame, node, &box))
    return;
  if (box.y < top)
    gtk_adjustment_set_value (self->down, box.y);
  else if (box.y + box.height > top + seen)
    gtk_adjustment_set_value (self->down, box.y + box.height - seen);
}

void
pen_flame_view_set_selected (PenFlameView *self, guint node)
{
  if (self->selected == node)
    return;
  self->selected = node;
  g_clear_pointer (&self->selected_path, g_array_unref);
  if (node != PEN_FLAME_NONE)
    self->selected_path = pen_flame_tree_get_path (pen_flame_view_get_tree (self), node);
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, pen_flame_view_signals[PEN_FLAME_VIEW_SELECTED], 0);
}

void
pen_flame_view_select (PenFlameView *self, guint node)
{
  if (!pen_flame_view_get_tree (self) || node >= pen_flame_view_get_tree (self)->nodes->len)
    return;
  pen_flame_view_set_selected (self, node);
  pen_flame_view_scroll_to (self, node);
}

gboolean
pen_flame_view_get_selected (PenFlameView *self, guint *node)
{
  *node = self->selected;
  return self->selected != PEN_FLAME_NONE;
}

gboolean
pen_flame_view_get_selected_box (PenFlameView *self, GdkRectangle *rectangle)
{
  int seen = gtk_widget_get_height (GTK_WIDGET (self));
  PenBox box;

  if (!self->flame || self->selected == PEN_FLAME_NONE
      || !pen_flame_get_box (self->flame, self->selected, &box))
    return FALSE;
  *rectangle
      = (GdkRectangle){ box.x, box.y - pen_flame_view_get_top (self), box.width, box.height };
  return rectangle->y + rectangle->height > 0 && rectangle->y < seen;
}

/* The node of these groups from the first level on, as far as the tree has it.
 *
 * @n_found: (out): how many of them it has */
static guint
find_path (const PenFlameTree *tree, const GArray *path, guint *n_found)
{
  guint at = 0;

  for (*n_found = 0; *n_found < path->len; (*n_found)++) {
    const PenFlameNode *node = pen_flame_tree_get (tree, at);
    guint child = node->first_child;

    while (child < node->first_child + node->n_children
           && pen_flame_tree_get (tree, child)->group != g_array_index (path, guint32, *n_found))
      child++;
    if (child >= node->first_child + node->n_children)
      return at;
    at = child;
  }
  return at;
}

/* ---- the session ---- */

static void
on_flame (PenFlameView *self)
{
  PenFlameAnswer *answer = pen_session_get_answers (self->session)->flame;
  const PenFlameState *state = pen_session_get_view (self->session)->flame;
  g_autoptr (GArray) path = g_steal_pointer (&self->selected_path);
  gboolean is_first = !self->answer;
  gboolean was_drawn_otherwise
      = answer && self->answer && answer->tree->order != self->answer->tree->order;
  guint n_found;

  if (answer == self->answer) {
    self->selected_path = g_steal_pointer (&path);
    return;
  }
  g_clear_pointer (&self->flame, pen_flame_free);
  g_clear_pointer (&self->answer, pen_flame_answer_unref);
  self->answer = answer ? g_atomic_rc_box_acquire (answer) : NULL;
  self->root = answer ? answer->tree->zoomed : 0;
  /* That tree has all frames, whatever is zoomed into. */
  if (answer && answer->diff && state)
    self->root = find_path (answer->tree, state->zoom, &n_found);
  self->selected = PEN_FLAME_NONE;
  if (answer && path && !was_drawn_otherwise) {
    guint node = find_path (answer->tree, path, &n_found);

    if (n_found == path->len) {
      self->selected = node;
      self->selected_path = g_steal_pointer (&path);
    }
  }
  pen_flame_view_match (self);
  lay_out (self, is_first || was_drawn_otherwise);
  describe (self);
}

/* Until the answer comes, the tree that is there is looked into, as far as it goes. */
static void
on_state (PenFlameView *self)
{
  const PenFlameState *state = pen_session_get_view (self->session)->flame;
  const PenFlameTree *tree = pen_flame_view_get_tree (self);
  gboolean has_turned = self->flame && self->flame->upwards != is_upwards (self);
  guint root = self->root, n_found;

  if (tree) {
    gboolean is_same = state ? tree->order == pen_flame_state_get_order (state)
                                   && tree->grouping == state->grouping
                             : tree->order == PEN_FLAME_OUTERMOST;

    if (is_same && state)
      root = find_path (tree, state->zoom, &n_found);
    else if (is_same)
      root = 0;
  }
  if (root == self->root && !has_turned)
    return;
  self->root = root;
  lay_out (self, has_turned);
}

void
pen_flame_view_zoom (PenFlameView *self, guint node)
{
  g_autoptr (PenFlameState) state = NULL;
  g_autoptr (GArray) path = NULL;

  if (!pen_flame_view_get_tree (self) || node >= pen_flame_view_get_tree (self)->nodes->len)
    return;
  state = pen_session_dup_flame (self->session);
  path = pen_flame_tree_get_path (pen_flame_view_get_tree (self), node);
  pen_flame_state_set_zoom (state, path);
  pen_session_set_flame (self->session, state);
}

/* ---- drawing ---- */

const PenFunction *
pen_flame_view_get_function (PenFlameView *self, guint node)
{
  guint32 group = pen_flame_tree_get (pen_flame_view_get_tree (self), node)->group;
  guint32 id = group != PEN_STACK_NO_GROUP ? pen_flame_view_get_tree (self)->groups[group].function
                                           : PEN_FLAME_NO_FUNCTION;

  return id < self->answer->n_functions ? &self->answer->functions[id] : NULL;
}

/* Frames of a function that is pointed at elsewhere. */
static void
draw_light (PenFlameView *self, PenPainter *painter, const PenTheme *theme)
{
  const PenHover *hover = pen_session_get_hover (self->session);
  int top = pen_flame_view_get_top (self), seen = gtk_widget_get_height (GTK_WIDGET (self));
  PenBox box;

  if (self->pointer.is_over || !hover->has_address)
    return;
  for (guint i = 1; i < pen_flame_view_get_tree (self)->nodes->len; i++) {
    const PenFunction *function;

    if (!pen_flame_get_box (self->flame, i, &box) || box.width < LIGHT_MIN
        || box.y + box.height < top || box.y > top + seen)
      continue;
    function = pen_flame_view_get_function (self, i);
    if (function && pen_query_is_kernel_text (function)
        && pen_hover_has_range (hover, function->start, function->start + function->length))
      pen_painter_frame (painter, theme->text, box.x, box.y - top, box.width, box.height - 1, 1);
  }
}

static void
draw_over (PenFlameView *self, PenPainter *painter, const PenTheme *theme)
{
  int top = pen_flame_view_get_top (self);
  PenBox box;

  draw_light (self, painter, theme);
  if (self->pointer.is_over) {
    PenFlameSpot spot = pen_flame_find (self->flame, self->pointer.x, self->pointer.y + top);

    if (spot.thing == PEN_FLAME_FRAME && pen_flame_get_box (self->flame, spot.node, &box))
      pen_painter_frame (painter, theme->line, box.x, box.y - top, MAX (box.width, 2),
                         box.height - 1, 1);
  }
  if (self->selected != PEN_FLAME_NONE && pen_flame_get_box (self->flame, self->selected, &box))
    pen_painter_frame (painter, theme->accent, box.x, box.y - top, MAX (box.width, 3),
                       box.height - 1, 2);
}

static void
pen_flame_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  PenFlameView *self = PEN_FLAME_VIEW (widget);
  PenTheme theme = pen_snapshot_painter_get_theme (widget);
  PenFlameMarks marks = { self->matches };
  int scale = gtk_widget_get_scale_factor (widget);
  int height = gtk_widget_get_height (widget);

  if (!self->flame)
    return;
  if (!self->picture) {
    PenRaster *raster = pen_raster_new (self->flame->width * scale, height * scale);
    g_autoptr (GskRenderNode) frames = NULL;
    GtkSnapshot *drawn = gtk_snapshot_new ();

    pen_flame_draw (self->flame, &marks, raster, scale, pen_flame_view_get_top (self), theme.dark);
    frames = pen_snapshot_painter_new_picture (raster, scale, 0, 0);
    gtk_snapshot_append_node (drawn, frames);
    pen_flame_draw_words (self->flame, &marks, pen_snapshot_painter_begin (self->painter, drawn),
                          &theme, pen_flame_view_get_top (self), height);
    self->picture = gtk_snapshot_free_to_node (drawn);
  }
  gtk_snapshot_append_node (snapshot, self->picture);
  draw_over (self, pen_snapshot_painter_begin (self->painter, snapshot), &theme);
}

/* ---- object ---- */

GtkAdjustment *
pen_flame_view_get_adjustment (PenFlameView *self)
{
  return self->down;
}

const PenFlameAnswer *
pen_flame_view_get_answer (PenFlameView *self)
{
  return self->answer;
}

void
pen_flame_view_set_session (PenFlameView *self, PenSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  g_signal_group_set_target (self->signals, session);
  on_flame (self);
}

static void
pen_flame_view_dispose (GObject *object)
{
  PenFlameView *self = PEN_FLAME_VIEW (object);

  g_clear_object (&self->signals);
  g_clear_object (&self->session);
  g_clear_object (&self->down);
  g_clear_pointer (&self->flame, pen_flame_free);
  g_clear_pointer (&self->answer, pen_flame_answer_unref);
  g_clear_pointer (&self->selected_path, g_array_unref);
  g_clear_pointer (&self->matches, g_free);
  g_clear_pointer (&self->search, g_free);
  g_clear_pointer (&self->picture, gsk_render_node_unref);
  g_clear_pointer (&self->painter, pen_snapshot_painter_free);

  G_OBJECT_CLASS (pen_flame_view_parent_class)->dispose (object);
}

static void
pen_flame_view_class_init (PenFlameViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_flame_view_dispose;
  widget_class->measure = pen_flame_view_measure;
  widget_class->size_allocate = pen_flame_view_size_allocate;
  widget_class->map = pen_flame_view_map;
  widget_class->snapshot = pen_flame_view_snapshot;
  widget_class->query_tooltip = pen_flame_view_query_tooltip;
  pen_picture_widget_class_init (widget_class);
  pen_flame_view_install_actions (widget_class);
  pen_flame_view_signals[PEN_FLAME_VIEW_SELECTED] = g_signal_new (
      "selected", PEN_TYPE_FLAME_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  pen_flame_view_signals[PEN_FLAME_VIEW_MENU]
      = g_signal_new ("menu", PEN_TYPE_FLAME_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
pen_flame_view_init (PenFlameView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->session = pen_session_new ();
  self->painter = pen_snapshot_painter_new (widget);
  self->selected = PEN_FLAME_NONE;
  self->down = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 1, 1, 1));
  g_signal_connect_object (self->down, "value-changed", G_CALLBACK (pen_flame_view_invalidate),
                           self, G_CONNECT_SWAPPED);
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::flame", G_CALLBACK (on_flame), self);
  g_signal_group_connect_swapped (self->signals, "notify::flame", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::hover",
                                  G_CALLBACK (gtk_widget_queue_draw), self);
  pen_picture_widget_init (widget, (PenPictureFunc) pen_flame_view_invalidate);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Flame graph"), -1);
  pen_flame_view_add_controllers (self);
}
