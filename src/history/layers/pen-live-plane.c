/* pen-live-plane.c: one plane as it is at one moment of a sweep
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-live-plane.h"

PenLivePlane *
pen_live_plane_new (const PenPlanes *planes, guint plane)
{
  guint n_slots = pen_planes_count_slots (planes, plane);
  gsize tree = pen_end_tree_get_size (n_slots);
  PenLivePlane *self = g_malloc0 (sizeof *self + tree + n_slots * sizeof *self->part);
  guint8 *rest = (guint8 *) (self + 1);

  self->planes = planes;
  self->plane = plane;
  self->ends = pen_end_tree_init (rest, n_slots);
  self->part = (guint32 *) (gpointer) (rest + tree);
  self->overlaps = plane == PEN_PLANE_KSYMBOLS;
  return self;
}

void
pen_live_plane_free (PenLivePlane *self)
{
  g_free (self);
}

void
pen_live_plane_begin (PenLivePlane *self, guint32 part)
{
  guint slot = self->planes->slot[part];

  self->part[slot] = part;
  /* The last part found stays found: nothing begins where something else still lives, but in planes
   * that remember nothing. */
  pen_end_tree_set (self->ends, slot, self->planes->parts[part].end);
}

void
pen_live_plane_end (PenLivePlane *self, guint32 part)
{
  guint slot = self->planes->slot[part];

  if (self->part[slot] != part)
    return;
  pen_end_tree_set (self->ends, slot, 0);
  self->last = NULL;
}

guint64
pen_live_plane_find_next (const PenLivePlane *self, guint64 address)
{
  guint above = pen_planes_count_below (self->planes, self->plane, address);
  guint slot = pen_end_tree_find_next (self->ends, above);

  return slot == PEN_END_TREE_NONE
             ? G_MAXUINT64
             : self->planes->starts[self->planes->first_slot[self->plane] + slot];
}
