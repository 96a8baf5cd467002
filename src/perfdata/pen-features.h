/* pen-features.h: what a capture says of its machine and of its BPF programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * PenBpfFunction: one function of a BPF program: where it stood, and its slice of the recorded
 * image
 * @tag: that of BPF_PROG_INFO, which is not always the one in the KSYMBOL's name
 * @type_id: of its type (and so its name) in the BTF; 0: not recorded
 */
typedef struct {
  guint64 address;
  guint32 length;
  const guint8 *bytes; /* NULL: not recorded */
  guint8 tag[8];
  gboolean has_tag;
  guint32 type_id;
} PenBpfFunction;

/*
 * PenBpfLine: from which line of its source a stretch of a program's code was made
 * @address: where that code starts; it goes on to the next line's address, or the function's end
 * @instruction: number of the instruction of the untranslated program
 * @file_name, @text: offsets in the string section of the program's BTF; not checked against it
 */
typedef struct {
  guint64 address;
  guint32 instruction;
  guint32 file_name;
  guint32 text;
  guint32 line;
  guint32 column;
} PenBpfLine;

/*
 * PenBpfProgram: one element of BPF_PROG_INFO.
 * @functions: (element-type PenBpfFunction): function i's bytes are the slice that starts at the
 *   sum of the lengths before it
 * @lines: (element-type PenBpfLine): in recorded order; empty if not recorded
 * @target_btf_id, @target_type: the function that it was loaded for: the BTF and the type's number
 *   in it; 0: none, or not recorded
 */
typedef struct {
  guint32 id;
  guint32 type;
  guint32 btf_id;
  guint32 target_btf_id;
  guint32 target_type;
  guint64 load_time; /* ns since boot */
  guint8 tag[8];
  char name[17];
  GArray *functions;
  GBytes *image; /* owns the functions' bytes; NULL: not recorded */
  GArray *lines;
} PenBpfProgram;

/* PMUs: meanings of the numbers in PenAttr.type above those of linux/perf_event.h. */
typedef struct {
  guint32 type;
  char *name;
} PenPmu;

/* One of the processor's caches. @type: "Data", "Instruction", "Unified"; @size: "64K"; @cpus:
 * "0-1"
 */
typedef struct {
  guint32 level;
  char *type;
  char *size;
  char *cpus;
} PenCpuCache;

/* Events that were counted together: `{a,b}`. */
typedef struct {
  char *name;
  guint32 leader; /* index of the event */
  guint32 members;
} PenEventGroup;

/*
 * PenTimeConversion: from the CPU's cycle counter to the capture's clock (linux/perf_event.h,
 * struct perf_event_mmap_page).
 * @cycles, @mask: with @has_short: only the bits of @mask count, from @cycles on
 */
typedef struct {
  guint64 shift;
  guint64 multiplier;
  guint64 zero;
  gboolean has_zero;
  gboolean has_short;
  guint64 cycles;
  guint64 mask;
} PenTimeConversion;

/*
 * PenBuildId: one entry of BUILD_ID, in recorded order, all of them: some recorders gave every
 * module the build-id of the first, which only shows when they are compared.
 */
typedef struct {
  gint32 pid;
  guint16 misc;
  guint8 id[20];
  guint8 length;
  char *name;
} PenBuildId;

/*
 * PenBpfMetadata: one variable of a program that its maker meant to be read ("bpf_metadata_…")
 * @program: as its ksymbols are named: "bpf_prog_TAG_NAME"
 */
typedef struct {
  char *program;
  char *key;
  char *value;
} PenBpfMetadata;

/* Formats of tracepoints: a few megabytes where all of a kernel's are recorded. */
#define PEN_TRACING_DATA_MAX (64u * 1024 * 1024)

/*
 * PenFeatures: NULL, 0 or empty where the capture does not say.
 * @big_endian: the byte order of @btf's blobs and @tracing_data
 * @btf: by BTF id: the blobs as recorded
 * @tracing_data: as recorded: magic, and formats of tracepoints (trace-cmd.dat(5))
 * @kept_bytes: memory that the lists take, with what is made of them later; @kept_max: its bound
 */
typedef struct {
  gboolean big_endian;
  char *hostname;
  char *os_release;
  char *perf_version;
  char *arch;
  char *cpu_description;
  char *cpu_id;
  char *command_line; /* arguments joined by blanks, quoted where a shell would need it */
  guint32 cpus_available;
  guint32 cpus_online;
  guint64 total_memory_kb;
  gboolean has_clock_data;
  guint32 clock_id;
  guint64 wall_clock_ns; /* at the moment when the capture's clock showed clock_ns */
  guint64 clock_ns;
  guint64 clock_resolution_ns;
  GPtrArray *bpf_programs;         /* (element-type PenBpfProgram) */
  GPtrArray *bpf_metadata;         /* (element-type PenBpfMetadata) */
  GPtrArray *build_ids;            /* (element-type PenBuildId) */
  GTree *btf;                      /* btf id (GUINT_TO_POINTER) → GBytes */
  guint32 compression_type;        /* 0: none, 1: zstd */
  guint32 compression_ratio;       /* as the recorder computed it, rounded; 0: not known */
  guint32 compression_mmap_length; /* a compressed record holds no more than this */
  GBytes *tracing_data;
  GPtrArray *pmus;   /* (element-type PenPmu) */
  GPtrArray *groups; /* (element-type PenEventGroup) */
  GPtrArray *caches; /* (element-type PenCpuCache) */
  gboolean has_sample_times;
  guint64 first_sample_time;
  guint64 last_sample_time;
  gboolean has_time_conversion;
  PenTimeConversion time_conversion;
  guint64 kept_bytes;
  guint64 kept_max;
} PenFeatures;

PenFeatures *pen_features_new (void);
void pen_features_free (PenFeatures *self);

/* Counts @size more bytes kept; FALSE if that would be more than any recording needs. */
gboolean pen_features_keep (PenFeatures *self, gsize size);

/* From now on, @more bytes at most are kept beside those that are. */
void pen_features_limit (PenFeatures *self, guint64 more);

/* @data: (transfer full). Returns: NULL, or why it was left out: (transfer none) */
const char *pen_features_take_tracing_data (PenFeatures *self, GBytes *data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFeatures, pen_features_free)

G_END_DECLS
