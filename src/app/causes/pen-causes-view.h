/* pen-causes-view.h: what flips, how often, what for; and below it the changes of the row selected
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-changes-view.h"
#include "pen-pane.h"
#include "pen-session.h"

G_BEGIN_DECLS

/* Needs the actions win.show-code and win.export-causes of its window. */
#define PEN_TYPE_CAUSES_VIEW (pen_causes_view_get_type ())
G_DECLARE_FINAL_TYPE (PenCausesView, pen_causes_view, PEN, CAUSES_VIEW, PenPane)

void pen_causes_view_set_session (PenCausesView *self, PenSession *session);
/* The search of the tree, or of the changes if the focus is there. */
void pen_causes_view_start_search (PenCausesView *self);
/* (transfer none) */
PenChangesView *pen_causes_view_get_changes (PenCausesView *self);
/* (nullable): the row that is selected; until the next answer */
const PenCauseRow *pen_causes_view_get_selected (PenCausesView *self);

G_END_DECLS
