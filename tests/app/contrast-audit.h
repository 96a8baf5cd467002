/* contrast-audit.h: whether what a window shows can be read, from its pixels
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Draws @widget with and without its letters and symbolic icons, and compares the pixels: each
 * letter has a contrast of 4.5 to its ground (WCAG 2.1, 1.4.3), a large one and an icon 3 (1.4.11),
 * and so has each colour of our own pictures that bounds something. Widgets that are insensitive
 * are left out. Prints what has less, each kind of it once for a @view; both are words for that.
 * Returns: how many */
guint contrast_audit (GtkWidget *widget, const char *view);
/* How many letters, icons and colours all calls have looked at: none is a fault of the audit. */
guint contrast_audit_count (void);

G_END_DECLS
