/* pen-address-mask.h: numbers that look like addresses of the kernel, and are masks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The lowest bits, which are 0 in no address that a boot chose, but for one in 2³². */
#define PEN_ADDRESS_MASK_LOW 0xffffffffull

/*
 * pen_is_address_mask:
 *
 * Whether the program was written with @number, wherever the kernel is: all ones above some bit and
 * all zeros below it, all ones but one, or nothing in the lower half.
 */
static inline gboolean
pen_is_address_mask (guint64 number)
{
  guint64 inverted = ~number, negated = inverted + 1;

  return (number & PEN_ADDRESS_MASK_LOW) == 0 || (negated & (negated - 1)) == 0
         || (inverted & (inverted - 1)) == 0;
}

G_END_DECLS
