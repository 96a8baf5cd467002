/* pen-new-file.h: a file that gets its name when it is whole
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>
#include <sys/types.h>

G_BEGIN_DECLS

/*
 * PenNewFile:
 * @path: the name that it will have, absolute
 * @temporary: the name that it has, in the same directory; NULL once it is finished
 * @fd: open, and locked with flock(): as long as this is held, someone is at work on the file. Who
 *   opens it by name as well must not rely on locks of fcntl(): closing any of the descriptors
 *   gives those up.
 */
typedef struct {
  char *path;
  char *temporary;
  int fd;
  gboolean is_database;
  goffset begun;    /* up to there it is on its way to the disk */
  GThread *syncing; /* NULL: not */
  GCancellable *cancellable;
  GError *error;
} PenNewFile;

/* Makes an empty file beside @path, where no file was. @mode: of which the umask takes away */
PenNewFile *pen_new_file_create (const char *path, mode_t mode, GError **error);

/* The same for a database, which SQLite keeps journals beside (pen-journal.h): none of what had the
 * name before is left when it gets the name. */
PenNewFile *pen_new_file_create_database (const char *path, mode_t mode, GError **error);

/*
 * pen_new_file_save:
 * @mode: of which the umask takes away
 *
 * Puts @n @bytes in place of what is at @path: on the disk there is always all of the one or of the
 * other. Removes what others who were about to do so have left. Blocks.
 */
gboolean pen_new_file_save (const char *path, mode_t mode, const void *bytes, gsize n,
                            GError **error);

/* Much may have been written to it: that goes on to the disk, so that pen_new_file_begin_sync() has
 * less to do. Does not wait. */
void pen_new_file_write_on (PenNewFile *self);

/* Begins to put it on the disk, in a thread: it must not change any more. */
void pen_new_file_begin_sync (PenNewFile *self, GCancellable *cancellable);

/* Waits until it is on the disk, and gives it its name, in place of what had that name. */
gboolean pen_new_file_finish (PenNewFile *self, GError **error);

/* Removes it if it is not finished. */
void pen_new_file_free (PenNewFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenNewFile, pen_new_file_free)

/*
 * pen_new_file_remove_left:
 * @base: (nullable): the name without directory that the files would have had; NULL: any
 *
 * Removes unfinished files of the user's in @directory that no living process holds.
 *
 * Returns: how many
 */
guint pen_new_file_remove_left (const char *directory, const char *base);

G_END_DECLS
