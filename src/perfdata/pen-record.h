/* pen-record.h: one record of a capture, checked and in host byte order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Record types; the numbers are those of the kernel's perf_event.h (1–22) and of perf (64–86). */
typedef enum {
  PEN_RECORD_MMAP = 1,
  PEN_RECORD_LOST = 2,
  PEN_RECORD_COMM = 3,
  PEN_RECORD_EXIT = 4,
  PEN_RECORD_THROTTLE = 5,
  PEN_RECORD_UNTHROTTLE = 6,
  PEN_RECORD_FORK = 7,
  PEN_RECORD_READ = 8,
  PEN_RECORD_SAMPLE = 9,
  PEN_RECORD_MMAP2 = 10,
  PEN_RECORD_AUX = 11,
  PEN_RECORD_ITRACE_START = 12,
  PEN_RECORD_LOST_SAMPLES = 13,
  PEN_RECORD_SWITCH = 14,
  PEN_RECORD_SWITCH_CPU_WIDE = 15,
  PEN_RECORD_NAMESPACES = 16,
  PEN_RECORD_KSYMBOL = 17,
  PEN_RECORD_BPF_EVENT = 18,
  PEN_RECORD_CGROUP = 19,
  PEN_RECORD_TEXT_POKE = 20,
  PEN_RECORD_AUX_OUTPUT_HW_ID = 21,
  PEN_RECORD_CALLCHAIN_DEFERRED = 22,
  PEN_RECORD_HEADER_ATTR = 64,
  PEN_RECORD_EVENT_TYPE = 65,
  PEN_RECORD_TRACING_DATA = 66,
  PEN_RECORD_BUILD_ID = 67,
  PEN_RECORD_FINISHED_ROUND = 68,
  PEN_RECORD_ID_INDEX = 69,
  PEN_RECORD_AUXTRACE_INFO = 70,
  PEN_RECORD_AUXTRACE = 71,
  PEN_RECORD_AUXTRACE_ERROR = 72,
  PEN_RECORD_THREAD_MAP = 73,
  PEN_RECORD_CPU_MAP = 74,
  PEN_RECORD_STAT_CONFIG = 75,
  PEN_RECORD_STAT = 76,
  PEN_RECORD_STAT_ROUND = 77,
  PEN_RECORD_EVENT_UPDATE = 78,
  PEN_RECORD_TIME_CONV = 79,
  PEN_RECORD_HEADER_FEATURE = 80,
  PEN_RECORD_COMPRESSED = 81,
  PEN_RECORD_FINISHED_INIT = 82,
  PEN_RECORD_COMPRESSED2 = 83,
  PEN_RECORD_BPF_METADATA = 84,
  PEN_RECORD_SCHEDSTAT_CPU = 85,
  PEN_RECORD_SCHEDSTAT_DOMAIN = 86,
  PEN_RECORD_TYPES = 87, /* how many numbers have a name */
} PenRecordType;

/* misc, bits 0–2 */
typedef enum {
  PEN_CPUMODE_UNKNOWN = 0,
  PEN_CPUMODE_KERNEL = 1,
  PEN_CPUMODE_USER = 2,
  PEN_CPUMODE_HYPERVISOR = 3,
  PEN_CPUMODE_GUEST_KERNEL = 4,
  PEN_CPUMODE_GUEST_USER = 5,
} PenCpumode;

#define PEN_MISC_CPUMODE_MASK 7
#define PEN_MISC_MMAP_DATA (1u << 13)        /* MMAP, MMAP2: not executable */
#define PEN_MISC_COMM_EXEC (1u << 13)        /* COMM: an exec, not a rename */
#define PEN_MISC_FORK_EXEC (1u << 13)        /* FORK: made up by the recorder, the maps follow */
#define PEN_MISC_SWITCH_OUT (1u << 13)       /* SWITCH, SWITCH_CPU_WIDE: else in */
#define PEN_MISC_EXACT_IP (1u << 14)         /* SAMPLE */
#define PEN_MISC_SWITCH_PREEMPTED (1u << 14) /* … out: the task could go on running */
#define PEN_MISC_MMAP_BUILD_ID (1u << 14) /* MMAP2: has a build-id in place of device and inode */
#define PEN_MISC_BPF_DROPPED (1u << 15)   /* LOST_SAMPLES: dropped by a BPF filter, on purpose */

/* Which of the optional facts a record brought with it. */
typedef enum {
  PEN_HAS_TIME = 1 << 0,
  PEN_HAS_TASK = 1 << 1, /* pid and tid */
  PEN_HAS_CPU = 1 << 2,
  PEN_HAS_ADDRESS = 1 << 3,      /* SAMPLE: the sampled instruction */
  PEN_HAS_PERIOD = 1 << 4,       /* SAMPLE: recorded, or fixed by the event */
  PEN_HAS_DATA_ADDRESS = 1 << 5, /* SAMPLE: what was accessed */
  PEN_HAS_CGROUP = 1 << 6,       /* SAMPLE */
  PEN_HAS_RAW = 1 << 7,          /* SAMPLE: of a tracepoint, or of bpf-output */
} PenHas;

#define PEN_BUILD_ID_MAX 20

/* MMAP and MMAP2. @name is the recorded string. */
typedef struct {
  gint32 pid;
  gint32 tid;
  guint64 start;
  guint64 length;
  guint64 file_offset; /* pgoff */
  guint32 prot;        /* MMAP2 only, else 0 */
  guint32 flags;       /* MMAP2 only, else 0 */
  guint8 build_id[PEN_BUILD_ID_MAX];
  guint8 build_id_length; /* 0: none */
  const char *name;
} PenMapRecord;

typedef struct {
  gint32 pid;
  gint32 tid;
  const char *comm;
} PenCommRecord;

/* FORK and EXIT. */
typedef struct {
  gint32 pid;
  gint32 ppid;
  gint32 tid;
  gint32 ptid;
} PenTaskRecord;

/* LOST: @lost records of event @id. LOST_SAMPLES: @lost samples. */
typedef struct {
  guint64 id;
  guint64 lost;
} PenLostRecord;

/* THROTTLE and UNTHROTTLE. */
typedef struct {
  guint64 time;
  guint64 id;
} PenThrottleRecord;

#define PEN_KSYMBOL_TYPE_BPF 1
#define PEN_KSYMBOL_TYPE_OUT_OF_LINE 2
#define PEN_KSYMBOL_UNREGISTER 1u /* in flags */

typedef struct {
  guint64 address;
  guint32 length;
  guint16 type;
  guint16 flags;
  const char *name;
} PenKsymbolRecord;

#define PEN_BPF_EVENT_LOAD 1
#define PEN_BPF_EVENT_UNLOAD 2

typedef struct {
  guint16 type;
  guint16 flags;
  guint32 id;
  guint8 tag[8];
} PenBpfEventRecord;

typedef struct {
  guint64 address;
  guint16 old_length;
  guint16 new_length;
  const guint8 *old_bytes;
  const guint8 *new_bytes;
} PenTextPokeRecord;

/* CGROUP: a control group and its path; samples name it by @id. */
typedef struct {
  guint64 id;
  const char *path;
} PenCgroupRecord;

/* CALLCHAIN_DEFERRED: the user part of callchains that have @cookie after
 * PEN_CONTEXT_USER_DEFERRED. */
typedef struct {
  guint64 cookie;
  const guint64 *callchain; /* host order, or NULL */
  guint64 callchain_length;
} PenDeferredRecord;

/* Values in a callchain that are no addresses: where those after them are. */
#define PEN_CONTEXT_HYPERVISOR ((guint64) -32)
#define PEN_CONTEXT_KERNEL ((guint64) -128)
#define PEN_CONTEXT_USER ((guint64) -512)
#define PEN_CONTEXT_USER_DEFERRED ((guint64) -640) /* the next value is a cookie */
#define PEN_CONTEXT_GUEST ((guint64) -2048)
#define PEN_CONTEXT_GUEST_KERNEL ((guint64) -2176)
#define PEN_CONTEXT_GUEST_USER ((guint64) -2560)
#define PEN_CONTEXT_MAX ((guint64) -4095) /* this and all above it are none */

/*
 * PenSampleRecord:
 * @callchain: (nullable): in host order, with the context values that are in it
 * @raw: (nullable): the payload as recorded: what is in it is in the recording machine's byte order
 */
typedef struct {
  guint64 address; /* valid with PEN_HAS_ADDRESS */
  const guint64 *callchain;
  guint64 callchain_length;
  guint64 period;       /* valid with PEN_HAS_PERIOD */
  guint64 data_address; /* valid with PEN_HAS_DATA_ADDRESS */
  guint64 cgroup;       /* valid with PEN_HAS_CGROUP */
  const guint8 *raw;    /* valid with PEN_HAS_RAW */
  guint32 raw_length;
} PenSampleRecord;

/*
 * PenRecord:
 * @type: one of PenRecordType, or a number that has no name yet
 * @misc: as recorded; of a sample of who did not run (--off-cpu), its cpumode is of @sample.address
 * @position: place in the stream of records, from 1: the second half of the order key of
 *   semantics.md ("Order"). Counts on through the files of a directory.
 * @file: index of the file it came from (0: the file, or the directory's `data`)
 * @offset: where it starts in that file; inside compressed data, where the compressed record starts
 *   that held its last byte
 * @has: PenHas
 * @time, @pid, @tid, @cpu: from the sample's fields, or from the trailer of other records. Stamps
 *   that are only marks are no times: see pen-off-cpu.h
 * @event: index of the event (PenAttr) that it belongs to, or -1
 * @was_inflated: its size was larger than its content, as the kernel writes it where several events
 * listen, and has been repaired
 * @was_kept: its bytes were given (PenRecordRange): it was read before
 *
 * The recorder's own records (time 0, and no id or one it looked up) have a time, but no task and
 * no CPU. Among them are LOST_SAMPLES at the end, one per event: @event tells which. FORK, EXIT,
 * THROTTLE and UNTHROTTLE have a time even where records have no trailer.
 *
 * Strings and byte arrays point into the reader's buffer: they live until the next record is read.
 */
typedef struct {
  guint32 type;
  guint16 misc;
  guint8 has;
  gboolean was_inflated;
  gboolean was_kept;
  guint64 position;
  guint32 file;
  guint64 offset;
  guint64 time;
  gint32 pid;
  gint32 tid;
  guint32 cpu;
  int event;
  union {
    PenMapRecord map;
    PenCommRecord comm;
    PenTaskRecord task;
    PenLostRecord lost;
    PenThrottleRecord throttle;
    PenKsymbolRecord ksymbol;
    PenBpfEventRecord bpf_event;
    PenTextPokeRecord text_poke;
    PenSampleRecord sample;
    PenCgroupRecord cgroup;
    PenDeferredRecord deferred;
  };
} PenRecord;

/* The type's name without PERF_RECORD_, or "unknown". */
const char *pen_record_type_get_name (guint32 type);

static inline PenCpumode
pen_record_get_cpumode (const PenRecord *record)
{
  return (PenCpumode) (record->misc & PEN_MISC_CPUMODE_MASK);
}

G_END_DECLS
