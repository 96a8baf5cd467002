/* pen-patches.h: how often each byte of a tenure has been patched (rules P1–P3)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-count-below.h"
#include "pen-end-tree.h"
#include "pen-cancel-check.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/* The part of one tenure that one patch covered. A patch that straddles tenures has several. */
typedef struct {
  PenMoment moment;
  guint64 start;
  guint64 end;
  guint32 tenure;
  guint32 first_edge; /* in PenPatches.edges: the pieces [first_edge, end_edge) are its own */
  guint32 end_edge;
} PenPatch;

/* Patches of the very same bytes of one tenure. */
typedef struct {
  guint64 start;
  guint64 end;
  guint32 first; /* in PenPatches.moments */
  guint32 n;
} PenPatchSite;

/*
 * PenPatches:
 * @edges: of each tenure, every address at which its revision may change, ascending; from one edge
 * to the next all bytes have the same revision at any time
 */
typedef struct {
  guint n_tenures;
  GArray *patches; /* PenPatch, in time order */
  guint64 *edges;  /* NULL before pen_patches_finish() */
  guint n_edges;
  guint32 *first_edge; /* by tenure id: into edges; n_tenures + 2 of them */
  GArray *sites;       /* PenPatchSite, by tenure, start and end */
  guint32 *first_site; /* by tenure id: into sites; n_tenures + 2 of them */
  PenMoment *moments;
  PenEndTree *site_ends;
} PenPatches;

void pen_patches_init (PenPatches *self);
void pen_patches_clear (PenPatches *self);

/* P2: what @poke did, by its bytes. */
PenPokeEffect pen_patches_get_effect (const PenPoke *poke);

/* In time order. */
void pen_patches_add (PenPatches *self, PenMoment moment, guint32 tenure, guint64 start,
                      guint64 end);
/* Returns: FALSE: stopped */
gboolean pen_patches_finish (PenPatches *self, guint n_tenures, PenCancelCheck *check);

/* How many patches of @tenure covered @address before @moment. O(log n) for each different range of
 * bytes that was patched over @address. */
guint32 pen_patches_count (const PenPatches *self, guint32 tenure, guint64 address,
                           PenMoment moment);

#define PEN_PATCHES_NONE G_MAXUINT32

/* The edge at or below @address in @tenure, or PEN_PATCHES_NONE where no patch ever came near. */
static inline guint32
pen_patches_find_edge (const PenPatches *self, guint32 tenure, guint64 address)
{
  guint32 first = self->first_edge[tenure];
  guint32 n = self->first_edge[tenure + 1] - first;

  n = pen_count_below (self->edges + first, n, address);
  return n == 0 ? PEN_PATCHES_NONE : first + n - 1;
}

/* Adds one patch to @counts, which has an element for each edge. As many steps as edges in it, of
 * which there are no more than bytes in the record. */
static inline void
pen_patches_apply (const PenPatch *patch, guint32 *counts)
{
  for (guint32 edge = patch->first_edge; edge < patch->end_edge; edge++)
    counts[edge]++;
}

G_END_DECLS
