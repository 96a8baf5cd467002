/* pen-callers-view.h: the page of callers: stacks of samples, and who calls one function
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pane.h"
#include "pen-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_CALLERS_VIEW (pen_callers_view_get_type ())
G_DECLARE_FINAL_TYPE (PenCallersView, pen_callers_view, PEN, CALLERS_VIEW, PenPane)

void pen_callers_view_set_session (PenCallersView *self, PenSession *session);
void pen_callers_view_start_search (PenCallersView *self);
/* The pane beside the stacks. */
GtkWidget *pen_callers_view_get_neighbours (PenCallersView *self);
/* The heat map above them. */
GtkWidget *pen_callers_view_get_heat (PenCallersView *self);

G_END_DECLS
