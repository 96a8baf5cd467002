/* pen-store-header.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-header.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-late-close.h"
#include "pen-store.h"

/* Bytes 0–15 say SQLite 3, 60–63 are user_version and 68–71 application_id, both big-endian
 * (sqlite.org/fileformat2.html, 1.3). */
#define HEADER_SIZE 72
#define VERSION_AT 60
#define APPLICATION_AT 68

static guint32
get_number (const guint8 *bytes)
{
  guint32 number;

  memcpy (&number, bytes, sizeof number);
  return GUINT32_FROM_BE (number);
}

gboolean
pen_store_header_read (const char *path, guint32 *version)
{
  guint8 header[HEADER_SIZE];
  struct stat status;
  gboolean is_read;
  int fd;

  /* Opening a FIFO would let its writer go, who then finds no reader. */
  if (stat (path, &status) != 0 || !S_ISREG (status.st_mode))
    return FALSE;

  fd = g_open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
  if (fd < 0)
    return FALSE;

  is_read = fstat (fd, &status) == 0 && S_ISREG (status.st_mode)
            && read (fd, header, sizeof header) == (gssize) sizeof header;
  pen_late_close (fd);

  if (!is_read || memcmp (header, "SQLite format 3", 16) != 0
      || get_number (header + APPLICATION_AT) != PEN_STORE_APPLICATION_ID)
    return FALSE;

  *version = get_number (header + VERSION_AT);
  return TRUE;
}

gboolean
pen_store_header_check_target (const char *path, GError **error)
{
  guint32 version;

  if (!pen_store_header_read (path, &version) || version <= PEN_STORE_VERSION)
    return TRUE;

  g_set_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_NEWER,
               "“%s” was written by a newer Pentimento (store version %u, this one writes %d) and "
               "is left as it is. Choose another name, or remove it first.",
               path, version, PEN_STORE_VERSION);
  return FALSE;
}
