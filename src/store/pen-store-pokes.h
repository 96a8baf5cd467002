/* pen-store-pokes.h: text pokes of a store, and their batches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"
#include "pen-store.h"

G_BEGIN_DECLS

/* Pokes that touch [@start, @end), in time order; bytes and strings are owned by the store.
 * Returns: (transfer full) (element-type PenPoke) */
GArray *pen_store_load_pokes (PenStore *self, guint64 start, guint64 end, GError **error);

/*
 * pen_store_load_pokes_at:
 * @moment: just before it
 *
 * The pokes of @tenure touching [@start, @end) that show what stood there then: of each site (one
 * address, length and effect) the first of all, the last before @moment, and the first that was not
 * before it. A text made with these reads the same at @moment as one made with all, and at
 * PEN_MOMENT_START. Cost: a few searches for each site, however many pokes hit it.
 *
 * Returns: (transfer full) (element-type PenPoke): in time order
 */
GArray *pen_store_load_pokes_at (PenStore *self, guint32 tenure, guint64 start, guint64 end,
                                 PenMoment moment, GError **error);

/* One by its id. Returns: FALSE if there is none (@error set only on failure) */
gboolean pen_store_load_poke (PenStore *self, guint32 id, PenPoke *poke, GError **error);

/* All batches, by id: element i has id i + 1. Owned by the store, kept after the first call.
 * Returns: NULL with @error, or without when there are none */
const PenBatch *pen_store_get_batches (PenStore *self, guint *n, GError **error);

/* Tenure and time of every poke, for ticks: cheap, without bytes.
 * @n_sites: of its batch */
typedef struct {
  guint32 poke;
  guint64 time;
  guint64 address;
  PenCause cause;
  PenPokeEffect effect;
  PenConfidence confidence;
  guint32 tenure; /* 0: not known */
  guint32 batch;
  guint32 n_sites;
} PenPokeTick;

/* Returns: (transfer full) (element-type PenPokeTick), by time */
GArray *pen_store_load_poke_ticks (PenStore *self, GError **error);

G_END_DECLS
