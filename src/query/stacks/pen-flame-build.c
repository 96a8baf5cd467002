/* pen-flame-build.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-flame-build.h"

#include <math.h>

guint64
pen_flame_build_get_least (const PenFlameOptions *options, PenStackCount total)
{
  double least = options->least_share * (double) pen_stack_count_get (total, options->measure);

  return least > 0 ? (guint64) ceil (least) : 0;
}

void
pen_flame_build_start (PenFlameBuild *self, PenStackCount total)
{
  PenFlameNode root = { .parent = PEN_FLAME_NONE, .group = PEN_STACK_NO_GROUP, .total = total };
  guint32 source = 0;

  g_array_append_val (self->tree->nodes, root);
  g_array_append_val (self->sources, source);
}

static int
compare_by_name (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenFlameBuild *self = user_data;
  guint32 x = self->ranks[((const PenFlameChild *) a)->group];
  guint32 y = self->ranks[((const PenFlameChild *) b)->group];

  return x < y ? -1 : x > y;
}

static int
compare_by_measure (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PenFlameBuild *self = user_data;
  guint64 x = pen_stack_count_get (((const PenFlameChild *) a)->total, self->options->measure);
  guint64 y = pen_stack_count_get (((const PenFlameChild *) b)->total, self->options->measure);

  return x != y ? (x > y ? -1 : 1) : compare_by_name (a, b, user_data);
}

void
pen_flame_build_add (PenFlameBuild *self, guint index, PenStackCount own, guint n_left_out)
{
  GArray *nodes = self->tree->nodes;
  GArray *children = self->children;
  PenFlameNode *node = &g_array_index (nodes, PenFlameNode, index);
  PenStackCount rest = node->total;
  guint64 start = node->start;
  guint32 depth = node->depth + 1;

  g_array_sort_with_data (
      children, self->options->sort == PEN_FLAME_BY_NAME ? compare_by_name : compare_by_measure,
      self);
  pen_stack_count_take (&rest, own);
  node->own = own;
  node->n_left_out = n_left_out;
  node->first_child = nodes->len;
  node->n_children = children->len;
  for (guint i = 0; i < children->len; i++) {
    const PenFlameChild *child = &g_array_index (children, PenFlameChild, i);
    PenFlameNode added = {
      .parent = index, .depth = depth, .group = child->group, .start = start, .total = child->total
    };

    pen_stack_count_take (&rest, child->total);
    start += pen_stack_count_get (child->total, self->options->measure);
    g_array_append_val (nodes, added);
    g_array_append_val (self->sources, child->source);
  }
  /* The array may have moved. */
  g_array_index (nodes, PenFlameNode, index).left_out = rest;
  self->tree->n_left_out += n_left_out;
  if (children->len > 0)
    self->tree->n_levels = MAX (self->tree->n_levels, depth);
  g_array_set_size (children, 0);
}
