/* pen-chip-list.h: the terms of a session's filter, each to be removed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-session.h"

G_BEGIN_DECLS

/* Not visible while there is no filter. A click or Delete removes a chip, arrows go along them. */
#define PEN_TYPE_CHIP_LIST (pen_chip_list_get_type ())
G_DECLARE_FINAL_TYPE (PenChipList, pen_chip_list, PEN, CHIP_LIST, AdwBin)

void pen_chip_list_set_session (PenChipList *self, PenSession *session);

G_END_DECLS
