/* pen-stack-inner.h: where in each stack a place is, the innermost time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-stack-map.h"

G_BEGIN_DECLS

/*
 * PenStackInner:
 * @nodes: of each callchain: the map's node of its innermost frame at the place, or
 *   PEN_STACK_NOWHERE
 */
typedef struct {
  const PenStackSpot *spot;
  guint32 *nodes;
} PenStackInner;

/* @spot: outlives it. Cost: one step for each chain, and 4 bytes. */
PenStackInner *pen_stack_inner_new (PenQuery *query, const PenStackMap *map,
                                    const PenStackSpot *spot, GError **error);
void pen_stack_inner_free (PenStackInner *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackInner, pen_stack_inner_free)

/* Whether that is a sample's leaf. @function: of the bucket */
static inline gboolean
pen_stack_inner_is_leaf (const PenStackInner *self, guint8 has, guint32 chain, guint32 bucket,
                         guint32 function)
{
  return !pen_stack_chain_is_whole (has, chain)
         && pen_stack_spot_has_leaf (self->spot, bucket, function);
}

/* The node where the leaf is not at the place. */
static inline guint32
pen_stack_inner_get (const PenStackInner *self, guint8 has, guint32 chain)
{
  return has & PEN_SAMPLE_HAS_CHAIN ? self->nodes[chain] : PEN_STACK_NOWHERE;
}

G_END_DECLS
