/* pen-pair-things.h: what is patched in one recording, and which BPF programs are there, fit to be
 * compared with another's
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cause-leaves.h"
#include "pen-pair-programs.h"
#include "pen-query-pair-causes.h"

G_BEGIN_DECLS

/*
 * PenPairSpot: a place that was patched
 * @occupant, @symbol: (nullable): as functions of both are called
 * @own_occupant, @own_symbol: (nullable): as recorded, of kernel and modules
 * @is_at_entry: its offset is not compared: what is before it depends on the build
 * @function: id, or PEN_POKE_NO_FUNCTION
 * @on, @off: what a patch left or found there; with @has_on, @has_off
 */
typedef struct {
  PenKind kind;
  const char *occupant;
  const char *symbol;
  const char *own_occupant;
  const char *own_symbol;
  guint64 offset;
  gboolean is_at_entry;
  guint32 function;
  gboolean has_on;
  gboolean has_off;
  PenPokeSide on;
  PenPokeSide off;
} PenPairSpot;

/*
 * PenPairThing: see PenPairCause
 * @key: things of two recordings with one key are the same
 * @is_place: it has no name of its own
 * @spots: (element-type PenPairSpot); of a program, none
 * @functions: (element-type guint32): ids, each once or more often
 */
typedef struct {
  const char *key;
  PenCause cause;
  gboolean is_program;
  gboolean is_place;
  const char *name;
  const char *detail;
  const char *purpose;
  GArray *spots;
  GArray *functions;
  GArray *parts; /* PenCauseStretch: when it was on, off or unknown */
  PenPairStand stand;
} PenPairThing;

/*
 * PenPairThings:
 * @things: (element-type PenPairThing); @by_key: the same, by key
 * @by_place: "cause place" → the first thing that has it
 * @window: the recorded time under the filter
 * @hidden_from: from when on records are lost that may have had patches; G_MAXUINT64: none are
 */
typedef struct {
  PenQuery *query;
  const PenFilter *filter;
  PenNames *names;
  PenCauseLeaves *leaves;
  GPtrArray *things;
  GHashTable *by_key;
  GHashTable *by_place;
  PenCauseStretch window;
  guint64 hidden_from;
} PenPairThings;

/* @names: of both recordings, outlives it; @programs: of this one. Cost: see
 * pen_query_pair_causes() */
PenPairThings *pen_pair_things_new (const PenPairSource *source, const PenPairPrograms *programs,
                                    PenNames *names, GError **error);
void pen_pair_things_free (PenPairThings *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairThings, pen_pair_things_free)

/* Whether that is where patches of @cause are at a function's entry: what ftrace and BPF patch is
 * its first instruction, or that after a landing. */
gboolean pen_pair_is_entry (PenCause cause, guint64 offset);

/* The key of @spot's place under @cause. Returns: owned by @names; NULL: it has no name */
const char *pen_pair_spot_get_place (const PenPairSpot *spot, PenCause cause, PenNames *names);

G_END_DECLS
