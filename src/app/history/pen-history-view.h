/* pen-history-view.h: the patch history of the clicked line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_HISTORY_VIEW (pen_history_view_get_type ())
G_DECLARE_FINAL_TYPE (PenHistoryView, pen_history_view, PEN, HISTORY_VIEW, AdwBin)

void pen_history_view_set_session (PenHistoryView *self, PenSession *session);

G_END_DECLS
