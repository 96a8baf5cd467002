/* pen-progress-line.h: how far an import is, on a terminal
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-import.h"

G_BEGIN_DECLS

/* One line on stderr, written over and taken away at the end. Imports that are done in half a
 * second show none; nor does a stderr that is no terminal. */
typedef struct {
  gboolean is_terminal;
  gint64 begun; /* µs, monotonic */
  gboolean is_shown;
} PenProgressLine;

void pen_progress_line_begin (PenProgressLine *self);
/* A PenImportFunc; @self is a PenProgressLine. */
void pen_progress_line_show (const PenImportProgress *progress, gpointer self);
void pen_progress_line_end (PenProgressLine *self);

G_END_DECLS
