/* pen-cause-lane.h: when a row of the tree of causes was on, over the time that the overview shows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-cause-item.h"
#include "pen-row-strip.h"

G_BEGIN_DECLS

/* A cell, and what it shows; @item: NULL: nothing */
GtkWidget *pen_cause_lane_new (void);
void pen_cause_lane_set_item (PenRowStrip *strip, PenCauseItem *item);

G_END_DECLS
