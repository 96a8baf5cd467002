/* pen-query-pair-causes.h: what stands differently in two recordings: keys, traced functions,
 * static calls, probes, BPF programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-pair.h"

G_BEGIN_DECLS

/* How a thing stood in one recording. */
typedef enum {
  PEN_PAIR_STAND_IS_UNKNOWN,
  PEN_PAIR_STAND_IS_ABSENT, /* its place is not there: another kernel, a module that is not loaded
                             */
  PEN_PAIR_STAND_IS_OFF,
  PEN_PAIR_STAND_IS_ON,
  PEN_PAIR_STAND_IS_BOTH, /* in turn */
  PEN_PAIR_STAND_STATES,
} PenPairStandState;

/* "unknown", "absent", "off", "on", "both": as in tables */
const char *pen_pair_stand_state_to_string (PenPairStandState state);

/* B against A. */
typedef enum {
  PEN_PAIR_STAND_SAME,
  PEN_PAIR_STAND_UNKNOWN, /* on one side */
  PEN_PAIR_STAND_NEW,     /* on at some time in B, and never in A */
  PEN_PAIR_STAND_GONE,    /* on at some time in A, and never in B */
  PEN_PAIR_STAND_MORE,    /* on for a larger part of the time in B */
  PEN_PAIR_STAND_LESS,
  PEN_PAIR_STANDS,
} PenPairStandVerdict;

/* "", "unknown", "new", "gone", "more", "less": as in tables */
const char *pen_pair_stand_to_string (PenPairStandVerdict verdict);

/* Parts of the time that differ by less are the same. */
#define PEN_PAIR_STAND_LEAST 0.01

/*
 * PenPairStand:
 * @state: over the recorded time under the filter
 * @on, @unknown: parts of that time, 0 to 1; NAN: not known, of a state that is that of the end
 * @flips: patches under the filter; of a program its loads and unloads
 * @sites: that were patched; of a program, how often it was there
 * @is_read: nothing was patched under the filter: the text says how it stands
 */
typedef struct {
  PenPairStandState state;
  double on;
  double unknown;
  guint64 flips;
  guint sites;
  gboolean is_read;
} PenPairStand;

/*
 * PenPairCause: a static key, a static call, a function that is traced or live-patched, a probe, a
 * BPF trampoline or dispatcher, or a BPF program
 * @cause: PEN_CAUSE_BPF of a program, too
 * @name: what for, see PenCauseRow; "": not known
 * @detail, @purpose: (nullable): see PenCauseRow
 * @symbol: (nullable), @offset, @kind, @occupant: (nullable): its first place
 * @function: (nullable): of @pairs: that with most samples of those that have its places
 * @rates: of all functions that have its places, on or off, see PenPairRow
 * @test: of rates, or of shares where rates cannot be compared; at the list's level
 */
typedef struct {
  PenCause cause;
  gboolean is_program;
  const char *name;
  const char *detail;
  const char *purpose;
  const char *symbol;
  guint64 offset;
  PenKind kind;
  const char *occupant;
  const PenPairRow *function;
  PenPairStand stands[2];
  PenPairStandVerdict verdict;
  PenRate rates[2];
  PenPairTest test;
} PenPairCause;

/* "static-key" …, "program": as in tables */
const char *pen_pair_cause_get_word (const PenPairCause *self);

/*
 * PenPairCauses:
 * @rows: (element-type PenPairCause): what stands differently first, then what is not known on one
 *   side; each by samples
 * @n_different: of them
 * @alpha: level of the tests: 5 % for all rows with samples together
 */
typedef struct {
  GPtrArray *rows;
  guint n_different;
  double alpha;
  PenNames *strings;
} PenPairCauses;

void pen_pair_causes_free (PenPairCauses *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairCauses, pen_pair_causes_free)

/*
 * pen_query_pair_causes:
 * @sources: those of @pairs
 *
 * What was patched under the filter in either recording, or stands there; what stands differently
 * in functions of @pairs without a recorded patch, and in others of one kernel whose text both have
 * as a whole; and BPF programs. Things are matched by their
 * names, never by an address; traced functions and BPF trampolines by function; keys and calls
 * without a name by a place that both have. Where one recording has no patch of a thing, its text
 * at the other one's places says how it stands.
 *
 * Cost: all pokes of both, sorted; the tenures of the kernel's space; for each thing of one
 * recording alone, a few bytes of the other's text.
 */
PenPairCauses *pen_query_pair_causes (const PenPairSource sources[2], const PenPairs *pairs,
                                      GError **error);

/* Writes a whole table. */
gboolean pen_query_write_pair_causes (const PenPairSource sources[2], PenTableWriter *writer,
                                      GError **error);
gboolean pen_query_write_pair_causes_of (const PenPairSource sources[2], const PenPairs *pairs,
                                         PenTableWriter *writer, GError **error);

G_END_DECLS
