/* pen-chart-menu.h: the menu of a frame of stacks in time order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-stack-chart.h"

G_BEGIN_DECLS

/* At (@x, @y) of @about, whose action "stack-chart.show-code" takes the function's id. @function:
 * (nullable): none is known */
void pen_chart_menu_popup (GtkWidget *about, const PenStackChart *chart, const PenChartBox *box,
                           const PenFunction *function, double x, double y);

G_END_DECLS
