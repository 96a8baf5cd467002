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

/*
 * PenPokeBatch: one switch of one key, one new target of a call, one go of ftrace …: pokes of one
 * task, one cause and one effect, with what they lead to in common
 * @first, @last: ids of pokes; what lies between may be of others
 * @from, @to: ns
 * @confidence: the least of its pokes'
 * @n_sites: how many pokes; no address is in it twice
 * @key: the static key's or static call's own name, or NULL
 * @sentence: what was done, one plain sentence
 */
typedef struct {
  guint32 id; /* from 1, in the order of their first pokes */
  guint32 first;
  guint32 last;
  guint64 from;
  guint64 to;
  PenCause cause;
  PenConfidence confidence;
  PenPokeEffect effect;
  guint32 n_sites;
  gint32 pid; /* of the first */
  gint32 tid;
  guint32 cpu;
  char *comm;
  char *key;
  char *sentence;
} PenPokeBatch;

typedef struct _PenPokeBatches PenPokeBatches;

PenPokeBatches *pen_poke_batches_new (void);
void pen_poke_batches_free (PenPokeBatches *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPokeBatches, pen_poke_batches_free)

/* Pokes in time order. What @verdict has is copied. Returns: the id of its batch */
guint32 pen_poke_batches_add (PenPokeBatches *self, const PenPoke *poke,
                              const PenCauseVerdict *verdict);

/* After the last one: writes the sentences. Owned by @self; element i has id i + 1 */
const PenPokeBatch *pen_poke_batches_finish (PenPokeBatches *self, guint *n);

G_END_DECLS
