/* pen-record-probe.h: what may be recorded on this machine, by this user
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Versions compare as numbers. */
#define PEN_VERSION_NUMBER(major, minor) ((guint) (major) << 16 | (guint) (minor))

/*
 * PenRecordProbe: facts; a plan follows from these alone
 * @perf: path of the program; NULL: not found
 * @perf_version, @kernel_version: PEN_VERSION_NUMBER(); 0: unknown
 * @may_record_cpus: events of whole CPUs may be opened
 * @kcore_error, @modules_error: an errno: why /proc/kcore, or the tracepoints of modules, cannot be
 *   read; 0: they can
 * @has_modules: the kernel can have any
 * @has_names: /proc/kallsyms has addresses
 * @has_cycles: there are hardware events
 * @max_rate: samples per second
 * @cpus: (element-type guint): online, ascending
 * @witness_problem: (nullable): why the witness cannot be had; NULL: it can
 */
typedef struct {
  char *perf;
  guint perf_version;
  guint kernel_version;
  gboolean may_record_cpus;
  int kcore_error;
  int modules_error;
  gboolean has_modules;
  gboolean has_names;
  gboolean has_cycles;
  guint max_rate;
  GArray *cpus;
  char *witness_problem;
} PenRecordProbe;

/* Returns: (transfer full): of this machine; of the witness nothing: see pen_witness_load() */
PenRecordProbe *pen_record_probe_new (void);
void pen_record_probe_free (PenRecordProbe *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRecordProbe, pen_record_probe_free)

/* "6.1.192", "perf version 6.18-rc3" → PEN_VERSION_NUMBER(); 0: there is none in it */
guint pen_record_probe_parse_version (const char *text);

/* Whether a beginning of /proc/kallsyms has addresses: without the right to see them, all are 0. */
gboolean pen_record_probe_has_addresses (const char *kallsyms);

/*
 * pen_record_probe_parse_cpus:
 * @text: as in /sys/devices/system/cpu/online and perf's -C: "0-3,8"
 *
 * Returns: (transfer full) (nullable) (element-type guint): ascending, each once; NULL: not a list
 */
GArray *pen_record_probe_parse_cpus (const char *text);

G_END_DECLS
