/* pen-follow.h: a recording, imported part by part while it is made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-import.h"

G_BEGIN_DECLS

typedef struct _PenFollow PenFollow;

/*
 * pen_follow_is_possible:
 * @path: a capture
 *
 * Whether there is something to follow: a stream, or a recording that is still written
 * (pen_growth_look()).
 */
gboolean pen_follow_is_possible (const char *path);

/*
 * pen_follow_new:
 * @path: a capture; one that is complete has one part, which is the last
 * @sources: (nullable): outlive the result
 *
 * A stream is copied into a temporary file as it comes, of at most half of the space that is free
 * there, so that it can be read more than once.
 */
PenFollow *pen_follow_new (const char *path, const PenSources *sources, GError **error);
void pen_follow_free (PenFollow *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFollow, pen_follow_free)

/*
 * pen_follow_next:
 * @func: (nullable): of the last import, that of all
 * @is_last: (out): the recording has ended: this is the store that pen_import_open_store() gives,
 *   and nothing follows
 *
 * Waits until the recording has grown and samples are in it, or until it has ended; imports what is
 * new of it (see pen-part-importer.h), or, if it cannot be imported in parts, what is whole. Parts
 * come every half second, or as seldom as it takes to spend no more than a tenth of a CPU on them:
 * all that this process spent since the part before counts, up to four times the cost of its
 * import. To be called by one thread at a time.
 *
 * Returns: (transfer full): a store of all that there is so far, whose path is the name of no file
 *   unless it is the last; NULL with @error
 */
PenStore *pen_follow_next (PenFollow *self, PenImportFunc func, gpointer user_data,
                           gboolean *is_last, GCancellable *cancellable, GError **error);

G_END_DECLS
