/* pen-gone-rows.h: widgets of rows that go are freed after the frame that shows others
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* All rows of @view, a list or a table, are about to be others. GTK 4.8 takes the widgets of 200 of
 * them apart at once, a tenth of a millisecond each; these are kept, and go a few at a time; at
 * last with @view. */
void pen_gone_rows_keep (GtkWidget *view);

G_END_DECLS
