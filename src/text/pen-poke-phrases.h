/* pen-poke-phrases.h: changes of pokes and batches, as sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"

G_BEGIN_DECLS

/* The change of one poke, as one plain sentence. Returns: (transfer full) */
char *pen_poke_describe (const PenPoke *poke);

/* The changes of a batch, as one plain sentence. Returns: (transfer full) */
char *pen_batch_describe (const PenBatch *batch);

G_END_DECLS
