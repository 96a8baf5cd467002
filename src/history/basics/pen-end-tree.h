/* pen-end-tree.h: which of many ranges, sorted by start, hold an address
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PEN_END_TREE_NONE G_MAXUINT

/*
 * PenEndTree: the ends of ranges that are numbered by start, in a tree of maxima.
 *
 * Ranges may overlap and nest. A range without an end (0) is not there. Setting and searching cost
 * O(log n) whatever the ranges are; a plain scan back from the nearest start would not.
 */
typedef struct {
  guint size;    /* leaves: a power of two */
  guint64 max[]; /* [1] is the root; the leaves are [size, 2 * size) */
} PenEndTree;

/* In memory of the caller's: @memory has pen_end_tree_get_size() bytes of 0. */
gsize pen_end_tree_get_size (guint n);
PenEndTree *pen_end_tree_init (gpointer memory, guint n);
PenEndTree *pen_end_tree_new (guint n);
void pen_end_tree_free (PenEndTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenEndTree, pen_end_tree_free)

void pen_end_tree_set (PenEndTree *self, guint index, guint64 end);

/* For many at once: set the leaves (self->max[self->size + i]), then this. */
void pen_end_tree_build (PenEndTree *self);

/* The last range at or before @index that ends after @address, or PEN_END_TREE_NONE. */
static inline guint
pen_end_tree_find_last (const PenEndTree *self, guint index, guint64 address)
{
  guint node = self->size + index;

  if (self->max[node] > address)
    return index;
  for (; node > 1; node >>= 1) {
    if ((node & 1) && self->max[node - 1] > address) {
      node--;
      while (node < self->size)
        node = 2 * node + (self->max[2 * node + 1] > address);
      return node - self->size;
    }
  }
  return PEN_END_TREE_NONE;
}

/* The first range at or after @index that is there, or PEN_END_TREE_NONE. */
guint pen_end_tree_find_next (const PenEndTree *self, guint index);

G_END_DECLS
