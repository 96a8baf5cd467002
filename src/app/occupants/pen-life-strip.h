/* pen-life-strip.h: when an occupant was there, as a bar over the time of the capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-occupant-item.h"
#include "pen-row-strip.h"

G_BEGIN_DECLS

/* A cell, and what it shows; @item: NULL: nothing */
GtkWidget *pen_life_strip_new (void);
void pen_life_strip_set_item (PenRowStrip *strip, PenOccupantItem *item);

G_END_DECLS
