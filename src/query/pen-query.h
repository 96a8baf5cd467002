/* pen-query.h: the questions that the window and the command line ask, answered from a store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-annotation.h"
#include "pen-filter.h"
#include "pen-store.h"
#include "pen-table.h"

G_BEGIN_DECLS

#define PEN_QUERY_ERROR (pen_query_error_quark ())
GQuark pen_query_error_quark (void);

typedef enum {
  PEN_QUERY_ERROR_NOT_FOUND, /* no such symbol or address in this capture; the message says what is
                                near */
  PEN_QUERY_ERROR_USAGE,     /* the question is malformed */
} PenQueryError;

/* One store with what queries keep of it. Use from one thread at a time. */
#define PEN_TYPE_QUERY (pen_query_get_type ())
G_DECLARE_FINAL_TYPE (PenQuery, pen_query, PEN, QUERY, GObject)

PenQuery *pen_query_new (PenStore *store);
PenStore *pen_query_get_store (PenQuery *self);

/*
 * What answers cost. Opening loads the functions and where blocks and spans are: nothing of it
 * grows with the samples but a few bytes per 65,536. Without a filter, or with one that functions
 * answer (kind, occupant, symbol, changed, cause), counts come from the functions. A stretch of
 * time costs what its two ends cost: at most eight spans for each level of spans, and eight blocks.
 * Filters by address or event load all buckets; those by cpu or task read every block of the
 * stretch.
 *
 * A stretch of time takes the samples that have a time in it: see pen-sample-walk.h.
 */

/* First and last time of the samples and timed changes, ns. FALSE: nothing has a time. Cost: the
 * spans of the highest level and a few changes, once. */
gboolean pen_query_get_time_range (PenQuery *self, guint64 *first, guint64 *last);
/* The same of the samples alone. */
gboolean pen_query_get_sample_time_range (PenQuery *self, guint64 *first, guint64 *last);

/* ---- tables: the same columns in the window's export and on the command line ---- */

/* Each writes a whole table; @filter may be NULL. */
gboolean pen_query_write_info (PenQuery *self, PenTableWriter *writer, GError **error);
/* The same, to be shown: a fact and the heading that it stands under. */
typedef struct {
  char *heading;
  char *fact;
  char *value;
} PenInfoFact;

/* Returns: (transfer full) (element-type PenInfoFact) */
GPtrArray *pen_query_load_info (PenQuery *self, GError **error);
gboolean pen_query_write_samples (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                  GError **error);
/* The same with more columns behind those of the sample table. */
typedef enum {
  PEN_SAMPLES_CALLCHAIN = 1 << 0, /* "callchain": a list of places, the sample's own first */
  PEN_SAMPLES_PAYLOAD = 1 << 1,   /* "payload": what a tracepoint or BPF program put into it */
  PEN_SAMPLES_BAND = 1 << 2,      /* "since", "until": ns to the nearest changes of that byte */
} PenSamplesColumns;

gboolean pen_query_write_wide_samples (PenQuery *self, const PenFilter *filter,
                                       PenSamplesColumns more, PenTableWriter *writer,
                                       GError **error);
gboolean pen_query_write_changes (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                  GError **error);
/* The same with columns behind: confidence, key, batch, sites, sentence. */
gboolean pen_query_write_batched_changes (PenQuery *self, const PenFilter *filter,
                                          PenTableWriter *writer, GError **error);
gboolean pen_query_write_functions (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                    GError **error);
gboolean pen_query_write_occupants (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                    GError **error);
/* The same with columns behind: bpf_id, bpf_type, bpf_name, bpf_tag. */
gboolean pen_query_write_programs (PenQuery *self, const PenFilter *filter, PenTableWriter *writer,
                                   GError **error);
/* "program 20 raw_a, socket_filter, tag 8a80def6a098fcba". Returns: (transfer full): NULL if it is
 * not known which program @tenure was, or with @error */
char *pen_query_describe_program (PenQuery *self, const PenTenure *tenure, GError **error);
/* @target: SYMBOL, or an address in hexadecimal ("0x…") */
gboolean pen_query_write_annotation (PenQuery *self, const PenFilter *filter, const char *target,
                                     PenSyntax syntax, PenTableWriter *writer, GError **error);
/* Only what stood at that moment; @at: for pen_query_parse_moment(), or NULL for all. */
gboolean pen_query_write_annotation_at (PenQuery *self, const PenFilter *filter, const char *target,
                                        const char *at, PenSyntax syntax, PenTableWriter *writer,
                                        GError **error);
/* @target: ADDRESS or SYMBOL+OFFSET */
gboolean pen_query_write_history (PenQuery *self, const PenFilter *filter, const char *target,
                                  PenSyntax syntax, PenTableWriter *writer, GError **error);
/* @band: ns, in place of PEN_BAND */
gboolean pen_query_write_history_with_band (PenQuery *self, const PenFilter *filter,
                                            const char *target, PenSyntax syntax, guint64 band,
                                            PenTableWriter *writer, GError **error);

/* ---- batches: pokes that were one event ---- */

/* @n_matching: sites that the filter leaves: all or some of batch.n_sites */
typedef struct {
  PenBatch batch;
  guint32 n_matching;
} PenBatchRow;

/*
 * Batches of which the filter leaves a poke, in time order; which that are is as in
 * pen_query_write_changes(). Without a filter nothing but the table of batches is read; else all
 * changes are. Returns: (transfer full) (element-type PenBatchRow): strings owned by the store
 */
GArray *pen_query_batches (PenQuery *self, const PenFilter *filter, GError **error);

/* One by its id, or NULL; owned by the store. */
const PenBatch *pen_query_get_batch (PenQuery *self, guint32 id, GError **error);

/* ---- functions ---- */

/* Whether what is of that kind stands at one address in the kernel's space, for all. */
gboolean pen_query_is_kernel_kind (PenKind kind);

/* A function with the counts that the filter leaves; @share: of all samples that it leaves, 0–1. */
typedef struct {
  PenFunction function;
  double share;
} PenFunctionRow;

/* Functions with samples or changes under @filter, most samples first. Changes are counted anew,
 * one by one, where the filter asks for a time, cpu, task, cause or address. Returns: (transfer
 * full) (element-type PenFunctionRow): strings owned by the store */
GArray *pen_query_functions (PenQuery *self, const PenFilter *filter, guint64 *total_samples,
                             GError **error);

/* ---- annotation ---- */

/*
 * PenAnnotated: a function's text over time
 * @function: its id
 * @lines: (element-type PenAnnotationLine), by address, then time
 * @tenures: (element-type PenTenure) that its lines name. Code of a file is the same for all that
 *   mapped it: then it is one, PEN_SHARED_TENURE, from when the first had it until the last
 * @jumps: (element-type PenAnnotatedJump), @calls: (element-type PenAnnotatedCall): by line
 * @moments: (element-type PenMoment): when some line came or went, each once, in order
 * @hot: (element-type guint): lines with samples, most samples first
 */
#define PEN_SHARED_TENURE G_MAXUINT32

typedef struct {
  guint32 function;
  char *symbol;
  char *occupant;
  PenKind kind;
  guint64 start;
  guint64 end;
  guint64 samples;
  guint64 total_samples; /* under the filter, of the whole capture */
  GPtrArray *lines;
  GArray *tenures;
  GArray *pokes; /* (element-type PenStoredPoke), in time order */
  GArray *jumps;
  GArray *calls;
  GArray *moments;
  GArray *hot;
} PenAnnotated;

/* A line that jumps within the function, and the one that stands at its target when it begins to
 * stand: at other times pen_annotated_find_line() tells which. */
typedef struct {
  guint line;
  guint target;
  guint64 address;
} PenAnnotatedJump;

/* A line that leads out of the function. @function: what was at @address when the line began to
 * stand; G_MAXUINT32 where that has neither samples nor changes: pen_query_text_at() shows it. */
typedef struct {
  guint line;
  guint64 address;
  guint32 function;
} PenAnnotatedCall;

void pen_annotated_free (PenAnnotated *annotated);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenAnnotated, pen_annotated_free)

/* The line that began at @address and stood just before @moment; G_MAXUINT: none. O(log n) and the
 * versions of the address. */
guint pen_annotated_find_line (const PenAnnotated *annotated, guint64 address, PenMoment moment);

/* The nearest of its moments that is after @moment, or before it. FALSE: there is none. */
gboolean pen_annotated_find_change (const PenAnnotated *annotated, PenMoment moment,
                                    gboolean forward, PenMoment *change);

/* Leaves the lines that stood just before @moment; samples are those of all of their time. */
void pen_annotated_keep (PenAnnotated *annotated, PenMoment moment);

/* @function: id, as pen_query_functions() gives it. Cost: the buckets of that function and of
 * others in its range; with a stretch of time, of each span at its ends the piece that has them,
 * and two blocks at most for each bucket's first and last sample in it. */
PenAnnotated *pen_query_annotate (PenQuery *self, const PenFilter *filter, guint32 function,
                                  PenSyntax syntax, GError **error);
/*
 * The same of whatever held @address of the kernel's space just before @moment, over all time, also
 * where no samples and no changes were recorded: then @function of it is G_MAXUINT32. The whole
 * symbol, or where none is known a stretch from the address on, which has to be an instruction's.
 */
PenAnnotated *pen_query_annotate_at (PenQuery *self, const PenFilter *filter, guint64 address,
                                     PenMoment moment, PenSyntax syntax, GError **error);

/* Where a name or an address leads. @function: G_MAXUINT32 without @has_function: then
 * pen_query_annotate_at() shows @address. @is_line: one place of it was asked for */
typedef struct {
  gboolean has_function;
  guint32 function;
  guint64 address;
  gboolean is_line;
} PenTextTarget;

/* @text: SYMBOL, SYMBOL+OFFSET or "0x…", as of just before @moment; of functions of that name the
 * one with most samples. */
gboolean pen_query_look_up (PenQuery *self, const char *text, PenMoment moment,
                            PenTextTarget *target, GError **error);

/* SYMBOL or "0x…": several functions where a name or an address had several.
 * Returns: (transfer full) (element-type guint32): function ids, most samples first */
GArray *pen_query_find_functions (PenQuery *self, const char *target, GError **error);

/* ---- text as of a time ---- */

/*
 * pen_query_parse_moment:
 * @text: seconds as perf prints them, per cent of the capture ("30%"), "start" (the initial state)
 * or "end". What happened at that very time is done by then; with "-" behind it, it is not yet.
 */
gboolean pen_query_parse_moment (PenQuery *self, const char *text, PenMoment *moment,
                                 GError **error);

/* What one tenure held of it: of a symbol, where that is known. @tenure: its id is 0 where nothing
 * is known there. Strings are owned by the store. */
typedef struct {
  guint64 start;
  guint64 end;
  PenTenure tenure;
  const char *symbol; /* or NULL */
  guint64 symbol_start;
  guint first_line;
  guint end_line;
} PenTextStretch;

/*
 * PenTextAt: a range of the kernel's addresses as it was just before @moment
 * @stretches: (element-type PenTextStretch): by address; all of the range
 * @lines: (element-type PenAnnotationLine): by address. @offset is from the start of the symbol, or
 *   else of the stretch; @from and @to tell since and until when all bytes of a line were as they
 *   are. The first of a stretch may begin before it. A line without bytes stands for those that are
 *   not known. Versions, revisions and samples are not counted
 * @bytes, @known: @end - @start of them; @known: 1 where a byte is known
 */
typedef struct {
  guint64 start;
  guint64 end;
  PenMoment moment;
  GArray *stretches;
  GPtrArray *lines;
  guint8 *bytes;
  guint8 *known;
} PenTextAt;

void pen_text_at_free (PenTextAt *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTextAt, pen_text_at_free)

/*
 * pen_query_text_at:
 * @start, @end: at most PEN_ANNOTATION_MAX bytes
 * @tenure: what this one held of it; 0: whoever
 *
 * Cost: the range, the tenures in it, and a few searches for each site in it that was poked,
 * however often that was.
 */
PenTextAt *pen_query_text_at (PenQuery *self, guint64 start, guint64 end, guint32 tenure,
                              PenMoment moment, PenSyntax syntax, GError **error);

/* Some code that stood somewhere at a moment. */
typedef struct {
  guint64 start;
  guint64 end;
  guint32 tenure;
} PenTextRange;

/*
 * pen_query_find_text:
 * @target: SYMBOL, SYMBOL+OFFSET (from there on), or "0x…" (the whole symbol that held it, unless
 *   @length is given)
 * @length: bytes; 0: to the symbol's end
 *
 * Functions of that name just before @moment, also those without samples or changes.
 * Returns: (transfer full) (element-type PenTextRange): not empty
 */
GArray *pen_query_find_text (PenQuery *self, const char *target, guint64 length, PenMoment moment,
                             GError **error);

/* @at: for pen_query_parse_moment() */
gboolean pen_query_write_text (PenQuery *self, const char *target, guint64 length, const char *at,
                               PenSyntax syntax, PenTableWriter *writer, GError **error);
/* The bytes themselves, one range after the other. Fails where one is not known. */
gboolean pen_query_write_bytes (PenQuery *self, const char *target, guint64 length, const char *at,
                                GOutputStream *stream, GError **error);

/* ---- patch history of one byte ---- */

/*
 * PenHistoryRow: one tenure and revision of a byte, in time order.
 * @instruction, @before_instruction: of this version, and of the one that it replaced (NULL for the
 *   first of a tenure)
 * @poke: id of the poke that brought it; 0: the beginning of a tenure
 * @why: what makes the cause so, a sentence; @key: the static key's or static call's name, or NULL
 * @batch: id, or 0; @n_sites: that were patched together, in that batch; @sentence: what it did
 */
typedef struct {
  PenMoment from;
  PenMoment to;
  PenKind kind;
  char *occupant;
  char *program; /* pen_query_describe_program(), or NULL */
  char *symbol;
  guint64 offset;
  guint32 tenure;
  guint32 revision;
  PenBound from_bound;
  PenBound to_bound;
  guint8 bytes[16];
  guint8 n_bytes;
  char *instruction;
  guint8 before_bytes[16];
  guint8 n_before_bytes;
  char *before_instruction;
  guint32 poke;
  PenCause cause;
  PenConfidence confidence;
  char *reason;
  char *why;
  char *key;
  guint32 batch;
  guint32 n_sites;
  char *sentence;
  gboolean breaks_chain;
  gint32 pid;
  gint32 tid;
  guint32 cpu;
  char *comm;
  guint64 samples;
  guint64 period;
  guint64 near_from; /* of them, those no further than the band behind its beginning */
  guint64 near_to;   /* and before its end; 0 where the capture does not bound it */
  double share;      /* of the samples of all rows, 0–1 */
  double rate;       /* samples per second of its span; NAN where the span has no length */
  PenEvidence evidence;
  const char *bytes_source; /* what gave bytes that were not recorded, or NULL */
  gboolean is_unverified;   /* side-band records were lost in its span: a change may be missing */
} PenHistoryRow;

/*
 * The band: a poke is recorded while a breakpoint guards the site, and memory is freed after a
 * grace period (semantics.md, P4 and K5). So near a change it is not sure to which side a sample
 * belongs.
 */
#define PEN_BAND 1000000u /* ns */

/* Cost: the buckets of functions around the address; those of the whole process space for an
 * address that the kernel does not have; and the blocks within a band of a row's ends.
 * Returns: (transfer full) (element-type PenHistoryRow) */
GPtrArray *pen_query_history (PenQuery *self, const PenFilter *filter, guint64 address,
                              PenSyntax syntax, GError **error);
/* @band: ns, in place of PEN_BAND */
GPtrArray *pen_query_history_with_band (PenQuery *self, const PenFilter *filter, guint64 address,
                                        PenSyntax syntax, guint64 band, GError **error);

/* "SYMBOL+0x1c", "SYMBOL", "0x…" → address */
gboolean pen_query_resolve (PenQuery *self, const char *target, guint64 *address, GError **error);

/* ---- overview ---- */

/* Pokes of one cause that fall into one step, or are a batch of which no more can be seen; @poke
 * and @address are those of the first. @batch: id of the batch that all of them are of; 0: none, or
 * several. @symbol, @offset: the function of the first; NULL: none is known; owned by the store. */
typedef struct {
  guint64 first;
  guint64 last;
  guint64 address;
  guint32 poke;
  guint32 count;
  guint32 batch;
  PenCause cause;
  const char *symbol;
  guint64 offset;
} PenPatchMark;

/*
 * PenOverview: what the timeline draws for [@from, @to) in @n_bins equal steps
 * @samples: n_bins × PEN_KINDS counts; bin b, kind k at [b * PEN_KINDS + k]
 * @marks: (element-type PenPatchMark): pokes in the range, by their first time. A batch is one mark
 * while it takes less than PEN_BATCH_STEPS; longer, its pokes are marked step by step
 */
#define PEN_BATCH_STEPS 12
typedef struct {
  guint64 from;
  guint64 to;
  guint n_bins;
  guint32 *samples;
  guint32 max_in_bin;
  guint64 total;
  GArray *marks;
} PenOverview;

void pen_overview_free (PenOverview *overview);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenOverview, pen_overview_free)

/*
 * The filter's time is not applied (the overview shows what it selects from); the rest is.
 *
 * Samples of a span's tile, which is no wider than a bin, are drawn in the bin where the tile
 * begins: some are one bin early, none is lost, none is there twice, and what is left and right of
 * [@from,
 * @to) is not in it. Where no span has such narrow tiles, every sample is in its own bin. Cost: a
 * span or two for each level, a block at each end; at the deepest zoom the blocks of [@from, @to),
 * of which there are then about @n_bins / 128 at most.
 */
PenOverview *pen_query_overview (PenQuery *self, const PenFilter *filter, guint64 from, guint64 to,
                                 guint n_bins, GError **error);

/* One CPU or process in PenTaskBins. @comm: of a process, as it was called last, or NULL: owned by
 * the store. @samples: in the stretch; where not all blocks were read, about so many. */
typedef struct {
  gint64 number;
  const char *comm;
  guint64 samples;
} PenTaskTotal;

/*
 * PenTaskBins: samples of each CPU, or of the busiest processes, for [@from, @to) in @n_bins steps
 * @rows: (element-type PenTaskTotal): CPUs by number, processes by samples
 * @counts: row r, bin b at [r * n_bins + b]
 * @max: of one row in one bin
 * @n_left_out: CPUs or processes that have samples but no row
 * @stride: one block in so many was read; it stands for those that follow it
 */
typedef struct {
  guint64 from;
  guint64 to;
  guint n_bins;
  GArray *rows;
  guint32 *counts;
  guint32 max;
  guint n_left_out;
  guint stride;
} PenTaskBins;

void pen_task_bins_free (PenTaskBins *bins);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTaskBins, pen_task_bins_free)

typedef enum {
  PEN_TASKS_BY_CPU,
  PEN_TASKS_BY_PROCESS,
} PenTaskKey;

/*
 * The filter's time is not applied. Which CPU a sample is of is told by the sample alone: at most
 * @n_blocks blocks of the stretch are read (some 2 ms each), evenly; zooming in makes it exact.
 * @n_rows: most rows
 */
PenTaskBins *pen_query_task_bins (PenQuery *self, const PenFilter *filter, PenTaskKey key,
                                  guint64 from, guint64 to, guint n_bins, guint n_rows,
                                  guint n_blocks, GError **error);

/* Samples under the filter, and of the whole capture. Cost: of spans, nothing is read. */
gboolean pen_query_count (PenQuery *self, const PenFilter *filter, guint64 *matching,
                          guint64 *total, GError **error);

/* Samples of the given addresses' slots by time: for the strips of annotation lines. Bins and cost
 * are as in pen_query_overview(), but that pieces of spans are read; and each moment at which
 * samples of one revision pass from one line to another costs two more ends.
 * @counts: (out caller-allocates): n_lines × n_bins; line i of @annotated at [i * n_bins] */
gboolean pen_query_strips (PenQuery *self, const PenFilter *filter, const PenAnnotated *annotated,
                           guint64 from, guint64 to, guint n_bins, guint32 *counts, GError **error);

/* Samples of a line within a band of its ends; 0 at an end that the capture does not bound. */
typedef struct {
  guint64 near_from;
  guint64 near_to;
} PenBandCount;

/*
 * pen_query_count_bands: for each line of an annotation, samples that may belong to the text before
 * or after it (see PEN_BAND)
 * @counts: (out caller-allocates): as many as @annotated has lines
 *
 * Cost: the function's buckets; the blocks within @band ns of an end of a line, or, where these are
 * many, all between the first and the last.
 */
gboolean pen_query_count_bands (PenQuery *self, const PenFilter *filter,
                                const PenAnnotated *annotated, guint64 band, PenBandCount *counts,
                                GError **error);

/* ---- bars for the lane of dynamic text, and losses ---- */

/* One tenure of the kernel space that is not core kernel. Strings owned by the store. */
typedef struct {
  PenTenure tenure;
  guint lane; /* tenures whose addresses overlap share a lane: re-use shows as bars in one row */
  guint64 samples;
} PenBar;

/* Returns: (transfer full) (element-type PenBar), by from; @n_lanes: (out) */
GArray *pen_query_bars (PenQuery *self, guint *n_lanes, GError **error);
/* Gives bars that come from elsewhere their lanes. @bars: (element-type PenBar). Returns: how many
 * lanes */
guint pen_query_place_bars (GArray *bars);

G_END_DECLS
