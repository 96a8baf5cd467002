/* pen-poke-pass.h: what each text poke was, and whether the chain of bytes holds
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-features.h"
#include "pen-function-table.h"
#include "pen-module-events.h"
#include "pen-poke-batches.h"
#include "pen-sources.h"

G_BEGIN_DECLS

/*
 * pen_poke_pass_run:
 * @features: of the capture: its machine, and its BPF programs
 * @modules: loads that were recorded
 * @batches: is filled and finished
 *
 * Cost: per poke, two instructions decoded and a few lookups; the chain, O(n log n).
 *
 * Fills in what is found out about each poke of the history.
 *
 * Returns: FALSE with @error when cancelled
 */
gboolean pen_poke_pass_run (PenHistory *history, PenFunctionTable *functions,
                            PenLoadedSources *sources, const PenFeatures *features,
                            PenModuleEvents *modules, PenPokeBatches *batches,
                            PenProgress *progress, GError **error);

G_END_DECLS
