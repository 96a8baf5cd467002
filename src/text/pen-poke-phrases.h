/* pen-poke-phrases.h: what pokes and batches did, as sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"

G_BEGIN_DECLS

/* What became of what, as one plain sentence. Returns: (transfer full) */
char *pen_poke_describe (const PenPoke *poke);

/* What was done, as one plain sentence. Returns: (transfer full) */
char *pen_batch_describe (const PenBatch *batch);

G_END_DECLS
