/* pen-interrupt.h: Ctrl-C cancels, so that unfinished output is removed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* To be called first, before there is any other thread. SIGINT and SIGTERM cancel the returned
 * object; a second one ends the process by default. SIGPIPE is ignored: write() fails instead. */
GCancellable *pen_interrupt_watch (void);

G_END_DECLS
