/* pen-pair-changes.h: what differs between two texts of a function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-reader.h"
#include "pen-query-pair-text.h"

G_BEGIN_DECLS

/*
 * PenPairChange: one instruction of both texts, or of one
 * @a, @b: index in each; G_MAXUINT: none
 * @cause: the kernel patches that place, for this reason; PEN_CAUSE_UNKNOWN: not known to
 */
typedef struct {
  guint a;
  guint b;
  PenPairDifference difference;
  PenCause cause;
} PenPairChange;

/* Steps for an alignment that somebody looks at. */
#define PEN_PAIR_ALIGN_STEPS (1u << 22)

/*
 * pen_pair_list_changes:
 * @steps: see pen_pair_align()
 *
 * Texts whose instructions begin at the same offsets are compared by these, unless that has more
 * differences than the shortest edit. Instructions next to each other that are in one text only are
 * one that changed, as far as there are as many of both. A cause is that of the patch that brought
 * one of them; where none was recorded, what a place looks like: a jump within the function in
 * place of a no-op is a static key's, a call in place of the no-op at a function's entry ftrace's.
 *
 * Landings that one text has alone are the same.
 *
 * Returns: (transfer full) (element-type PenPairChange): all instructions of both
 */
GArray *pen_pair_list_changes (const PenPairSource sources[2], const PenPairText *a,
                               const PenPairText *b, guint steps, GError **error);

G_END_DECLS
