/* pen-progress-line.h: how far an import is, on a terminal
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-import-speed.h"

G_BEGIN_DECLS

/*
 * PenProgressLine: one line on stderr, written over and taken away at the end. Imports that are
 * done in half a second show none; nor does a stderr that is no terminal. What must not be missed
 * (PenImportNote, and that another process is waited for) is told on lines that stay.
 * @name: of the capture, as it is shown
 */
typedef struct {
  char *name;
  PenImportSpeed speed;
  gboolean is_terminal;
  gint64 begun; /* µs, monotonic */
  gboolean is_shown;
  gboolean is_wait_told;
  guint32 notes_told;
} PenProgressLine;

/* @capture: a file name, or "-" */
void pen_progress_line_begin (PenProgressLine *self, const char *capture);
/* A PenImportFunc; @self is a PenProgressLine. */
void pen_progress_line_show (const PenImportProgress *progress, gpointer self);
void pen_progress_line_end (PenProgressLine *self);

/* What the line says, at most @width columns of it; whole parts are left out, the last one first.
 * Returns: (transfer full) */
char *pen_progress_line_describe (const PenImportSpeed *speed, guint width);

G_END_DECLS
