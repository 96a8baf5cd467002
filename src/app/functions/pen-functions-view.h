/* pen-functions-view.h: the list of functions: search it, narrow it, choose one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-pane.h"
#include "pen-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_FUNCTIONS_VIEW (pen_functions_view_get_type ())
G_DECLARE_FINAL_TYPE (PenFunctionsView, pen_functions_view, PEN, FUNCTIONS_VIEW, PenPane)

void pen_functions_view_set_session (PenFunctionsView *self, PenSession *session);
void pen_functions_view_start_search (PenFunctionsView *self);

G_END_DECLS
