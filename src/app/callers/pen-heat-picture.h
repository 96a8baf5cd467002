/* pen-heat-picture.h: samples by column of time and by its fraction, in which time is selected
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-heat-map.h"
#include "pen-session.h"

G_BEGIN_DECLS

/*
 * PenHeatPicture: the session's heat map. A click on a cell selects its time, a drag all from cell
 * to cell, a click on the ruler sets the playhead; arrows move a cursor, with Shift they take more
 * cells, and Return selects them.
 */
#define PEN_TYPE_HEAT_PICTURE (pen_heat_picture_get_type ())
G_DECLARE_FINAL_TYPE (PenHeatPicture, pen_heat_picture, PEN, HEAT_PICTURE, GtkWidget)

void pen_heat_picture_set_session (PenHeatPicture *self, PenSession *session);
/* The cells that are being chosen, or those of the cursor. FALSE: there are none. */
gboolean pen_heat_picture_get_cells (PenHeatPicture *self, PenHeatCells *cells);
/* Where a cell is. */
gboolean pen_heat_picture_get_box (PenHeatPicture *self, guint cell, GdkRectangle *box);
/* The tooltip there. (transfer full) (nullable) */
char *pen_heat_picture_describe_point (PenHeatPicture *self, double x, double y);

G_END_DECLS
