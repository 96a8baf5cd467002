/* pen-end-tree.c: which of many ranges, sorted by start, hold an address
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-end-tree.h"

static guint
count_leaves (guint n)
{
  guint size = 1;

  while (size < n)
    size *= 2;
  return size;
}

gsize
pen_end_tree_get_size (guint n)
{
  g_return_val_if_fail (n <= G_MAXUINT / 4, 0);
  return sizeof (PenEndTree) + sizeof (guint64) * 2 * (gsize) count_leaves (n);
}

PenEndTree *
pen_end_tree_init (gpointer memory, guint n)
{
  PenEndTree *self = memory;

  self->size = count_leaves (n);
  return self;
}

PenEndTree *
pen_end_tree_new (guint n)
{
  return pen_end_tree_init (g_malloc0 (pen_end_tree_get_size (n)), n);
}

void
pen_end_tree_free (PenEndTree *self)
{
  g_free (self);
}

void
pen_end_tree_set (PenEndTree *self, guint index, guint64 end)
{
  guint node = self->size + index;

  self->max[node] = end;
  while (node > 1) {
    guint64 max = MAX (self->max[node], self->max[node ^ 1]);

    node >>= 1;
    if (self->max[node] == max)
      break;
    self->max[node] = max;
  }
}

void
pen_end_tree_build (PenEndTree *self)
{
  for (guint node = self->size - 1; node > 0; node--)
    self->max[node] = MAX (self->max[2 * node], self->max[2 * node + 1]);
}

guint
pen_end_tree_find_next (const PenEndTree *self, guint index)
{
  guint node = self->size + index;

  if (index >= self->size)
    return PEN_END_TREE_NONE;
  if (self->max[node])
    return index;
  for (; node > 1; node >>= 1) {
    if (!(node & 1) && self->max[node + 1]) {
      node++;
      while (node < self->size)
        node = 2 * node + (self->max[2 * node] == 0);
      return node - self->size;
    }
  }
  return PEN_END_TREE_NONE;
}
