/* pen-pair-align.h: which instruction of one text is which of another
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cancel-check.h"

G_BEGIN_DECLS

/* Indexes of both texts; G_MAXUINT: one has no such instruction. */
typedef struct {
  guint a;
  guint b;
} PenPairMatch;

/*
 * pen_pair_align:
 * @a, @b: what has equal pointers is equal
 * @steps: that the shortest edit may take; then what is left is aligned by what is there once in
 *   each text: so long a difference reads no better for being the shortest
 *
 * Of alignments that are as short, one is preferred in which what is in A only is next to what is
 * in B only: a no-op that became a jump is not one of the no-ops beside it.
 *
 * Cost: n log n, and @steps at most.
 *
 * Returns: (transfer full) (element-type PenPairMatch): each index once, those of each text
 *   ascending; only equal ones are together. In part where @check was stopped
 */
GArray *pen_pair_align (const char *const *a, guint n_a, const char *const *b, guint n_b,
                        guint steps, PenCancelCheck *check);

G_END_DECLS
