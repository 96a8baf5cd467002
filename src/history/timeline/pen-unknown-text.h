/* pen-unknown-text.h: text that pokes alone tell of (rule P6)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history-private.h"

G_BEGIN_DECLS

/*
 * pen_unknown_text_add:
 * @self: with all events applied and pokes listed; tenures not yet finished
 *
 * Opens tenures of kind unknown for what was poked while neither a ksymbol nor a map held it. Each
 * byte is its own: its tenure lasts from the last end of what held it, else from the start, until
 * something holds it again; bytes that lie side by side for the same time make one tenure. No
 * address is in two tenures of this layer and the map layer at a time, so one plane has both.
 *
 * Cost: O((n + m) log n) for n tenures and m bytes of pokes.
 *
 * Returns: FALSE: stopped
 */
gboolean pen_unknown_text_add (PenHistory *self, PenCancelCheck *check);

G_END_DECLS
