/* pen-perf-run.h: one run of perf record, from its start to its end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-record-plan.h"

G_BEGIN_DECLS

typedef struct PenPerfRun PenPerfRun;

/* @line: of perf's standard error, without its end; as perf wrote it */
typedef void (*PenPerfMessageFunc) (const char *line, gpointer user_data);

typedef enum {
  PEN_PERF_ENDED,         /* perf has ended and was waited for */
  PEN_PERF_COMMAND_ENDED, /* its command has; perf finishes the file */
  PEN_PERF_CANCELLED,
  PEN_PERF_READABLE, /* the other descriptor that was waited for */
} PenPerfEvent;

/*
 * pen_perf_run_start:
 * @output: what perf has for its standard output; -1: this program's
 * @func: called by functions below that wait, once perf has answered
 *
 * A run without a command is in a process group of its own: Ctrl-C on the terminal does not reach
 * it. It ends when this process ends, however it ends.
 *
 * Returns: (transfer full): or NULL with @error
 */
PenPerfRun *pen_perf_run_start (const PenRecordPlan *plan, int output, PenPerfMessageFunc func,
                                gpointer user_data, GError **error);

/* Ends what still runs, and waits for it. */
void pen_perf_run_free (PenPerfRun *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPerfRun, pen_perf_run_free)

/* @order: "enable" or "disable". Waits until perf has done it.
 * Returns: FALSE with @error: perf ended instead, or G_IO_ERROR_CANCELLED */
gboolean pen_perf_run_order (PenPerfRun *self, const char *order, GCancellable *cancellable,
                             GError **error);

/* Lets the command begin. */
void pen_perf_run_release (PenPerfRun *self);

/* Ends a run without a command. */
void pen_perf_run_let_end (PenPerfRun *self);

/* As Ctrl-C on a terminal would: perf ends its command. */
void pen_perf_run_interrupt (PenPerfRun *self);

/* @other: a descriptor to be read, or -1. @cancellable: (nullable). The end of the command comes
 * once. Meanwhile perf is made to write what it has four times a second. */
PenPerfEvent pen_perf_run_wait (PenPerfRun *self, int other, GCancellable *cancellable);

GPid pen_perf_run_get_pid (PenPerfRun *self);

/* As waitpid() has it; -1: still running */
int pen_perf_run_get_status (PenPerfRun *self);

G_END_DECLS
