/* pen-found-row.h: one row of what was found
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Returns: (transfer full): makes rows of PenFoundItem: square, title, when, and details below */
GtkListItemFactory *pen_found_row_new_factory (void);

G_END_DECLS
