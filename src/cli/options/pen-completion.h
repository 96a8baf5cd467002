/* pen-completion.h: what may be typed next, for a shell that asks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-command.h"

G_BEGIN_DECLS

/*
 * pen_completion_list:
 * @words: (array zero-terminated=1): what stands behind the program's name, up to the word that is
 *   being typed, which may be empty. “=” may stand alone, as bash takes words apart
 *
 * Commands, options, and words that an option takes. Where files are meant there is nothing: the
 * shell knows them better. One that ends in “=” wants a value behind it.
 *
 * Returns: (transfer full) (element-type utf8): what may stand in place of the last word
 */
GPtrArray *pen_completion_list (const PenCommand *const *commands, guint n_commands, char **words);

G_END_DECLS
