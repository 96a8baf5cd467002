/* pen-direction.h: what goes from left to right in every language
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Code, bytes, addresses, numbers and times do: @widget and all that is in it now. A widget does
 * not take its direction from its parent. */
void pen_direction_keep_left_to_right (GtkWidget *widget);

G_END_DECLS
