/* pen-features.h: what a capture says of its machine and of its BPF programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One function of a BPF program: where it stood, and its slice of the recorded image. */
typedef struct {
  guint64 address;
  guint32 length;
  const guint8 *bytes; /* NULL: not recorded */
} PenBpfFunction;

/*
 * PenBpfProgram: one element of BPF_PROG_INFO.
 * @functions: (element-type PenBpfFunction): function i's bytes are the slice that starts at the
 *   sum of the lengths before it
 */
typedef struct {
  guint32 id;
  guint32 type;
  guint32 btf_id;
  guint64 load_time; /* ns since boot */
  guint8 tag[8];
  char name[17];
  GArray *functions;
  GBytes *image; /* owns the functions' bytes; NULL: not recorded */
} PenBpfProgram;

/* One entry of BUILD_ID. */
typedef struct {
  gint32 pid;
  guint16 misc;
  guint8 id[20];
  guint8 length;
  char *name;
} PenBuildId;

/*
 * PenFeatures: NULL, 0 or empty where the capture does not say.
 */
typedef struct {
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
  GPtrArray *bpf_programs; /* (element-type PenBpfProgram) */
  GPtrArray *build_ids;    /* (element-type PenBuildId) */
  GHashTable *btf;         /* btf id (GUINT_TO_POINTER) → GBytes */
  guint32 compression_type; /* 0: none, 1: zstd */
  guint32 compression_mmap_length; /* a compressed record holds no more than this */
} PenFeatures;

PenFeatures *pen_features_new (void);
void pen_features_free (PenFeatures *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFeatures, pen_features_free)

G_END_DECLS
