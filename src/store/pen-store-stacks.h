/* pen-store-stacks.h: samples of a store, counted in advance by the functions of their stacks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"

G_BEGIN_DECLS

/* More of them are not counted in advance. */
#define PEN_STACKS_MAX (1u << 20)
#define PEN_STACK_CELLS_MAX (1u << 20)
#define PEN_BLOCK_STACKS 65536u

/* In place of a function: callers that were not recorded. */
#define PEN_STACK_NO_FUNCTION G_MAXUINT32

/* A stack as functions: the innermost one, and the stack of those that called it, whose id is less.
 * 0: the stack of none. */
typedef struct {
  guint32 parent;
  guint32 function;
} PenStoredStack;

/*
 * PenStackCell: samples of one stack, function and event in a run of blocks
 * @function: of their instruction: the stack's innermost, but where the recorded callchain began
 *   with another address
 */
typedef struct {
  guint32 stack;
  guint32 function;
  guint32 event;
  guint64 samples;
  guint64 period;
} PenStackCell;

/* By stack, then function, then event. For qsort(). */
static inline int
pen_stack_cell_compare (const void *a, const void *b)
{
  const PenStackCell *x = a;
  const PenStackCell *y = b;

  if (x->stack != y->stack)
    return x->stack < y->stack ? -1 : 1;
  if (x->function != y->function)
    return x->function < y->function ? -1 : 1;
  return x->event < y->event ? -1 : x->event > y->event;
}

/* @n: cells */
typedef struct {
  guint32 id;
  guint32 first_block;
  guint32 n_blocks;
  guint32 n;
} PenStackSpan;

/*
 * The runs of blocks that were counted, with or without a time: one after the other, from the first
 * block on; those at the end may have none.
 * Returns: (transfer none): owned by the store
 */
const PenStackSpan *pen_store_get_stack_spans (PenStore *self, guint *n);

/* @n: (out): ids are from 1 to this. Returns: (transfer full): element 0 is the stack of none */
PenStoredStack *pen_store_load_stacks (PenStore *self, guint32 *n, GError **error);

/*
 * pen_store_read_stack_span:
 * @n_stacks: of pen_store_load_stacks()
 * @cells: (element-type PenStackCell): set
 *
 * Functions, events and stacks are there. Cost: a step for each cell.
 */
gboolean pen_store_read_stack_span (PenStore *self, const PenStackSpan *span,
                                    const PenStoredStack *stacks, guint32 n_stacks, GArray *cells,
                                    GError **error);

G_END_DECLS
