/* pen-heat-view.h: the heat map of the page of callers, with its scale
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-session.h"

G_BEGIN_DECLS

/* Seen where the session's stacks are to have one. */
#define PEN_TYPE_HEAT_VIEW (pen_heat_view_get_type ())
G_DECLARE_FINAL_TYPE (PenHeatView, pen_heat_view, PEN, HEAT_VIEW, GtkWidget)

void pen_heat_view_set_session (PenHeatView *self, PenSession *session);

G_END_DECLS
