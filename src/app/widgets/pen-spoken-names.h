/* pen-spoken-names.h: names for assistive technology
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* GTK 4.8 calls a button with a mnemonic "_Open Open": with the underscore, and once more by its
 * label; and buttons within other widgets by the names of their types. For all at or below @widget
 * the label remains, or what the tooltip of the widget around says. Likewise with what is only
 * there to hold others: pages of stacks and lists inside of tables say nothing, and panes what they
 * are. */
void pen_spoken_names_mend (GtkWidget *widget);

G_END_DECLS
