/* pen-text-places.h: which text stood at instructions: what brought it, for how long, its digest
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke-sites.h"

G_BEGIN_DECLS

/*
 * PenTextPlace: a byte of the kernel's space at a revision
 * @start, @end: of the function that it is in; @end 0: not known
 * @seen: a moment at which this revision was there
 * Found out:
 * @poke: index in PenPokeSites.pokes of the patch that brought it, plus one; 0: it was there first
 * @from, @to: when its patch came, and the next one; START, END: as long as the tenure lasts
 * @digest: with @has_digest: PenNamedBucket.version
 */
typedef struct {
  guint32 tenure;
  guint32 revision;
  guint64 address;
  guint64 start;
  guint64 end;
  PenMoment seen;
  guint poke;
  PenMoment from;
  PenMoment to;
  guint64 digest;
  gboolean has_digest;
} PenTextPlace;

/* By tenure, address, revision. */
int pen_text_place_compare (gconstpointer a, gconstpointer b);

/*
 * pen_text_places_find:
 * @places: (element-type PenTextPlace): sorted as above, no two alike
 *
 * Finds out the rest of each. Cost: the bytes of all pokes, sorted places, and the text of each
 * page that has places.
 */
gboolean pen_text_places_find (PenQuery *query, const PenPokeSites *sites, GArray *places,
                               GError **error);

G_END_DECLS
