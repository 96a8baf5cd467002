/* pen-cause-leaves.h: patches, by what they are for and where: the leaves of the tree of causes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cause-lanes.h"
#include "pen-cause-names.h"

G_BEGIN_DECLS

/* A cause with a key, task or function. Strings are those of the store, of the names, or of
 * @programs and @purposes: words that its patches have, each once; NULL: none */
typedef struct {
  PenCause cause;
  const char *name;
  gboolean is_place;
  guint32 function; /* by function; or PEN_POKE_NO_FUNCTION */
  GPtrArray *programs;
  GPtrArray *purposes;
} PenCauseGroup;

/* One of these at one site. @flips: indexes of PenCauseLeaves.flips; @cost: 0, until
 * pen_cause_costs_new() */
typedef struct {
  guint32 group;
  guint32 site;
  guint32 function; /* or PEN_POKE_NO_FUNCTION */
  guint first_flip;
  guint n_flips;
  guint first_stretch;
  guint n_stretches;
  guint32 cost;
} PenCauseLeaf;

#define PEN_NO_LEAF G_MAXUINT32

/*
 * PenCauseLeaves:
 * @window: half-open: the filter's time, in the recording's
 * @groups: (element-type PenCauseGroup)
 * @leaves: (element-type PenCauseLeaf): those with a flip in the window, or that are on in it
 * @leaf_of: of each poke: an index of @leaves, or PEN_NO_LEAF; until these are sorted
 * @flips: (element-type guint32): indexes of pokes, by leaf, then by id
 * @stretches: (element-type PenCauseStretch)
 * @strings: names that were made
 */
typedef struct {
  PenQuery *query;
  PenPokeSites *sites;
  PenCauseNames *names;
  PenCauseStretch window;
  GArray *groups;
  GArray *leaves;
  guint32 *leaf_of;
  GArray *flips;
  GArray *stretches;
  GStringChunk *strings;
} PenCauseLeaves;

PenCauseLeaves *pen_cause_leaves_new (PenQuery *query, const PenFilter *filter,
                                      PenCauseGrouping grouping, GError **error);
void pen_cause_leaves_free (PenCauseLeaves *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenCauseLeaves, pen_cause_leaves_free)

G_END_DECLS
