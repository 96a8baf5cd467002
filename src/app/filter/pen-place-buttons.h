/* pen-place-buttons.h: back and forward, with a menu of the places by name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-session.h"

G_BEGIN_DECLS

/* A press of the secondary button, a long press, Menu or Shift+F10 on a button lists the places. */
#define PEN_TYPE_PLACE_BUTTONS (pen_place_buttons_get_type ())
G_DECLARE_FINAL_TYPE (PenPlaceButtons, pen_place_buttons, PEN, PLACE_BUTTONS, AdwBin)

void pen_place_buttons_set_session (PenPlaceButtons *self, PenSession *session);

G_END_DECLS
