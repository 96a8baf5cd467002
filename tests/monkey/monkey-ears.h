/* monkey-ears.h: what a process says on its standard error
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* Passes on all that @child writes to the other end of @fd, until it ends. @fd: (transfer full): of
 * a pipe. @status: (out): as of waitpid(). Returns: the number of lines */
guint monkey_ears_listen (pid_t child, int fd, int *status);

G_END_DECLS
