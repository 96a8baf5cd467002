/* pen-arguments.h: parser of the command line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-command.h"

G_BEGIN_DECLS

/*
 * pen_arguments_parse:
 * @words: (array zero-terminated=1): those after the command's name
 * @answer: (out): with --help or --version, set to that text, and NULL is returned without an error
 *
 * Returns: (transfer full): or NULL with PEN_COMMAND_ERROR_USAGE
 */
PenArguments *pen_arguments_parse (const PenCommand *command, char **words, char **answer,
                                   GError **error);
void pen_arguments_free (PenArguments *arguments);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenArguments, pen_arguments_free)

G_END_DECLS
