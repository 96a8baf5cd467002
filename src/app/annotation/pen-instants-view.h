/* pen-instants-view.h: the text at the playhead and at the second instant, side by side
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pane.h"
#include "pen-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_INSTANTS_VIEW (pen_instants_view_get_type ())
G_DECLARE_FINAL_TYPE (PenInstantsView, pen_instants_view, PEN, INSTANTS_VIEW, PenPane)

void pen_instants_view_set_session (PenInstantsView *self, PenSession *session);

G_END_DECLS
