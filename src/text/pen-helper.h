/* pen-helper.h: a program of our own that does what may break
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * pen_helper_find:
 * @name: of a program in libexec. That is the directory that PENTIMENTO_LIBEXEC names, if it is
 * set; else ../libexec as seen from the directory of the running program, which holds in the build
 *   directory, too, and for a tree that was moved; else where it was installed to
 *
 * Returns: (transfer full): a path; whether something is there shows when it is started
 */
char *pen_helper_find (const char *name);

/* PenHelper: a running one, and our end of its socket */
typedef struct _PenHelper PenHelper;

/*
 * pen_helper_start:
 * @name: see pen_helper_find()
 * @input: its standard input; stays the caller's. Its standard output is the socket, and it has no
 *   other file
 * @memory, @seconds: its two arguments: how many bytes it may have, and how long it may run on a
 * CPU
 * @cancellable: (nullable): ends pen_helper_receive()
 *
 * As long as there is one, this process cannot be dumped: it leaves no core, and other processes of
 * the user, debuggers and profilers too, cannot look into it.
 *
 * Errors: G_IO_ERROR, with a reason (pen_reason_set_error()).
 */
PenHelper *pen_helper_start (const char *name, int input, guint64 memory, guint64 seconds,
                             GCancellable *cancellable, GError **error);
/* Ends it, whatever it does. */
void pen_helper_free (PenHelper *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenHelper, pen_helper_free)

/* @data: less than a socket holds. Returns: FALSE where it has ended */
gboolean pen_helper_send (PenHelper *self, gconstpointer data, gsize length);
/* Waits for @length bytes. Returns: FALSE where it has ended, or on cancel */
gboolean pen_helper_receive (PenHelper *self, gpointer data, gsize length);

G_END_DECLS
