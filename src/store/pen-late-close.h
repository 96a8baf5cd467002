/* pen-late-close.h: closes databases that SQLite may have locked in this process
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * SQLite locks with fcntl(): to close any descriptor of a file gives up all locks that the process
 * has on it (sqlite.org/howtocorrupt.html, 2.2). Another process would take the journal of a note
 * that is being written here for one that was left, and undo half of it.
 */

/* From before SQLite opens a database to write to it until it has closed it. Any thread. */
void pen_late_close_hold (void);
void pen_late_close_release (void);

/*
 * pen_late_close:
 * @fd: of a file that may be a database
 *
 * As close(), at the latest when nobody writes any more.
 */
void pen_late_close (int fd);

G_END_DECLS
