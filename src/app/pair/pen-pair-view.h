/* pen-pair-view.h: the open recording and another one, side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-session.h"
#include "pen-pane.h"

G_BEGIN_DECLS

#define PEN_TYPE_PAIR_VIEW (pen_pair_view_get_type ())
G_DECLARE_FINAL_TYPE (PenPairView, pen_pair_view, PEN, PAIR_VIEW, PenPane)

/* What is chosen in the list is chosen in @session, too, where that has it. */
void pen_pair_view_set_session (PenPairView *self, PenSession *session, PenPairSession *pair);

/* What is shown beside the list. @row: (out): the function that is selected; NULL: none */
PenPairShown pen_pair_view_get_shown (PenPairView *self, const PenPairRow **row);
/* The widget that shows it. */
GtkWidget *pen_pair_view_get_detail (PenPairView *self);

G_END_DECLS
