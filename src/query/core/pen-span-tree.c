/* pen-span-tree.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-span-tree.h"

#include "pen-binary-search.h"
#include "pen-store-samples.h"

void
pen_span_tree_init (PenSpanTree *self, PenStore *store)
{
  pen_store_get_blocks (store, &self->n_blocks);
  self->spans = pen_store_get_spans (store, &self->n_spans);
  self->n_top = 0;
  while (self->n_top < self->n_spans && self->spans[self->n_top].level == self->spans[0].level)
    self->n_top++;
  self->n_in_spans = self->n_spans > 0 ? self->spans[self->n_spans - 1].first_block
                                             + self->spans[self->n_spans - 1].n_blocks
                                       : 0;
}

/* The first span of the level that does not end before the block. */
static const PenStoreSpan *
find (const PenSpanTree *self, guint level, guint block)
{
  const PenStoreSpan *spans = self->spans;

  return &spans[PEN_BINARY_SEARCH (
      i, 0, self->n_spans,
      spans[i].level > level
          || (spans[i].level == level
              && (guint64) spans[i].first_block + spans[i].n_blocks <= block))];
}

const PenStoreSpan *
pen_span_tree_get_children (const PenSpanTree *self, const PenStoreSpan *span, guint *n)
{
  const PenStoreSpan *first;
  const PenStoreSpan *end = self->spans + self->n_spans;

  *n = 0;
  if (span->level <= 1)
    return NULL;
  first = find (self, span->level - 1, span->first_block);
  for (const PenStoreSpan *child = first;
       child < end && child->level == span->level - 1
       && child->first_block < (guint64) span->first_block + span->n_blocks;
       child++)
    (*n)++;
  return first;
}

const PenStoreSpan *
pen_span_tree_find_lowest (const PenSpanTree *self, guint block)
{
  return block < self->n_in_spans ? find (self, 1, block) : NULL;
}
