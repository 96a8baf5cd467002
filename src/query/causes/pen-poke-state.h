/* pen-poke-state.h: whether a patch left its site in the patched state, and found it so
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"

G_BEGIN_DECLS

/*
 * @poke: a patch
 * @batch: (nullable): its own
 * @original: the first patch of the site: static calls, and patches without a cause, are on where
 *   the bytes are not those that it found
 *
 * docs/causes.md has the rules.
 */
gboolean pen_poke_is_on_after (const PenPoke *poke, const PenBatch *batch, const PenPoke *original);
gboolean pen_poke_is_on_before (const PenPoke *poke, const PenBatch *batch,
                                const PenPoke *original);

G_END_DECLS
