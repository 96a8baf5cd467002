/* pen-pair-bars.h: a function's two bars: A above B
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A cell, and what it shows: a PenPairItem */
GtkWidget *pen_pair_bars_new (void);
void pen_pair_bars_show (GtkWidget *cell, gpointer item);

G_END_DECLS
