/* pen-help.h: what a command's --help prints
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-options.h"

G_BEGIN_DECLS

/*
 * pen_help_new:
 * @options: from pen_options_list()
 *
 * Usage, what the command does, its options, its columns and examples, in lines of 80 columns. Of
 * @command's details, lines that begin with a blank stay as they are; others are filled.
 *
 * Returns: (transfer full)
 */
char *pen_help_new (const PenCommand *command, const GArray *options);

G_END_DECLS
