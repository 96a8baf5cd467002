/* pen-record-command.h: the command that records, as it is shown and copied
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* With call chains, without which nothing is known of callers. README, man pages and help have the
 * same: tests/help compares. */
#define PEN_RECORD_COMMAND "sudo pentimento-cli record -g -- sleep 10"
/* The same with perf alone. The kernel records no modules by itself. */
#define PEN_RECORD_COMMAND_OF_PERF                                                                 \
  "sudo perf record --kcore -a -g -e cycles -e module:module_load -e module:module_free -- "       \
  "sleep 10"

/* That of them which works in a terminal of this machine. */
const char *pen_record_command_get (void);

/* The same, where pentimento-cli is at @cli (nullable). For tests. */
const char *pen_record_command_choose (const char *cli, gboolean is_sandboxed);

G_END_DECLS
