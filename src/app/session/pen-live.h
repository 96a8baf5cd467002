/* pen-live.h: a recording that is being made, as the window opens it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-progress-box.h"
#include "pen-store.h"

G_BEGIN_DECLS

/* Shared between threads by reference: one that was told to stop may not have stopped yet. */
typedef struct _PenLive PenLive;

/*
 * pen_live_is_possible:
 * @path: what is opened
 *
 * Standard input, or a recording that a recorder still writes. Blocks.
 */
gboolean pen_live_is_possible (const char *path);

/* Blocks. Imports with the user's settings. Returns: NULL with @error */
PenLive *pen_live_new (const char *path, GError **error);
PenLive *pen_live_ref (PenLive *self);
void pen_live_unref (PenLive *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenLive, pen_live_unref)

/* The next part: see pen_follow_next(). Blocks. @progress: of the last one */
PenStore *pen_live_next (PenLive *self, PenProgressBox *progress, gboolean *is_last,
                         GCancellable *cancellable, GError **error);

/* Notes on a part are about the recording, which nothing identifies yet but its place and its
 * beginning: (transfer full): a file for them. */
char *pen_live_dup_notes_file (PenStore *part, const char *path);
/* Those of @from are the recording's, whose notes are in @to: they are moved there. Blocks. */
gboolean pen_live_move_notes (const char *from, const char *to, GError **error);

G_END_DECLS
