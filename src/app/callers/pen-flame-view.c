/* pen-flame-view.c: the stacks of samples as frames side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame-view.h"

#include <glib/gi18n-lib.h>
#include <adwaita.h>
#include <math.h>
#include <string.h>

#include "pen-flame-difference.h"
#include "pen-palette.h"
#include "pen-snapshot-painter.h"

#define NO_NODE PEN_FLAME_NONE
/* Pixels of a touchpad for a notch of a wheel; rows that a notch scrolls. */
#define NOTCH 40
#define ROWS_A_NOTCH 3
/* px: frames at least so wide light up */
#define LIGHT_MIN 3
/* px: a window that is being resized does not ask for each width */
#define WIDTH_STEP 64

struct _PenFlameView {
  GtkWidget parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  PenSnapshotPainter *painter;
  GtkAdjustment *down;

  PenFlameAnswer *answer; /* NULL: none yet */
  PenFlame *flame;        /* of it, for the size that the widget has; NULL: to be laid out */
  guint root;             /* what is looked into */
  guint selected;
  GArray *selected_path; /* guint32: to find it in the next answer */
  guint8 *matches;       /* by group; NULL: nothing is searched for */
  char *search;          /* its case folded */

  GskRenderNode *picture; /* until something in it changes */
  gboolean hovered;
  double x;
  double y;
};

enum { SELECTED, MENU, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (PenFlameView, pen_flame_view, GTK_TYPE_WIDGET)

static const PenFlameTree *
get_tree (PenFlameView *self)
{
  return self->answer ? self->answer->tree : NULL;
}

static void
invalidate (PenFlameView *self)
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

static int
get_top (PenFlameView *self)
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
    self->flame = pen_flame_new (get_tree (self), self->root, is_upwards (self),
                                 gtk_widget_get_width (widget), gtk_widget_get_height (widget),
                                 pen_snapshot_painter_get_em (self->painter));
  if (self->flame)
    self->flame->diff = self->answer->diff;
  adjust (self, to_root);
  invalidate (self);
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
  const PenFlameTree *tree = get_tree (self);
  g_autofree char *text = NULL;

  guint node = self->selected != NO_NODE ? self->selected : self->root;

  if (tree)
    text = self->answer->diff ? pen_flame_difference_speak (self->answer->diff, node)
                              : pen_flame_speak (tree, node);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text ? text : "", -1);
}

static void
scroll_to (PenFlameView *self, guint node)
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

static void
set_selected (PenFlameView *self, guint node)
{
  if (self->selected == node)
    return;
  self->selected = node;
  g_clear_pointer (&self->selected_path, g_array_unref);
  if (node != NO_NODE)
    self->selected_path = pen_flame_tree_get_path (get_tree (self), node);
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SELECTED], 0);
}

void
pen_flame_view_select (PenFlameView *self, guint node)
{
  if (!get_tree (self) || node >= get_tree (self)->nodes->len)
    return;
  set_selected (self, node);
  scroll_to (self, node);
}

gboolean
pen_flame_view_get_selected (PenFlameView *self, guint *node)
{
  *node = self->selected;
  return self->selected != NO_NODE;
}

gboolean
pen_flame_view_get_selected_box (PenFlameView *self, GdkRectangle *rectangle)
{
  int seen = gtk_widget_get_height (GTK_WIDGET (self));
  PenBox box;

  if (!self->flame || self->selected == NO_NODE
      || !pen_flame_get_box (self->flame, self->selected, &box))
    return FALSE;
  *rectangle = (GdkRectangle){ box.x, box.y - get_top (self), box.width, box.height };
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
match (PenFlameView *self)
{
  const PenFlameTree *tree = get_tree (self);

  g_clear_pointer (&self->matches, g_free);
  if (!tree || !self->search || self->search[0] == '\0')
    return;
  self->matches = g_new0 (guint8, tree->n_groups);
  for (guint i = 0; i < tree->nodes->len; i++) {
    guint32 group = pen_flame_tree_get (tree, i)->group;
    g_autofree char *name = NULL;
    g_autofree char *folded = NULL;

    /* Bit 1: looked at. */
    if (group == PEN_STACK_NO_GROUP || self->matches[group] & 2)
      continue;
    name = pen_flame_dup_name (tree, group);
    folded = g_utf8_casefold (name, -1);
    self->matches[group] = strstr (folded, self->search) ? 3 : 2;
  }
  for (guint i = 0; i < tree->n_groups; i++)
    self->matches[i] &= 1;
}

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
  self->selected = NO_NODE;
  if (answer && path && !was_drawn_otherwise) {
    guint node = find_path (answer->tree, path, &n_found);

    if (n_found == path->len) {
      self->selected = node;
      self->selected_path = g_steal_pointer (&path);
    }
  }
  match (self);
  lay_out (self, is_first || was_drawn_otherwise);
  describe (self);
}

/* Until the answer comes, the tree that is there is looked into, as far as it goes. */
static void
on_state (PenFlameView *self)
{
  const PenFlameState *state = pen_session_get_view (self->session)->flame;
  const PenFlameTree *tree = get_tree (self);
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

  if (!get_tree (self) || node >= get_tree (self)->nodes->len)
    return;
  state = pen_session_dup_flame (self->session);
  path = pen_flame_tree_get_path (get_tree (self), node);
  pen_flame_state_set_zoom (state, path);
  pen_session_set_flame (self->session, state);
}

/* Stacks through a frame that matches: below it, others are of the same stacks. */
static void
count_matches (const PenFlameTree *tree, const guint8 *matches, PenStackCount *count)
{
  g_autofree guint8 *is_below = g_new0 (guint8, tree->nodes->len);

  for (guint i = 1; i < tree->nodes->len; i++) {
    const PenFlameNode *node = pen_flame_tree_get (tree, i);

    is_below[i] = is_below[node->parent];
    if (is_below[i] || node->group == PEN_STACK_NO_GROUP || !matches[node->group])
      continue;
    is_below[i] = TRUE;
    count->samples += node->total.samples;
    count->period += node->total.period;
    count->after += node->total.after;
  }
}

guint
pen_flame_view_search (PenFlameView *self, const char *text, PenStackCount *count)
{
  const PenFlameTree *tree = get_tree (self);
  guint n = 0;

  g_free (self->search);
  self->search = g_utf8_casefold (text, -1);
  match (self);
  invalidate (self);
  *count = (PenStackCount){ 0 };
  if (!self->matches)
    return 0;
  count_matches (tree, self->matches, count);
  for (guint i = 0; i < tree->n_groups; i++)
    n += self->matches[i];
  return n;
}

/* ---- drawing ---- */

/* The function of a frame; NULL: none is known. */
static const PenFunction *
get_function (PenFlameView *self, guint node)
{
  guint32 group = pen_flame_tree_get (get_tree (self), node)->group;
  guint32 id = group != PEN_STACK_NO_GROUP ? get_tree (self)->groups[group].function
                                           : PEN_FLAME_NO_FUNCTION;

  return id < self->answer->n_functions ? &self->answer->functions[id] : NULL;
}

/* Frames of a function that is pointed at elsewhere. */
static void
draw_light (PenFlameView *self, PenPainter *painter, const PenTheme *theme)
{
  const PenHover *hover = pen_session_get_hover (self->session);
  int top = get_top (self), seen = gtk_widget_get_height (GTK_WIDGET (self));
  PenBox box;

  if (self->hovered || !hover->has_address)
    return;
  for (guint i = 1; i < get_tree (self)->nodes->len; i++) {
    const PenFunction *function;

    if (!pen_flame_get_box (self->flame, i, &box) || box.width < LIGHT_MIN
        || box.y + box.height < top || box.y > top + seen)
      continue;
    function = get_function (self, i);
    if (function && pen_query_is_kernel_text (function)
        && pen_hover_has_range (hover, function->start, function->start + function->length))
      pen_painter_frame (painter, theme->text, box.x, box.y - top, box.width, box.height - 1, 1);
  }
}

static void
draw_over (PenFlameView *self, PenPainter *painter, const PenTheme *theme)
{
  int top = get_top (self);
  PenBox box;

  draw_light (self, painter, theme);
  if (self->hovered) {
    PenFlameSpot spot = pen_flame_find (self->flame, self->x, self->y + top);

    if (spot.thing == PEN_FLAME_FRAME && pen_flame_get_box (self->flame, spot.node, &box))
      pen_painter_frame (painter, theme->line, box.x, box.y - top, MAX (box.width, 2),
                         box.height - 1, 1);
  }
  if (self->selected != NO_NODE && pen_flame_get_box (self->flame, self->selected, &box))
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

    pen_flame_draw (self->flame, &marks, raster, scale, get_top (self), theme.dark);
    frames = pen_snapshot_painter_new_picture (raster, scale, 0, 0);
    gtk_snapshot_append_node (drawn, frames);
    pen_flame_draw_words (self->flame, &marks, pen_snapshot_painter_begin (self->painter, drawn),
                          &theme, get_top (self), height);
    self->picture = gtk_snapshot_free_to_node (drawn);
  }
  gtk_snapshot_append_node (snapshot, self->picture);
  draw_over (self, pen_snapshot_painter_begin (self->painter, snapshot), &theme);
}

/* ---- pointer ---- */

static void
tell_hover (PenFlameView *self)
{
  PenHover hover = { 0 };
  PenFlameSpot spot = { .thing = PEN_FLAME_NOTHING };
  const PenFunction *function = NULL;

  if (self->hovered && self->flame)
    spot = pen_flame_find (self->flame, self->x, self->y + get_top (self));
  if (spot.thing == PEN_FLAME_FRAME)
    function = get_function (self, spot.node);
  if (function && pen_query_is_kernel_text (function)) {
    hover.has_address = TRUE;
    hover.address_from = function->start;
    hover.address_to = function->start + function->length;
  }
  pen_session_set_hover (self->session, &hover);
}

static void
on_motion (GtkEventControllerMotion *motion, double x, double y, PenFlameView *self)
{
  self->hovered = TRUE;
  self->x = x;
  self->y = y;
  tell_hover (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
}

static void
on_leave (GtkEventControllerMotion *motion, PenFlameView *self)
{
  self->hovered = FALSE;
  tell_hover (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
on_scroll (GtkEventControllerScroll *scroll, double dx, double dy, PenFlameView *self)
{
  double step = gtk_adjustment_get_step_increment (self->down) * ROWS_A_NOTCH;

  if (gtk_event_controller_scroll_get_unit (scroll) == GDK_SCROLL_UNIT_SURFACE)
    dy /= NOTCH;
  gtk_adjustment_set_value (self->down, gtk_adjustment_get_value (self->down) + dy * step);
  return TRUE;
}

/* Into a frame; into who called merged frames, where they have room. */
static void
on_released (GtkGestureClick *gesture, int n_press, double x, double y, PenFlameView *self)
{
  PenFlameSpot spot;

  if (!self->flame || n_press != 1)
    return;
  spot = pen_flame_find (self->flame, x, y + get_top (self));
  if (spot.thing == PEN_FLAME_NOTHING)
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  set_selected (self, spot.node);
  pen_flame_view_zoom (self, spot.node);
}

static void
on_secondary (GtkGesture *gesture, int n_press, double x, double y, PenFlameView *self)
{
  PenFlameSpot spot;

  if (!self->flame)
    return;
  spot = pen_flame_find (self->flame, x, y + get_top (self));
  if (spot.thing == PEN_FLAME_NOTHING)
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  set_selected (self, spot.node);
  g_signal_emit (self, signals[MENU], 0, x, y);
}

static void
on_long_press (GtkGesture *gesture, double x, double y, PenFlameView *self)
{
  on_secondary (gesture, 1, x, y, self);
}

static char *
describe_frame (PenFlameView *self, guint node)
{
  return self->answer->diff ? pen_flame_difference_describe (self->answer->diff, node)
                            : pen_flame_describe (get_tree (self), node, self->answer->seconds);
}

char *
pen_flame_view_describe_point (PenFlameView *self, double x, double y)
{
  PenFlameSpot spot;

  if (!self->flame)
    return NULL;
  spot = pen_flame_find (self->flame, x, y + get_top (self));
  return spot.thing == PEN_FLAME_FRAME
             ? describe_frame (self, spot.node)
             : pen_flame_describe_spot (get_tree (self), &spot, self->answer->seconds);
}

static gboolean
pen_flame_view_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard,
                              GtkTooltip *tooltip)
{
  PenFlameView *self = PEN_FLAME_VIEW (widget);
  g_autofree char *text = NULL;

  if (keyboard && self->selected != NO_NODE)
    text = describe_frame (self, self->selected);
  else if (!keyboard)
    text = pen_flame_view_describe_point (self, x, y);
  if (text)
    gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

/* ---- keys ---- */

static void
step_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenFlameView *self = PEN_FLAME_VIEW (widget);
  static const struct {
    const char *end;
    int dx;
    int dy;
  } ways[] = { { "left", -1, 0 }, { "right", 1, 0 }, { "up", 0, -1 }, { "down", 0, 1 } };

  for (guint i = 0; self->flame && i < G_N_ELEMENTS (ways); i++) {
    if (!g_str_has_suffix (name, ways[i].end))
      continue;
    pen_flame_view_select (
        self, self->selected == NO_NODE
                  ? self->root
                  : pen_flame_step (self->flame, self->selected, ways[i].dx, ways[i].dy));
  }
}

static void
zoom_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenFlameView *self = PEN_FLAME_VIEW (widget);
  gboolean out = g_str_has_suffix (name, "out");
  guint node = out ? self->root : self->selected;

  if (!get_tree (self) || node == NO_NODE)
    return;
  if (out && node > 0)
    node = pen_flame_tree_get (get_tree (self), node)->parent;
  pen_flame_view_zoom (self, node);
}

static void
zoom_all_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  pen_flame_view_zoom (PEN_FLAME_VIEW (widget), 0);
}

/* Escape leaves what was zoomed into; then the window has it. */
static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  const PenFlameState *state = pen_session_get_view (PEN_FLAME_VIEW (widget)->session)->flame;

  if (!state || state->zoom->len == 0)
    return FALSE;
  zoom_all_action (widget, NULL, NULL);
  return TRUE;
}

static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenFlameView *self = PEN_FLAME_VIEW (widget);
  g_autofree char *text = NULL;

  if (self->selected == NO_NODE)
    return;
  text = pen_flame_dup_name (get_tree (self),
                             pen_flame_tree_get (get_tree (self), self->selected)->group);
  gtk_widget_activate_action (widget, "win.copy-text", "s", text);
}

static void
page_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenFlameView *self = PEN_FLAME_VIEW (widget);
  double page = gtk_adjustment_get_page_increment (self->down);

  gtk_adjustment_set_value (self->down, gtk_adjustment_get_value (self->down)
                                            + (g_str_has_suffix (name, "up") ? -page : page));
}

static void
menu_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  PenFlameView *self = PEN_FLAME_VIEW (widget);
  GdkRectangle box;

  if (self->flame && self->selected == NO_NODE)
    set_selected (self, self->root);
  if (self->selected != NO_NODE)
    scroll_to (self, self->selected);
  if (pen_flame_view_get_selected_box (self, &box))
    g_signal_emit (self, signals[MENU], 0, (double) box.x + MIN (box.width / 2, 40),
                   (double) box.y + box.height);
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
  static const struct {
    const char *name;
    GtkWidgetActionActivateFunc activate;
    guint keys[3];
  } actions[] = {
    { "stacks.left", step_action, { GDK_KEY_Left } },
    { "stacks.right", step_action, { GDK_KEY_Right } },
    { "stacks.up", step_action, { GDK_KEY_Up } },
    { "stacks.down", step_action, { GDK_KEY_Down } },
    { "stacks.zoom-in", zoom_action, { GDK_KEY_Return, GDK_KEY_KP_Enter } },
    { "stacks.zoom-out", zoom_action, { GDK_KEY_BackSpace, GDK_KEY_minus } },
    { "stacks.zoom-all", zoom_all_action, { GDK_KEY_0, GDK_KEY_Home } },
    { "stacks.page-up", page_action, { GDK_KEY_Page_Up } },
    { "stacks.page-down", page_action, { GDK_KEY_Page_Down } },
    { "stacks.menu", menu_action, { GDK_KEY_Menu } },
    { "stacks.copy", copy_action, { 0 } },
  };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pen_flame_view_dispose;
  widget_class->measure = pen_flame_view_measure;
  widget_class->size_allocate = pen_flame_view_size_allocate;
  widget_class->map = pen_flame_view_map;
  widget_class->snapshot = pen_flame_view_snapshot;
  widget_class->query_tooltip = pen_flame_view_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "timeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  for (gsize i = 0; i < G_N_ELEMENTS (actions); i++) {
    gtk_widget_class_install_action (widget_class, actions[i].name, NULL, actions[i].activate);
    for (gsize k = 0; k < G_N_ELEMENTS (actions[i].keys) && actions[i].keys[k]; k++)
      gtk_widget_class_add_binding_action (widget_class, actions[i].keys[k], 0, actions[i].name,
                                           NULL);
  }
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "stacks.menu",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "stacks.copy",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_i, 0, "callers.inverted", NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, on_escape, NULL);
  signals[SELECTED] = g_signal_new ("selected", PEN_TYPE_FLAME_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 0);
  signals[MENU] = g_signal_new ("menu", PEN_TYPE_FLAME_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
add_controllers (PenFlameView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll
      = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *secondary = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (click, "released", G_CALLBACK (on_released), self);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect (secondary, "pressed", G_CALLBACK (on_secondary), self);
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect (press, "pressed", G_CALLBACK (on_long_press), self);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (secondary));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (press));
}

static void
pen_flame_view_init (PenFlameView *self)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  GtkWidget *widget = GTK_WIDGET (self);

  self->session = pen_session_new ();
  self->painter = pen_snapshot_painter_new (widget);
  self->selected = NO_NODE;
  self->down = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 1, 1, 1));
  g_signal_connect_object (self->down, "value-changed", G_CALLBACK (invalidate), self,
                           G_CONNECT_SWAPPED);
  self->signals = g_signal_group_new (PEN_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "answered::flame", G_CALLBACK (on_flame), self);
  g_signal_group_connect_swapped (self->signals, "notify::flame", G_CALLBACK (on_state), self);
  g_signal_group_connect_swapped (self->signals, "notify::hover",
                                  G_CALLBACK (gtk_widget_queue_draw), self);
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (invalidate), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", G_CALLBACK (invalidate), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (invalidate), NULL);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Flame graph"), -1);
  add_controllers (self);
}
