/* pen-planes.h: the parts of tenures by where they are looked up
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-count-below.h"
#include "pen-end-tree.h"
#include "pen-cancel-check.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/*
 * A plane is address × time as one lookup sees it: the kernel's maps, its ksymbols, or one process
 * space. In a plane no two parts that live at the same time have the same start.
 */
#define PEN_PLANE_KERNEL_MAPS 0u
#define PEN_PLANE_KSYMBOLS 1u

static inline guint
pen_plane_of (guint32 space, PenLayer layer)
{
  if (space == PEN_SPACE_KERNEL)
    return layer == PEN_LAYER_KSYMBOL ? PEN_PLANE_KSYMBOLS : PEN_PLANE_KERNEL_MAPS;
  return space + 1;
}

/*
 * PenPlanes: a slot is a start at which parts of a plane begin. Slots ascend within a plane.
 */
typedef struct {
  guint n_planes;
  const PenPart *parts;
  guint n_parts;
  guint32 *order;      /* parts by plane and start */
  guint32 *first;      /* per plane and one more: into order */
  guint32 *slot;       /* per part: within its plane */
  guint64 *starts;     /* of all slots */
  guint32 *first_slot; /* per plane and one more: into starts */
  PenEndTree **ends;   /* per plane: of its parts, made when first asked for, by any thread */
} PenPlanes;

/* @tenures, @parts: finished; parts stay where they are as long as the planes do.
 * Returns: FALSE: stopped */
gboolean pen_planes_init (PenPlanes *self, GArray *tenures, GArray *parts, guint n_spaces,
                          PenCancelCheck *check);
void pen_planes_clear (PenPlanes *self);

/* Which part of @plane held @address just before @moment: of those that did, the one that starts
 * nearest. Returns: (nullable) */
const PenPart *pen_planes_find (PenPlanes *self, guint plane, guint64 address, PenMoment moment);

/* Returns: FALSE: stop */
typedef gboolean (*PenPartFunc) (const PenPart *part, gpointer user_data);
/* Calls @func for the parts of @plane that ever hold @address, the nearest start first. Returns:
 * FALSE: there were more than @max */
gboolean pen_planes_foreach (PenPlanes *self, guint plane, guint64 address, guint max,
                             PenPartFunc func, gpointer user_data);

static inline guint
pen_planes_count_slots (const PenPlanes *self, guint plane)
{
  return self->first_slot[plane + 1] - self->first_slot[plane];
}

/* How many slots of @plane start at or below @address. */
static inline guint
pen_planes_count_below (const PenPlanes *self, guint plane, guint64 address)
{
  return pen_count_below (&self->starts[self->first_slot[plane]],
                          pen_planes_count_slots (self, plane), address);
}

G_END_DECLS
