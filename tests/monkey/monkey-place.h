/* monkey-place.h: a directory of its own, outside of which nothing is written
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Makes the directory, which is the home of all that runs from now on: nothing in it is the
 * user's, no other program is known that a file could be opened with, and there is no bus. Before
 * GTK starts. */
char *monkey_place_make (void);
void monkey_place_remove (const char *place);
/* @captures, damaged copies of them, and what is none: paths. (element-type filename) */
GPtrArray *monkey_place_write_captures (const char *place, char **captures, GRand *rand);
/* A store that was imported by now, as it is or damaged. Returns: (transfer full) (nullable) */
char *monkey_place_dup_store (const char *place, guint32 choice);

G_END_DECLS
