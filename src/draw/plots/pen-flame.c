/* pen-flame.c: where the frames of a tree of callers lie
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame.h"

#include <math.h>

/* Of a row, for words of PEN_EM. */
#define ROW 20

static guint64
get_total (const PenFlame *self, const PenFlameNode *node)
{
  return pen_stack_count_get (node->total, self->tree->measure);
}

/* The children of the nodes of a row, which are side by side, too. */
static PenFlameLevel
find_next_level (const PenFlameTree *tree, PenFlameLevel level)
{
  PenFlameLevel next = { 0, 0 };

  for (guint i = level.first; i < level.end; i++) {
    const PenFlameNode *node = pen_flame_tree_get (tree, i);

    if (node->n_children == 0)
      continue;
    if (next.end == 0)
      next.first = node->first_child;
    next.end = node->first_child + node->n_children;
  }
  return next;
}

static void
find_levels (PenFlame *self)
{
  PenFlameLevel level = { self->root, self->root + 1 };
  guint at = self->root;

  g_array_set_size (self->levels, pen_flame_tree_get (self->tree, at)->depth);
  for (guint i = self->levels->len; i-- > 0;) {
    at = pen_flame_tree_get (self->tree, at)->parent;
    g_array_index (self->levels, PenFlameLevel, i) = (PenFlameLevel){ at, at + 1 };
  }
  while (level.end > level.first) {
    g_array_append_val (self->levels, level);
    level = find_next_level (self->tree, level);
  }
}

int
pen_flame_get_row_height (double em)
{
  return (int) MAX (lround (ROW * em / PEN_EM), 8);
}

PenFlame *
pen_flame_new (const PenFlameTree *tree, guint root, gboolean upwards, int width, int seen,
               double em)
{
  PenFlame *self = g_new0 (PenFlame, 1);

  self->tree = tree;
  self->root = MIN (root, tree->nodes->len - 1);
  self->upwards = upwards;
  self->width = MAX (width, 1);
  self->em = em;
  self->row = pen_flame_get_row_height (em);
  self->levels = g_array_new (FALSE, TRUE, sizeof (PenFlameLevel));
  find_levels (self);
  self->height = MAX ((int) self->levels->len * self->row + 1, seen);
  return self;
}

void
pen_flame_free (PenFlame *self)
{
  g_array_unref (self->levels);
  g_free (self);
}

int
pen_flame_get_y (const PenFlame *self, guint depth)
{
  return self->upwards ? self->height - ((int) depth + 1) * self->row : (int) depth * self->row;
}

/* ---- across ---- */

/* Pixels are cut where the count is: neighbours neither overlap nor leave a gap. */
static int
get_x (const PenFlame *self, guint64 at)
{
  const PenFlameNode *root = pen_flame_tree_get (self->tree, self->root);
  guint64 total = MAX (get_total (self, root), 1);
  double part = at <= root->start ? 0 : (double) (at - root->start) / (double) total;

  return (int) floor (MIN (part, 1) * self->width);
}

static void
get_edges (const PenFlame *self, guint index, int *from, int *to)
{
  const PenFlameNode *node = pen_flame_tree_get (self->tree, index);

  if (node->depth <= pen_flame_tree_get (self->tree, self->root)->depth) {
    *from = 0;
    *to = self->width;
    return;
  }
  *from = get_x (self, node->start);
  *to = get_x (self, node->start + get_total (self, node));
}

static gboolean
find_row (const PenFlame *self, guint index, PenFlameLevel *level)
{
  guint depth = pen_flame_tree_get (self->tree, index)->depth;

  if (depth >= self->levels->len)
    return FALSE;
  *level = g_array_index (self->levels, PenFlameLevel, depth);
  return index >= level->first && index < level->end;
}

gboolean
pen_flame_get_box (const PenFlame *self, guint node, PenBox *box)
{
  PenFlameLevel level;
  int from, to;

  if (node >= self->tree->nodes->len || !find_row (self, node, &level))
    return FALSE;
  get_edges (self, node, &from, &to);
  *box = (PenBox){ from, pen_flame_get_y (self, pen_flame_tree_get (self->tree, node)->depth),
                   to - from, self->row };
  return TRUE;
}

int
pen_flame_get_height_of (const PenFlame *self, int width)
{
  int height = 0;

  for (guint depth = 0; depth < self->levels->len; depth++) {
    PenFlameLevel level = g_array_index (self->levels, PenFlameLevel, depth);
    int widest = 0;

    for (guint i = level.first; i < level.end && widest < width; i++) {
      int from, to;

      get_edges (self, i, &from, &to);
      widest = MAX (widest, to - from);
    }
    if (widest >= width)
      height = ((int) depth + 1) * self->row + 1;
  }
  return height;
}

/* ---- what is there ---- */

/* The last node of a row that begins at or before pixel @x. */
static guint
find_in_row (const PenFlame *self, PenFlameLevel level, int x)
{
  guint low = level.first, high = level.end;

  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    int from, to;

    get_edges (self, middle, &from, &to);
    if (from <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Frames of no pixel that begin in the pixel @x, up to @last. */
static PenFlameSpot
merge (const PenFlame *self, PenFlameLevel level, guint last, int x)
{
  PenFlameSpot spot = { .thing = PEN_FLAME_MERGED };

  for (guint i = last + 1; i-- > level.first;) {
    const PenFlameNode *node = pen_flame_tree_get (self->tree, i);
    int from, to;

    get_edges (self, i, &from, &to);
    if (from != x || to > from)
      break;
    spot.node = node->parent;
    spot.n_merged++;
    spot.count.samples += node->total.samples;
    spot.count.period += node->total.period;
    spot.count.after += node->total.after;
  }
  return spot;
}

/* Children that the tree has not lie beside those that it has. */
static PenFlameSpot
find_left_out (const PenFlame *self, guint depth, int x)
{
  PenFlameLevel above = g_array_index (self->levels, PenFlameLevel, depth - 1);
  guint parent = find_in_row (self, above, x);
  const PenFlameNode *node = pen_flame_tree_get (self->tree, parent);
  guint64 left_out = pen_stack_count_get (node->left_out, self->tree->measure);
  guint64 own = pen_stack_count_get (node->own, self->tree->measure);
  guint64 end = node->start + get_total (self, node) - own;
  PenFlameSpot spot = { .thing = PEN_FLAME_NOTHING };

  if (node->n_left_out == 0 || depth <= pen_flame_tree_get (self->tree, self->root)->depth
      || x < get_x (self, end - left_out) || x >= get_x (self, end))
    return spot;
  return (PenFlameSpot){ PEN_FLAME_MERGED, parent, node->n_left_out, node->left_out };
}

PenFlameSpot
pen_flame_find (const PenFlame *self, double x, double y)
{
  int row = (int) floor (self->upwards ? (self->height - y) / self->row : y / self->row);
  PenFlameSpot nothing = { .thing = PEN_FLAME_NOTHING };
  PenFlameLevel level;
  int from, to;
  guint found;

  if (x < 0 || x >= self->width || y < 0 || row < 0 || row > (int) self->levels->len)
    return nothing;
  if (row == (int) self->levels->len)
    return find_left_out (self, (guint) row, (int) x);
  level = g_array_index (self->levels, PenFlameLevel, row);
  found = find_in_row (self, level, (int) x);
  get_edges (self, found, &from, &to);
  if (x >= from && x < to)
    return (PenFlameSpot){ PEN_FLAME_FRAME, found, 0, { 0 } };
  if (from == to && from == (int) x)
    return merge (self, level, found, (int) x);
  return row > 0 ? find_left_out (self, (guint) row, (int) x) : nothing;
}

/* ---- keys ---- */

static gboolean
is_seen (const PenFlame *self, guint node)
{
  int from, to;

  get_edges (self, node, &from, &to);
  return to > from;
}

static guint
step_aside (const PenFlame *self, guint node, int dx)
{
  PenFlameLevel level;

  if (!find_row (self, node, &level))
    return node;
  for (guint at = node; dx > 0 ? at + 1 < level.end : at > level.first;) {
    at += dx > 0 ? 1 : -1;
    if (is_seen (self, at))
      return at;
  }
  return node;
}

/* To the child that has most, which need not be the first. */
static guint
step_in (const PenFlame *self, guint node)
{
  const PenFlameNode *from = pen_flame_tree_get (self->tree, node);
  PenFlameLevel level;
  guint best = node;

  for (guint i = from->first_child; i < from->first_child + from->n_children; i++) {
    if (best == node
        || get_total (self, pen_flame_tree_get (self->tree, i))
               > get_total (self, pen_flame_tree_get (self->tree, best)))
      best = i;
  }
  /* Of what is above the root, only the way to it is there. */
  if (from->depth < pen_flame_tree_get (self->tree, self->root)->depth)
    return g_array_index (self->levels, PenFlameLevel, from->depth + 1).first;
  return best != node && find_row (self, best, &level) && is_seen (self, best) ? best : node;
}

guint
pen_flame_step (const PenFlame *self, guint node, int dx, int dy)
{
  int in = self->upwards ? -dy : dy;

  if (node >= self->tree->nodes->len)
    return self->root;
  if (dx != 0)
    return step_aside (self, node, dx);
  if (in > 0)
    return step_in (self, node);
  return node > 0 ? pen_flame_tree_get (self->tree, node)->parent : node;
}
