/* pen-compare.h: order of numbers, for sorting
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* -1, 0 or 1 */
#define PEN_COMPARE(x, y) ((x) < (y) ? -1 : (x) > (y))

/* By a guint64 that @a and @b, structs of one type, begin with. */
static inline int
pen_compare_u64 (gconstpointer a, gconstpointer b)
{
  return PEN_COMPARE (*(const guint64 *) a, *(const guint64 *) b);
}

G_END_DECLS
