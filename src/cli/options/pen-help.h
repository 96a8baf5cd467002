/* pen-help.h: the help of a command
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
 * The usage of the command, its options, columns and examples, in lines of 80 columns.
 *
 * Returns: (transfer full)
 */
char *pen_help_new (const PenCommand *command, const GArray *options);

G_END_DECLS
