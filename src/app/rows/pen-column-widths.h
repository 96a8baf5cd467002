/* pen-column-widths.h: widths of columns: as they are made, as a person wants them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @title: not translated: widths are kept under it; @width: at the usual size of text; 0: as wide
 * as the cells */
void pen_column_widths_init (GtkColumnViewColumn *column, const char *title, int width);

/* After all columns are there. Widths and an order that a person drags are kept in settings.ini,
 * for this table by the name of the template that it is in; the menu of the titles has Reset. */
void pen_column_widths_keep (GtkColumnView *view);

/* Makes a column that no person made wider or narrower @width, at the usual size of text. For use
 * while sizes are being given out. */
void pen_column_widths_set_later (GtkColumnViewColumn *column, int width);

/* Makes a column that is not as wide as its cells at least @width pixels wide, with text as large
 * as it is now, unless a person made it narrower. */
void pen_column_widths_set_least (GtkColumnViewColumn *column, int width);

/* By how many pixels that made all columns of a table wider than they were made. */
int pen_column_widths_count_more (GtkColumnView *view);

/* The width that it has while it is visible, in pixels; -1: as wide as its cells */
int pen_column_widths_get (GtkColumnViewColumn *column);

/* (transfer none) (nullable): "reset", of the titles' menu, for another menu of the table. */
GAction *pen_column_widths_get_action (GtkColumnView *view);

G_END_DECLS
