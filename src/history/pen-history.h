/* pen-history.h: who occupied what, and when: semantics.md in code
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"
#include "pen-present.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/*
 * PenHistory is filled with events in any order, sealed once, and then answers.
 * The answer depends on the events' moments only, never on the order in which they were added.
 * Where several share a moment (a snapshot's maps), what ends comes first, then what begins, each
 * kind in the order in which it was added.
 *
 * Not safe to use from two threads at once, not even for reading; but for sweeps of a sealed one,
 * of which each thread may have its own.
 */
typedef struct _PenHistory PenHistory;

PenHistory *pen_history_new (void);
void pen_history_free (PenHistory *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenHistory, pen_history_free)

/*
 * pen_history_go_on: before the first event of processes
 * @present: borrowed: of pen_history_leave() of the history before, whose events of processes are
 *   not added again, and whose events of the kernel are; none of the new ones is earlier than them
 *
 * The history begins with who was there then. Tenures and spaces keep their ids; those that ended
 * before are not in it.
 */
void pen_history_go_on (PenHistory *self, const PenPresent *present);

/*
 * Events. Strings and bytes are copied. Each call is one record of the capture; @moment is its
 * place in the order. Adding after pen_history_seal() is a programming error.
 */

/*
 * PenOrigin: when a record was made, and by whom
 * @time: as recorded, with @has_time
 * @pid, @tid, @comm: with @has_task
 * @cpu: G_MAXUINT32: not recorded
 */
typedef struct {
  PenMoment moment;
  guint64 time;
  gboolean has_time;
  gboolean has_task;
  gint32 pid;
  gint32 tid;
  guint32 cpu;
  const char *comm; /* NULL or "": not known */
} PenOrigin;

/*
 * PenMapEvent: MMAP, MMAP2, a line of a modules snapshot, or code that a runtime wrote (rule U6)
 * @change: place among all changes in time order, from 1; @tenure: that it began, or 0: the
 *   history does not read these
 * @symbol: of what a runtime wrote, its name, "" where it was moved away; @name is then that of the
 *   file that tells of it. Else NULL
 * @pid, @tid: whose map it is
 */
typedef struct {
  PenOrigin origin;
  guint32 change;
  guint32 tenure;
  gboolean is_kernel; /* cpumode kernel, or pid -1 */
  gboolean is_data;   /* misc bit 13 */
  gint32 pid;
  gint32 tid;
  guint64 start;
  guint64 length;
  guint64 file_offset;
  const char *name;
  const char *symbol;
  const guint8 *build_id;
  guint8 build_id_length;
  PenEvidence evidence; /* RECORDED for a record; FILE_UNCHECKED for a snapshot that was added */
} PenMapEvent;

void pen_history_add_map (PenHistory *self, const PenMapEvent *event);

#define PEN_KSYMBOL_OUT_OF_LINE 2

/* PenKsymbolEvent: KSYMBOL. @origin: its tid joins it with the BPF_EVENT that follows; -1: not
 * recorded.
 * @change, @tenure: as in PenMapEvent */
typedef struct {
  PenOrigin origin;
  guint32 change;
  guint32 tenure;
  gboolean is_unregister;
  guint16 type; /* PEN_KSYMBOL_OUT_OF_LINE, or of a BPF program */
  guint64 address;
  guint64 length;
  const char *name;
} PenKsymbolEvent;

void pen_history_add_ksymbol (PenHistory *self, const PenKsymbolEvent *event);

/*
 * pen_history_add_listed:
 * @kind: PEN_KIND_BPF or PEN_KIND_STUB
 * @start, @end: of its bytes as far as the snapshot tells: a record with its name knows better
 *
 * What a snapshot of the start lists as registered (rule K6). What is listed twice, and what
 * overlaps something listed before it, is passed over.
 */
void pen_history_add_listed (PenHistory *self, const char *name, PenKind kind, guint64 start,
                             guint64 end, PenEvidence evidence);

/* BPF_EVENT load: names the program of the ksymbols that the same task registered just before.
 * @addresses: starts of the program's functions where BPF_PROG_INFO tells them, or NULL */
void pen_history_add_bpf_load (PenHistory *self, PenMoment moment, guint32 bpf_id,
                               const guint8 tag[8], gint32 tid, guint32 cpu,
                               const guint64 *addresses, gsize n_addresses);

/* @poke: moment, time, address, lengths, bytes, task, cpu are read; the rest is found out later: up
 * to the revision on sealing. */
void pen_history_add_poke (PenHistory *self, const PenPoke *poke);

void pen_history_add_fork (PenHistory *self, PenMoment moment, gint32 pid, gint32 ppid, gint32 tid,
                           gint32 ptid, gboolean is_synthesized);
void pen_history_add_exit (PenHistory *self, PenMoment moment, gint32 pid, gint32 tid);
void pen_history_add_comm (PenHistory *self, PenMoment moment, gint32 pid, gint32 tid,
                           const char *comm, gboolean is_exec);
/*
 * pen_history_add_module:
 * @origin: its task loads modules by itself: what it pokes or allocates before is theirs (M7)
 * @module: its name, with or without brackets
 * @is_free: module_free, else module_load
 *
 * Where these tracepoints were recorded (rule M3). They have no address: a free ends what is mapped
 * of the module then; a load tells since when a module was there that only a snapshot names.
 */
void pen_history_add_module (PenHistory *self, const PenOrigin *origin, const char *module,
                             gboolean is_free);

/* Memory for text that the kernel gave to a task: vmalloc:alloc_vmap_area (M7). */
void pen_history_add_allocation (PenHistory *self, const PenOrigin *origin, guint64 start,
                                 guint64 length);

/*
 * PenModuleSighting: a module as a snapshot has it
 * @module: its name, with or without brackets
 * @is_rough: from names of its text: where some of it was
 * @has_other_memory: @length counts memory of other kinds, too, which may be elsewhere
 * (/proc/modules since Linux 6.4, kernel/module/main.c: module_total_size)
 */
typedef struct {
  const char *module;
  guint64 start;
  guint64 length;
  gboolean is_rough;
  gboolean has_other_memory;
  PenEvidence evidence;
} PenModuleSighting;

/*
 * pen_history_add_modules: a snapshot of the modules at @moment (rules M5, M6); time 0: of the
 * start
 * @is_dated: when it was made is known; else @moment is the end of the recording, but for
 * those modules that were freed and not loaded again: these it shows as they were before
 * @is_whole: a module that is not in it was not there
 */
void pen_history_add_modules (PenHistory *self, PenMoment moment, gboolean is_dated,
                              gboolean is_whole, const PenModuleSighting *modules, guint n);

void pen_history_add_loss (PenHistory *self, const PenLoss *loss);

/* Before sealing: at most @n tenures are copied by forks, with the pieces that maps of processes
 * leave of others, and never more than some one million. */
void pen_history_limit_copies (PenHistory *self, guint n);
/* After sealing: how many there are. */
guint pen_history_get_copies (PenHistory *self);

/* Called every few milliseconds while the history is being sealed. Returns: FALSE: stop */
typedef gboolean (*PenHistoryFunc) (gpointer user_data);

/*
 * pen_history_seal: sorts the events, applies facts that were learnt late (K4), cuts, joins,
 * finds what pokes alone tell of (P6), and counts. Cost: O(n log n) in the events, plus the bytes
 * of the pokes, plus the tenures that forks copy. These are limited (see
 * pen_history_limit_copies()): what goes beyond is not copied or taken, and a loss (SET_ASIDE) says
 * so.
 * @func: (nullable)
 *
 * Returns: FALSE if @func stopped it, or it is another one: then the history can only be freed.
 */
gboolean pen_history_seal (PenHistory *self, PenHistoryFunc func, gpointer user_data);

/* After sealing: with what was added, tenures that began before pen_history_go_on() are not those
 * that they were. */
gboolean pen_history_is_other (PenHistory *self);

/* After sealing: @present, that of pen_history_go_on() or a new one, becomes that of the end. No
 * question about names of threads may follow. */
void pen_history_leave (PenHistory *self, PenPresent *present);

/*
 * pen_history_new_stored:
 * @tenures: (element-type PenTenure): of the kernel's space; they keep their ids
 * @parts: (element-type PenPart): theirs; others are left out
 *
 * The history of a store, or the part of it that is asked about. It is sealed, and answers
 * pen_history_get_parts(), where parts name tenures by their number in @tenures, from 1, and a
 * PenSweep that is asked for the kernel's tenures, without revisions.
 * @func: (nullable)
 *
 * Returns: (nullable): NULL if @func stopped it
 */
PenHistory *pen_history_new_stored (const GArray *tenures, const GArray *parts, PenHistoryFunc func,
                                    gpointer user_data);

/*
 * pen_history_add_unannounced:
 * @pokes: (element-type PenPoke): changes of text that no record tells of (rule W3), in any order
 *
 * After sealing, before anything else is asked about pokes: they are put among the others, which
 * are numbered again, and count like them (P3), but where pokes alone tell of the text (P6). Each
 * has its tenure; their causes are known.
 *
 * Returns: FALSE if @func stopped it: then the history can only be freed.
 */
gboolean pen_history_add_unannounced (PenHistory *self, const GPtrArray *pokes, PenHistoryFunc func,
                                      gpointer user_data);

/* After sealing. Arrays are owned by the history; element i of tenures and pokes has id i + 1;
 * tenures of a history that goes on from another one are by id. */
const PenSpace *pen_history_get_spaces (PenHistory *self, guint *n);
const PenTenure *pen_history_get_tenures (PenHistory *self, guint *n);
/* The greatest id that a tenure has, or had before the history went on; 0: there was none */
guint32 pen_history_get_last_tenure (PenHistory *self);
/* @id: of a tenure, or 0. Returns: (nullable): NULL: it ended before the history went on */
const PenTenure *pen_history_get_tenure (PenHistory *self, guint32 id);
/* @tenure: its id. @end: see PenTenure: found out after that, from names or a file */
void pen_history_set_code_end (PenHistory *self, guint32 tenure, guint64 end);
const PenPart *pen_history_get_parts (PenHistory *self, guint *n); /* sorted by tenure, then from */
/* Facts that are found out about them after that are kept in them. */
PenPoke *pen_history_get_pokes (PenHistory *self, guint *n);
const PenLoss *pen_history_get_losses (PenHistory *self, guint *n); /* sorted by from */

/* Since when losses that ended after @time (ns) may hide changes of before it; G_MAXUINT64: none
 * does */
guint64 pen_history_get_doubt (PenHistory *self, guint64 time);

/* Keeps a string as long as the history. Returns: (transfer none) (nullable) */
const char *pen_history_intern (PenHistory *self, const char *string);

/* Ksymbol records with length 0 (K1), and registers seen twice (K2). */
guint64 pen_history_get_ignored_ksymbols (PenHistory *self);
guint64 pen_history_get_repeated_ksymbols (PenHistory *self);

/*
 * pen_history_find:
 * @space: a place in pen_history_get_spaces()
 * @revision: (out) (optional): of the byte at @address; 0 outside the kernel space
 *
 * Who held @address in @space just before @moment. O(log n) for each tenure that ever held it, and
 * for each different range of bytes that was ever patched over it.
 *
 * Returns: (nullable)
 */
const PenTenure *pen_history_find (PenHistory *self, guint32 space, guint64 address,
                                   PenMoment moment, guint32 *revision);

/* The comm of @tid just before @moment; "" where not known, "swapper" for 0. */
const char *pen_history_find_comm (PenHistory *self, gint32 tid, PenMoment moment);

/*
 * PenSweep: the same questions asked in the order of moments: amortised O(1) changes per step,
 * O(log n) per lookup. For the pass over the samples.
 */
typedef struct _PenSweep PenSweep;

PenSweep *pen_sweep_new (PenHistory *history);
/* For samples: while moments have no time, an occupant and revision is that which is the only one
 * possible, for whoever has no time may have come at any (rule Order 0). */
PenSweep *pen_sweep_new_for_samples (PenHistory *history);
void pen_sweep_free (PenSweep *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSweep, pen_sweep_free)

/* A process may have a million maps, which all begin at one moment: pen_sweep_advance() asks @func
 * every few thousand changes whether to go on. Once it said FALSE, the sweep stands still, and what
 * it answers is of no use. */
void pen_sweep_set_func (PenSweep *self, PenHistoryFunc func, gpointer user_data);

/* Moments must not descend. Everything ordered before @moment is in effect afterwards. */
void pen_sweep_advance (PenSweep *self, PenMoment moment);
const PenTenure *pen_sweep_find_kernel (PenSweep *self, guint64 address, guint32 *revision);
/*
 * pen_sweep_find_kernel_run:
 * @end: (inout): the first byte that does not matter; the first that another tenure may hold
 *
 * Like pen_sweep_find_kernel(), for the bytes from @address on that one tenure (or none) holds.
 */
const PenTenure *pen_sweep_find_kernel_run (PenSweep *self, guint64 address, guint64 *end);
const PenTenure *pen_sweep_find_process (PenSweep *self, gint32 pid, guint64 address);
/* Whether what was last found is nothing because more than one thing is possible. */
gboolean pen_sweep_is_ambiguous (PenSweep *self);
const char *pen_sweep_find_comm (PenSweep *self, gint32 tid);

/*
 * PenSweepChanges: changes have numbers, which ascend: what was found when @count was n is still
 * right as long as the last change of what it hangs on is not above n
 * @count: the last of all
 * @kernel: the last that may alter an answer of pen_sweep_find_kernel()
 * @kernel_parts: the last of these that was no patch
 */
typedef struct {
  guint64 count;
  guint64 kernel;
  guint64 kernel_parts;
} PenSweepChanges;

/* It stays where it is; pen_sweep_advance() alters it. */
const PenSweepChanges *pen_sweep_get_changes (PenSweep *self);

#define PEN_SWEEP_NO_SPACE G_MAXUINT32

/*
 * pen_sweep_find_space:
 * @change: (out): the last that may alter an answer of pen_sweep_find_process() in that space
 *
 * Returns: the place of the space of @pid now, or PEN_SWEEP_NO_SPACE
 */
guint32 pen_sweep_find_space (PenSweep *self, gint32 pid, guint64 *change);

/* The number under which comings and goings near @address are noted; others may have the same. */
guint32 pen_sweep_get_page (PenSweep *self, guint32 space, guint64 address);

/*
 * pen_sweep_is_held_since:
 * @space: the kernel's, or that of a process that is there now
 * @pages: of @n addresses: see pen_sweep_get_page()
 *
 * Whether who holds these addresses is who held them when the count of changes was @since. TRUE is
 * sure; where it says FALSE, ask.
 */
gboolean pen_sweep_is_held_since (PenSweep *self, guint32 space, const guint32 *pages, guint n,
                                  guint64 since);

#define PEN_SWEEP_NO_SITE G_MAXUINT32

/*
 * pen_sweep_find_kernel_site: like pen_sweep_find_kernel()
 * @site: (out): while the tenure holds @address, its revision is pen_sweep_get_revision() of this;
 *   PEN_SWEEP_NO_SITE: no patch ever comes there
 */
const PenTenure *pen_sweep_find_kernel_site (PenSweep *self, guint64 address, guint32 *revision,
                                             guint32 *site);
guint32 pen_sweep_get_revision (PenSweep *self, guint32 site);

G_END_DECLS
