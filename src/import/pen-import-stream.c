/* pen-import-stream.c: what comes through a FIFO or standard input, opened as captures are
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import.h"

#include <string.h>
#include <sys/stat.h>

#include "pen-stream-directory.h"

gboolean
pen_import_is_stream (const char *path)
{
  struct stat status;

  return strcmp (path, "-") == 0 || (stat (path, &status) == 0 && S_ISFIFO (status.st_mode));
}

static PenStore *
import_stream (const char *path, const PenSources *sources, PenImportFunc func, gpointer user_data,
               GCancellable *cancellable, GError **error)
{
  g_autoptr (PenStreamDirectory) directory = pen_stream_directory_new (error);

  if (!directory
      || !pen_import (path, directory->store, sources, func, user_data, cancellable, error))
    return NULL;
  return pen_store_open (directory->store, error);
}

PenStore *
pen_import_open_store (const char *path, const PenSources *sources, PenImportFunc func,
                       gpointer user_data, GCancellable *cancellable, GError **error)
{
  g_autofree char *store = NULL;

  if (pen_import_is_stream (path))
    return import_stream (path, sources, func, user_data, cancellable, error);

  store = pen_import_open (path, sources, func, user_data, cancellable, error);
  return store ? pen_store_open (store, error) : NULL;
}
