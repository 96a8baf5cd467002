/* pen-recorder-place.h: a directory for a recording, which its later owner cannot touch before
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* Free on the disk: others need some, and perf an end to its file. */
#define PEN_RECORDER_FREE_MIN (512ull << 20)

/* PenRecorderPlace: PARENT/pentimento-recorder-XXXXXXXX/recording. The outer directory is the
 * owner's and lets nobody else in; the inner one is of this process until it is handed over. */
typedef struct PenRecorderPlace PenRecorderPlace;

/*
 * pen_recorder_place_new:
 * @parent: a directory of root's, where others cannot move what is not theirs
 *
 * Makes both, and makes the inner one the working directory: from now on no name above it is used.
 *
 * Returns: (transfer full): or NULL with a G_IO_ERROR
 */
PenRecorderPlace *pen_recorder_place_new (const char *parent, uid_t uid, gid_t gid, GError **error);

/* Closes; what is there stays. */
void pen_recorder_place_free (PenRecorderPlace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRecorderPlace, pen_recorder_place_free)

/* A descriptor of the inner directory */
int pen_recorder_place_get_directory (const PenRecorderPlace *self);

/* FALSE: less than PEN_RECORDER_FREE_MIN is free for users other than root. From any thread. */
gboolean pen_recorder_place_has_space (const PenRecorderPlace *self);

/* Lets the owner read what is there. Links are not followed. */
void pen_recorder_place_show (PenRecorderPlace *self);

/* Makes the owner own it all. Nothing may be written there later. */
void pen_recorder_place_hand_over (PenRecorderPlace *self);

/*
 * pen_recorder_place_hand_over_left:
 * @parent: as above
 *
 * Hands over the inner directories there that recorders left which were killed, each to whom it was
 * for. Nothing may be written there any more. Other directories, and what somebody else put in the
 * place of ours, stay as they are.
 */
void pen_recorder_place_hand_over_left (const char *parent);

/* Removes it all. */
void pen_recorder_place_remove (PenRecorderPlace *self);

G_END_DECLS
