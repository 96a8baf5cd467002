/* pen-inlined-calls.h: calls whose code the compiler put in their place: DWARF
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <elfutils/libdw.h>

#include "pen-code-place.h"

G_BEGIN_DECLS

/* PenInlinedCalls: those of one compilation unit; their numbers are indexes plus 1. */
typedef struct _PenInlinedCalls PenInlinedCalls;

/*
 * pen_inlined_calls_new:
 * @unit: (nullable): its DWARF outlives the calls; NULL: there are none
 * @budget: (inout): of entries of debug information, and ranges of theirs, that may be looked at;
 * when it is used up, what was found holds
 *
 * Everything in it is checked. Cost: a look at each of the unit's entries, except those of types.
 */
PenInlinedCalls *pen_inlined_calls_new (Dwarf_Die *unit, guint64 *budget);
void pen_inlined_calls_free (PenInlinedCalls *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenInlinedCalls, pen_inlined_calls_free)

const PenInlinedCall *pen_inlined_calls_get (PenInlinedCalls *self, guint index);
guint pen_inlined_calls_get_count (PenInlinedCalls *self);

/*
 * PenInlinedWalk: asks for one address after the other, rising.
 */
typedef struct {
  PenInlinedCalls *calls;
  guint next;    /* of the ranges, the first that has not begun */
  GArray *stack; /* guint: those that have */
} PenInlinedWalk;

/* @address: none before it is asked for */
void pen_inlined_walk_init (PenInlinedWalk *walk, PenInlinedCalls *calls, guint64 address);
void pen_inlined_walk_clear (PenInlinedWalk *walk);

/*
 * pen_inlined_walk_step:
 * @until: (out): where the answer may change; G_MAXUINT64: nowhere
 *
 * Returns: the innermost call that the code at @address is of, as its index plus 1; 0: none
 */
guint pen_inlined_walk_step (PenInlinedWalk *walk, guint64 address, guint64 *until);

G_END_DECLS
