/* pen-jump-gutter.h: the arrows of jumps beside one line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-jump-layout.h"

G_BEGIN_DECLS

/* In pixels: what @n_lanes lanes need beside an instruction. */
int pen_jump_gutter_get_width (guint n_lanes);

/* Draws the part of the arrows that is in a row @height high, from @x on: lines meet those of the
 * rows above and below. Arrows point at the instruction, to the right. */
void pen_jump_gutter_draw (GtkSnapshot *snapshot, const PenJumpCell *cell, guint n_lanes,
                           const GdkRGBA *color, int x, int height);

G_END_DECLS
