/* text-audit.h: whether all text of a window has room, for text that is larger than usual
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Looks at all text in @widget, whichever widget draws it: none is cut off but by an ellipsis, and
 * then a tooltip has all of it; none lies over another. Lists may be scrolled, and cut off what is
 * at their edges. Prints what is wrong. @view: words for that. Returns: how much */
guint text_audit (GtkWidget *widget, const char *view);
/* How many texts all calls have looked at. */
guint text_audit_count (void);

G_END_DECLS
