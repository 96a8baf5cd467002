/* pen-capture-mode.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-capture-mode.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "pen-import-key.h"

#define OWNER 0600
#define GROUP 0060
#define OTHERS 0006

/* With an access control list, the bits of the group are those of the mask (acl(5)). */
static gboolean
has_list (const char *path)
{
  return getxattr (path, "system.posix_acl_access", NULL, 0) > 0;
}

/* A group of the capture's that is not the one of new files could not read them anyway, but the
 * other could. */
static mode_t
allow_readers (const struct stat *status, gboolean has_list)
{
  mode_t mode = OWNER;

  if ((status->st_mode & S_IROTH) != 0)
    mode |= GROUP | OTHERS;
  else if ((status->st_mode & S_IRGRP) != 0 && status->st_gid == getegid () && !has_list)
    mode |= GROUP;
  return mode;
}

/* Files in a directory are there for those who may search it. */
static mode_t
allow_searchers (const struct stat *status, gboolean has_list)
{
  struct stat readable = *status;

  readable.st_mode = (status->st_mode & (S_IXGRP | S_IXOTH)) << 2;
  return allow_readers (&readable, has_list);
}

mode_t
pen_capture_mode (const char *capture)
{
  g_autofree char *found = NULL;
  g_autofree char *data = NULL;
  struct stat status;
  struct stat inner;

  if (strcmp (capture, "-") == 0)
    return fstat (STDIN_FILENO, &status) == 0 ? allow_readers (&status, FALSE) : OWNER;

  found = pen_import_find_capture (capture);
  if (stat (found, &status) != 0)
    return OWNER;
  if (!S_ISDIR (status.st_mode))
    return allow_readers (&status, has_list (found));

  data = g_build_filename (found, "data", NULL);
  if (stat (data, &inner) != 0)
    return OWNER;
  return allow_readers (&inner, has_list (data)) & allow_searchers (&status, has_list (found));
}
