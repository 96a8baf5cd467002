/* pen-recorder-files.h: what `pentimento-cli record` copied of the kernel's own files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-reader.h"
#include "pen-snapshot-file.h"

G_BEGIN_DECLS

/*
 * PenRecorderFiles: the folder `pentimento` of a recording (docs/recording.md)
 * @directory: (nullable): there is none
 * @is_dated: times of the snapshots are on the recording's clock
 * @ended: ns: when the snapshot of the end was complete; 0: not known
 */
typedef struct {
  char *directory;
  gboolean is_dated;
  guint64 ended;
} PenRecorderFiles;

/* @reader: has read what is before the first record */
PenRecorderFiles *pen_recorder_files_new (PenReader *reader);
void pen_recorder_files_free (PenRecorderFiles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRecorderFiles, pen_recorder_files_free)

/*
 * pen_recorder_files_find:
 * @self: (nullable)
 * @moment: (nullable): "start" or "end"; NULL: of the recording as a whole
 *
 * Returns: (transfer full) (nullable): the path of @name, if it is there
 */
char *pen_recorder_files_find (const PenRecorderFiles *self, const char *moment, const char *name);

/* When a snapshot of the start, or of the end, was made. @time: (out): see pen-snapshot-file.h */
PenSnapshotDate pen_recorder_files_date (const PenRecorderFiles *self, gboolean is_end,
                                         guint64 *time);

G_END_DECLS
