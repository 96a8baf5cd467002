/* pen-ranges.c: ranges of addresses that do not overlap, each with a value
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-ranges.h"

struct _PenRanges {
  GTree *tree; /* PenRange by start: a key is its own value */
};

static int
compare_starts (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const PenRange *first = a;
  const PenRange *second = b;

  return first->start < second->start ? -1 : first->start > second->start;
}

PenRanges *
pen_ranges_new (void)
{
  PenRanges *self = g_new0 (PenRanges, 1);

  self->tree = g_tree_new_full (compare_starts, NULL, g_free, NULL);
  return self;
}

void
pen_ranges_free (PenRanges *self)
{
  if (!self)
    return;
  g_tree_unref (self->tree);
  g_free (self);
}

static PenRange *
find_range (PenRanges *self, guint64 start, guint64 end)
{
  PenRange probe = { .start = start };
  GTreeNode *above = g_tree_upper_bound (self->tree, &probe);
  GTreeNode *below = above ? g_tree_node_previous (above) : g_tree_node_last (self->tree);
  PenRange *range;

  if (below) {
    range = g_tree_node_key (below);
    if (range->end > start)
      return range;
  }
  if (above) {
    range = g_tree_node_key (above);
    if (range->start < end)
      return range;
  }
  return NULL;
}

const PenRange *
pen_ranges_find (PenRanges *self, guint64 start, guint64 end)
{
  return find_range (self, start, end);
}

static void
add_range (PenRanges *self, guint64 start, guint64 end, guint32 value)
{
  PenRange *range = g_new (PenRange, 1);

  *range = (PenRange){ .start = start, .end = end, .value = value };
  g_tree_insert (self->tree, range, range);
}

void
pen_ranges_clear (PenRanges *self, guint64 start, guint64 end, PenRangeLostFunc lost,
                  PenRangeLeftFunc left, gpointer user_data)
{
  PenRange *range;

  g_return_if_fail (start < end);

  while ((range = find_range (self, start, end))) {
    PenRange old = *range;

    if (lost)
      lost (&old, user_data);

    if (old.start < start) {
      range->end = start;
      range->value = left ? left (&old, old.start, start, user_data) : old.value;
    } else {
      g_tree_remove (self->tree, range);
    }
    if (old.end > end)
      add_range (self, end, old.end, left ? left (&old, end, old.end, user_data) : old.value);
  }
}

void
pen_ranges_take (PenRanges *self, guint64 start, guint64 end, guint32 value, PenRangeLostFunc lost,
                 PenRangeLeftFunc left, gpointer user_data)
{
  pen_ranges_clear (self, start, end, lost, left, user_data);
  add_range (self, start, end, value);
}

guint
pen_ranges_count (PenRanges *self)
{
  return (guint) g_tree_nnodes (self->tree);
}

void
pen_ranges_foreach (PenRanges *self, PenRangeFunc func, gpointer user_data)
{
  for (GTreeNode *node = g_tree_node_first (self->tree); node; node = g_tree_node_next (node))
    func (g_tree_node_key (node), user_data);
}
