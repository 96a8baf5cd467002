/* pen-fuzz-disk.c: a file of SQLite's that is a buffer (sqlite.org/vfs.html)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-fuzz-disk.h"

#include <sqlite3.h>
#include <string.h>

#define SECTOR_SIZE 4096
/* A damaged database may ask for a page that is far behind all others. */
#define MAX_SIZE (64u << 20)

static char *kept_path;
static GByteArray *kept;
static sqlite3_vfs *real;

static int
disk_close (G_GNUC_UNUSED sqlite3_file *file)
{
  return SQLITE_OK;
}

static int
disk_read (G_GNUC_UNUSED sqlite3_file *file, void *bytes, int n, sqlite3_int64 offset)
{
  gsize there = offset < kept->len ? MIN ((gsize) n, kept->len - (gsize) offset) : 0;

  if (there > 0)
    memcpy (bytes, kept->data + offset, there);
  memset ((guint8 *) bytes + there, 0, (gsize) n - there);
  return there == (gsize) n ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int
disk_write (G_GNUC_UNUSED sqlite3_file *file, const void *bytes, int n, sqlite3_int64 offset)
{
  guint old = kept->len;

  if (offset + n > MAX_SIZE)
    return SQLITE_FULL;
  if (offset + n > old) {
    g_byte_array_set_size (kept, (guint) (offset + n));
    memset (kept->data + old, 0, kept->len - old);
  }
  memcpy (kept->data + offset, bytes, (gsize) n);
  return SQLITE_OK;
}

static int
disk_truncate (G_GNUC_UNUSED sqlite3_file *file, sqlite3_int64 size)
{
  if (size < kept->len)
    g_byte_array_set_size (kept, (guint) size);
  return SQLITE_OK;
}

static int
disk_sync (G_GNUC_UNUSED sqlite3_file *file, G_GNUC_UNUSED int flags)
{
  return SQLITE_OK;
}

static int
disk_get_size (G_GNUC_UNUSED sqlite3_file *file, sqlite3_int64 *size)
{
  *size = kept->len;
  return SQLITE_OK;
}

static int
disk_lock (G_GNUC_UNUSED sqlite3_file *file, G_GNUC_UNUSED int lock)
{
  return SQLITE_OK;
}

static int
disk_check_lock (G_GNUC_UNUSED sqlite3_file *file, int *is_locked)
{
  *is_locked = 0;
  return SQLITE_OK;
}

static int
disk_control (G_GNUC_UNUSED sqlite3_file *file, G_GNUC_UNUSED int what, G_GNUC_UNUSED void *data)
{
  return SQLITE_NOTFOUND;
}

static int
disk_get_sector_size (G_GNUC_UNUSED sqlite3_file *file)
{
  return SECTOR_SIZE;
}

static int
disk_get_traits (G_GNUC_UNUSED sqlite3_file *file)
{
  return 0;
}

static const sqlite3_io_methods methods = {
  .iVersion = 1,
  .xClose = disk_close,
  .xRead = disk_read,
  .xWrite = disk_write,
  .xTruncate = disk_truncate,
  .xSync = disk_sync,
  .xFileSize = disk_get_size,
  .xLock = disk_lock,
  .xUnlock = disk_lock,
  .xCheckReservedLock = disk_check_lock,
  .xFileControl = disk_control,
  .xSectorSize = disk_get_sector_size,
  .xDeviceCharacteristics = disk_get_traits,
};

static int
disk_open (sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0 || g_strcmp0 (name, kept_path) != 0)
    return real->xOpen (vfs, name, file, flags, out);
  file->pMethods = &methods;
  if (out)
    *out = flags;
  return SQLITE_OK;
}

/* Nothing lies beside it. */
static int
disk_access (sqlite3_vfs *vfs, const char *name, int flags, int *is_there)
{
  if (!g_str_has_prefix (name, kept_path))
    return real->xAccess (vfs, name, flags, is_there);
  *is_there = name[strlen (kept_path)] == '\0';
  return SQLITE_OK;
}

void
pen_fuzz_disk_use (const char *path, const guint8 *bytes, gsize size)
{
  static sqlite3_vfs vfs;

  kept_path = g_strdup (path);
  kept = g_byte_array_new ();
  pen_fuzz_disk_set (bytes, size);
  real = sqlite3_vfs_find (NULL);
  vfs = *real;
  vfs.zName = "memory of pen-fuzz";
  vfs.xOpen = disk_open;
  vfs.xAccess = disk_access;
  g_assert_cmpint (sqlite3_vfs_register (&vfs, 1), ==, SQLITE_OK);
}

void
pen_fuzz_disk_set (const guint8 *bytes, gsize size)
{
  g_byte_array_set_size (kept, (guint) size);
  memcpy (kept->data, bytes, size);
}

guint8 *
pen_fuzz_disk_get (gsize *size)
{
  *size = kept->len;
  return kept->data;
}
