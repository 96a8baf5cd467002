/* pen-line-find.h: the bar in which one looks for a line of an annotation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * PenLineFind: notify::text when what is looked for has changed; "step" (int) to go to the next (1)
 * or previous (-1) match; "closed" when it goes, and the focus should be elsewhere.
 */
#define PEN_TYPE_LINE_FIND (pen_line_find_get_type ())
G_DECLARE_FINAL_TYPE (PenLineFind, pen_line_find, PEN, LINE_FIND, GtkWidget)

/* Shows it and takes the focus; what is in it is selected. */
void pen_line_find_start (PenLineFind *self);
/* "": nothing, or it is closed */
const char *pen_line_find_get_text (PenLineFind *self);
/* @place: of the current match, from 1; 0: the current line is none */
void pen_line_find_set_count (PenLineFind *self, guint place, guint count);

G_END_DECLS
