/* pen-import-open.c: imports kept in the user's cache
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "pen-cache-directory.h"
#include "pen-cache.h"
#include "pen-capture-links.h"
#include "pen-import-key.h"
#include "pen-import-lock.h"
#include "pen-journal.h"
#include "pen-new-file.h"
#include "pen-found-file.h"
#include "pen-store-header.h"

#define SUFFIX ".pentimento"
/* How often a process that waits for another's import looks again. */
#define WAIT_US 50000

/* Names are PLACE-CONTENT.pentimento and PLACE.importing; half of each sum is more than enough. */
#define SUM_LENGTH 32

/* The listener of an import, and notes that are added for it. */
typedef struct {
  PenImportFunc func;
  gpointer user_data;
  guint32 notes;
} Listener;

const char *
pen_import_note_to_string (PenImportNote note)
{
  static const char *const words[PEN_IMPORT_NOTES] = {
    [PEN_IMPORT_NOTE_INTERRUPTED]
    = N_ ("An earlier import of this recording was interrupted; it is made again."),
    [PEN_IMPORT_NOTE_DAMAGED] = N_ ("The import in the cache is damaged; it is made again."),
    [PEN_IMPORT_NOTE_OTHER_VERSION]
    = N_ ("The import in the cache is of an older version; it is made again."),
  };

  g_return_val_if_fail (note < PEN_IMPORT_NOTES, "");
  return words[note];
}

static void
tell (const PenImportProgress *progress, gpointer user_data)
{
  Listener *self = user_data;
  PenImportProgress told = *progress;

  told.notes |= self->notes;
  if (self->func)
    self->func (&told, self->user_data);
}

/* One imports, the others wait for it; if it dies, one of them takes over. */
static gboolean
take_lock (PenImportLock *lock, Listener *listener, GCancellable *cancellable, GError **error)
{
  const PenImportProgress waiting = { .is_waiting = TRUE };
  GError *local_error = NULL;

  while (!pen_import_lock_try (lock, &local_error)) {
    if (local_error) {
      g_propagate_error (error, local_error);
      return FALSE;
    }
    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return FALSE;

    tell (&waiting, listener);
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
  return store && pen_found_files_are_unchanged (store) && pen_found_files_are_all (store);
}

/* One that is whole is made again where what it was made of has changed. */
static gboolean
can_be_opened (const char *path)
{
  g_autoptr (PenStore) store = pen_store_open (path, NULL);

  return store != NULL;
}

/* Imports of the capture as it was before, or by an older version. An import by a newer one stays:
 * it may be in use, too.
 *
 * Returns: TRUE: there was one of an older version */
static gboolean
remove_old (const char *directory, const PenImportKey *key, const char *keep)
{
  g_autofree char *prefix = g_strdup_printf ("%.*s-", SUM_LENGTH, key->place);
  g_autofree char *keep_name = g_path_get_basename (keep);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  gboolean had_older = FALSE;
  const char *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *path = NULL;
    guint32 version = 0;

    if (!g_str_has_prefix (name, prefix) || !g_str_has_suffix (name, SUFFIX)
        || strcmp (name, keep_name) == 0)
      continue;

    path = g_build_filename (directory, name, NULL);
    if (pen_store_header_read (path, &version) && version > PEN_STORE_VERSION)
      continue;
    had_older = had_older || (version > 0 && version < PEN_STORE_VERSION);
    g_unlink (path);
    pen_journal_remove (path);
  }
  return had_older;
}

static gboolean
import_locked (const char *directory, const PenImportKey *key, const char *path, const char *store,
               const PenSources *sources, Listener *listener, GCancellable *cancellable,
               GError **error)
{
  if (g_file_test (store, G_FILE_TEST_EXISTS) && !can_be_opened (store))
    listener->notes |= 1u << PEN_IMPORT_NOTE_DAMAGED;
  if (remove_old (directory, key, store))
    listener->notes |= 1u << PEN_IMPORT_NOTE_OTHER_VERSION;

  /* Its version does not matter, as it cannot be read. */
  g_unlink (store);
  pen_journal_remove (store);
  return pen_import_with_kernel_text (path, store, sources, tell, listener, cancellable, error);
}

static char *
import_into_cache (const char *path, const PenSources *sources, Listener *listener,
                   GCancellable *cancellable, GError **error)
{
  g_autoptr (PenImportKey) key = pen_import_key_new (path, sources, error);
  g_autofree char *directory = NULL;
  g_autofree char *store = NULL;
  g_autofree char *place = NULL;
  g_autoptr (PenImportLock) lock = NULL;

  if (!key) {
    pen_import_explain_error (error, path);
    return NULL;
  }

  directory = pen_cache_directory (error);
  if (!directory)
    return NULL;

  place = g_strndup (key->place, SUM_LENGTH);
  lock = pen_import_lock_new (directory, place);
  store = store_path (directory, key);
  pen_new_file_remove_left (directory, NULL);
  if (is_usable (store)) {
    /* Its maker may have been killed right then. */
    if (g_file_test (lock->path, G_FILE_TEST_EXISTS) && pen_import_lock_try (lock, NULL))
      pen_cache_keep_limit (directory, store);
    pen_cache_touch (store);
    return g_steal_pointer (&store);
  }

  if (!take_lock (lock, listener, cancellable, error))
    return NULL;

  /* The previous holder of the lock may have made it. */
  if (is_usable (store))
    return g_steal_pointer (&store);

  if (lock->was_interrupted)
    listener->notes |= 1u << PEN_IMPORT_NOTE_INTERRUPTED;
  if (!import_locked (directory, key, path, store, sources, listener, cancellable, error))
    return NULL;

  pen_cache_keep_limit (directory, store);
  return g_steal_pointer (&store);
}

char *
pen_import_open (const char *path, const PenSources *sources, PenImportFunc func,
                 gpointer user_data, GCancellable *cancellable, GError **error)
{
  Listener listener = { .func = func, .user_data = user_data };
  g_autofree char *place = NULL;

  if (pen_import_is_stream (path)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                 "“%s” can be read only once: it has no place in the cache.", path);
    return NULL;
  }
  if (pen_store_is_store (path))
    return g_canonicalize_filename (path, NULL);

  if (!pen_capture_links_check (path, error))
    return NULL;
  place = pen_import_find_capture (path);
  return import_into_cache (place, sources, &listener, cancellable, error);
}
