/* pen-notes-place.h: where the notes about a capture are kept
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-writer.h"
#include "pen-store.h"

G_BEGIN_DECLS

/*
 * pen_notes_find_place:
 * @store: that is open
 * @opened: what was asked for: a capture, or a store
 *
 * Notes about a store that is the user's own are kept in it, and go where it goes. Notes about a
 * capture are not kept in its import, which is made again whenever it has to be: they are in a file
 * below $XDG_DATA_HOME/pentimento/notes, by what the capture itself says about its origin. So they
 * are found again from another folder, under another name, and by another version.
 *
 * Returns: (transfer full): a path for pen_notes_load(), whether or not there is a file
 */
char *pen_notes_find_place (PenStore *store, const char *opened);

/* The sum by which notes of a capture are found: SHA-256 of what it says of its origin, which
 * depends neither on the program's version nor on the file's place. Returns: (transfer full): 64
 * digits */
char *pen_notes_sum_origin (PenStore *store);

/*
 * pen_notes_copy:
 * @writer: of a store of the user's own; all facts are set
 *
 * Copies all notes about the capture into the store, before that has its name.
 */
gboolean pen_notes_copy (PenStoreWriter *writer, GError **error);

G_END_DECLS
