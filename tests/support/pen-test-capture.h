/* pen-test-capture.h: makes captures whose contents a test knows
 *
 * Add events, then records, then write the same capture in as many shapes as wanted:
 *
 *   g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
 *   pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
 *   pen_test_capture_as_recorder (capture);
 *   pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, 0xffffffff81000000, 0xe00000,
 *                              0xffffffff81000000, "[kernel.kallsyms]_text");
 *   pen_test_capture_at (capture, 1000, 42, 42, 0);
 *   pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffff81000010, 1);
 *   pen_test_capture_write (capture, path, PEN_TEST_CAPTURE_FILE, &error);
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-test-bytes.h"

G_BEGIN_DECLS

/* misc */
#define PEN_TEST_KERNEL 1
#define PEN_TEST_USER 2

#define PEN_TEST_CPUS 4

/*
 * What the file looks like; the records in it are the same.
 *
 * @FILE: header, events, records, features
 * @PIPE: 16 bytes, then all of that as records
 * @ZSTD: the kernel's records are in COMPRESSED ones; one stream per file, which does not end its
 *   frame; records straddle
 * @DIRECTORY: `data`, and kcore_dir if pen_test_capture_add_kcore_file() was called (`--kcore`)
 * @THREADS: a directory whose timed records are in `data.N`, N = CPU modulo 2 (`--threads`): for a
 *   reader, the order of records of different CPUs changes
 * @BIG_ENDIAN: recorded on a big-endian machine
 * @INFLATED: KSYMBOL, BPF_EVENT and TEXT_POKE are too large, the surplus is stale bytes
 * @UNTERMINATED: the recorder was killed: no size of the records, no features
 * @COMPRESSED2: with ZSTD: the newer type of compressed record
 * @OLD_HEADER: 72 bytes, no features
 * @ATTRS_LAST: events and ids stand after everything else
 * @VERSION_1: the magic of before 2012, which is the same in both byte orders
 */
typedef enum {
  PEN_TEST_CAPTURE_FILE = 0,
  PEN_TEST_CAPTURE_PIPE = 1 << 0,
  PEN_TEST_CAPTURE_ZSTD = 1 << 1,
  PEN_TEST_CAPTURE_DIRECTORY = 1 << 2,
  PEN_TEST_CAPTURE_THREADS = 1 << 3,
  PEN_TEST_CAPTURE_BIG_ENDIAN = 1 << 4,
  PEN_TEST_CAPTURE_INFLATED = 1 << 5,
  PEN_TEST_CAPTURE_UNTERMINATED = 1 << 6,
  PEN_TEST_CAPTURE_COMPRESSED2 = 1 << 7,
  PEN_TEST_CAPTURE_OLD_HEADER = 1 << 8,
  PEN_TEST_CAPTURE_ATTRS_LAST = 1 << 9,
  PEN_TEST_CAPTURE_VERSION_1 = 1 << 10,
} PenTestCaptureFlags;

/*
 * PenTestEvent: what goes into perf_event_attr
 * @name: written to EVENT_DESC (EVENT_UPDATE in pipe form); NULL: the event has no recorded name
 * @attr_size: 0: 128
 * @simd: written after registers, if not all 0: how many, words of each, and both of others
 */
typedef struct {
  const char *name;
  guint32 type;
  guint32 attr_size;
  guint64 config;
  guint64 period;
  guint64 sample_type;
  guint64 read_format;
  guint64 flags;
  guint64 branch_sample_type;
  guint64 sample_regs_user;
  guint64 sample_regs_intr;
  gint32 clockid;
  guint16 simd[4];
} PenTestEvent;

/* cpu-clock, a fixed period of 1000000 ns, IP TID TIME CPU PERIOD IDENTIFIER, sample_id_all. */
extern const PenTestEvent PEN_TEST_EVENT_CLOCK;
/* dummy with text_poke, ksymbol, bpf_event, mmap2, comm, task; the same sample_type. */
extern const PenTestEvent PEN_TEST_EVENT_DUMMY;

typedef struct _PenTestCapture PenTestCapture;

PenTestCapture *pen_test_capture_new (void);
void pen_test_capture_free (PenTestCapture *self);

/* Returns the event's index. All events come before the first record. */
guint pen_test_capture_add_event (PenTestCapture *self, const PenTestEvent *event);

/* The kernel's id of an event on a CPU, as written. */
guint64 pen_test_capture_get_id (guint event, guint cpu);

/* Records added from now on: when and where they happened. */
void pen_test_capture_at (PenTestCapture *self, guint64 time, gint32 pid, gint32 tid, guint32 cpu);
/* Records added from now on: made up by the recorder, with zeros for a trailer. */
void pen_test_capture_as_recorder (PenTestCapture *self);
/* Records added from now on: of this event; at first, of event 0. */
void pen_test_capture_from (PenTestCapture *self, guint event);

void pen_test_capture_add_mmap (PenTestCapture *self, guint16 misc, gint32 pid, gint32 tid,
                                guint64 start, guint64 length, guint64 file_offset,
                                const char *name);
/* @build_id: 20 bytes, or NULL */
void pen_test_capture_add_mmap2 (PenTestCapture *self, guint16 misc, gint32 pid, gint32 tid,
                                 guint64 start, guint64 length, guint64 file_offset, guint32 prot,
                                 guint32 flags, const guint8 *build_id, const char *name);
void pen_test_capture_add_comm (PenTestCapture *self, gint32 pid, gint32 tid, gboolean is_exec,
                                const char *comm);
/* @misc: PEN_MISC_FORK_EXEC, or 0 */
void pen_test_capture_add_fork (PenTestCapture *self, guint16 misc, gint32 pid, gint32 ppid,
                                gint32 tid, gint32 ptid);
void pen_test_capture_add_exit (PenTestCapture *self, gint32 pid, gint32 ppid, gint32 tid,
                                gint32 ptid);
void pen_test_capture_add_ksymbol (PenTestCapture *self, guint64 address, guint32 length,
                                   guint16 type, guint16 flags, const char *name);
void pen_test_capture_add_bpf_event (PenTestCapture *self, guint16 type, guint32 id,
                                     const guint8 tag[8]);
void pen_test_capture_add_text_poke (PenTestCapture *self, guint64 address, const guint8 *old_bytes,
                                     guint16 old_length, const guint8 *new_bytes,
                                     guint16 new_length);
void pen_test_capture_add_lost (PenTestCapture *self, guint64 id, guint64 lost);
void pen_test_capture_add_lost_samples (PenTestCapture *self, guint16 misc, guint64 lost);
void pen_test_capture_add_throttle (PenTestCapture *self, gboolean unthrottle);
/* FINISHED_ROUND, FINISHED_INIT and others that are a header only, without a trailer. */
void pen_test_capture_add_mark (PenTestCapture *self, guint32 type);
void pen_test_capture_add_finished_round (PenTestCapture *self);

/* The payload of samples added from now on, where their event has one: the same bytes in both byte
 * orders. NULL, 0: made up again. */
void pen_test_capture_set_payload (PenTestCapture *self, gconstpointer data, gsize length);

/* All fields of the event's sample_type are written; those not given here have made-up contents. */
void pen_test_capture_add_sample (PenTestCapture *self, guint16 misc, guint64 address,
                                  guint64 period);
void pen_test_capture_add_sample_with_callchain (PenTestCapture *self, guint16 misc,
                                                 guint64 address, guint64 period,
                                                 const guint64 *callchain, guint length);

/* Any record: @body is what follows the header, the same bytes in both byte orders. */
void pen_test_capture_add_raw (PenTestCapture *self, guint32 type, guint16 misc, gconstpointer body,
                               gsize length, gboolean with_trailer);
/* @body, @payload: (transfer full): with what is in one byte order or the other; @payload follows
 * the record without being part of it, and may be NULL */
void pen_test_capture_add_bytes (PenTestCapture *self, guint32 type, guint16 misc,
                                 PenTestBytes *body, PenTestBytes *payload, gboolean with_trailer);
/* AUXTRACE with @size bytes of payload after it. */
void pen_test_capture_add_auxtrace (PenTestCapture *self, guint64 size);

/* Features (bits of pen-feature-parser.h and research on the format). */
void pen_test_capture_set_text (PenTestCapture *self, guint feature, const char *text);
void pen_test_capture_set_os_release (PenTestCapture *self, const char *os_release);
void pen_test_capture_set_arch (PenTestCapture *self, const char *arch);
void pen_test_capture_set_cpus (PenTestCapture *self, guint32 available, guint32 online);
void pen_test_capture_set_total_memory (PenTestCapture *self, guint64 kb);
void pen_test_capture_set_command_line (PenTestCapture *self, const char *const *arguments);
void pen_test_capture_set_clock (PenTestCapture *self, guint32 clock_id, guint64 wall_clock_ns,
                                 guint64 clock_ns, guint64 resolution_ns);
void pen_test_capture_add_build_id (PenTestCapture *self, gint32 pid, guint16 misc,
                                    const guint8 *id, guint8 length, const char *name);
void pen_test_capture_add_bpf_program (PenTestCapture *self, guint32 id, const char *name,
                                       const guint8 tag[8], guint32 btf_id,
                                       const guint64 *addresses, const guint32 *lengths, guint n,
                                       const guint8 *image, gsize image_length);
/*
 * PenTestBpfProgram: what else may be known of one
 * @tags, @type_ids: of each of the @n functions, or NULL
 * @lines: {instruction, file name, text, line and column} of each of @n_lines, or NULL
 * @target_btf_id, @target_type: attach_btf_obj_id and attach_btf_id, which kernels before 6.0 have
 *   not; 0: as those
 * @surplus: how much larger records of functions and of lines are than those of the first kernels
 */
typedef struct {
  guint32 id;
  const char *name;
  const guint8 *tag;
  guint32 btf_id;
  guint n;
  const guint64 *addresses;
  const guint32 *lengths;
  const guint8 *image;
  gsize image_length;
  const guint8 (*tags)[8];
  const guint32 *type_ids;
  guint n_lines;
  const guint64 *line_addresses;
  const guint32 (*lines)[4];
  guint32 target_btf_id;
  guint32 target_type;
  guint32 surplus;
} PenTestBpfProgram;

void pen_test_capture_add_bpf_details (PenTestCapture *self, const PenTestBpfProgram *program);
void pen_test_capture_add_btf (PenTestCapture *self, guint32 id, gconstpointer data, gsize length);
/* Any feature; @bytes: (transfer full) */
void pen_test_capture_set_feature (PenTestCapture *self, guint feature, PenTestBytes *bytes);
/* Any feature, the same bytes in both byte orders. */
void pen_test_capture_set_raw_feature (PenTestCapture *self, guint feature, gconstpointer data,
                                       gsize length);

/* A file of kcore_dir: @name is kcore, kallsyms or modules. */
void pen_test_capture_add_kcore_file (PenTestCapture *self, const char *name, gconstpointer data,
                                      gsize length);
/* A file of the directory, as "pentimento/witness". */
void pen_test_capture_add_file (PenTestCapture *self, const char *name, gconstpointer data,
                                gsize length);
/* kcore as perf copies it: an ELF core with a segment of @bytes at @address. Call once for each. */
void pen_test_capture_add_kcore_segment (PenTestCapture *self, guint64 address, const guint8 *bytes,
                                         gsize length);

/*
 * pen_test_capture_write:
 * @path: a file, or with DIRECTORY or THREADS a directory, which is made
 */
gboolean pen_test_capture_write (PenTestCapture *self, const char *path, PenTestCaptureFlags flags,
                                 GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTestCapture, pen_test_capture_free)

G_END_DECLS
