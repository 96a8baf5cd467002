/* pen-dragged-file.h: a file that is dragged out of a window, and still being written
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gdk/gdk.h>

G_BEGIN_DECLS

/*
 * PenDraggedFile: what a drag offers: a list of one file, also through the portal for files, and
 * where it is a picture its bytes. Whoever asks before the file is written, waits for it. The file
 * lies in a folder of its own (pen-dragged-folder.h). It goes with the object, unless somebody was
 * told its name: who takes a drop may read it later.
 */
#define PEN_TYPE_DRAGGED_FILE (pen_dragged_file_get_type ())
G_DECLARE_FINAL_TYPE (PenDraggedFile, pen_dragged_file, PEN, DRAGGED_FILE, GdkContentProvider)

/* @name: of the file, made by pen_format_file_name(); @mime_type: whether it is a picture, and
 * which icon it has */
PenDraggedFile *pen_dragged_file_new (const char *name, const char *mime_type);
const char *pen_dragged_file_get_name (PenDraggedFile *self);
const char *pen_dragged_file_get_mime_type (PenDraggedFile *self);

/* Makes its folder, in a thread. */
void pen_dragged_file_place_async (PenDraggedFile *self, GAsyncReadyCallback callback,
                                   gpointer user_data);
/* Returns: (transfer full): where it is to be written */
GFile *pen_dragged_file_place_finish (PenDraggedFile *self, GAsyncResult *result, GError **error);
/* Answers those who wait. @error: (nullable): why it is not there */
void pen_dragged_file_set_written (PenDraggedFile *self, const GError *error);

/* It was dropped nowhere: nobody gets it any more, whoever was told its name. */
void pen_dragged_file_give_up (PenDraggedFile *self);
gboolean pen_dragged_file_is_given_up (PenDraggedFile *self);

/* At the end of the application: removes what was dragged, unless somebody was told the name in the
 * last @idle µs: then it may not have been opened yet. Blocks. */
void pen_dragged_file_remove_all (gint64 idle);

G_END_DECLS
