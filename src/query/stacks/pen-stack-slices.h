/* pen-stack-slices.h: stacks of a large recording, counted in advance
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-stacks.h"

G_BEGIN_DECLS

/* All slices together: with more, every second one is forgotten. */
#define PEN_STACK_SLICES_SIZE ((gsize) 64 << 20)

/* Stacks of the blocks before @block, by their node of the plain map. @n: those after that have
 * none */
typedef struct {
  guint block;
  guint n;
  PenStackCount *own;
} PenStackSlice;

/*
 * PenStackSlices: filled while all of a recording is counted; then the counts of blocks between two
 * slices are a difference
 * @slices: (element-type PenStackSlice): rising
 * @step: blocks between two of them, at least
 * @limit: for @size, bytes
 */
typedef struct {
  GArray *slices;
  guint step;
  gsize size;
  gsize limit;
} PenStackSlices;

PenStackSlices *pen_stack_slices_new (gsize limit);
void pen_stack_slices_free (PenStackSlices *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackSlices, pen_stack_slices_free)

/* To be called before block @block is counted. @own: of @n nodes */
void pen_stack_slices_note (PenStackSlices *self, guint block, const PenStackCount *own, guint n);
/* … and when all blocks were, @block of them. */
void pen_stack_slices_finish (PenStackSlices *self, guint block, const PenStackCount *own, guint n);

/*
 * pen_stack_slices_find:
 * @first, @end: (inout): blocks, of which those between two slices are found
 * @before, @after: (out): counts of blocks before the first and the end of them
 *
 * Returns: FALSE: there are no two slices between them
 */
gboolean pen_stack_slices_find (const PenStackSlices *self, guint *first, guint *end,
                                const PenStackSlice **before, const PenStackSlice **after);

G_END_DECLS
