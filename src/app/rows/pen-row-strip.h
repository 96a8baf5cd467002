/* pen-row-strip.h: a cell that is a picture over time, drawn from the item of its row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-raster.h"

G_BEGIN_DECLS

#define PEN_TYPE_ROW_STRIP (pen_row_strip_get_type ())
G_DECLARE_FINAL_TYPE (PenRowStrip, pen_row_strip, PEN, ROW_STRIP, GtkWidget)

/* Draws all of @raster. @scale: pixels for each unit of the window */
typedef void (*PenRowStripDraw) (gpointer item, PenRaster *raster, int scale, gboolean dark);

GtkWidget *pen_row_strip_new (PenRowStripDraw draw);

/* @item: a GObject; NULL: nothing is drawn
 * @label: (nullable): the picture in words, for assistive technology
 * @tooltip: (nullable) */
void pen_row_strip_set_item (PenRowStrip *self, gpointer item, const char *label,
                             const char *tooltip);

G_END_DECLS
