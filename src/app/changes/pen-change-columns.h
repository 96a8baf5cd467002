/* pen-change-columns.h: the columns of the list of changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-change-item.h"

G_BEGIN_DECLS

/* PenColumnSpec.sort of each is 1 and its PenChangeSort. */
void pen_change_columns_add (GtkColumnView *view);

G_END_DECLS
