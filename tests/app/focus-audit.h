/* focus-audit.h: whether the keys Tab and Shift+Tab go through a window as one reads it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Goes through @window by Tab until it comes round, and back by Shift+Tab: the same places, each to
 * the right of the one before or below it, and none that holds the focus. Prints what is wrong.
 * @within: (nullable): lies over all else, and is not left. @view: words for that. Returns: how
 * much */
guint focus_audit (GtkWindow *window, GtkWidget *within, const char *view);
/* How many places all calls have been at. */
guint focus_audit_count (void);

G_END_DECLS
