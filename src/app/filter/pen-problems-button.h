/* pen-problems-button.h: what could not be read of a recording, where something could not
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-session.h"

G_BEGIN_DECLS

/* Hidden while there is nothing to tell. */
#define PEN_TYPE_PROBLEMS_BUTTON (pen_problems_button_get_type ())
G_DECLARE_FINAL_TYPE (PenProblemsButton, pen_problems_button, PEN, PROBLEMS_BUTTON, AdwBin)

void pen_problems_button_set_session (PenProblemsButton *self, PenSession *session);
/* Opens the list. */
void pen_problems_button_popup (PenProblemsButton *self);

G_END_DECLS
