/* pen-store-writer.h: writes a store, once, from beginning to end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-notes.h"
#include "pen-pack.h"
#include "pen-page-file.h"
#include "pen-poke.h"
#include "pen-source-line.h"
#include "pen-store-callchains.h"
#include "pen-store-functions.h"
#include "pen-store-outputs.h"
#include "pen-store-programs.h"
#include "pen-store-records.h"
#include "pen-store-samples.h"
#include "pen-store-sources.h"
#include "pen-store-spans.h"
#include "pen-store-stacks.h"
#include "pen-store-text.h"

G_BEGIN_DECLS

/*
 * PenStoreWriter: rows go to a file of another name beside the target, which takes the target's
 * name when all of it is on the disk. Until then nothing is seen of it; freed without
 * pen_store_writer_finish() it leaves nothing behind.
 *
 * Rows of one table are fastest in the order of their ids. Strings and bytes are not kept.
 */
typedef struct _PenStoreWriter PenStoreWriter;

/* @mode: permissions of the file, of which the umask takes away
 * @cancellable: (nullable): stops a long statement, too */
PenStoreWriter *pen_store_writer_new (const char *path, mode_t mode, GCancellable *cancellable,
                                      GError **error);
void pen_store_writer_free (PenStoreWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStoreWriter, pen_store_writer_free)

/*
 * pen_store_writer_new_pages:
 *
 * A store that is written in parts: each part begins with pen_store_writer_begin_part() (but the
 * first) and ends with pen_store_writer_publish(), and is a store of all that there is by then.
 * Rows stay from part to part, unless a row of the same id takes their place; but tables without an
 * id of the caller's (and facts, events, pokes, batches, kernel maps' text, sources) are empty
 * again, to be written for each part. Records of tasks stay.
 */
PenStoreWriter *pen_store_writer_new_pages (PenPageFile *pages, GCancellable *cancellable);
/* @cancellable: (nullable): of this part */
gboolean pen_store_writer_begin_part (PenStoreWriter *self, GCancellable *cancellable,
                                      GError **error);
/* Parts of tenures that were added so far stay. */
void pen_store_writer_settle_parts (PenStoreWriter *self);
/* Tenures of processes that are there, and ended at @from (ns) or later, are unverified from then
 * on, if they were not before. */
gboolean pen_store_writer_mark_unverified (PenStoreWriter *self, guint64 from, GError **error);
/* Symbols of all occupants go. */
gboolean pen_store_writer_clear_symbols (PenStoreWriter *self, GError **error);
/* Blocks of samples and buckets that are added from here on are not whole: they come once more in
 * the next part. */
gboolean pen_store_writer_begin_rest (PenStoreWriter *self, GError **error);
/* Returns: (transfer full): for pen_store_open_state(); NULL with @error: then it can only be freed
 */
PenPageState *pen_store_writer_publish (PenStoreWriter *self, GError **error);

/*
 * pen_store_writer_end:
 *
 * Builds the indexes, marks the store complete, and begins to put it on the disk, in a thread:
 * there is time to give up what the import held. Nothing can be added any more.
 */
gboolean pen_store_writer_end (PenStoreWriter *self, GError **error);
/* Waits until it is on the disk, and gives it its name. */
gboolean pen_store_writer_finish (PenStoreWriter *self, GError **error);

/* ---- facts ---- */

/* @value: NULL: the fact is not known, no row */
gboolean pen_store_writer_set_fact (PenStoreWriter *self, const char *key, const char *value,
                                    GError **error);
gboolean pen_store_writer_set_fact_int (PenStoreWriter *self, const char *key, guint64 value,
                                        GError **error);
/* Returns: (nullable): as it was set */
const char *pen_store_writer_get_fact (PenStoreWriter *self, const char *key);
/* Its id is kept. */
gboolean pen_store_writer_add_note (PenStoreWriter *self, const PenNote *note, GError **error);
gboolean pen_store_writer_add_file (PenStoreWriter *self, guint32 id, const char *name,
                                    GError **error);
/* Its tracepoint, too, if it has one. */
gboolean pen_store_writer_add_event (PenStoreWriter *self, guint32 id, const PenStoreEvent *event,
                                     GError **error);
gboolean pen_store_writer_add_record_count (PenStoreWriter *self, guint32 type, const char *name,
                                            guint64 records, GError **error);
/* @file: an id of pen_store_writer_add_file() */
gboolean pen_store_writer_add_problem (PenStoreWriter *self, const char *action, guint32 file,
                                       guint64 offset, const char *record, guint64 count,
                                       const char *reason, GError **error);
gboolean pen_store_writer_add_loss (PenStoreWriter *self, const PenLoss *loss, GError **error);

/* ---- records, as recorded ---- */

typedef struct {
  PenOrigin origin;
  gboolean is_unload;
  guint32 bpf_id;
  guint8 tag[8];
} PenBpfEvent;

/*
 * PenTaskEvent:
 * @what: "fork", "exit", "comm", "exec"
 * @ppid, @ptid: of a fork and an exit, with @has_parent; @comm: of a comm and an exec, or NULL
 */
typedef struct {
  PenOrigin origin;
  const char *what;
  gint32 pid;
  gint32 tid;
  gboolean has_parent;
  gint32 ppid;
  gint32 ptid;
  const char *comm;
} PenTaskEvent;

/* @module: as recorded; NULL: not known */
typedef struct {
  PenOrigin origin;
  gboolean is_free;
  const char *module;
} PenModuleEvent;

gboolean pen_store_writer_add_module_event (PenStoreWriter *self, const PenModuleEvent *event,
                                            GError **error);
/* Its function has to be there. */
gboolean pen_store_writer_add_output (PenStoreWriter *self, const PenBpfOutput *output,
                                      GError **error);
gboolean pen_store_writer_add_reading (PenStoreWriter *self, const PenReading *reading,
                                       GError **error);
gboolean pen_store_writer_add_map (PenStoreWriter *self, const PenMapEvent *map, GError **error);
gboolean pen_store_writer_add_ksymbol (PenStoreWriter *self, const PenKsymbolEvent *ksymbol,
                                       GError **error);
gboolean pen_store_writer_add_poke (PenStoreWriter *self, const PenPoke *poke, GError **error);
/* Rows of text_poke name their batches. */
gboolean pen_store_writer_add_batch (PenStoreWriter *self, const PenBatch *batch, GError **error);
gboolean pen_store_writer_add_bpf_event (PenStoreWriter *self, const PenBpfEvent *event,
                                         GError **error);
gboolean pen_store_writer_add_bpf_program (PenStoreWriter *self, const PenStoredBpfProgram *program,
                                           GError **error);
gboolean pen_store_writer_add_bpf_function (PenStoreWriter *self,
                                            const PenStoredBpfFunction *function, GError **error);
gboolean pen_store_writer_add_bpf_metadata (PenStoreWriter *self,
                                            const PenStoredBpfMetadata *metadata, GError **error);
gboolean pen_store_writer_add_bpf_line (PenStoreWriter *self, const PenStoredBpfLine *line,
                                        GError **error);
gboolean pen_store_writer_add_btf (PenStoreWriter *self, guint32 id, GBytes *bytes, GError **error);
gboolean pen_store_writer_add_build_id (PenStoreWriter *self, const PenStoredBuildId *build_id,
                                        GError **error);
gboolean pen_store_writer_add_task (PenStoreWriter *self, const PenTaskEvent *task, GError **error);

/* ---- what was found out ---- */

gboolean pen_store_writer_add_space (PenStoreWriter *self, const PenSpace *space, GError **error);
gboolean pen_store_writer_add_tenure (PenStoreWriter *self, const PenTenure *tenure,
                                      GError **error);
/* Only for tenures that were cut: one that was not is its own only part. */
gboolean pen_store_writer_add_part (PenStoreWriter *self, const PenPart *part, GError **error);
gboolean pen_store_writer_add_text (PenStoreWriter *self, const PenStoredText *text,
                                    GError **error);

gboolean pen_store_writer_add_source_file (PenStoreWriter *self, guint32 id, const char *path,
                                           GError **error);
gboolean pen_store_writer_add_inlined_function (PenStoreWriter *self, guint32 id, const char *name,
                                                GError **error);
/* @id: from 1, none twice. @lines: at least one, and at most PEN_FUNCTION_LINES_MAX, by offset */
gboolean pen_store_writer_add_source_lines (PenStoreWriter *self, guint32 id, guint32 function,
                                            const PenFunctionLines *lines, GError **error);

/* Text of a file that names code of user space. @texts: by their starts, which are as in the file;
 * of one evidence and source; no tenure has them */
gboolean pen_store_writer_add_file_texts (PenStoreWriter *self, guint32 name_file,
                                          const PenStoredText *texts, guint n, GError **error);

typedef struct {
  guint64 start;
  guint64 end;
  const char *name;
} PenStoreSymbol;

/* Names of one occupant, packed as the store keeps them. */
typedef struct {
  char *occupant;
  guint n;
  GBytes *bytes;
} PenSymbolPack;

/* Packing needs no writer, and may be done in any thread.
 * Returns: (transfer full) (element-type PenSymbolPack) */
GArray *pen_symbol_packs_new (void);

/* @symbols: of @occupant, by start */
void pen_symbol_packs_add (GArray *packs, const char *occupant, const PenStoreSymbol *symbols,
                           guint n);

gboolean pen_store_writer_add_symbol_packs (PenStoreWriter *self, GArray *packs, GError **error);

gboolean pen_store_writer_add_thread (PenStoreWriter *self, guint32 id, const PenThread *thread,
                                      GError **error);
gboolean pen_store_writer_add_source (PenStoreWriter *self, const PenStoreSource *source,
                                      GError **error);
gboolean pen_store_writer_add_found_file (PenStoreWriter *self, const PenStoreFoundFile *file,
                                          GError **error);
gboolean pen_store_writer_add_absent_file (PenStoreWriter *self, const char *path, GError **error);
gboolean pen_store_writer_add_name_file (PenStoreWriter *self, const PenStoreNameFile *file,
                                         GError **error);
/* @bias: see pen_store_get_bias() */
gboolean pen_store_writer_add_named_tenure (PenStoreWriter *self, guint32 tenure, guint32 name_file,
                                            guint64 bias, GError **error);
gboolean pen_store_writer_add_function (PenStoreWriter *self, const PenFunction *function,
                                        GError **error);

/* (nullable); the writer's */
GCancellable *pen_store_writer_get_cancellable (PenStoreWriter *self);

/* Buckets, blocks, spans and chains that are added from now on are of @population: at first,
 * samples. Frames are of both. May be set again, and goes on where it was. */
gboolean pen_store_writer_set_population (PenStoreWriter *self, PenPopulation population,
                                          GError **error);

/*
 * One block of buckets, PEN_BLOCK_BUCKETS at most, with their ids and functions, in the order of
 * function, address, tenure, revision, event, id. All blocks together have every id from 0 to the
 * greatest once.
 */
gboolean pen_store_writer_add_buckets (PenStoreWriter *self, const PenBucket *buckets, guint n,
                                       GError **error);

/* Such a block, packed in some other thread. */
typedef struct {
  guint64 first_function;
  guint64 last_function;
  guint64 first_id;
  guint64 last_id;
  guint64 n;
  guint8 *bytes; /* owned */
  gsize length;
} PenPackedBuckets;

/* @packed: (out) */
void pen_packed_buckets_pack (PenPackedBuckets *packed, const PenBucket *buckets, guint n,
                              PenPacker *packer);
void pen_packed_buckets_clear (PenPackedBuckets *packed);
gboolean pen_store_writer_add_packed_buckets (PenStoreWriter *self, const PenPackedBuckets *packed,
                                              GError **error);

#define PEN_BLOCK_FRAMES 65536

/* Frames in the order of their ids, from 0, PEN_BLOCK_FRAMES at a time, but for the last. Symbol,
 * offset and occupant are not read. */
gboolean pen_store_writer_add_frames (PenStoreWriter *self, guint32 first, const PenFrame *frames,
                                      guint n, GError **error);

/* Such a block, packed in some other thread. */
typedef struct {
  guint n;
  guint8 *bytes; /* owned */
  gsize length;
} PenPackedFrames;

/* @packed: (out) */
void pen_packed_frames_pack (PenPackedFrames *packed, const PenFrame *frames, guint n,
                             PenPacker *packer);
void pen_packed_frames_clear (PenPackedFrames *packed);
gboolean pen_store_writer_add_packed_frames (PenStoreWriter *self, guint32 first,
                                             const PenPackedFrames *packed, GError **error);

/* Chains in the order of their ids, from 1, PEN_BLOCK_CHAINS at a time, but for the last. */
gboolean pen_store_writer_add_chains (PenStoreWriter *self, guint32 first,
                                      const PenChainNode *nodes, guint n, GError **error);

/* Stacks in the order of their ids, from 1, PEN_BLOCK_STACKS at a time, but for the last. */
gboolean pen_store_writer_add_stacks (PenStoreWriter *self, guint32 first,
                                      const PenStoredStack *stacks, guint n, GError **error);
/* @cells: span->n of them; @stacks: theirs, by id */
gboolean pen_store_writer_add_stack_span (PenStoreWriter *self, const PenStackSpan *span,
                                          const PenStackCell *cells, const PenStoredStack *stacks,
                                          GError **error);

#define PEN_PAYLOAD_MAX 65536u

/* Payloads of samples [@first, @first + @n) of @block, one after the other in @bytes.
 * @lengths: plus 1; 0: the sample has none */
gboolean pen_store_writer_add_payloads (PenStoreWriter *self, guint64 block, guint first,
                                        const guint32 *lengths, guint n, const guint8 *bytes,
                                        gsize n_bytes, GError **error);

/* Blocks come in the order of the sample table. The samples are taken out of @block, and packed
 * while the caller fills it again. */
gboolean pen_store_writer_add_block (PenStoreWriter *self, PenSampleBlock *block, GError **error);

/* ---- spans: see pen-span-piece.h ---- */

typedef struct _PenSpanPiece PenSpanPiece;

/* A piece as pen_span_piece_pack() leaves it. */
typedef struct {
  guint32 first_function;
  guint32 last_function;
  guint8 *bytes; /* owned */
  gsize length;
} PenPackedPiece;

/* Returns: an id for a span, before its pieces are written and the span itself. Others may be
 * written between them. */
guint32 pen_store_writer_begin_span (PenStoreWriter *self);

/* @counts: as pen_store_read_span_tiles() gives them; @functions: (element-type PenSpanFunction):
 * of all its pieces; @span: its id is of pen_store_writer_begin_span() */
gboolean pen_store_writer_add_span (PenStoreWriter *self, const PenStoreSpan *span,
                                    const guint32 *counts, const GArray *functions, GError **error);

/* @id: (out): for pen_store_writer_read_span_piece() */
gboolean pen_store_writer_add_span_piece (PenStoreWriter *self, guint32 span,
                                          const PenPackedPiece *piece, guint64 *id, GError **error);
gboolean pen_store_writer_read_span_piece (PenStoreWriter *self, guint64 id, PenSpanPiece *piece,
                                           GError **error);

G_END_DECLS
