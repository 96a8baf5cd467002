/* pen-live-plane.h: one plane as it is at one moment of a sweep
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-planes.h"

G_BEGIN_DECLS

/*
 * PenLivePlane: which parts of a plane live now. O(log n) per change and lookup, less for a lookup
 * near the last one. One block of memory: each of a million processes may have one.
 */
typedef struct {
  const PenPlanes *planes;
  guint plane;
  PenEndTree *ends;  /* by slot; 0: nothing lives there */
  guint32 *part;     /* by slot */
  gboolean overlaps; /* parts may overlap: no use in remembering one */
  const PenPart *last;
} PenLivePlane;

PenLivePlane *pen_live_plane_new (const PenPlanes *planes, guint plane);
void pen_live_plane_free (PenLivePlane *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenLivePlane, pen_live_plane_free)

void pen_live_plane_begin (PenLivePlane *self, guint32 part);
void pen_live_plane_end (PenLivePlane *self, guint32 part);

/* The first start above @address at which something lives, or G_MAXUINT64. */
guint64 pen_live_plane_find_next (const PenLivePlane *self, guint64 address);

/* The one that starts nearest among the parts that hold @address now, or NULL. */
static inline const PenPart *
pen_live_plane_find (PenLivePlane *self, guint64 address)
{
  const PenPart *last = self->last;
  guint slot;

  if (last && address >= last->start && address < last->end)
    return last;

  slot = pen_planes_count_below (self->planes, self->plane, address);
  if (slot == 0)
    return NULL;
  slot = pen_end_tree_find_last (self->ends, slot - 1, address);
  if (slot == PEN_END_TREE_NONE)
    return NULL;
  last = &self->planes->parts[self->part[slot]];
  if (!self->overlaps)
    self->last = last;
  return last;
}

G_END_DECLS
