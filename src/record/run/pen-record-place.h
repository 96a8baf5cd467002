/* pen-record-place.h: the directory that a recording goes to
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * pen_record_place_set_aside:
 * @was_moved: (out): there was something
 *
 * Moves what is there to PATH.old, as perf record does, and removes what was at PATH.old before.
 * perf removes no directory with files that it does not know, such as ours; nor does this, nor does
 * it move one, if neither knows them.
 */
gboolean pen_record_place_set_aside (const char *path, gboolean *was_moved, GError **error);

/* Removes a recording that did not begin, and moves what was there back. */
void pen_record_place_put_back (const char *path, gboolean was_moved);

/* Makes the directory, with access for its owner only; there must be nothing. */
gboolean pen_record_place_make (const char *path, GError **error);

G_END_DECLS
