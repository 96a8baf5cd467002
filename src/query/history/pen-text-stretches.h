/* pen-text-stretches.h: when the text of a function was another one than at first
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

/*
 * PenTextStretches: of one tenure's bytes, as its pokes tell them
 * @stretches: (element-type guint64): by time, in pairs: from, to (not in it any more); ns
 * @differing: revisions at which a byte's instruction is not what it was: see
 *   pen_text_stretches_differs()
 */
typedef struct {
  GArray *stretches;
  GHashTable *differing;
} PenTextStretches;

/* @pokes: (element-type PenPoke): all that touch the function, in time order; others than
 * those of @tenure are passed over */
PenTextStretches *pen_text_stretches_new (const GArray *pokes, guint32 tenure);
void pen_text_stretches_free (PenTextStretches *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTextStretches, pen_text_stretches_free)

/* Whether the bytes of the patch that gave @address its revision @revision are not the first ones
 * of these places. */
gboolean pen_text_stretches_differs (const PenTextStretches *self, guint64 address,
                                     guint32 revision);

G_END_DECLS
