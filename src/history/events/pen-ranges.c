/* pen-ranges.c: ranges of addresses that do not overlap, each with a value
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-ranges.h"

#include <string.h>

#include "pen-binary-search.h"

/* So many are an array: most processes have fewer maps, and each of a million processes may have
 * some. */
#define MAX_FEW 64u

struct _PenRanges {
  PenRange *few; /* by start */
  guint n_few;
  guint room;
  GTree *tree; /* PenRange by start: a key is its own value; NULL while there are few */
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
  return g_new0 (PenRanges, 1);
}

void
pen_ranges_free (PenRanges *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->tree, g_tree_unref);
  g_free (self->few);
  g_free (self);
}

/* How many of the few start at or below @start. */
static guint
count_below (const PenRanges *self, guint64 start)
{
  return PEN_BINARY_SEARCH (i, 0, self->n_few, self->few[i].start <= start);
}

static void
find_near (PenRanges *self, guint64 start, PenRange **below, PenRange **above)
{
  PenRange probe = { .start = start };
  GTreeNode *upper;
  GTreeNode *lower;

  if (!self->tree) {
    guint n = count_below (self, start);

    *below = n > 0 ? &self->few[n - 1] : NULL;
    *above = n < self->n_few ? &self->few[n] : NULL;
    return;
  }

  upper = g_tree_upper_bound (self->tree, &probe);
  lower = upper ? g_tree_node_previous (upper) : g_tree_node_last (self->tree);
  *below = lower ? g_tree_node_key (lower) : NULL;
  *above = upper ? g_tree_node_key (upper) : NULL;
}

static PenRange *
find_range (PenRanges *self, guint64 start, guint64 end)
{
  PenRange *below;
  PenRange *above;

  find_near (self, start, &below, &above);
  if (below && below->end > start)
    return below;
  return above && above->start < end ? above : NULL;
}

const PenRange *
pen_ranges_find (PenRanges *self, guint64 start, guint64 end)
{
  return find_range (self, start, end);
}

static void
add_to_tree (PenRanges *self, const PenRange *range)
{
  PenRange *key = g_memdup2 (range, sizeof *range);

  g_tree_insert (self->tree, key, key);
}

static void
plant_tree (PenRanges *self)
{
  self->tree = g_tree_new_full (compare_starts, NULL, g_free, NULL);
  for (guint i = 0; i < self->n_few; i++)
    add_to_tree (self, &self->few[i]);
  g_clear_pointer (&self->few, g_free);
  self->n_few = self->room = 0;
}

static void
add_to_few (PenRanges *self, const PenRange *range)
{
  guint at = count_below (self, range->start);

  if (self->n_few == self->room) {
    self->room = MAX (1, 2 * self->room);
    self->few = g_renew (PenRange, self->few, self->room);
  }
  memmove (&self->few[at + 1], &self->few[at], (self->n_few - at) * sizeof *self->few);
  self->few[at] = *range;
  self->n_few++;
}

static void
add_range (PenRanges *self, guint64 start, guint64 end, guint32 value)
{
  const PenRange range = { .start = start, .end = end, .value = value };

  if (!self->tree && self->n_few == MAX_FEW)
    plant_tree (self);
  if (self->tree)
    add_to_tree (self, &range);
  else
    add_to_few (self, &range);
}

static void
remove_range (PenRanges *self, PenRange *range)
{
  if (self->tree) {
    g_tree_remove (self->tree, range);
    return;
  }
  self->n_few--;
  memmove (range, range + 1, (gsize) (&self->few[self->n_few] - range) * sizeof *range);
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
      remove_range (self, range);
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
  return self->tree ? (guint) g_tree_nnodes (self->tree) : self->n_few;
}

void
pen_ranges_foreach (PenRanges *self, PenRangeFunc func, gpointer user_data)
{
  for (guint i = 0; i < self->n_few; i++)
    func (&self->few[i], user_data);
  for (GTreeNode *node = self->tree ? g_tree_node_first (self->tree) : NULL; node;
       node = g_tree_node_next (node))
    func (g_tree_node_key (node), user_data);
}
