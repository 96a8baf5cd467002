/* pen-recorder-client.h: one recording by pentimento-recorder, from the question to its folder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-recorder-talk.h"

G_BEGIN_DECLS

typedef enum {
  PEN_RECORDING_ASKING, /* for the right to record, and for what is needed */
  PEN_RECORDING_PREPARING,
  PEN_RECORDING_RUNNING,
  PEN_RECORDING_FINISHING,
  PEN_RECORDING_MOVING, /* to its folder */
  PEN_RECORDING_DONE,
  PEN_RECORDING_FAILED,
} PenRecordingStage;

#define PEN_TYPE_RECORDER_CLIENT (pen_recorder_client_get_type ())
/* PenRecorderClient: signal "changed", without arguments: its stage or path is another */
G_DECLARE_FINAL_TYPE (PenRecorderClient, pen_recorder_client, PEN, RECORDER_CLIENT, GObject)

/*
 * pen_recorder_client_new:
 * @request: its pid is set here for a command
 * @command: (array zero-terminated=1) (nullable): of PEN_RECORDER_COMMAND: started as this user, in
 *   the home directory; waits until the events are enabled
 * @as_administrator: pkexec asks for a password; else the recorder has the rights of this process
 * @folder: for the recording, which gets a name with the time
 *
 * Begins at once; the thread that calls this never waits.
 */
PenRecorderClient *pen_recorder_client_new (const PenRecorderRequest *request, char **command,
                                            gboolean as_administrator, const char *folder);

/* Ends the recording well, and its command; before it began, it fails with G_IO_ERROR_CANCELLED. */
void pen_recorder_client_stop (PenRecorderClient *self);

PenRecordingStage pen_recorder_client_get_stage (PenRecorderClient *self);
/* Neither done nor failed. */
gboolean pen_recorder_client_is_busy (PenRecorderClient *self);

/* Of the recording, in its folder: growing some time after RUNNING, complete when DONE.
 * Returns: (nullable) */
const char *pen_recorder_client_get_path (PenRecorderClient *self);

/* Why it failed. Returns: (nullable) */
const GError *pen_recorder_client_get_error (PenRecorderClient *self);

/* (element-type PenRecordLack): complete when DONE */
const GPtrArray *pen_recorder_client_get_lacks (PenRecorderClient *self);

/* Why it ended; when DONE */
PenRecorderEnd pen_recorder_client_get_end (PenRecorderClient *self);

/* Microseconds since the events were enabled; 0: they are not yet */
gint64 pen_recorder_client_get_elapsed (PenRecorderClient *self);

/* Whether pkexec is there and this is not root. */
gboolean pen_recorder_client_can_ask (void);

G_END_DECLS
