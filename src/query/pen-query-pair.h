/* pen-query-pair.h: two recordings: what got slower
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-names.h"
#include "pen-query-compare.h"
#include "pen-store-functions.h"

G_BEGIN_DECLS

/*
 * PenPairSource: one of two recordings; the first is A, the second B
 * @filter: (nullable): with its time in that recording's own clock
 * @name: (nullable): a file's, for headings
 */
typedef struct {
  PenQuery *query;
  const PenFilter *filter;
  const char *name;
} PenPairSource;

/* Why samples per second of A and B do not mean the same. */
typedef enum {
  PEN_PAIR_COMPARABLE,
  PEN_PAIR_NO_TIME,       /* one has no samples with a time */
  PEN_PAIR_OTHER_EVENTS,  /* their samples are of other events */
  PEN_PAIR_SEVERAL_RATES, /* of several events, whose sampling rates do not differ by one factor */
  PEN_PAIR_OTHER_MODES,   /* one by frequency, the other by period, or not known */
  PEN_PAIR_OTHER_SCOPES,  /* one of all CPUs, the other of some tasks */
  PEN_PAIR_OTHER_CHAINS,  /* of call paths only: see PenPairs */
  PEN_PAIR_OBSTACLES,
} PenPairObstacle;

/* "", "no time", "other events" …: as in tables */
const char *pen_pair_obstacle_to_string (PenPairObstacle obstacle);
/* A sentence, translated; NULL of PEN_PAIR_COMPARABLE */
const char *pen_pair_obstacle_describe (PenPairObstacle obstacle);

/* Whose samples a recording has. */
typedef enum {
  PEN_PAIR_SCOPE_UNKNOWN,
  PEN_PAIR_SCOPE_CPUS,
  PEN_PAIR_SCOPE_TASKS,
} PenPairScope;

/*
 * PenPairSide: how one was recorded
 * @samples: under the filter
 * @lost: at least so many samples and records are missing in the whole recording
 * @seconds: from the first to the last sample, within the filter's time
 * @n_cpus: that were recorded, and pass the filter; 0: not known
 * @sampling: (nullable): “cpu-clock, 2999 Hz”: of each event with samples
 * @release: (nullable): of its kernel
 */
typedef struct {
  guint64 samples;
  guint64 lost;
  double seconds;
  guint n_cpus;
  PenPairScope scope;
  char *sampling;
  char *release;
} PenPairSide;

/* "slower": more samples per second in B. Empty: no significant difference, or not known. */
typedef enum {
  PEN_PAIR_UNSURE,
  PEN_PAIR_SLOWER,
  PEN_PAIR_FASTER,
  PEN_PAIR_NEW,  /* no samples in A */
  PEN_PAIR_GONE, /* no samples in B */
  PEN_PAIR_VERDICTS,
} PenPairVerdict;

/* "", "slower" …: as in tables */
const char *pen_pair_verdict_to_string (PenPairVerdict verdict);

/*
 * PenPairTest: of B against A
 * @test: its interval is that of the list's level
 * @least: how much they differ at least, in samples per second or as a share; 0 where @verdict is
 *   unsure
 */
typedef struct {
  PenRateTest test;
  PenPairVerdict verdict;
  double least;
} PenPairTest;

/* The text of one function against that of the other. */
typedef enum {
  PEN_PAIR_TEXT_NONE,    /* one recording is not known to have it */
  PEN_PAIR_TEXT_UNKNOWN, /* not all bytes are known */
  PEN_PAIR_TEXT_SAME,    /* but for addresses */
  PEN_PAIR_TEXT_PATCHED, /* but for places that the kernel patches, which stand differently */
  PEN_PAIR_TEXT_DIFFERS,
  PEN_PAIR_TEXTS,
} PenPairTextState;

/* "", "unknown", "same", "patched", "differs": as in tables */
const char *pen_pair_text_state_to_string (PenPairTextState state);

/*
 * PenPairRow: functions of one name in one occupant
 * @symbol: (nullable); @occupant: fit to be compared: a file without its directory, a program
 *   without its tag
 * @symbols, @occupants: (nullable elements): the same of each recording
 * @is_renamed: two names, but the text is the same, and no other function has it; or they differ by
 *   what compilers append
 * @functions: of each side, the ids; no address decides which. Those without samples come last
 * @found: (nullable elements): where there are none: of the kernel or a module, the function of
 * that name, which has neither samples nor changes there; of no length: there are several
 * @text: of the function with most samples on each side, as of the end of the filter's time, or of
 *   the last time before it that the function was there
 * @n_changed: instructions that differ, of both; @causes: bit per PenCause: of places that stand
 *   differently
 * @rates: per second, as A was sampled: see PenPairs
 * @share_low, @share_high: 95 % intervals of the rates' shares
 */
typedef struct {
  PenKind kind;
  const char *occupant;
  const char *symbol;
  const char *symbols[2];
  const char *occupants[2];
  gboolean is_renamed;
  GArray *functions[2]; /* (element-type guint32): most samples first */
  PenFunction *found[2];
  PenPairTextState text;
  guint n_changed;
  guint32 causes;
  PenRate rates[2];
  double share_low[2];
  double share_high[2];
  PenPairTest rate;
  PenPairTest share;
} PenPairRow;

/*
 * PenPairSite: a place of a function that stands differently in both by a patch
 * @offsets: from the start of the function whose text is compared
 * @is_on: there is something else than a no-op
 * @pokes: ids of the patches that brought what is there; 0: none was recorded
 */
typedef struct {
  const PenPairRow *row;
  PenCause cause;
  guint64 offsets[2];
  gboolean is_on[2];
  guint32 pokes[2];
} PenPairSite;

/*
 * PenPairs:
 * @factor: seconds of B times this is a time in which B would have as many samples as A has in that
 *   many seconds, were it as fast: by the sampling rates, and by the CPUs where all of them were
 *   recorded. NAN with an @obstacle. PenRate's seconds of B are multiplied by it
 * @factor_of_rate, @factor_of_cpus: the parts of it
 * @alpha: level of each test: 5 % for all rows with samples together (Bonferroni), so that with 95
 * % not one is said to differ where none does
 * @rows: (element-type PenPairRow): sure differences first, the largest @least first; then by
 *   samples. Differences are those of rates; with an @obstacle, those of shares
 * @n_different: rows with such a verdict
 * @sites: (element-type PenPairSite)
 * @has_same_chains: samples of both have callchains, or of the same events, as far as the same
 *   levels; else what called a function counts on one side and not on the other
 */
typedef struct {
  PenPairSide sides[2];
  PenPairObstacle obstacle;
  double factor;
  double factor_of_rate;
  double factor_of_cpus;
  double alpha;
  GPtrArray *rows;
  guint n_different;
  GArray *sites;
  gboolean has_same_chains;
  PenNames *strings;
} PenPairs;

void pen_pairs_free (PenPairs *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairs, pen_pairs_free)

/* What the order of rows, and their colour, is of. */
static inline const PenPairTest *
pen_pairs_get_test (const PenPairs *self, const PenPairRow *row)
{
  return self->obstacle == PEN_PAIR_COMPARABLE ? &row->rate : &row->share;
}

/*
 * pen_query_pair:
 *
 * Functions with samples under the filter in A or B, and those without whose texts stand
 * differently where changes under the filter were made, matched by occupant and name: the kernel is
 * the kernel whatever its build, a module goes by its name, a file by its name without directory, a
 * BPF program by its name without tag; where a recording has several programs of one name, by the
 * names of their functions, too. Several functions of one name are one row. Never by an address.
 *
 * Functions that only one recording has, but whose text only one function of the other has, are
 * renamed; and those whose names are the same but for what compilers append ("foo.isra.0").
 *
 * Strings of rows are owned by the result. Cost: pen_query_functions() twice, and for each row two
 * tests and the bytes of both texts. What cancels either store cancels it.
 */
PenPairs *pen_query_pair (const PenPairSource sources[2], GError **error);

/* Rows that are called @symbol, in the list or in one of the recordings.
 * Returns: (transfer container) (element-type PenPairRow): not empty */
GPtrArray *pen_pairs_find (const PenPairs *self, const PenPairSource sources[2], const char *symbol,
                           GError **error);

/* The filter of @source for the functions of @row alone, by kind, names and occupants: for
 * pictures.
 * @side: which source it is. Returns: (nullable) (transfer full): NULL: one has no name */
PenFilter *pen_pair_row_new_filter (const PenPairSource *source, const PenPairRow *row, guint side);

/* Writes a whole table. */
gboolean pen_query_write_pair (const PenPairSource sources[2], PenTableWriter *writer,
                               GError **error);
/* The same of an answer. @pairs: of @sources */
gboolean pen_query_write_pair_of (const PenPairSource sources[2], const PenPairs *pairs,
                                  PenTableWriter *writer, GError **error);

G_END_DECLS
