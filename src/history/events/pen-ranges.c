/* pen-ranges.c: ranges of addresses that do not overlap, each with a value
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-ranges.h"

#include <string.h>

#include "pen-binary-search.h"

/* So many lie one after the other. Most processes have fewer maps. */
#define LEAF_MAX 128u

typedef struct {
  PenRange *ranges; /* by start */
  guint n;
  guint room;
} Leaf;

/* Leaves by start, of which each has a range. In place of a balanced tree, whose nodes take five
 * times the memory of a range: each of a million copies that forks make has one. A leaf that is
 * split moves the leaves after it, 16 bytes each and once per 64 ranges: of a million ranges in
 * all as much as a few copies of them. */
typedef struct {
  GArray *leaves; /* Leaf */
  guint n;        /* ranges */
} Leaves;

struct _PenRanges {
  Leaf one;
  Leaves *many; /* NULL while there is one leaf */
};

typedef struct {
  guint leaf;
  guint index;
} Place;

PenRanges *
pen_ranges_new (void)
{
  return g_new0 (PenRanges, 1);
}

static guint
count_leaves (const PenRanges *self)
{
  return self->many ? self->many->leaves->len : 1;
}

static inline Leaf *
get_leaf (PenRanges *self, guint i)
{
  return self->many ? &g_array_index (self->many->leaves, Leaf, i) : &self->one;
}

void
pen_ranges_free (PenRanges *self)
{
  if (!self)
    return;
  for (guint i = 0; i < count_leaves (self); i++)
    g_free (get_leaf (self, i)->ranges);
  if (self->many)
    g_array_unref (self->many->leaves);
  g_free (self->many);
  g_free (self);
}

/* After all that start at or below @start; not at the beginning of a leaf but the first. */
static Place
find_place (PenRanges *self, guint64 start)
{
  guint n = count_leaves (self);
  guint leaf = PEN_BINARY_SEARCH (i, 1, n, get_leaf (self, i)->ranges[0].start <= start) - 1;
  const Leaf *found = get_leaf (self, leaf);

  return (Place){ leaf, PEN_BINARY_SEARCH (i, 0, found->n, found->ranges[i].start <= start) };
}

/* Returns: NULL: there is none after the last */
static PenRange *
get_range (PenRanges *self, Place *place)
{
  if (place->index == get_leaf (self, place->leaf)->n && place->leaf + 1 < count_leaves (self))
    *place = (Place){ place->leaf + 1, 0 };
  return place->index < get_leaf (self, place->leaf)->n
             ? &get_leaf (self, place->leaf)->ranges[place->index]
             : NULL;
}

static PenRange *
find_range (PenRanges *self, guint64 start, guint64 end, Place *place)
{
  PenRange *range;

  *place = find_place (self, start);
  if (place->index > 0) {
    range = &get_leaf (self, place->leaf)->ranges[place->index - 1];
    if (range->end > start) {
      place->index--;
      return range;
    }
  }
  range = get_range (self, place);
  return range && range->start < end ? range : NULL;
}

const PenRange *
pen_ranges_find (PenRanges *self, guint64 start, guint64 end)
{
  Place place;

  return find_range (self, start, end, &place);
}

/* The leaf at @place is full. Ranges often come by their starts: the last leaf then stays full. */
static void
split (PenRanges *self, Place *place)
{
  const guint half = LEAF_MAX / 2;
  Leaf *leaf;
  Leaf next = { 0 };

  if (!self->many) {
    self->many = g_new (Leaves, 1);
    *self->many = (Leaves){ g_array_new (FALSE, FALSE, sizeof (Leaf)), self->one.n };
    g_array_append_val (self->many->leaves, self->one);
    self->one = (Leaf){ 0 };
  }

  if (place->index == LEAF_MAX && place->leaf + 1 == self->many->leaves->len) {
    g_array_append_val (self->many->leaves, next);
    *place = (Place){ place->leaf + 1, 0 };
    return;
  }

  leaf = get_leaf (self, place->leaf);
  next = (Leaf){ g_new (PenRange, LEAF_MAX), LEAF_MAX - half, LEAF_MAX };
  memcpy (next.ranges, leaf->ranges + half, next.n * sizeof *next.ranges);
  leaf->n = half;
  g_array_insert_val (self->many->leaves, place->leaf + 1, next);
  if (place->index > half)
    *place = (Place){ place->leaf + 1, place->index - half };
}

static void
add_range (PenRanges *self, guint64 start, guint64 end, guint32 value)
{
  Place place = find_place (self, start);
  Leaf *leaf;

  if (get_leaf (self, place.leaf)->n == LEAF_MAX)
    split (self, &place);
  leaf = get_leaf (self, place.leaf);
  if (leaf->n == leaf->room) {
    leaf->room = MAX (1, 2 * leaf->room);
    leaf->ranges = g_renew (PenRange, leaf->ranges, leaf->room);
  }
  memmove (&leaf->ranges[place.index + 1], &leaf->ranges[place.index],
           (leaf->n - place.index) * sizeof *leaf->ranges);
  leaf->ranges[place.index] = (PenRange){ .start = start, .end = end, .value = value };
  leaf->n++;
  if (self->many)
    self->many->n++;
}

static void
remove_range (PenRanges *self, Place place)
{
  Leaf *leaf = get_leaf (self, place.leaf);

  leaf->n--;
  memmove (&leaf->ranges[place.index], &leaf->ranges[place.index + 1],
           (leaf->n - place.index) * sizeof *leaf->ranges);
  if (!self->many)
    return;
  self->many->n--;
  if (leaf->n == 0 && self->many->leaves->len > 1) {
    g_free (leaf->ranges);
    g_array_remove_index (self->many->leaves, place.leaf);
  }
}

void
pen_ranges_clear (PenRanges *self, guint64 start, guint64 end, PenRangeLostFunc lost,
                  PenRangeLeftFunc left, gpointer user_data)
{
  PenRange *range;
  Place place;

  g_return_if_fail (start < end);

  while ((range = find_range (self, start, end, &place))) {
    PenRange old = *range;

    if (lost)
      lost (&old, user_data);

    if (old.start < start) {
      range->end = start;
      range->value = left ? left (&old, old.start, start, user_data) : old.value;
    } else {
      remove_range (self, place);
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
  return self->many ? self->many->n : self->one.n;
}

void
pen_ranges_foreach (PenRanges *self, PenRangeFunc func, gpointer user_data)
{
  for (guint i = 0; i < count_leaves (self); i++) {
    const Leaf *leaf = get_leaf (self, i);

    for (guint k = 0; k < leaf->n; k++)
      func (&leaf->ranges[k], user_data);
  }
}
