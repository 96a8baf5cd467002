/* pen-stack-counter.h: samples counted by the functions of their stacks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-writer.h"

G_BEGIN_DECLS

/*
 * PenStackCounter: callchains of which nothing but functions is kept are few, even where hardly two
 * are alike. Blocks are counted until a cell stands for several samples on average; a capture whose
 * stacks are too many for that is not counted from there on. Its memory: 8 MiB for callchains, 24
 * bytes for a stack, 40 for a cell, at most 80 MiB in all.
 */
typedef struct _PenStackCounter PenStackCounter;

/*
 * PenStackCounterLimits:
 * @blocks: that are counted together, at least
 * @share: samples for each cell of these, at least; or, at the end, half as many
 * @stacks: at most, PEN_STACKS_MAX or less
 */
typedef struct {
  guint blocks;
  guint share;
  guint stacks;
} PenStackCounterLimits;

extern const PenStackCounterLimits pen_stack_counter_limits;

/* @limits, @writer: outlive it */
PenStackCounter *pen_stack_counter_new (const PenStackCounterLimits *limits,
                                        PenStoreWriter *writer);
void pen_stack_counter_free (PenStackCounter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackCounter, pen_stack_counter_free)

/* Nothing is counted any more. */
gboolean pen_stack_counter_is_over (const PenStackCounter *self);
/* The same from now on: what is written stays. */
void pen_stack_counter_give_up (PenStackCounter *self);

/* Callchains of the store, in the order of their ids, from 1; of each the last
 * PEN_STACK_COUNTER_CHAINS may be called or sampled. @function: of its own frame */
#define PEN_STACK_COUNTER_CHAINS (1u << 22)
void pen_stack_counter_add_chain (PenStackCounter *self, guint32 parent, guint32 function);

/*
 * pen_stack_counter_count:
 * @block: samples [@first, @first + @n) of it, the next ones
 * @functions, @events: of each of these
 */
void pen_stack_counter_count (PenStackCounter *self, const PenSampleBlock *block, guint first,
                              guint n, const guint32 *functions, const guint32 *events);

/* The last sample counted was the last of its block. */
gboolean pen_stack_counter_end_block (PenStackCounter *self, GError **error);
/* After the last block. */
gboolean pen_stack_counter_finish (PenStackCounter *self, GError **error);

G_END_DECLS
