/* live-support.h: a recording that grows, as perf writes it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "window-support.h"

G_BEGIN_DECLS

#define LIVE_SECOND G_GUINT64_CONSTANT (1000000000)
#define LIVE_START (100 * LIVE_SECOND)
#define LIVE_SAMPLES 6000u

/* A recording of 6 s, with patches and 80 programs, the latter half of which comes at its middle;
 * bpf_prog_40 is patched each second. It is written piece by piece. */
typedef struct {
  char *path;
  char *bytes;
  gsize length;
  gsize done;
  int fd;
} LiveRecorder;

void live_recorder_init (LiveRecorder *self);
/* @share: of all, 0–100; in general, it ends within a record. */
void live_recorder_write (LiveRecorder *self, guint share);
/* Writes the rest, and that it is all. */
void live_recorder_end (LiveRecorder *self);
void live_recorder_clear (LiveRecorder *self);

/* With a share of it. */
PenWindow *live_recorder_open (LiveRecorder *self, guint share);

G_END_DECLS
