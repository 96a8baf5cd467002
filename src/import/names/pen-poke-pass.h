/* pen-poke-pass.h: what each text poke was, and whether the chain of bytes holds
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-function-table.h"
#include "pen-poke-batches.h"
#include "pen-sources.h"

G_BEGIN_DECLS

/*
 * pen_poke_pass_run:
 * @arch: (nullable): as the capture names it
 * @batches: is filled and finished
 *
 * Cost: per poke, two instructions decoded and a few lookups; the chain, O(n log n).
 *
 * Fills in what is found out about each poke of the history.
 *
 * Returns: FALSE with @error when cancelled
 */
gboolean pen_poke_pass_run (PenHistory *history, PenFunctionTable *functions,
                            PenLoadedSources *sources, const char *arch, PenPokeBatches *batches,
                            PenProgress *progress, GError **error);

G_END_DECLS
