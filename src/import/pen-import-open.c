/* pen-import-open.c: imports kept in the user's cache
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "pen-cache-directory.h"
#include "pen-import-key.h"
#include "pen-store.h"

#define SUFFIX ".pentimento"
/* How often a process that waits for another's import looks again. */
#define WAIT_US 50000

/* Names are PLACE-CONTENT.pentimento and PLACE.lock; half of each sum is more than enough. */
#define SUM_LENGTH 32

static int
open_lock (const char *directory, const PenImportKey *key, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%.*s.lock", SUM_LENGTH, key->place);
  g_autofree char *path = g_build_filename (directory, name, NULL);
  int fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

  if (fd < 0) {
    int code = errno;

    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "Cannot write “%s”: %s", path,
                 g_strerror (code));
  }

  return fd;
}

/* One imports, the others wait for it. */
static gboolean
take_lock (int fd, GCancellable *cancellable, GError **error)
{
  while (flock (fd, LOCK_EX | LOCK_NB) != 0) {
    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return FALSE;

    /* Some network file systems have no locks: then two imports are made, and the last one stays.
     */
    if (errno != EWOULDBLOCK && errno != EINTR)
      return TRUE;

    g_usleep (WAIT_US);
  }

  return TRUE;
}

static char *
store_path (const char *directory, const PenImportKey *key)
{
  g_autofree char *name
      = g_strdup_printf ("%.*s-%.*s" SUFFIX, SUM_LENGTH, key->place, SUM_LENGTH, key->content);

  return g_build_filename (directory, name, NULL);
}

static gboolean
is_usable (const char *path)
{
  g_autoptr (PenStore) store = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return FALSE;

  store = pen_store_open (path, NULL);

  return store != NULL;
}

/* Imports of the capture as it was before, and what an import that was killed left behind. */
static void
remove_old (const char *directory, const PenImportKey *key, const char *keep)
{
  g_autofree char *prefix = g_strdup_printf ("%.*s-", SUM_LENGTH, key->place);
  g_autofree char *part_prefix = g_strdup_printf (".%s", prefix);
  g_autofree char *keep_name = g_path_get_basename (keep);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    gboolean is_old = g_str_has_prefix (name, prefix) && g_str_has_suffix (name, SUFFIX)
                      && strcmp (name, keep_name) != 0;
    gboolean is_part = g_str_has_prefix (name, part_prefix) && g_str_has_suffix (name, ".part");

    if (is_old || is_part) {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      g_unlink (path);
    }
  }
}

static char *
import_locked (const char *directory, const PenImportKey *key, const char *path,
               const PenSources *sources, PenImportFunc func, gpointer user_data,
               GCancellable *cancellable, GError **error)
{
  g_autofree char *store = store_path (directory, key);

  if (is_usable (store))
    return g_steal_pointer (&store);

  remove_old (directory, key, store);
  if (!pen_import (path, store, sources, func, user_data, cancellable, error))
    return NULL;

  return g_steal_pointer (&store);
}

static char *
import_into_cache (const char *path, const PenSources *sources, PenImportFunc func,
                   gpointer user_data, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenImportKey) key = pen_import_key_new (path, sources, error);
  g_autofree char *directory = NULL;
  char *store = NULL;
  int lock;

  if (key == NULL) {
    pen_import_explain_error (error, path);
    return NULL;
  }

  directory = pen_cache_directory (error);
  if (directory == NULL)
    return NULL;

  lock = open_lock (directory, key, error);
  if (lock < 0)
    return NULL;

  if (take_lock (lock, cancellable, error))
    store = import_locked (directory, key, path, sources, func, user_data, cancellable, error);

  /* Closing gives up the lock. The file stays: to remove it would let two processes hold two. */
  close (lock);

  return store;
}

char *
pen_import_open (const char *path, const PenSources *sources, PenImportFunc func,
                 gpointer user_data, GCancellable *cancellable, GError **error)
{
  if (pen_store_is_store (path))
    return g_canonicalize_filename (path, NULL);

  return import_into_cache (path, sources, func, user_data, cancellable, error);
}
