/* pen-address-mask.h: numbers that look like addresses of the kernel, and are masks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* All ones above some bit and all zeros below it, or all ones but one: a program is written with
 * such, and no boot chooses it for a place. */
static inline gboolean
pen_is_plain_mask (guint64 number)
{
  guint64 inverted = ~number, negated = inverted + 1;

  return (negated & (negated - 1)) == 0 || (inverted & (inverted - 1)) == 0;
}

/* The same, or nothing in the lower half, as in one address of 2³². */
static inline gboolean
pen_is_address_mask (guint64 number)
{
  return (number & G_MAXUINT32) == 0 || pen_is_plain_mask (number);
}

G_END_DECLS
