/* pen-stack-shade.h: shades that tell neighbouring frames apart
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* With a search: frames that match, and those that do not. */
#define PEN_STACK_SHADE_MATCH 0.62
#define PEN_STACK_SHADE_FADED 0.09

/* How strong the colour of a frame's kind is on the ground: groups have different shades, and
 * neighbours mostly do, whatever their numbers are. */
static inline double
pen_stack_shade (guint32 group)
{
  return 0.24 + 0.055 * (group * 2654435761u >> 30);
}

G_END_DECLS
