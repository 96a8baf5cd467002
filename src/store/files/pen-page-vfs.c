/* pen-page-vfs.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-page-vfs.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>

#include "pen-page-places.h"

#define NAME "pentimento-pages"

/* One of the two is not NULL. */
typedef struct {
  sqlite3_file base;
  PenPageFile *file;
  PenPageState *state;
} Handle;

/* ---- a file ---- */

static int
close_handle (sqlite3_file *file)
{
  Handle *self = (Handle *) file;

  g_clear_pointer (&self->file, pen_page_file_unref);
  g_clear_pointer (&self->state, pen_page_state_unref);
  return SQLITE_OK;
}

static guint32
count (const Handle *self)
{
  return self->state ? pen_page_state_count (self->state) : pen_page_file_count (self->file);
}

static gboolean
read_page (const Handle *self, guint32 page, guint offset, gpointer bytes, gsize n)
{
  return self->state ? pen_page_state_read (self->state, page, offset, bytes, n)
                     : pen_page_file_read (self->file, page, offset, bytes, n);
}

static int
read_bytes (sqlite3_file *file, void *bytes, int n, sqlite3_int64 at)
{
  const Handle *self = (const Handle *) file;
  guint64 end = (guint64) count (self) * PEN_PAGE_SIZE;
  guint8 *to = bytes;

  for (int done = 0; done < n;) {
    guint64 from = (guint64) at + (guint64) done;
    guint offset = (guint) (from % PEN_PAGE_SIZE);
    gsize length = MIN ((gsize) (n - done), PEN_PAGE_SIZE - offset);

    /* SQLite wants zeros for the rest. */
    if (from >= end) {
      memset (to + done, 0, (gsize) (n - done));
      return SQLITE_IOERR_SHORT_READ;
    }
    if (!read_page (self, (guint32) (from / PEN_PAGE_SIZE), offset, to + done, length))
      return SQLITE_IOERR_READ;
    done += (int) length;
  }
  return SQLITE_OK;
}

/* SQLite writes whole pages. */
static int
write_bytes (sqlite3_file *file, const void *bytes, int n, sqlite3_int64 at)
{
  const Handle *self = (const Handle *) file;

  if (!self->file)
    return SQLITE_READONLY;
  if ((guint) n != PEN_PAGE_SIZE || (guint64) at % PEN_PAGE_SIZE != 0
      || (guint64) at / PEN_PAGE_SIZE >= PEN_PAGE_NOWHERE)
    return SQLITE_IOERR_WRITE;
  if (pen_page_file_write (self->file, (guint32) ((guint64) at / PEN_PAGE_SIZE), bytes))
    return SQLITE_OK;
  return errno == ENOSPC || errno == EDQUOT ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int
truncate_file (sqlite3_file *file, sqlite3_int64 size)
{
  const Handle *self = (const Handle *) file;

  if (!self->file)
    return SQLITE_READONLY;
  pen_page_file_truncate (self->file, (guint32) ((guint64) size / PEN_PAGE_SIZE));
  return SQLITE_OK;
}

static int
get_size (sqlite3_file *file, sqlite3_int64 *size)
{
  *size = (sqlite3_int64) count ((const Handle *) file) * PEN_PAGE_SIZE;
  return SQLITE_OK;
}

/* It lives as long as the program. */
static int
sync_file (sqlite3_file *file G_GNUC_UNUSED, int flags G_GNUC_UNUSED)
{
  return SQLITE_OK;
}

/* One writes, and who reads has a state of its own. */
static int
lock_file (sqlite3_file *file G_GNUC_UNUSED, int level G_GNUC_UNUSED)
{
  return SQLITE_OK;
}

static int
is_reserved (sqlite3_file *file G_GNUC_UNUSED, int *result)
{
  *result = FALSE;
  return SQLITE_OK;
}

static int
control (sqlite3_file *file G_GNUC_UNUSED, int operation G_GNUC_UNUSED,
         void *argument G_GNUC_UNUSED)
{
  return SQLITE_NOTFOUND;
}

static int
get_sector_size (sqlite3_file *file G_GNUC_UNUSED)
{
  return (int) PEN_PAGE_SIZE;
}

static int
get_characteristics (sqlite3_file *file)
{
  return ((const Handle *) file)->state ? SQLITE_IOCAP_IMMUTABLE : 0;
}

static const sqlite3_io_methods methods = {
  .iVersion = 1,
  .xClose = close_handle,
  .xRead = read_bytes,
  .xWrite = write_bytes,
  .xTruncate = truncate_file,
  .xSync = sync_file,
  .xFileSize = get_size,
  .xLock = lock_file,
  .xUnlock = lock_file,
  .xCheckReservedLock = is_reserved,
  .xFileControl = control,
  .xSectorSize = get_sector_size,
  .xDeviceCharacteristics = get_characteristics,
};

/* ---- all files; those of sorts that need much room are of the default VFS ---- */

static sqlite3_vfs *
get_default (sqlite3_vfs *vfs)
{
  return vfs->pAppData;
}

static int
open_file (sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
  Handle *self = (Handle *) file;

  if (!pen_page_file_has_name (name))
    return get_default (vfs)->xOpen (get_default (vfs), name, file, flags, out_flags);

  *self = (Handle){ .state = pen_page_state_find (name) };
  if (!self->state)
    self->file = pen_page_file_find (name);
  if (!self->state && !self->file)
    return SQLITE_CANTOPEN;
  self->base.pMethods = &methods;
  if (out_flags)
    *out_flags = flags;
  return SQLITE_OK;
}

static int
delete_file (sqlite3_vfs *vfs, const char *name, int sync)
{
  return pen_page_file_has_name (name) ? SQLITE_OK
                                       : get_default (vfs)->xDelete (get_default (vfs), name, sync);
}

static int
look_for_file (sqlite3_vfs *vfs, const char *name, int flags, int *result)
{
  if (!pen_page_file_has_name (name))
    return get_default (vfs)->xAccess (get_default (vfs), name, flags, result);
  *result = FALSE;
  return SQLITE_OK;
}

static int
make_path (sqlite3_vfs *vfs, const char *name, int n, char *path)
{
  if (!pen_page_file_has_name (name))
    return get_default (vfs)->xFullPathname (get_default (vfs), name, n, path);
  return g_strlcpy (path, name, (gsize) n) < (gsize) n ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int
get_randomness (sqlite3_vfs *vfs, int n, char *bytes)
{
  return get_default (vfs)->xRandomness (get_default (vfs), n, bytes);
}

static int
sleep_for (sqlite3_vfs *vfs, int time)
{
  return get_default (vfs)->xSleep (get_default (vfs), time);
}

static int
get_time (sqlite3_vfs *vfs, double *time)
{
  return get_default (vfs)->xCurrentTime (get_default (vfs), time);
}

static int
get_last_error (sqlite3_vfs *vfs, int n, char *text)
{
  return get_default (vfs)->xGetLastError (get_default (vfs), n, text);
}

static sqlite3_vfs page_vfs = {
  .iVersion = 1,
  .zName = NAME,
  .xOpen = open_file,
  .xDelete = delete_file,
  .xAccess = look_for_file,
  .xFullPathname = make_path,
  .xRandomness = get_randomness,
  .xSleep = sleep_for,
  .xCurrentTime = get_time,
  .xGetLastError = get_last_error,
};

const char *
pen_page_vfs_register (void)
{
  static gsize is_registered;

  if (g_once_init_enter (&is_registered)) {
    sqlite3_vfs *other = sqlite3_vfs_find (NULL);

    page_vfs.pAppData = other;
    page_vfs.szOsFile = MAX ((int) sizeof (Handle), other->szOsFile);
    page_vfs.mxPathname = other->mxPathname;
    sqlite3_vfs_register (&page_vfs, FALSE);
    g_once_init_leave (&is_registered, 1);
  }
  return NAME;
}
