/* pen-neighbours-view.h: the callers and the callees of one function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pane.h"
#include "pen-session.h"

G_BEGIN_DECLS

/* A click on a row, or Return, goes to it: its callers and callees come in their place. */
#define PEN_TYPE_NEIGHBOURS_VIEW (pen_neighbours_view_get_type ())
G_DECLARE_FINAL_TYPE (PenNeighboursView, pen_neighbours_view, PEN, NEIGHBOURS_VIEW, PenPane)

void pen_neighbours_view_set_session (PenNeighboursView *self, PenSession *session);
/* In little height, one of the two lists is shown at a time. Not while sizes are given out. */
void pen_neighbours_view_set_low (PenNeighboursView *self, gboolean low);

G_END_DECLS
