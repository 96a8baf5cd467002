/* pen-purpose-pass.h: which patches the recorder's lists name the users of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-poke-batches.h"
#include "pen-progress.h"
#include "pen-purposes.h"

G_BEGIN_DECLS

/*
 * pen_purpose_pass_run:
 * @history: sealed, its pokes with causes and batches
 * @entries: (element-type utf8): of each poke the function whose entry it is, or NULL
 * @batches: finished
 *
 * A list names who was there at its time: at a place from the poke on that found nobody there until
 * the one that leaves nobody there. Who came and went between two lists may be somebody else.
 * Cost: O(n log m) in the pokes and the lists
 */
gboolean pen_purpose_pass_run (PenHistory *history, PenPurposes *purposes, const GPtrArray *entries,
                               PenPokeBatches *batches, PenProgress *progress, GError **error);

G_END_DECLS
