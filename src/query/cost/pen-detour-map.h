/* pen-detour-map.h: which stacks are in a detour, and of which patch
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke-sites.h"
#include "pen-query-cost.h"
#include "pen-stack-index.h"

G_BEGIN_DECLS

typedef struct _PenDetourMap PenDetourMap;

/*
 * PenDetour:
 * @poke: index in the sites' pokes: the patch that led there; G_MAXUINT: not known which
 * @cause: of the patch, or as the code tells
 */
typedef struct {
  guint poke;
  PenCause cause;
  PenCostPart part;
} PenDetour;

/* @sites: all pokes; outlives the map. Cost: one step for each frame and each callchain. */
PenDetourMap *pen_detour_map_new (PenStackIndex *index, const PenPokeSites *sites, GError **error);
void pen_detour_map_free (PenDetourMap *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenDetourMap, pen_detour_map_free)

/* FALSE: the sample is not in a detour. */
gboolean pen_detour_map_find (const PenDetourMap *self, const PenSampleBlock *block, guint row,
                              PenDetour *detour);

/* Does a patch lead into a detour? */
gboolean pen_poke_is_detour (const PenPoke *poke);
/* Did the site lead into one before it? */
gboolean pen_poke_ends_detour (const PenPoke *poke);

G_END_DECLS
