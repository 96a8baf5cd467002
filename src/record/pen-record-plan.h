/* pen-record-plan.h: what is recorded, from what is wished for and what may be had
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-record-lack.h"
#include "pen-record-probe.h"

G_BEGIN_DECLS

/* Descriptors of perf, and of the program that it starts. */
enum {
  PEN_RECORD_CONTROL = 3, /* perf reads: enable, disable, ping */
  PEN_RECORD_ANSWER = 4,  /* perf writes: ack */
  PEN_RECORD_HOLD = 5,    /* a line lets the command begin; its end ends a recording without one */
  PEN_RECORD_STDERR = 6,  /* that of the command; perf's own goes elsewhere */
  PEN_RECORD_REPORT = 7,  /* the command's pid */
  PEN_RECORD_DESCRIPTORS, /* the first one after these */
};

/*
 * PenRecordWishes:
 * @perf_words: (array zero-terminated=1): options for perf
 * @command: (array zero-terminated=1) (nullable): NULL or empty: until it is stopped
 * @output: (nullable): NULL: perf.data; "-": standard output, as a stream
 */
typedef struct {
  char **perf_words;
  char **command;
  const char *output;
  gboolean has_no_witness;
} PenRecordWishes;

/*
 * PenRecordPlan:
 * @argv: (array zero-terminated=1): of perf
 * @output: a directory; perf makes it, but for @makes_directory and @is_stream
 * @is_stream: perf writes to standard output
 * @adds_patches: patches are added to that stream, or recorded beside perf; perf itself records
 * them with --kcore alone
 * @has_command: else perf records until the descriptor PEN_RECORD_HOLD is closed
 * @cpus: (element-type guint): those whose events are recorded
 * @lacks: (element-type PenRecordLack)
 */
typedef struct {
  char **argv;
  char *output;
  gboolean makes_directory;
  gboolean is_stream;
  gboolean adds_patches;
  gboolean has_command;
  gboolean has_witness;
  gboolean has_module_events;
  GArray *cpus;
  GPtrArray *lacks;
} PenRecordPlan;

/* Returns: (transfer full): or NULL with a PenRecordError. It looks at nothing but its arguments.
 */
PenRecordPlan *pen_record_plan_new (const PenRecordWishes *wishes, const PenRecordProbe *probe,
                                    GError **error);
void pen_record_plan_free (PenRecordPlan *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRecordPlan, pen_record_plan_free)

G_END_DECLS
