/* pen-interrupt.h: Ctrl-C cancels, and what was begun is taken back
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* To be called first, before there is any other thread. SIGINT and SIGTERM cancel what is returned;
 * the second one ends the process as if it had not been caught. SIGPIPE is ignored: writing tells.
 */
GCancellable *pen_interrupt_watch (void);

G_END_DECLS
