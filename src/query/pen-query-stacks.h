/* pen-query-stacks.h: stacks of samples: what they are merged into, places in them, who called whom
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"
#include "pen-table.h"

G_BEGIN_DECLS

/*
 * The stack of a sample is its own place (the leaf) and what called it, from the nearest caller to
 * the outermost frame, each as of the sample's time. Where the recorded chain began with another
 * address than the sample's (PEN_SAMPLE_CHAIN_IS_WHOLE), the stack is the chain alone, as `samples
 * --callchain` has it. A sample without a callchain has a leaf, and callers that are not known: in
 * a stack these are one frame, of the group PEN_STACK_UNRECORDED.
 */

/* Frames of one function and loads of one name are one, or all of an occupant, or of a source file
 * of it. */
typedef enum {
  PEN_STACK_BY_FUNCTION, /* equal symbol, kind and occupant */
  PEN_STACK_BY_OCCUPANT, /* equal kind and occupant */
  PEN_STACK_BY_FILE,     /* equal source file, kind and occupant */
  PEN_STACK_GROUPINGS,
} PenStackGrouping;

gboolean pen_stack_grouping_from_string (const char *word, PenStackGrouping *grouping);

/* How much a stack counts. Both are in every answer; this one decides order and shares. */
typedef enum {
  PEN_STACK_SAMPLES,
  PEN_STACK_PERIOD,  /* sum of periods */
  PEN_STACK_BOTH,    /* samples of both stretches, of a question that has two */
  PEN_STACK_OFF_CPU, /* ns off CPU: the periods of waits, of a query about these */
} PenStackMeasure;

/* @after: samples of the second stretch, where a question has two; else 0 */
typedef struct {
  guint64 samples;
  guint64 period;
  guint64 after;
} PenStackCount;

static inline gboolean
pen_stack_count_is_zero (PenStackCount count)
{
  return count.samples == 0 && count.after == 0;
}

static inline guint64
pen_stack_count_get (PenStackCount count, PenStackMeasure measure)
{
  return measure == PEN_STACK_PERIOD || measure == PEN_STACK_OFF_CPU ? count.period
         : measure == PEN_STACK_BOTH                                 ? count.samples + count.after
                                                                     : count.samples;
}

/*
 * PenStackGroup: what frames are merged into
 * @symbol: NULL where it is not known, and of an occupant; of PEN_STACK_BY_FILE the source file's
 *   path, as the compiler was called, or "" where no file is known; owned by the store
 * @occupant: "" where it is not known; owned by the store
 * @function: id of that with most samples; G_MAXUINT32: none, as for PEN_STACK_UNRECORDED
 */
typedef struct {
  const char *symbol;
  const char *occupant;
  PenKind kind;
  guint32 function;
} PenStackGroup;

/* The group of callers that were not recorded. */
#define PEN_STACK_UNRECORDED 0u
#define PEN_STACK_NO_GROUP G_MAXUINT32

/* All groups, owned by the query and kept: an index means the same as long as it lives. The first
 * is PEN_STACK_UNRECORDED. Cost: one step for each function, the first time. */
const PenStackGroup *pen_query_get_stack_groups (PenQuery *self, PenStackGrouping grouping,
                                                 guint *n, GError **error);
/* G_MAXUINT32 where @function is none. */
guint32 pen_query_get_stack_group (PenQuery *self, PenStackGrouping grouping, guint32 function,
                                   GError **error);

/* Its name as folded stacks have it: the symbol; or the occupant without its directory, in
 * brackets; or [unknown]. The same in all languages. */
char *pen_stack_group_get_name (const PenStackGroup *group);

/* The parts of a place that are asked for: a frame, or a leaf, has to have all of them. */
typedef enum {
  PEN_STACK_PLACE_GROUP = 1 << 0,
  PEN_STACK_PLACE_FUNCTION = 1 << 1,
  PEN_STACK_PLACE_RANGE = 1 << 2, /* addresses, of whatever space */
  PEN_STACK_PLACE_TENURE = 1 << 3,
  PEN_STACK_PLACE_PROGRAM = 1 << 4,  /* a BPF program's id */
  PEN_STACK_PLACE_REVISION = 1 << 5, /* of the byte; 0: the original */
  PEN_STACK_PLACE_POKE = 1 << 6,     /* bytes as this poke left them */
  PEN_STACK_PLACE_BEFORE = 1 << 7,   /* with POKE: as it found them */
} PenStackPlaceParts;

/*
 * PenStackPlace: a place that stacks go through. Zeroed: no place at all.
 * @parts: PEN_STACK_PLACE_…
 * @group: of @grouping
 * @start, @end: [start, end). A frame that a call returns to is at the byte before that address:
 * in the call
 * @poke: id
 */
typedef struct {
  guint parts;
  PenStackGrouping grouping;
  guint32 group;
  guint32 function;
  guint64 start;
  guint64 end;
  guint32 tenure;
  guint32 bpf_id;
  guint32 revision;
  guint32 poke;
} PenStackPlace;

/*
 * pen_query_find_stack_place:
 * @target: a function's name; SYMBOL+OFFSET or 0xADDRESS: the instruction there, of the kernel's
 *   space, or of any for an address
 *
 * A name that several functions have means all of them that are merged with the one that has most
 * samples.
 */
gboolean pen_query_find_stack_place (PenQuery *self, const char *target, PenStackPlace *place,
                                     GError **error);

/*
 * pen_query_select_stack_text:
 * @place: a group of functions or a range of addresses, of the kernel's space
 * @moment: the text is that just before it
 * @filter: narrowed to the stretch around @moment in which no byte of the place changed, nor who
 *   held it: the same as that of pen_query_instants()
 * @from, @to: (out): that stretch alone, its last ns included
 *
 * Fails with PEN_QUERY_ERROR_NOT_FOUND where the place did not stand anywhere then.
 * Cost: pen_query_text_at() for each function.
 */
gboolean pen_query_select_stack_text (PenQuery *self, const PenStackPlace *place, PenMoment moment,
                                      PenFilter *filter, guint64 *from, guint64 *to,
                                      GError **error);

typedef enum {
  PEN_STACK_CALLERS,
  PEN_STACK_CALLEES,
  PEN_STACK_SIDES,
} PenStackSide;

/* Who stands next to a place. */
typedef enum {
  PEN_NEIGHBOUR_FRAME,
  PEN_NEIGHBOUR_NONE,       /* the place is the outermost frame, or the leaf */
  PEN_NEIGHBOUR_UNRECORDED, /* callers were not recorded */
} PenNeighbourKind;

/*
 * PenStackNeighbour: a direct caller or callee of a place
 * @group: of PEN_NEIGHBOUR_FRAME
 * @share: of the stacks through the place, 0–1, by the measure
 * @rate: samples per second of the stretch
 * @tenure, @revision, @poke: where versions are asked for: the text that the call was in, which is
 *   the caller's: @poke brought it, or 0. Of PEN_NEIGHBOUR_NONE and a leaf, the leaf's own. Else 0
 * @cause: of @poke
 * @first, @last: time of its first and last sample; 0 and 0: none of them has one
 */
typedef struct {
  PenNeighbourKind what;
  guint32 group;
  PenStackCount count;
  double share;
  double rate;
  guint32 tenure;
  guint32 revision;
  guint32 poke;
  PenCause cause;
  guint64 first;
  guint64 last;
} PenStackNeighbour;

/*
 * PenStackNeighbours:
 * @through: stacks through the place: of callers, from the innermost time that it is in the stack;
 *   of callees, from the outermost. So each stack counts once, and the rows add up to this
 * @own: of them, with the place as leaf
 * @total: all samples under the filter
 * @seconds: of the stretch: of the filter, or of all samples
 * @rows: (element-type PenStackNeighbour): most first
 */
typedef struct {
  const PenStackGroup *groups;
  guint n_groups;
  PenStackCount through;
  PenStackCount own;
  PenStackCount total;
  double seconds;
  GArray *rows;
} PenStackNeighbours;

void pen_stack_neighbours_free (PenStackNeighbours *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackNeighbours, pen_stack_neighbours_free)

/* @has_versions: a row for each text that a call was in: since which patch it calls */
typedef struct {
  PenStackPlace place;
  PenStackGrouping grouping;
  PenStackMeasure measure;
  gboolean has_versions;
} PenNeighbourQuestion;

/* Cost: as pen_query_flame() with a place. */
PenStackNeighbours *pen_query_stack_neighbours (PenQuery *self, const PenFilter *filter,
                                                const PenNeighbourQuestion *question,
                                                PenStackSide side, GError **error);
/* Both at once, which costs less. @sides: (out): by PenStackSide, for
 * pen_stack_neighbours_free() */
gboolean pen_query_stack_all_neighbours (PenQuery *self, const PenFilter *filter,
                                         const PenNeighbourQuestion *question,
                                         PenStackNeighbours *sides[PEN_STACK_SIDES],
                                         GError **error);

/* Writes a whole table. */
gboolean pen_query_write_neighbours_of (PenQuery *self, const PenFilter *filter,
                                        const PenStackPlace *place, PenStackSide side,
                                        PenStackGrouping grouping, PenStackMeasure measure,
                                        gboolean has_versions, PenTableWriter *writer,
                                        GError **error);
/* @target: for pen_query_find_stack_place(); @moment: (nullable): for pen_query_select_stack_text()
 */
gboolean pen_query_write_neighbours (PenQuery *self, const PenFilter *filter, const char *target,
                                     const PenMoment *moment, PenStackSide side,
                                     PenStackGrouping grouping, PenStackMeasure measure,
                                     gboolean has_versions, PenTableWriter *writer, GError **error);

/* What is put after a frame's name. */
typedef enum {
  PEN_FOLD_OCCUPANT = 1 << 0, /* " [kernel.kallsyms]" */
  PEN_FOLD_VERSION = 1 << 1,  /* "@2": revision of its byte; none for the original */
  PEN_FOLD_OFFSET = 1 << 2,   /* "+0x1c" */
  PEN_FOLD_CAUSE = 1 << 3,    /* " (ftrace)": of the patch that brought that version */
} PenFoldSuffixes;

/* Each stack once, most first: "comm;outermost;…;innermost N" and a line feed, as
 * stackcollapse-perf.pl writes it: spaces in comm are _, a ; in a name is :. */
gboolean pen_query_write_folded (PenQuery *self, const PenFilter *filter, PenStackGrouping grouping,
                                 PenStackMeasure measure, guint suffixes, GOutputStream *stream,
                                 GError **error);
/* The same stacks as rows: comm, samples, period, stack. */
gboolean pen_query_write_stacks (PenQuery *self, const PenFilter *filter, PenStackGrouping grouping,
                                 PenStackMeasure measure, guint suffixes, PenTableWriter *writer,
                                 GError **error);

G_END_DECLS
