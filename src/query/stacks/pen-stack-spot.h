/* pen-stack-spot.h: which frames and which samples are at a place
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-private.h"
#include "pen-query-stacks.h"
#include "pen-store-callchains.h"

G_BEGIN_DECLS

/*
 * PenStackSpot: a place, prepared for one store. Flags are bytes, one for each
 * @frames: those at the place
 * @functions: where a sample's function decides; else @buckets
 */
typedef struct {
  guint8 *frames;
  guint8 *functions;
  guint8 *buckets;
} PenStackSpot;

/*
 * pen_stack_spot_new:
 * @frames: (nullable): without it, those of frames are to be added
 * @of_function: group of each function, of the place's grouping
 *
 * Cost: one step for each frame; for more than group and function all buckets are loaded.
 */
PenStackSpot *pen_stack_spot_new (PenQuery *query, const PenFrameColumns *frames,
                                  const guint32 *of_function, const PenStackPlace *place,
                                  GError **error);
/* Those of frames, where they are not there. The place asks for no more than group and function. */
void pen_stack_spot_add_frames (PenStackSpot *self, const PenFrameColumns *frames);
void pen_stack_spot_free (PenStackSpot *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackSpot, pen_stack_spot_free)

static inline gboolean
pen_stack_spot_has_leaf (const PenStackSpot *self, guint32 bucket, guint32 function)
{
  return self->buckets ? self->buckets[bucket] : self->functions[function];
}

G_END_DECLS
