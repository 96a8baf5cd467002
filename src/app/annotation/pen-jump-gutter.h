/* pen-jump-gutter.h: the arrows of jumps beside one line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-jump-layout.h"

G_BEGIN_DECLS

#define PEN_TYPE_JUMP_GUTTER (pen_jump_gutter_get_type ())
G_DECLARE_FINAL_TYPE (PenJumpGutter, pen_jump_gutter, PEN, JUMP_GUTTER, GtkWidget)

GtkWidget *pen_jump_gutter_new (void);

/* @cell: copied
 * @n_lanes: of all lines: it is as wide as these are, and not there without any */
void pen_jump_gutter_set_cell (PenJumpGutter *self, const PenJumpCell *cell, guint n_lanes);

G_END_DECLS
