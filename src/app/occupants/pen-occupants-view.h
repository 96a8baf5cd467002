/* pen-occupants-view.h: programs, modules, stubs and files: when they were there, and what they
 * cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pane.h"
#include "pen-session.h"

G_BEGIN_DECLS

/* Needs the action win.show-code of its window. */
#define PEN_TYPE_OCCUPANTS_VIEW (pen_occupants_view_get_type ())
G_DECLARE_FINAL_TYPE (PenOccupantsView, pen_occupants_view, PEN, OCCUPANTS_VIEW, PenPane)

void pen_occupants_view_set_session (PenOccupantsView *self, PenSession *session);
void pen_occupants_view_start_search (PenOccupantsView *self);

G_END_DECLS
