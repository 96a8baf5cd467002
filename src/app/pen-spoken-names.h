/* pen-spoken-names.h: what assistive technology is told that buttons are called
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* GTK 4.8 calls a button with a mnemonic "_Open Open": with the underscore, and once more by its
 * label. For all buttons at or below @widget the label remains. */
void pen_spoken_names_mend (GtkWidget *widget);

G_END_DECLS
