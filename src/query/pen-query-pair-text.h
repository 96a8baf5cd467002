/* pen-query-pair-text.h: the text of one function in two recordings, side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation.h"
#include "pen-query-pair.h"

G_BEGIN_DECLS

typedef enum {
  PEN_PAIR_LINE_SAME,
  PEN_PAIR_LINE_CHANGED,
  PEN_PAIR_LINE_ADDED,   /* only in B */
  PEN_PAIR_LINE_REMOVED, /* only in A */
  PEN_PAIR_DIFFERENCES,
} PenPairDifference;

/* "same", "changed", "added", "removed": as in tables */
const char *pen_pair_difference_to_string (PenPairDifference difference);

G_END_DECLS
