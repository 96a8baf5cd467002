/* pen-live-bar.h: the bar of a recording that is being made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_LIVE_BAR (pen_live_bar_get_type ())
G_DECLARE_FINAL_TYPE (PenLiveBar, pen_live_bar, PEN, LIVE_BAR, AdwBin)

/* Takes a reference. */
void pen_live_bar_set_session (PenLiveBar *self, PenSession *session);
/* Buttons below the words, instead of beside them. */
void pen_live_bar_set_narrow (PenLiveBar *self, gboolean is_narrow);

G_END_DECLS
