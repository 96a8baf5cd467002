/* pen-binary-search.h: a place in what is sorted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * PEN_BINARY_SEARCH:
 * @i: a name for an index
 * @from: the first index
 * @to: after the last index; its type is that of @i and of the result
 * @is_before: an expression of @i, true for the first indexes and for none after these
 *
 * Returns: the first index for which @is_before is false, or @to. As much as lies before the place
 * of an address, say: PEN_BINARY_SEARCH (i, 0, n, ranges[i].start <= address).
 */
#define PEN_BINARY_SEARCH(i, from, to, is_before)                                                  \
  (G_GNUC_EXTENSION ({                                                                             \
    __typeof__ ((to) + 0) pen_low_##i = (from);                                                    \
    __typeof__ ((to) + 0) pen_high_##i = (to);                                                     \
                                                                                                   \
    while (pen_low_##i < pen_high_##i) {                                                           \
      __typeof__ ((to) + 0) i = pen_low_##i + (pen_high_##i - pen_low_##i) / 2;                    \
                                                                                                   \
      if (is_before)                                                                               \
        pen_low_##i = i + 1;                                                                       \
      else                                                                                         \
        pen_high_##i = i;                                                                          \
    }                                                                                              \
    pen_low_##i;                                                                                   \
  }))

G_END_DECLS
