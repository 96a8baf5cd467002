/* pen-recorder-place.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-recorder-place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define INNER "recording"
#define NAME_TRIES 16

/* recording/perf.data/pentimento/start/kallsyms */
#define DEPTH_MAX 5u

struct PenRecorderPlace {
  int parent;
  int outer;
  int inner;
  char *name; /* of the outer one */
  uid_t uid;
  gid_t gid;
};

static gboolean
set_errno (GError **error, const char *path)
{
  int number = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (number), "%s: %s", path,
               g_strerror (number));
  return FALSE;
}

static int
enter (int parent, const char *name)
{
  return openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Without the sticky bit, who may write there could put another directory in the place of ours. */
static gboolean
check_parent (int parent, const char *path, GError **error)
{
  struct stat status;

  if (fstat (parent, &status) != 0)
    return set_errno (error, path);
  if ((status.st_uid == 0 || status.st_uid == geteuid ())
      && ((status.st_mode & S_ISVTX) != 0 || (status.st_mode & (S_IWGRP | S_IWOTH)) == 0))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
               _ ("%s: others can change its contents; its mode has to be 1777"), path);
  return FALSE;
}

static gboolean
make_outer (PenRecorderPlace *self, const char *path, GError **error)
{
  gboolean is_made = FALSE;

  for (guint i = 0; !is_made && i < NAME_TRIES; i++) {
    g_autofree char *uuid = g_uuid_string_random ();

    g_free (self->name);
    self->name = g_strdup_printf ("pentimento-recorder-%.8s", uuid);
    is_made = mkdirat (self->parent, self->name, 0700) == 0;
    if (!is_made && errno != EEXIST)
      break;
  }
  if (!is_made)
    return set_errno (error, path);
  self->outer = enter (self->parent, self->name);
  return self->outer >= 0 || set_errno (error, path);
}

/* The outer one is given away last: until then nobody else gets in. */
static gboolean
make_inner (PenRecorderPlace *self, const char *path, GError **error)
{
  if (mkdirat (self->outer, INNER, 0700) != 0)
    return set_errno (error, path);
  self->inner = enter (self->outer, INNER);
  if (self->inner < 0 || fchmod (self->inner, 0755) != 0 || fchdir (self->inner) != 0
      || fchown (self->outer, self->uid, self->gid) != 0)
    return set_errno (error, path);
  return TRUE;
}

PenRecorderPlace *
pen_recorder_place_new (const char *parent, uid_t uid, gid_t gid, GError **error)
{
  g_autoptr (PenRecorderPlace) self = g_new0 (PenRecorderPlace, 1);

  self->outer = self->inner = -1;
  self->uid = uid;
  self->gid = gid;
  self->parent = enter (AT_FDCWD, parent);
  if (self->parent < 0) {
    set_errno (error, parent);
    return NULL;
  }
  if (!check_parent (self->parent, parent, error))
    return NULL;
  if (!make_outer (self, parent, error) || !make_inner (self, parent, error)) {
    pen_recorder_place_remove (self);
    return NULL;
  }
  return g_steal_pointer (&self);
}

static void
close_one (int descriptor)
{
  if (descriptor >= 0)
    close (descriptor);
}

void
pen_recorder_place_free (PenRecorderPlace *self)
{
  if (!self)
    return;
  close_one (self->inner);
  close_one (self->outer);
  close_one (self->parent);
  g_free (self->name);
  g_free (self);
}

int
pen_recorder_place_get_directory (const PenRecorderPlace *self)
{
  return self->inner;
}

gboolean
pen_recorder_place_has_space (const PenRecorderPlace *self)
{
  struct statvfs status;

  return fstatvfs (self->inner, &status) == 0
         && (guint64) status.f_bavail * status.f_frsize >= PEN_RECORDER_FREE_MIN;
}

/* ---- all that is there ---- */

typedef enum { WALK_SHOW, WALK_HAND_OVER, WALK_REMOVE } Walk;

static void walk_directory (PenRecorderPlace *self, int directory, Walk walk, guint depth);

/* A directory changes hands after what is in it: nobody else can put a link there meanwhile. */
static void
change (PenRecorderPlace *self, int file, Walk walk, gboolean is_directory)
{
  if (walk == WALK_SHOW) {
    (void) !fchmod (file, is_directory ? 0755 : 0644);
  } else if (walk == WALK_HAND_OVER) {
    (void) !fchmod (file, is_directory ? 0700 : 0600);
    (void) !fchown (file, self->uid, self->gid);
  }
}

static void
walk_entry (PenRecorderPlace *self, int parent, const char *name, Walk walk, guint depth)
{
  int file = openat (parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0);
  struct stat status;
  gboolean is_directory;

  is_directory = file >= 0 && fstat (file, &status) == 0 && S_ISDIR (status.st_mode);
  if (is_directory && depth < DEPTH_MAX)
    walk_directory (self, file, walk, depth + 1);
  if (file >= 0 && (is_directory || S_ISREG (status.st_mode)))
    change (self, file, walk, is_directory);
  close_one (file);
  if (walk == WALK_REMOVE)
    unlinkat (parent, name, is_directory ? AT_REMOVEDIR : 0);
}

static void
walk_directory (PenRecorderPlace *self, int directory, Walk walk, guint depth)
{
  int copy = openat (directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *listed = copy >= 0 ? fdopendir (copy) : NULL;
  struct dirent *entry;

  while (listed && (entry = readdir (listed))) {
    if (!g_str_equal (entry->d_name, ".") && !g_str_equal (entry->d_name, ".."))
      walk_entry (self, directory, entry->d_name, walk, depth);
  }
  if (listed)
    closedir (listed);
  else
    close_one (copy);
}

void
pen_recorder_place_show (PenRecorderPlace *self)
{
  walk_directory (self, self->inner, WALK_SHOW, 0);
}

void
pen_recorder_place_hand_over (PenRecorderPlace *self)
{
  walk_directory (self, self->inner, WALK_HAND_OVER, 0);
  change (self, self->inner, WALK_HAND_OVER, TRUE);
}

/* Only empty directories are removed by name: whatever the owner put there instead stays. */
void
pen_recorder_place_remove (PenRecorderPlace *self)
{
  if (self->inner >= 0)
    walk_directory (self, self->inner, WALK_REMOVE, 0);
  if (self->outer >= 0) {
    unlinkat (self->outer, INNER, AT_REMOVEDIR);
    unlinkat (self->parent, self->name, AT_REMOVEDIR);
  }
}
