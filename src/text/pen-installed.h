/* pen-installed.h: where what is installed with the program lies
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_installed_find:
 * @variable: of the environment: the directory, for whom it is set
 * @below: the directory below the prefix of the running program, such as "libexec": a prefix may
 *   have been moved
 * @built_for: the directory that was known when the program was built
 * @name: of the file
 *
 * Asks the disk once.
 *
 * Returns: (transfer full): its path, whether or not there is such a file
 */
char *pen_installed_find (const char *variable, const char *below, const char *built_for,
                          const char *name);

G_END_DECLS
