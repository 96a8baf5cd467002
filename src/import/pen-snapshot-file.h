/* pen-snapshot-file.h: a copy of /proc/kallsyms, kcore or modules, and when it was made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  PEN_SNAPSHOT_UNDATED,
  PEN_SNAPSHOT_START, /* of the recording */
  PEN_SNAPSHOT_END,
  PEN_SNAPSHOT_TIME,    /* on the recording's clock */
  PEN_SNAPSHOT_PORTION, /* of the recorded time */
} PenSnapshotDate;

/*
 * PenSnapshotFile:
 * @time: ns, with PEN_SNAPSHOT_TIME; millionths of a percent with PEN_SNAPSHOT_PORTION
 */
typedef struct {
  char *path;
  PenSnapshotDate date;
  guint64 time;
} PenSnapshotFile;

/*
 * pen_snapshot_file_parse:
 * @word: FILE, or FILE@TIME with a time in seconds as perf prints them, a percentage, "start" or
 *   "end". The name of a file that exists is never taken apart
 *
 * Returns: (transfer full): or NULL with G_IO_ERROR_INVALID_ARGUMENT
 */
PenSnapshotFile *pen_snapshot_file_parse (const char *word, GError **error);
void pen_snapshot_file_free (PenSnapshotFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSnapshotFile, pen_snapshot_file_free)

/* @first, @last: ns: the recorded time. Returns: ns: when it was made, where that is within it; its
 * end where no date was given. */
guint64 pen_snapshot_file_get_time (const PenSnapshotFile *self, guint64 first, guint64 last);

G_END_DECLS
