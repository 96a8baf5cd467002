/* pen-chain-check.h: are the old bytes of each poke what was there? (rules P5 and P7)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-sideband.h"
#include "pen-sources.h"

G_BEGIN_DECLS

/*
 * pen_chain_check_run: sets @breaks_chain, @break_loss and @is_changed_early of the pokes of the
 * history
 *
 * Cost: O(n log n) in the pokes, and the text around each site.
 *
 * Returns: FALSE when cancelled
 */
gboolean pen_chain_check_run (PenHistory *history, PenLoadedSources *sources, PenProgress *progress,
                              GError **error);

G_END_DECLS
