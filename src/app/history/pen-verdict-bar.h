/* pen-verdict-bar.h: what the patches of the shown function did to its samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-session.h"

G_BEGIN_DECLS

/* Takes no room where there is nothing to say. */
#define PEN_TYPE_VERDICT_BAR (pen_verdict_bar_get_type ())
G_DECLARE_FINAL_TYPE (PenVerdictBar, pen_verdict_bar, PEN, VERDICT_BAR, AdwBin)

void pen_verdict_bar_set_session (PenVerdictBar *self, PenSession *session);

G_END_DECLS
