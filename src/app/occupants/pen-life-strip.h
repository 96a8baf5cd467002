/* pen-life-strip.h: when an occupant was there, as a bar over the time of the capture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-occupant-item.h"

G_BEGIN_DECLS

#define PEN_TYPE_LIFE_STRIP (pen_life_strip_get_type ())
G_DECLARE_FINAL_TYPE (PenLifeStrip, pen_life_strip, PEN, LIFE_STRIP, GtkWidget)

GtkWidget *pen_life_strip_new (void);
void pen_life_strip_set_item (PenLifeStrip *self, PenOccupantItem *item);

G_END_DECLS
