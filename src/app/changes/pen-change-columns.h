/* pen-change-columns.h: the columns of the list of changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-change-item.h"

G_BEGIN_DECLS

/* Returns: (transfer full) (element-type GtkColumnViewColumn): all of them */
GPtrArray *pen_change_columns_add (GtkColumnView *view);
/* Leaves out what there is no room for; the place and the time stay. */
void pen_change_columns_fit (GPtrArray *columns, int width);

G_END_DECLS
