/* pen-shell-command.h: the command line that gives the same answer
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-annotation.h"

G_BEGIN_DECLS

/*
 * pen_shell_command_new:
 * @words: of the command, and what it is about: "annotate", "vfs_read"
 * @capture: its path; goes after the command's name
 * @filter, @options: (nullable): what is asked for besides
 *
 * Returns: (transfer full): UTF-8, to be given to a shell; names mean the bytes that were recorded,
 *   and nothing in it acts on a terminal, or is shown as something else
 */
char *pen_shell_command_new (const char *const *words, const char *capture, const PenFilter *filter,
                             const char *const *options);

/* A function as `annotate` and `history` take it: its symbol, or its address. */
char *pen_shell_command_target (const PenAnnotated *annotated);

G_END_DECLS
