/* pen-cause-lane.h: when a row of the tree of causes was on, over the time that the overview shows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-cause-item.h"

G_BEGIN_DECLS

#define PEN_TYPE_CAUSE_LANE (pen_cause_lane_get_type ())
G_DECLARE_FINAL_TYPE (PenCauseLane, pen_cause_lane, PEN, CAUSE_LANE, GtkWidget)

GtkWidget *pen_cause_lane_new (void);
/* @item: NULL: none */
void pen_cause_lane_set_item (PenCauseLane *self, PenCauseItem *item);

G_END_DECLS
