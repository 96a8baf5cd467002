/* pen-query-private.h: what the questions share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-bucket-functions.h"
#include "pen-matcher.h"
#include "pen-query.h"
#include "pen-span-tree.h"

G_BEGIN_DECLS

/* One function's own range of kernel addresses (K3: its length may be more); sorted by start. */
typedef struct {
  guint64 start;
  guint64 end;
  guint64 max_end; /* of this one and those before it */
  guint32 function;
} PenFunctionRange;

/* ns; both included */
typedef struct {
  gboolean has_any;
  guint64 first;
  guint64 last;
} PenTimeRange;

/*
 * What is kept of a store. Opening loads the functions and how blocks and spans lie: neither grows
 * with the samples. The rest is loaded when a question needs it.
 *
 * @n_samples: of all functions
 * @ranges: (element-type PenFunctionRange)
 * @unranged: (element-type guint32): ids of the other functions
 * @buckets, @threads: NULL until pen_query_load_buckets(), pen_query_load_threads()
 * @ticks: NULL until pen_query_load_ticks()
 * @spare_block, @spare_rows: of the walk before, for the next one
 */
struct _PenQuery {
  GObject parent_instance;

  PenStore *store;
  gboolean is_loaded;
  const PenFunction *functions;
  guint n_functions;
  guint64 n_samples;
  GPtrArray *events;
  GArray *ranges;
  GArray *unranged;
  PenSpanTree tree;
  guint n_buckets;
  PenBucketFunctions *bucket_functions;

  const PenBucket *buckets;
  const PenThread *threads;
  guint n_threads;
  GArray *ticks;
  GHashTable *ksymbol_ends; /* tenure → guint64 *: where its own bytes end */
  GHashTable *places; /* of buckets of functions that a text map asked for: pen-map-placer.c */
  guint n_places;
  PenSampleBlock *spare_block;
  guint32 *spare_rows;

  gboolean is_range_known;
  PenTimeRange range;
  gboolean is_sample_range_known;
  PenTimeRange sample_range;
};

/* Loads what is small; the first call does it. */
gboolean pen_query_load (PenQuery *self, GError **error);

/* All buckets. Cost: 80 bytes and some 100 ns for each; for questions that every bucket's address
 * or event has to be looked at for. */
gboolean pen_query_load_buckets (PenQuery *self, GError **error);
gboolean pen_query_load_threads (PenQuery *self, GError **error);
/* (element-type PenPokeTick), by time. Cost: one row per poke, the first time. */
gboolean pen_query_load_ticks (PenQuery *self, GError **error);
/* Index of the first tick at @time or later; they have to be loaded. */
guint pen_query_find_tick (PenQuery *self, guint64 time);

/* NULL where a bucket names none. */
static inline const PenFunction *
pen_query_get_function (PenQuery *self, guint32 id)
{
  return id < self->n_functions ? &self->functions[id] : NULL;
}

/* Functions of the kernel space that hold a byte of [@start, @end). */
typedef void (*PenFunctionFunc) (const PenFunction *function, gpointer user_data);
void pen_query_foreach_function_in (PenQuery *self, guint64 start, guint64 end,
                                    PenFunctionFunc func, gpointer user_data);

/* Functions without such a range: of processes, and those that stand for all that an occupant
 * held. @kernel: those only whose samples may be in the kernel's space. */
void pen_query_foreach_unranged (PenQuery *self, gboolean kernel, PenFunctionFunc func,
                                 gpointer user_data);

/* Did a runtime make it (U6)? Then its addresses are those of one process. */
gboolean pen_query_is_jit (const PenFunction *function);
/* Does a function have text that can be shown? */
gboolean pen_query_has_text (const PenFunction *function);
/* The function, and those that samples in its range may be of: other occupants of its bytes.
 * Returns: (transfer full) (element-type guint32) */
GArray *pen_query_list_functions_near (PenQuery *self, guint32 function);

/* ---- who held one byte ---- */

/* A tenure's turn at one byte, by the two layers' lookup: a tenure may have several. */
typedef struct {
  PenTenure tenure;
  PenMoment from;
  PenMoment to;
} PenHolding;

/* Returns: (transfer full) (element-type PenHolding): in time order, without overlap */
GArray *pen_query_find_holdings (PenQuery *self, guint32 space, guint64 address, GError **error);

/* What one tenure held of a range at one moment; its id is 0 where nothing is known there. */
typedef struct {
  guint64 start;
  guint64 end;
  PenTenure tenure;
} PenHolder;

/* @moment: just before it
 * Returns: (transfer full) (element-type PenHolder): all of [@start, @end), by address */
GArray *pen_query_find_holders (PenQuery *self, guint32 space, guint64 start, guint64 end,
                                PenMoment moment, GError **error);

/* The symbol that @address belongs to in @tenure: the tenure itself for a ksymbol. */
gboolean pen_query_find_symbol (PenQuery *self, const PenTenure *tenure, guint64 address,
                                const char **name, guint64 *start, guint64 *end);

/* ---- text and lines ---- */

/* @function: of the store, or made up (id G_MAXUINT32) for text that no samples are in. */
PenAnnotated *pen_query_annotate_function (PenQuery *self, const PenFilter *filter,
                                           const PenFunction *function, PenSyntax syntax,
                                           GError **error);
/* Finds out what lines lead to, when they change, and which are hot. */
void pen_annotated_index (PenAnnotated *annotated, PenQuery *query);

/* What annotating one range after the other needs, kept between them. */
typedef struct {
  PenQuery *query;
  PenDecoder *decoder;
  GHashTable *targets; /* PenTarget */
} PenAnnotator;

PenAnnotator *pen_annotator_new (PenQuery *query, PenSyntax syntax, GError **error);
void pen_annotator_free (PenAnnotator *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenAnnotator, pen_annotator_free)

/*
 * pen_annotator_build:
 * @tenures: (element-type PenTenure): each with the times of its turn
 * @buckets: (element-type PenBucket)
 *
 * Lines of [@start, @end), by address, then time; each tenure is decoded from where its own
 * instructions begin.
 */
GPtrArray *pen_annotator_build (PenAnnotator *self, guint64 start, guint64 end, GArray *tenures,
                                GArray *buckets, GError **error);

/*
 * PenTextRead: the text of one tenure at one moment
 * @lines: (element-type PenAnnotationLine): what stood there; empty where machine code cannot be
 *   read
 * @known: 1 for each of the bytes that is known
 * @is_site: 1 where a poke begins
 */
typedef struct {
  GPtrArray *lines;
  guint8 *bytes;
  guint8 *known;
  guint8 *is_site;
} PenTextRead;

void pen_text_read_clear (PenTextRead *read);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenTextRead, pen_text_read_clear)

/*
 * pen_annotator_read_at:
 * @tenure: what it held of [@start, @end)
 * @read: (out): cleared also on failure
 *
 * Just before @moment. Cost: the range, twice, and a few searches for each site that was poked.
 */
gboolean pen_annotator_read_at (PenAnnotator *self, const PenTenure *tenure, guint64 start,
                                guint64 end, PenMoment moment, PenTextRead *read, GError **error);

/* "“vfs_reed” has neither samples nor changes …", with what is near. */
void pen_query_set_unknown_symbol (PenQuery *self, const char *name, GError **error);
/* SYMBOL+OFFSET taken apart. */
gboolean pen_query_split_offset (const char *target, char **symbol, guint64 *offset,
                                 GError **error);
/* Is it “0x…”? FALSE with @error: it begins like one. */
gboolean pen_query_parse_address (const char *target, guint64 *address, GError **error);

/*
 * pen_query_build_file_lines:
 * @function: a file names it
 * @buckets: (element-type PenBucket): of the function, at addresses as in the file; become those of
 *   PEN_SHARED_TENURE
 * @tenures: (element-type PenTenure): that had them; become one, PEN_SHARED_TENURE
 *
 * Returns: (transfer full) (nullable): NULL without @error where the store has no bytes of it: then
 * nothing was changed
 */
GPtrArray *pen_query_build_file_lines (PenQuery *self, const PenFunction *function,
                                       PenDecoder *decoder, GArray *buckets, GArray *tenures,
                                       GError **error);

/* "source": "dir/file.c:12". Listed: without its directories, and only where it is another than
 * that of the line @above. */
void pen_query_write_source (PenTableWriter *writer, const PenAnnotationLine *line);
/* "inlined": "list_add at kernel/sched/fair.c:88; …". Listed, "source" has that, too. */
void pen_query_write_inlined (PenTableWriter *writer, const PenAnnotationLine *line);
void pen_query_write_listed_source (PenTableWriter *writer, const PenAnnotationLine *line,
                                    const PenAnnotationLine *above);

/* Fills in from which lines of their source the lines were made, where the store knows. Its
 * function may be none: then programs are told all the same. */
gboolean pen_query_tell_source_lines (PenQuery *self, const PenAnnotated *annotated,
                                      GError **error);

/* ---- cells that several tables have ---- */

void pen_query_write_task (PenTableWriter *writer, gboolean has_task, gint32 pid, gint32 tid,
                           const char *comm);
void pen_query_write_cpu (PenTableWriter *writer, guint32 cpu);
/* "kind", "occupant": the occupant is empty for unknown. */
void pen_query_write_occupant (PenTableWriter *writer, PenKind kind, const char *occupant);
/* "from", "to": empty, in a table "start" and "end", where the capture does not bound them. */
void pen_query_write_span (PenTableWriter *writer, PenMoment from, gboolean is_bounded_below,
                           PenMoment to, gboolean is_bounded_above);
/* A loss of side-band records lies before @to in the tenure: a change may be missing. */
gboolean pen_query_is_unverified (const PenTenure *tenure, PenMoment to);
void pen_query_write_evidence (PenTableWriter *writer, PenEvidence evidence,
                               gboolean is_unverified);
/* @source: (nullable): what the bytes come from, in brackets */
void pen_query_write_evidence_of (PenTableWriter *writer, PenEvidence evidence, const char *source,
                                  gboolean is_unverified);
/* confidence, key, batch, sites: four cells; empty where @is_poke is FALSE */
void pen_query_write_cause (PenTableWriter *writer, gboolean is_poke, PenConfidence confidence,
                            const char *key, guint32 batch, guint32 n_sites);
void pen_query_write_text_or_empty (PenTableWriter *writer, const char *text);

G_END_DECLS
