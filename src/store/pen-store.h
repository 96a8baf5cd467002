/* pen-store.h: one imported capture on disk, read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-poke.h"
#include "pen-source-line.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

#define PEN_STORE_APPLICATION_ID 0x50454e54 /* "PENT", SQLite header bytes 68–71 */
#define PEN_STORE_VERSION 8                 /* user_version: a change of the schema counts it up */

#define PEN_STORE_ERROR (pen_store_error_quark ())
GQuark pen_store_error_quark (void);

typedef enum {
  PEN_STORE_ERROR_NOT_A_STORE,
  PEN_STORE_ERROR_NEWER, /* written by a newer Pentimento */
  PEN_STORE_ERROR_OLDER, /* a schema that this version no longer reads: import again */
  PEN_STORE_ERROR_UNFINISHED,
  PEN_STORE_ERROR_DAMAGED, /* SQLite or a block's checksum says so */
  PEN_STORE_ERROR_FAILED,
} PenStoreError;

/* Not safe to use from two threads at once: each thread opens its own. */
#define PEN_TYPE_STORE (pen_store_get_type ())
G_DECLARE_FINAL_TYPE (PenStore, pen_store, PEN, STORE, GObject)

/* TRUE if the file begins as an SQLite database with our application_id. */
gboolean pen_store_is_store (const char *path);

/* Opens read-only. */
PenStore *pen_store_open (const char *path, GError **error);
const char *pen_store_get_path (PenStore *self);

/* A running or later query of this store stops with G_IO_ERROR_CANCELLED when @cancellable is. */
void pen_store_set_cancellable (PenStore *self, GCancellable *cancellable);

/* ---- facts of the capture: table `capture`; keys are listed in docs/store.md ---- */

/* Returns: (nullable): owned by the store */
const char *pen_store_get_fact (PenStore *self, const char *key);
gint64 pen_store_get_fact_int (PenStore *self, const char *key, gint64 fallback);

/*
 * PenStoreEvent: fields of perf_event_attr, and
 * @ids: how many of the kernel's ids it has: one per CPU or task
 * @system, @format: of a tracepoint: for pen_tracepoint_new(); NULL where not recorded
 */
typedef struct {
  guint32 id;
  const char *name;
  guint32 type;
  guint32 size;
  guint64 config;
  guint64 flags;
  guint64 sample_type;
  guint64 read_format;
  guint64 period_or_frequency; /* a frequency if bit 10 of the flags is set */
  guint64 ids;
  guint64 samples;
  const char *system;
  const char *format;
} PenStoreEvent;

/* (element-type PenStoreEvent): index = PenBucket.event. Owned by the store. */
GPtrArray *pen_store_get_events (PenStore *self);

typedef struct {
  guint32 type;
  const char *name;
  guint64 records;
} PenRecordCount;

/* Returns: (transfer full) (element-type PenRecordCount): strings owned by the store */
GPtrArray *pen_store_load_record_counts (PenStore *self, GError **error);

typedef struct {
  const char *action; /* "repaired", "set aside", "ended" */
  guint32 file_id;
  const char *file;
  guint64 offset;
  const char *record; /* name of the record type, or NULL */
  guint64 count;
  const char *reason;
} PenStoreProblem;

/* Returns: (transfer full) (element-type PenStoreProblem): strings owned by the store */
GPtrArray *pen_store_load_problems (PenStore *self, GError **error);

/* Returns: (transfer full) (element-type PenLoss), sorted by from */
GArray *pen_store_load_losses (PenStore *self, GError **error);

/* ---- threads: who was running ---- */

typedef struct {
  gboolean has_task;
  gint32 pid;
  gint32 tid;
  const char *comm; /* "" where not known */
} PenThread;

/* All (pid, tid, comm) that samples name. Owned by the store, kept after the first call. */
const PenThread *pen_store_get_threads (PenStore *self, guint *n, GError **error);

/* ---- functions and buckets ---- */

/*
 * PenFunction: what `functions` lists: a symbol of one occupant at one address; or, where no symbol
 * is known, all that an occupant held (symbol NULL, start and length 0).
 * @changes: pokes, registers, unregisters and maps that touched its range
 * @versions: texts that stood there one after the other: one per tenure and one per patch
 * @name_file: (PenStoreNameFile) that named it, or 0. Then @start is an address as in that file,
 * and pen_store_get_offset() knows where the file was mapped
 * @linkage_name: as it stands in the file, where @symbol is made of it; else NULL
 */
typedef struct {
  guint32 id;
  const char *symbol;
  PenKind kind;
  const char *occupant; /* "" for unknown */
  guint64 start;
  guint64 length;
  guint64 samples;
  guint64 period;
  guint64 changes;
  guint64 versions;
  guint64 pokes; /* those of the changes that are text pokes */
  const char *linkage_name;
  guint32 name_file;
} PenFunction;

/*
 * PenStoreNameFile: a file that functions of user space have their names from
 * @occupant: whose code it names
 * @build_id: of the file that was mapped; @build_id_length 0: it has none
 * @source: which of its tables
 */
typedef struct {
  guint32 id; /* from 1 */
  const char *occupant;
  guint8 build_id[20];
  guint build_id_length;
  const char *path;
  const char *source;
  PenEvidence evidence;
} PenStoreNameFile;

/* What to add to an address in a tenure for the address in the file that names it, modulo 2^64; 0
 * where no file does. Asks for nothing: pen_store_get_functions() has to be called before. */
guint64 pen_store_get_bias (PenStore *self, const PenFunction *function, guint32 tenure);
/* Of an @address in @tenure that belongs to @function, which has a symbol. */
guint64 pen_store_get_offset (PenStore *self, const PenFunction *function, guint32 tenure,
                              guint64 address);

/*
 * PenStoreSource: a file that names or bytes of the kernel and its modules came from, or might have
 * @what: "kallsyms", "kcore", "modules", "vmlinux", "module"; "file": looked at, and another one's
 * @occupant: (nullable): of a module's file
 * @found: how
 * @build_id_length: 0: it has none, or is no ELF file
 * @moved: added to its addresses, modulo 2^64
 * @gives: what was taken from it: "names, bytes, sites, modules", or some of these; ""
 * @refused: (nullable): why it was not used
 */
typedef struct {
  guint32 id; /* from 1 */
  const char *what;
  const char *occupant;
  const char *path;
  const char *found;
  guint8 build_id[20];
  guint build_id_length;
  PenEvidence evidence;
  guint64 moved;
  const char *gives;
  const char *refused;
} PenStoreSource;

/* Returns: (transfer full) (element-type PenStoreSource): by id; strings owned by the store */
GArray *pen_store_load_sources (PenStore *self, GError **error);

/* PenStoreFoundFile: a file of this machine that was found and used: when it has changed, another
 * import may find something else. @changed: ns since 1970 */
typedef struct {
  const char *path;
  guint64 size;
  gint64 changed;
} PenStoreFoundFile;

/* Returns: (transfer full) (element-type PenStoreFoundFile): strings owned by the store */
GArray *pen_store_load_found_files (PenStore *self, GError **error);
/* Paths that were looked at and where nothing was.
 * Returns: (transfer full) (element-type utf8): its strings are the store's */
GPtrArray *pen_store_load_absent_files (PenStore *self, GError **error);

/* Element i has id i. Owned by the store, kept after the first call. */
const PenFunction *pen_store_get_functions (PenStore *self, guint *n, GError **error);

/*
 * A bucket's key (function, address, tenure, revision, event, kind) may be there more than once,
 * where an import had more of them than it keeps in memory: then they are to be added up.
 */
#define PEN_BLOCK_BUCKETS 8192

/* Ids are less than what this returns. */
guint32 pen_store_count_buckets (PenStore *self);

/* All buckets; element i has id i. Owned by the store, kept after the first call. Cost: 80 bytes
 * each. */
const PenBucket *pen_store_get_buckets (PenStore *self, guint *n, GError **error);

/* Function of each bucket: element i is that of the bucket with id i. Owned by the store, kept
 * after the first call. Cost: 4 bytes each. */
const guint32 *pen_store_get_bucket_functions (PenStore *self, guint *n, GError **error);

/* Buckets of one function, by address, tenure, revision, event, id within each block that has any;
 * reads nothing but those blocks.
 * Returns: (transfer full) (element-type PenBucket) */
GArray *pen_store_load_function_buckets (PenStore *self, guint32 function, GError **error);

/* ---- samples: columns in blocks, in the order of the sample table ---- */

#define PEN_BLOCK_SAMPLES 65536

typedef struct {
  guint n;
  guint64 *time;   /* as recorded */
  guint8 *has;     /* PEN_SAMPLE_… */
  guint32 *bucket; /* id, less than pen_store_count_buckets() */
  guint32 *thread; /* index of pen_store_get_threads() */
  guint32 *cpu;
  guint64 *period;
  guint32 *chain; /* id for pen_store_load_callchain(); 0: nothing called it */
} PenSampleBlock;

#define PEN_SAMPLE_HAS_TIME 1
#define PEN_SAMPLE_HAS_PERIOD 2
#define PEN_SAMPLE_HAS_CPU 4
#define PEN_SAMPLE_HAS_CHAIN 8       /* a callchain was recorded */
#define PEN_SAMPLE_HAS_PAYLOAD 32    /* for pen_store_read_payload() */
#define PEN_SAMPLE_CHAIN_IS_WHOLE 16 /* it did not begin with the sample's own address */

typedef struct {
  guint n;
  guint64 first; /* ns: smallest and largest time in it */
  guint64 last;
} PenBlockInfo;

/* Owned by the store. */
const PenBlockInfo *pen_store_get_blocks (PenStore *self, guint *n);

PenSampleBlock *pen_sample_block_new (void);
void pen_sample_block_free (PenSampleBlock *block);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSampleBlock, pen_sample_block_free)

/* Decodes block @index into @block, whose arrays are reused from call to call. */
gboolean pen_store_read_block (PenStore *self, guint index, PenSampleBlock *block, GError **error);
/* The columns has, time and bucket alone: half the cost. The others are left as they were. */
gboolean pen_store_read_block_places (PenStore *self, guint index, PenSampleBlock *block,
                                      GError **error);

/*
 * pen_store_read_payload:
 * @block, @index: of the sample, as in pen_store_read_block()
 * @bytes: (out) (transfer none): valid until the next call; NULL: the sample has none
 *
 * What a tracepoint or a BPF program (event bpf-output) put into the sample, as recorded: numbers
 * in it are in the recording machine's byte order (fact `byte_order`). A tracepoint's format is in
 * its event. Cost: a piece of 256 KiB unpacked, for all samples that it holds.
 */
gboolean pen_store_read_payload (PenStore *self, guint block, guint index, const guint8 **bytes,
                                 gsize *length, GError **error);

/* ---- spans: runs of blocks, counted in advance ---- */

#define PEN_SPAN_TILES 2048

/*
 * PenStoreSpan: a run of blocks, or of spans of the level below
 * @level: from 1; the spans of a level hold all blocks, in order, and each span of a lower level
 *   lies in one of the next
 * @samples: those with a time that is neither 0 nor all ones; all that is counted here
 * @first, @last: ns: their smallest and largest time; 0 and 0 without samples
 * @shift: time is cut into tiles that are 2^@shift ns wide and begin at multiples of that
 */
typedef struct {
  guint32 id;
  guint level;
  guint first_block;
  guint n_blocks;
  guint64 samples;
  guint64 first;
  guint64 last;
  guint shift;
} PenStoreSpan;

/* The number of the tile of @span in which @time lies. At most PEN_SPAN_TILES. */
static inline guint64
pen_store_span_get_tile (const PenStoreSpan *span, guint64 time)
{
  return (time >> span->shift) - (span->first >> span->shift);
}

static inline guint
pen_store_span_get_n_tiles (const PenStoreSpan *span)
{
  return (guint) pen_store_span_get_tile (span, span->last) + 1;
}

/* When tile @tile begins, ns. */
static inline guint64
pen_store_span_get_tile_start (const PenStoreSpan *span, guint tile)
{
  return ((span->first >> span->shift) + tile) << span->shift;
}

/* Highest level first, then by first_block. None where there are few blocks. Owned by the store,
 * read when it is opened. */
const PenStoreSpan *pen_store_get_spans (PenStore *self, guint *n);

/* @counts: (out caller-allocates): pen_store_span_get_n_tiles() × PEN_KINDS: samples of kind k in
 * tile t are element t × PEN_KINDS + k */
gboolean pen_store_read_span_tiles (PenStore *self, const PenStoreSpan *span, guint32 *counts,
                                    GError **error);

/* Samples of one function in one span. */
typedef struct {
  guint32 function;
  guint64 samples;
  guint64 period;
} PenSpanFunction;

/* Functions that have samples in @span, by id. Cost: one pack, with a few bytes for each.
 * Returns: (transfer full) (element-type PenSpanFunction) */
GArray *pen_store_load_span_functions (PenStore *self, const PenStoreSpan *span, GError **error);

/*
 * PenSpanBucket: samples of one bucket in one span
 * @tiles, @counts: @n_cells tiles that have samples, in order, and how many
 */
typedef struct {
  guint32 bucket;
  guint32 function;
  guint64 samples;
  guint64 period;
  guint n_cells;
  const guint16 *tiles;
  const guint32 *counts;
} PenSpanBucket;

/* What @bucket points to lives until @func returns. Return FALSE from @func to stop. */
typedef gboolean (*PenSpanBucketFunc) (const PenSpanBucket *bucket, gpointer user_data);

/* Buckets of functions from @first_function to @last_function that have samples in @span, by
 * function and id. Cost: only the pieces that hold those functions are read. */
gboolean pen_store_foreach_span_bucket (PenStore *self, const PenStoreSpan *span,
                                        guint32 first_function, guint32 last_function,
                                        PenSpanBucketFunc func, gpointer user_data, GError **error);

/* All buckets that have samples in @span, as above, but only bucket and function are told: the rest
 * is not unpacked, and 0. */
gboolean pen_store_foreach_span_function (PenStore *self, const PenStoreSpan *span,
                                          PenSpanBucketFunc func, gpointer user_data,
                                          GError **error);

/* ---- BPF programs, build-ids ---- */

/*
 * PenStoredBpfLine: from which line of its source a stretch of a BPF program was made
 * @address: where its code starts; it goes on to the next line's, or the function's end
 * @instruction: number of the instruction of the untranslated program
 * @file, @text: "" where not recorded
 */
typedef struct {
  guint32 bpf_id;
  guint64 address;
  guint32 instruction;
  const char *file;
  guint32 line;
  guint32 column;
  const char *text;
} PenStoredBpfLine;

/* Returns: (transfer full) (element-type PenStoredBpfLine): by address; strings owned by the store
 */
GArray *pen_store_load_bpf_lines (PenStore *self, guint32 bpf_id, GError **error);

/*
 * PenStoredBpfProgram: what the recorder asked the kernel of a program
 * @type: BPF_PROG_TYPE_… of linux/bpf.h
 * @load_time: ns since boot
 */
typedef struct {
  guint32 id;
  guint32 type;
  const char *name;
  guint8 tag[8];
  guint64 load_time;
  guint32 btf_id;
} PenStoredBpfProgram;

/* Returns: (transfer full) (element-type PenStoredBpfProgram): by id; strings owned by the store */
GArray *pen_store_load_bpf_programs (PenStore *self, GError **error);
/* One by its id. Returns: FALSE if the capture does not describe it: it was gone before the
 * recorder asked (@error set only on failure) */
gboolean pen_store_find_bpf_program (PenStore *self, guint32 bpf_id, PenStoredBpfProgram *program,
                                     GError **error);

/*
 * PenStoredBpfFunction: where a function of a program was put
 * @number: from 0
 * @tenure: 0: it was not seen to be registered
 * @tag: 8 bytes, or NULL; @type_id: in the BTF, or 0
 * @bytes: @length of them, or NULL: its code was not recorded
 */
typedef struct {
  guint32 bpf_id;
  guint32 number;
  guint64 address;
  guint64 length;
  guint32 tenure;
  const guint8 *tag;
  guint32 type_id;
  const guint8 *bytes;
} PenStoredBpfFunction;

/* Returns: (transfer full) (element-type PenStoredBpfFunction): by program and number */
GArray *pen_store_load_bpf_functions (PenStore *self, GError **error);

/*
 * PenStoredBuildId: what the recorder wrote of a file
 * @mode: "kernel", "user", "guest kernel", "guest user" or "unknown"
 */
typedef struct {
  gint32 pid;
  const char *mode;
  const guint8 *id;
  gsize id_length;
  const char *name;
} PenStoredBuildId;

/* Returns: (transfer full) (element-type PenStoredBuildId): in recorded order */
GArray *pen_store_load_build_ids (PenStore *self, GError **error);

/* ---- callchains ---- */

/*
 * PenFrame: one place that a callchain goes through, resolved as of the sample's time
 * @address: as recorded
 * @is_return: @address is where the call returns to: tenure, revision and function are those of the
 *   byte before it
 * @tenure: 0 where nothing is known there; then @kind still says guest or unknown
 * @function: row of pen_store_get_functions(), from which come
 * @symbol: NULL where not known, and @offset: of @address in it, or in an occupant without symbols
 *   of its own 0
 */
typedef struct {
  guint64 address;
  guint32 tenure;
  guint32 revision;
  PenKind kind;
  gboolean is_return;
  guint32 function;
  const char *symbol;
  guint64 offset;
  const char *occupant;
} PenFrame;

/* All frames; element i has id i. Owned by the store, kept after the first call. */
const PenFrame *pen_store_get_frames (PenStore *self, guint *n, GError **error);

/* A callchain as a node of the tree of callers: a frame, and the chain that called it (0: none). A
 * chain's id is greater than that of its parent. */
typedef struct {
  guint32 parent;
  guint32 frame;
} PenChainNode;

/* Ids are from 1 to what this returns. */
guint32 pen_store_count_chains (PenStore *self);
gboolean pen_store_read_chain (PenStore *self, guint32 id, PenChainNode *node, GError **error);

/*
 * What called a sample's own instruction, the nearest first. The leaf is not among them: it is the
 * sample, and its bucket tells of it. Where PEN_SAMPLE_CHAIN_IS_WHOLE is set, the recorded chain
 * began with another address (a precise event's), and all of it is here.
 *
 * Returns: (transfer full) (element-type PenFrame): strings owned by the store
 */
GArray *pen_store_load_callchain (PenStore *self, guint32 id, GError **error);

/* ---- spaces ---- */

/* Returns: (transfer full) (element-type PenSpace): element i has id i */
GArray *pen_store_load_spaces (PenStore *self, GError **error);

/* ---- tenures, pokes, text of a range ---- */

/* Tenures of @space that ever held a byte of [@start, @end), by from.
 * Returns: (transfer full) (element-type PenTenure): strings owned by the store */
GArray *pen_store_load_tenures (PenStore *self, guint32 space, guint64 start, guint64 end,
                                GError **error);
/* One by its id. Returns: FALSE if there is none (@error set only on failure). */
gboolean pen_store_load_tenure (PenStore *self, guint32 id, PenTenure *tenure, GError **error);

/* All parts of the tenures that pen_store_load_tenures() gives for the same range, by from.
 * Returns: (transfer full) (element-type PenPart) */
GArray *pen_store_load_parts (PenStore *self, guint32 space, guint64 start, guint64 end,
                              GError **error);

/* Pokes that touch [@start, @end), in time order; bytes and strings are owned by the store.
 * Returns: (transfer full) (element-type PenPoke) */
GArray *pen_store_load_pokes (PenStore *self, guint64 start, guint64 end, GError **error);

/*
 * pen_store_load_pokes_at:
 * @moment: just before it
 *
 * Of the pokes of @tenure that touch [@start, @end) those that tell what stood there then: of each
 * site (one address, length and effect) the first of all, the last before @moment, and the first
 * that was not before it. A text made with these reads the same at @moment as one made with all,
 * and at PEN_MOMENT_START. Cost: a few searches for each site, however many pokes hit it.
 *
 * Returns: (transfer full) (element-type PenPoke): in time order
 */
GArray *pen_store_load_pokes_at (PenStore *self, guint32 tenure, guint64 start, guint64 end,
                                 PenMoment moment, GError **error);

/* One by its id. Returns: FALSE if there is none (@error set only on failure) */
gboolean pen_store_load_poke (PenStore *self, guint32 id, PenPoke *poke, GError **error);

/* Bytes kept of [@start, @end) for any tenure.
 * Returns: (transfer full) (element-type PenStoredText) */
typedef struct {
  guint32 tenure;
  guint64 start;
  GBytes *bytes;
  PenEvidence evidence;
  const char *source;
} PenStoredText;

GPtrArray *pen_store_load_text (PenStore *self, guint64 start, guint64 end, GError **error);

/* The same of a file that names code of user space (PenStoreNameFile): addresses are those in the
 * file, and no text has a tenure. */
GPtrArray *pen_store_load_file_text (PenStore *self, guint32 name_file, guint64 start, guint64 end,
                                     GError **error);

/* From which lines of its source a function was made; empty where that is not known.
 * Returns: (transfer full) (element-type PenFunctionLines) */
GPtrArray *pen_store_load_source_lines (PenStore *self, guint32 function, GError **error);
/* Returns: (nullable): the path that the compiler was given; owned by the store. NULL without
 * @error: there is none */
const char *pen_store_find_source_file (PenStore *self, guint32 id, GError **error);
/* The same of the name of an inlined function, as it is shown. */
const char *pen_store_find_inlined_function (PenStore *self, guint32 id, GError **error);

/* The symbol that holds @address of the kernel space in @occupant, from the names kept in the
 * store. */
gboolean pen_store_find_symbol (PenStore *self, const char *occupant, guint64 address,
                                const char **name, guint64 *start, guint64 *end);

/* Where the first symbol of @occupant that begins above @address begins; G_MAXUINT64: none does. */
guint64 pen_store_find_symbol_above (PenStore *self, const char *occupant, guint64 address);

/* One of the names kept in the store. Strings are owned by it. */
typedef struct {
  const char *occupant;
  const char *name;
  guint64 start;
  guint64 end;
} PenStoredSymbol;

/* All symbols of that name, whoever's. Cost: all names are looked at.
 * Returns: (transfer full) (element-type PenStoredSymbol) */
GArray *pen_store_find_symbols_named (PenStore *self, const char *name, GError **error);

/* ---- changes: every map, register, unregister, poke, in time order ---- */

/*
 * PenChange:
 * @id: rank among all changes, in time order
 * @time: as recorded, with @has_time
 * @change: "map", "register", "unregister", "poke"
 * @poke: its id, or 0; from there on to @n_sites, what is known of a poke
 * @n_sites: of its batch
 */
typedef struct {
  guint32 id;
  gboolean has_time;
  PenMoment moment;
  guint64 time;
  const char *change;
  guint64 address;
  guint64 length;
  PenKind kind;
  const char *occupant;
  const char *symbol; /* or NULL */
  guint64 offset;
  guint32 tenure;
  guint32 poke;
  PenCause cause;
  PenConfidence confidence;
  PenPokeEffect effect;
  const guint8 *old_bytes;
  guint16 old_length;
  const guint8 *new_bytes;
  guint16 new_length;
  const char *key; /* or NULL */
  guint32 batch;   /* 0: none */
  guint32 n_sites;
  guint32 cpu; /* G_MAXUINT32: not known */
  gint32 pid;
  gint32 tid;
  gboolean has_task;
  const char *comm;
  PenEvidence evidence;
} PenChange;

/* Strings live until @func returns. Return FALSE from @func to stop. */
typedef gboolean (*PenChangeFunc) (const PenChange *change, gpointer user_data);
gboolean pen_store_foreach_change (PenStore *self, PenChangeFunc func, gpointer user_data,
                                   GError **error);

/* The changes with these ids, in that order; ids that no change has are passed over. Cost: one
 * look-up for each. */
gboolean pen_store_foreach_change_of (PenStore *self, const guint32 *ids, guint n,
                                      PenChangeFunc func, gpointer user_data, GError **error);

/* First and last time of a change, ns; @has_any: FALSE: none has a time. Cost: a few rows. */
gboolean pen_store_load_change_times (PenStore *self, gboolean *has_any, guint64 *first,
                                      guint64 *last, GError **error);

/* Tenures for lanes and lists: all of the kernel space (and, if @processes, of the others too), by
 * from. Return FALSE from @func to stop. */
typedef gboolean (*PenTenureFunc) (const PenTenure *tenure, gpointer user_data);
gboolean pen_store_foreach_tenure (PenStore *self, gboolean processes, PenTenureFunc func,
                                   gpointer user_data, GError **error);

/* All batches, by id: element i has id i + 1. Owned by the store, kept after the first call.
 * Returns: NULL with @error, or without when there are none */
const PenBatch *pen_store_get_batches (PenStore *self, guint *n, GError **error);

/* Tenure and time of every poke, for ticks: cheap, without bytes.
 * @n_sites: of its batch */
typedef struct {
  guint32 poke;
  guint64 time;
  guint64 address;
  PenCause cause;
  PenPokeEffect effect;
  PenConfidence confidence;
  guint32 batch;
  guint32 n_sites;
} PenPokeTick;

/* Returns: (transfer full) (element-type PenPokeTick), by time */
GArray *pen_store_load_poke_ticks (PenStore *self, GError **error);

G_END_DECLS
