/* pen-session-private.h: what exports and notes need of a session besides its header
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-loader.h"
#include "pen-session.h"

G_BEGIN_DECLS

PenLoader *pen_session_get_loader (PenSession *self);

G_END_DECLS
