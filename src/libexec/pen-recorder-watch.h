/* pen-recorder-watch.h: a thread that sees why a recording is to end, and ends it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-recorder-place.h"
#include "pen-recorder-talk.h"

G_BEGIN_DECLS

typedef struct PenRecorderWatch PenRecorderWatch;

/*
 * pen_recorder_watch_new:
 * @socket: of the caller: whatever comes ends the recording, as does its end
 * @process: a pidfd of the process or command, or -1
 * @place: is looked at five times a second
 * @seconds: from pen_recorder_watch_begin() on; 0: no limit
 * @cancellable: is cancelled
 *
 * SIGHUP, SIGINT and SIGTERM have to be blocked: they end the recording, too.
 */
PenRecorderWatch *pen_recorder_watch_new (int socket, int process, PenRecorderPlace *place,
                                          guint seconds, GCancellable *cancellable);

/* Ends the thread. Returns: why it cancelled; PEN_RECORDER_PERF: it did not */
PenRecorderEnd pen_recorder_watch_free (PenRecorderWatch *self);

/* The seconds begin. */
void pen_recorder_watch_begin (PenRecorderWatch *self);

G_END_DECLS
