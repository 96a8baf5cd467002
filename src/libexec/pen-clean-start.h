/* pen-clean-start.h: nothing that a program got from who started it reaches what it does
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/*
 * PenCaller:
 * @socket: what was standard input, where nothing is inherited
 * @uid, @gid: of who made it
 */
typedef struct {
  int socket;
  uid_t uid;
  gid_t gid;
} PenCaller;

/*
 * pen_clean_start:
 * @caller: (out)
 *
 * To be called first in main(), before there is a thread. Closes what is open but standard input,
 * which becomes /dev/null, as do the other two; sets environment, signals, timers, limits, umask
 * and working directory as if init had started the program. SIGHUP, SIGINT and SIGTERM are blocked,
 * SIGPIPE and SIGXFSZ ignored.
 *
 * Returns: FALSE: standard input is no such socket as pen-recorder-talk.h has it, or not of the
 * user whom pkexec names
 */
gboolean pen_clean_start (PenCaller *caller);

G_END_DECLS
