/* pen-arguments.h: the words of a command line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-command.h"

G_BEGIN_DECLS

/*
 * pen_arguments_parse:
 * @words: (array zero-terminated=1): those behind the command's name
 * @answer: (out): set to the command's help or the version, and NULL returned without an error,
 *   where it was asked for
 *
 * Returns: (transfer full): or NULL with PEN_COMMAND_ERROR_USAGE
 */
PenArguments *pen_arguments_parse (const PenCommand *command, char **words, char **answer,
                                   GError **error);
void pen_arguments_free (PenArguments *arguments);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenArguments, pen_arguments_free)

G_END_DECLS
