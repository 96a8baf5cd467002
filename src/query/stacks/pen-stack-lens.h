/* pen-stack-lens.h: which stacks go through a place
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-stack-map.h"

G_BEGIN_DECLS

/*
 * PenStackLens:
 * @chains: flag of each callchain: it goes through the place
 */
typedef struct {
  const PenStackSpot *spot;
  guint8 *chains;
} PenStackLens;

/* @spot: outlives it. Cost: one step for each chain, and a byte. */
PenStackLens *pen_stack_lens_new (PenQuery *query, const PenFrameColumns *frames,
                                  const PenStackSpot *spot, GError **error);
void pen_stack_lens_free (PenStackLens *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackLens, pen_stack_lens_free)

/* Whether a sample's stack goes through it. @function: of the bucket */
static inline gboolean
pen_stack_lens_has (const PenStackLens *self, guint8 has, guint32 chain, guint32 bucket,
                    guint32 function)
{
  if (has & PEN_SAMPLE_HAS_CHAIN && self->chains[chain])
    return TRUE;
  return !pen_stack_chain_is_whole (has, chain)
         && pen_stack_spot_has_leaf (self->spot, bucket, function);
}

G_END_DECLS
