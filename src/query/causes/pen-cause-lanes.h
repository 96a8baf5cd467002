/* pen-cause-lanes.h: when sites were on, off, or unknown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke-sites.h"
#include "pen-query-causes.h"

G_BEGIN_DECLS

#define PEN_NO_POKE G_MAXUINT

/*
 * PenSiteStretch: of one site, from one of its pokes to the next, or a part of that
 * @owner: index of the patch that left it so, or that ends it; of a stretch that is on
 * @before, @after: indexes of the pokes around it; PEN_NO_POKE: there is none
 */
typedef struct {
  PenCauseStretch stretch;
  guint owner;
  guint before;
  guint after;
} PenSiteStretch;

typedef void (*PenSiteFunc) (const PenSiteStretch *stretch, gpointer user_data);

/* Losses of a store that may have had pokes. */
typedef struct {
  GArray *losses; /* PenLoss, by from; none within another */
} PenPokeLosses;

gboolean pen_poke_losses_init (PenPokeLosses *self, PenQuery *query, GError **error);
void pen_poke_losses_clear (PenPokeLosses *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenPokeLosses, pen_poke_losses_clear)

/* @tenure: (nullable): of the site. Cost: of each poke of the site, a search for losses. */
void pen_site_foreach_stretch (const PenPokeSites *sites, guint site, const PenTenure *tenure,
                               const PenPokeLosses *losses, PenSiteFunc func, gpointer user_data);

/* Appends to a lane that begins at index @first of @stretches (element-type PenCauseStretch); like
 * stretches that touch become one. PEN_CAUSE_NONE, and what is empty, is left out. */
void pen_lane_append (GArray *stretches, guint first, PenCauseStretch stretch);

/* Appends to @stretches the largest state of all @parts (element-type PenCauseStretch) at each
 * time.
 */
void pen_lane_append_union (GArray *stretches, GArray *parts);

G_END_DECLS
