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
#include <sys/xattr.h>
#include <unistd.h>

#define OUTER "pentimento-recorder-"
#define INNER "recording"
#define NAME_TRIES 16

/* On an inner directory that is not handed over yet: to whom. Only root can set it, so that no
 * directory of root's which somebody put in such a place is taken for one. */
#define MARK "trusted.pentimento-recorder"
#define MARK_MAX 32u

/* More names would be somebody's who wants to be waited for. */
#define LEFT_MAX 1024u

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
    self->name = g_strdup_printf (OUTER "%.8s", uuid);
    is_made = mkdirat (self->parent, self->name, 0700) == 0;
    if (!is_made && errno != EEXIST)
      break;
  }
  if (!is_made)
    return set_errno (error, path);
  self->outer = enter (self->parent, self->name);
  return self->outer >= 0 || set_errno (error, path);
}

/* Where that cannot be done, what a killed recorder leaves stays root's. */
static void
mark (const PenRecorderPlace *self)
{
  g_autofree char *text = g_strdup_printf ("%u %u", self->uid, self->gid);

  (void) !fsetxattr (self->inner, MARK, text, strlen (text), 0);
}

/* The outer one is given away last: until then nobody else gets in. */
static gboolean
make_inner (PenRecorderPlace *self, const char *path, GError **error)
{
  if (mkdirat (self->outer, INNER, 0700) != 0)
    return set_errno (error, path);
  self->inner = enter (self->outer, INNER);
  if (self->inner >= 0)
    mark (self);
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

/* Not what was handed over by a recorder that was killed then: its owner may have put anything
 * there, and other names of files. */
static gboolean
is_ours (const struct stat *status)
{
  return status->st_uid == geteuid ()
         && (S_ISDIR (status->st_mode) || (S_ISREG (status->st_mode) && status->st_nlink == 1));
}

static void
walk_entry (PenRecorderPlace *self, int parent, const char *name, Walk walk, guint depth)
{
  int file = openat (parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0);
  struct stat status = { 0 };
  gboolean is_known = file >= 0 && fstat (file, &status) == 0;
  gboolean is_directory = is_known && S_ISDIR (status.st_mode);

  if (is_known && is_ours (&status)) {
    if (is_directory && depth < DEPTH_MAX)
      walk_directory (self, file, walk, depth + 1);
    change (self, file, walk, is_directory);
  }
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
  (void) !fremovexattr (self->inner, MARK);
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

/* ---- what was left ---- */

/* FALSE: it is none of ours, or was handed over. */
static gboolean
read_mark (PenRecorderPlace *self)
{
  char text[MARK_MAX];
  gssize n = fgetxattr (self->inner, MARK, text, sizeof text - 1);
  struct stat status;
  guint64 uid;
  guint64 gid;
  char *blank;

  if (n <= 0 || fstat (self->inner, &status) != 0 || !is_ours (&status))
    return FALSE;
  text[n] = '\0';
  blank = strchr (text, ' ');
  if (!blank)
    return FALSE;
  *blank = '\0';
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, &uid, NULL)
      || !g_ascii_string_to_unsigned (blank + 1, 10, 0, G_MAXUINT32, &gid, NULL))
    return FALSE;
  self->uid = (uid_t) uid;
  self->gid = (gid_t) gid;
  return TRUE;
}

void
pen_recorder_place_hand_over_left (const char *parent)
{
  int file = enter (AT_FDCWD, parent);
  DIR *listed = file >= 0 && check_parent (file, parent, NULL) ? fdopendir (file) : NULL;
  struct dirent *entry;
  guint n = 0;

  while (listed && n < LEFT_MAX && (entry = readdir (listed))) {
    PenRecorderPlace left = { .parent = -1, .outer = -1, .inner = -1 };

    if (!g_str_has_prefix (entry->d_name, OUTER))
      continue;
    n++;
    left.outer = enter (file, entry->d_name);
    if (left.outer >= 0)
      left.inner = enter (left.outer, INNER);
    if (left.inner >= 0 && read_mark (&left))
      pen_recorder_place_hand_over (&left);
    close_one (left.inner);
    close_one (left.outer);
  }
  if (listed)
    closedir (listed);
  else
    close_one (file);
}
