/* pen-work-line.h: that a command works, and how far it is, on a terminal
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * PenWorkLine: one line on stderr, overwritten by a thread of its own, and removed at the end.
 * There is none for the first half second, and none if stderr is not a terminal.
 * @name: of the recording, as it is shown
 * @share: of the work that is done, in a million; 0: not known: the time is shown
 */
typedef struct {
  char *name;
  gint64 begun; /* µs, monotonic */
  gint share;
  GThread *thread; /* NULL: there is no line */
  GMutex mutex;
  GCond ended;
  gboolean is_ended;
} PenWorkLine;

/* @writes_to_terminal: rows go to stdout: there is no line among them */
void pen_work_line_begin (PenWorkLine *self, const char *name, gboolean writes_to_terminal);
/* Cheap: may be called for each row. */
void pen_work_line_set (PenWorkLine *self, guint64 done, guint64 total);
void pen_work_line_end (PenWorkLine *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PenWorkLine, pen_work_line_end)

G_END_DECLS
