/* pen-cache.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cache.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pen-cache-settings.h"
#include "pen-import-lock.h"
#include "pen-journal.h"
#include "pen-kernel-text.h"
#include "pen-late-close.h"
#include "pen-new-file.h"
#include "pen-store-header.h"
#include "pen-store.h"

#define STORE_SUFFIX ".pentimento"
#define PART_SUFFIX ".part"
#define LOCK_SUFFIX ".importing"

/* Between the name of an import and its opening is no more than this. */
#define IDLE_US (10 * G_USEC_PER_SEC)

const char *
pen_cache_state_to_string (PenCacheState state)
{
  static const char *const words[PEN_CACHE_STATES] = {
    [PEN_CACHE_COMPLETE] = "complete", [PEN_CACHE_IMPORTING] = "importing",
    [PEN_CACHE_LEFT] = "left behind",  [PEN_CACHE_OTHER_VERSION] = "other version",
    [PEN_CACHE_DAMAGED] = "damaged",   [PEN_CACHE_KERNEL_TEXT] = "kernel text",
  };

  g_return_val_if_fail (state < PEN_CACHE_STATES, "");
  return words[state];
}

static void
entry_free (gpointer data)
{
  PenCacheEntry *self = data;

  g_free (self->path);
  g_free (self->capture);
  g_free (self);
}

/* ---- files ---- */

static gboolean
is_part (const char *name)
{
  return *name == '.' && g_str_has_suffix (name, PART_SUFFIX) && strstr (name, STORE_SUFFIX ".");
}

/* An import makes files of the user's own only. */
static PenCacheEntry *
entry_new (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  PenCacheEntry *self;
  struct stat status;

  if (!g_str_has_suffix (name, STORE_SUFFIX) && !is_part (name) && !pen_kernel_text_is_name (name))
    return NULL;
  if (lstat (path, &status) != 0 || !S_ISREG (status.st_mode) || status.st_uid != geteuid ())
    return NULL;

  self = g_new0 (PenCacheEntry, 1);
  self->path = g_steal_pointer (&path);
  self->size = (guint64) status.st_size;
  self->used = (gint64) status.st_mtim.tv_sec * G_USEC_PER_SEC + status.st_mtim.tv_nsec / 1000;
  self->state = is_part (name)                   ? PEN_CACHE_LEFT
                : pen_kernel_text_is_name (name) ? PEN_CACHE_KERNEL_TEXT
                                                 : PEN_CACHE_COMPLETE;
  return self;
}

/* Who reads a store holds a shared lock on it (pen_store_open()), and who writes one an exclusive
 * lock (PenNewFile): both end with the process.
 *
 * Returns: a locked descriptor, or -1: in use */
static int
lock_entry (const PenCacheEntry *entry)
{
  int fd = g_open (entry->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);

  /* On a file system without locks, an open file can be read even after it is unlinked. */
  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    pen_late_close (fd);
    fd = -1;
  }
  return fd;
}

static void
find_use (PenCacheEntry *self)
{
  int fd = lock_entry (self);

  self->is_in_use = fd < 0;
  if (fd >= 0)
    pen_late_close (fd);
  if (self->is_in_use && self->state == PEN_CACHE_LEFT)
    self->state = PEN_CACHE_IMPORTING;
}

static int
compare_use (gconstpointer a, gconstpointer b)
{
  const PenCacheEntry *x = *(PenCacheEntry *const *) a;
  const PenCacheEntry *y = *(PenCacheEntry *const *) b;

  return x->used != y->used ? (x->used < y->used) - (x->used > y->used) : strcmp (x->path, y->path);
}

static GPtrArray *
list_entries (const char *directory, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, error);
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (entry_free);
  const char *name;

  if (!dir)
    return NULL;

  while ((name = g_dir_read_name (dir))) {
    PenCacheEntry *entry = entry_new (directory, name);

    if (entry) {
      find_use (entry);
      g_ptr_array_add (entries, entry);
    }
  }
  g_ptr_array_sort (entries, compare_use);
  return g_steal_pointer (&entries);
}

/* ---- what is in them ---- */

static void
look_into (PenCacheEntry *self)
{
  g_autoptr (PenStore) store = NULL;
  guint32 version = 0;

  if (self->state != PEN_CACHE_COMPLETE)
    return;

  if (pen_store_header_read (self->path, &version) && version != PEN_STORE_VERSION) {
    self->state = PEN_CACHE_OTHER_VERSION;
    return;
  }

  store = pen_store_open (self->path, NULL);
  if (!store)
    self->state = PEN_CACHE_DAMAGED;
  else
    self->capture = g_strdup (pen_store_get_fact (store, "capture_path"));
}

GPtrArray *
pen_cache_load_entries (const char *directory, GError **error)
{
  GPtrArray *entries = list_entries (directory, error);

  for (guint i = 0; entries && i < entries->len; i++)
    look_into (g_ptr_array_index (entries, i));
  return entries;
}

/* ---- less of it ---- */

/* Returns: FALSE: it stays */
static gboolean
remove_entry (const PenCacheEntry *entry)
{
  int fd = lock_entry (entry);
  gboolean is_removed = fd >= 0 && g_unlink (entry->path) == 0;

  if (is_removed)
    pen_journal_remove (entry->path);
  if (fd >= 0)
    pen_late_close (fd);
  return is_removed;
}

static gboolean
is_idle (const PenCacheEntry *entry, gint64 idle)
{
  return idle == 0 || g_get_real_time () - entry->used > idle;
}

/* An import that was killed leaves its lock's file. */
static void
remove_left_locks (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *place = NULL;
    g_autoptr (PenImportLock) lock = NULL;

    if (!g_str_has_suffix (name, LOCK_SUFFIX))
      continue;

    /* The holder removes it. */
    place = g_strndup (name, strlen (name) - strlen (LOCK_SUFFIX));
    lock = pen_import_lock_new (directory, place);
    pen_import_lock_try (lock, NULL);
  }
}

/* Of an import in which a note was being written, and that another process removed then. */
static void
remove_left_journals (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *owner = pen_journal_get_owner (name);
    g_autofree char *path = owner ? g_build_filename (directory, owner, NULL) : NULL;

    if (owner && g_str_has_suffix (owner, STORE_SUFFIX) && !g_file_test (path, G_FILE_TEST_EXISTS))
      pen_journal_remove (path);
  }
}

gboolean
pen_cache_remove (const char *directory, const char *path, PenCacheTrimmed *trimmed, GError **error)
{
  g_autoptr (GPtrArray) entries = list_entries (directory, error);

  *trimmed = (PenCacheTrimmed){ 0 };
  /* Only what is in the cache is removed, whatever was asked for. */
  for (guint i = 0; entries && i < entries->len; i++) {
    const PenCacheEntry *entry = g_ptr_array_index (entries, i);

    if (strcmp (entry->path, path) == 0 && remove_entry (entry)) {
      trimmed->n_removed++;
      trimmed->removed += entry->size;
    }
  }
  return entries != NULL;
}

gboolean
pen_cache_trim (const char *directory, guint64 limit, const char *keep, gint64 idle,
                PenCacheTrimmed *trimmed, GError **error)
{
  g_autoptr (GPtrArray) entries = NULL;
  guint64 total = 0;

  *trimmed = (PenCacheTrimmed){ 0 };
  pen_new_file_remove_left (directory, NULL);
  remove_left_journals (directory);
  entries = list_entries (directory, error);
  if (!entries)
    return FALSE;

  for (guint i = 0; i < entries->len; i++)
    total += ((PenCacheEntry *) g_ptr_array_index (entries, i))->size;

  for (guint i = entries->len; i > 0 && total > limit; i--) {
    const PenCacheEntry *entry = g_ptr_array_index (entries, i - 1);

    if (g_strcmp0 (entry->path, keep) != 0 && is_idle (entry, idle) && remove_entry (entry)) {
      trimmed->n_removed++;
      trimmed->removed += entry->size;
      total -= entry->size;
    }
  }

  trimmed->n_kept = entries->len - trimmed->n_removed;
  trimmed->kept = total;
  if (limit == 0)
    remove_left_locks (directory);
  return TRUE;
}

void
pen_cache_touch (const char *store)
{
  if (utimensat (AT_FDCWD, store, NULL, 0) != 0)
    g_debug ("“%s”: the time of its use is not kept: %s", store, g_strerror (errno));
}

void
pen_cache_keep_limit (const char *directory, const char *store)
{
  g_autoptr (GError) error = NULL;
  PenCacheTrimmed trimmed;
  guint64 limit;

  if (!pen_cache_get_limit (&limit, &error)
      || !pen_cache_trim (directory, limit, store, IDLE_US, &trimmed, &error))
    g_message ("The cache's limit is not kept: %s", error->message);
}
