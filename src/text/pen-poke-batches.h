/* pen-poke-batches.h: sites that were patched together
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cause-finder.h"

G_BEGIN_DECLS

/* A batch goes on while no more than this lies between two of its pokes, ns. Three rounds of
 * interrupts to all CPUs lie between two of 256 sites, and between two of static calls. */
#define PEN_BATCH_GAP 20000000u

typedef struct _PenPokeBatches PenPokeBatches;

PenPokeBatches *pen_poke_batches_new (void);
void pen_poke_batches_free (PenPokeBatches *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPokeBatches, pen_poke_batches_free)

/* Pokes in time order. The contents of @verdict are copied. Returns: the id of its batch */
guint32 pen_poke_batches_add (PenPokeBatches *self, const PenPoke *poke,
                              const PenCauseVerdict *verdict);

/* Of the batch of @poke, if none of its pokes had one yet. */
void pen_poke_batches_set_purpose (PenPokeBatches *self, const PenPoke *poke);

/* After the last one: finds the change of each. Owned by @self; element i has id i + 1 */
const PenBatch *pen_poke_batches_finish (PenPokeBatches *self, guint *n);

G_END_DECLS
