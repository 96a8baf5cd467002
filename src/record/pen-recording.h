/* pen-recording.h: a recording from its plan to its files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-record-plan.h"
#include "pen-witness.h"

G_BEGIN_DECLS

/*
 * PenRecordingFuncs: called from pen_recording_run(), in this order
 * @begun: the events are enabled
 * @message: a line that perf wrote on standard error
 */
typedef struct {
  void (*begun) (const PenRecordPlan *plan, gpointer user_data);
  void (*message) (const char *line, gpointer user_data);
  gpointer user_data;
} PenRecordingFuncs;

/*
 * PenRecorded:
 * @lacks: (element-type PenRecordLack): of the plan, and what was found missing later
 * @was_moved: something was at the output, and is at OUTPUT.old now
 * @has_witness: it was attached; @counts
 * @status: of the command, or of perf, as an exit status
 */
typedef struct {
  GPtrArray *lacks;
  gboolean was_moved;
  gboolean has_witness;
  PenWitnessCounts counts;
  int status;
} PenRecorded;

/*
 * pen_recording_run:
 * @witness: (nullable): loaded, if the plan has one
 * @cancellable: ends the recording well
 *
 * SIGPIPE has to be ignored. Starts perf, waits until it has opened all events, grafts the witness,
 * takes the snapshots of the start, and enables the events; then lets the command begin. At its end
 * takes the snapshots of the end. If anything fails before the events are enabled, nothing is
 * recorded, and what was at the output is there again.
 *
 * Returns: (transfer full): or NULL with @error
 */
PenRecorded *pen_recording_run (const PenRecordPlan *plan, PenWitness *witness,
                                const PenRecordingFuncs *funcs, GCancellable *cancellable,
                                GError **error);
void pen_recorded_free (PenRecorded *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRecorded, pen_recorded_free)

G_END_DECLS
