/* pen-pair-standing.h: how things of one recording stand in another that has no patch of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-found.h"
#include "pen-pair-reader.h"
#include "pen-pair-things.h"

G_BEGIN_DECLS

/*
 * PenPairStanding: of the other recording
 * @names: functions of all things' places
 * @modules: their names: of those that were there at some time under the filter: a set
 * @is_other_kernel: functions that it does not name are not there; in the same kernel they are, and
 *   the list of names is not whole
 */
typedef struct {
  const PenPairThings *things;
  PenPairReader *reader;
  PenPairNames *names;
  GHashTable *modules;
  gboolean is_other_kernel;
  gboolean has_pokes;
  gboolean has_programs;
} PenPairStanding;

/* @things: of the recording that is read, @others: of the one that has the patches. @reader:
 * outlives it */
gboolean pen_pair_standing_init (PenPairStanding *self, const PenPairThings *things,
                                 const PenPairThings *others, PenPairReader *reader,
                                 GError **error);
void pen_pair_standing_clear (PenPairStanding *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenPairStanding, pen_pair_standing_clear)

/* How @thing, which only the other recording has, stands here. */
gboolean pen_pair_standing_read (const PenPairStanding *self, const PenPairThing *thing,
                                 PenPairStand *stand, GError **error);

/* All of the time, as far as no patch may have been lost. */
PenPairStand pen_pair_standing_make (const PenPairStanding *self, PenPairStandState state);

G_END_DECLS
