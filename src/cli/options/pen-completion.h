/* pen-completion.h: words that can follow, for completion in a shell
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_completion_list:
 * @words: (array zero-terminated=1): those after the program's name, up to the one that is
 * completed, which may be empty. “=” may be a word of its own, as bash splits words
 *
 * Commands, options, and values of options. None for files, which the shell completes. An option
 * that ends in “=” needs a value.
 *
 * Returns: (transfer full) (element-type utf8): candidates for the last word
 */
GPtrArray *pen_completion_list (char **words);

G_END_DECLS
