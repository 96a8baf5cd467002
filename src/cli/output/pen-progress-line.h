/* pen-progress-line.h: how far an import is, on a terminal
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-import-speed.h"

G_BEGIN_DECLS

/*
 * PenProgressLine: one line on stderr, overwritten, and removed at the end. There is none for the
 * first half second of an import, and none if stderr is not a terminal. Notes (PenImportNote) and
 * the wait for another process are printed on lines that stay.
 * @name: of the recording, as it is shown
 */
typedef struct {
  char *name;
  PenImportSpeed speed;
  gboolean is_terminal;
  gint64 begun; /* µs, monotonic */
  gboolean is_shown;
  gboolean has_printed_wait;
  guint32 printed_notes;
} PenProgressLine;

void pen_progress_line_begin (PenProgressLine *self, const char *name);
/* A PenImportFunc; @self is a PenProgressLine. */
void pen_progress_line_show (const PenImportProgress *progress, gpointer self);
void pen_progress_line_end (PenProgressLine *self);

G_END_DECLS
