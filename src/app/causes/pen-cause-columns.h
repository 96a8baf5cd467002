/* pen-cause-columns.h: the columns of the tree of causes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* PenColumnSpec.sort of each is 1 and its PenCauseSort. Items are rows of a GtkTreeListModel. */
void pen_cause_columns_add (GtkColumnView *view);

G_END_DECLS
