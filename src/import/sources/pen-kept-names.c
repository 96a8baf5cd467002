/* pen-kept-names.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kept-names.h"

#include <string.h>
#include <sys/stat.h>

#include "pen-table-hash.h"

/* Modules come and go. */
#define OWN_FRESH (10 * G_USEC_PER_SEC)

typedef struct {
  PenKallsyms *kallsyms;
  struct stat status;
  gint64 loaded; /* monotonic, µs */
} Kept;

struct _PenKeptNames {
  GHashTable *kept; /* path → Kept */
  PenSymbolFinder *finder;
};

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  pen_kallsyms_free (kept->kallsyms);
  g_free (kept);
}

PenKeptNames *
pen_kept_names_new (void)
{
  PenKeptNames *self = g_new0 (PenKeptNames, 1);

  self->kept = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, kept_free);
  return self;
}

void
pen_kept_names_free (PenKeptNames *self)
{
  pen_symbol_finder_free (self->finder);
  g_hash_table_unref (self->kept);
  g_free (self);
}

static gboolean
is_same_file (const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size
         && a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static gboolean
is_good (const Kept *kept, const char *path, const struct stat *now)
{
  if (pen_kallsyms_is_moved (kept->kallsyms))
    return FALSE;
  return g_str_has_prefix (path, "/proc/") ? g_get_monotonic_time () - kept->loaded < OWN_FRESH
                                           : is_same_file (&kept->status, now);
}

PenKallsyms *
pen_kept_names_load (PenKeptNames *self, const char *path, GCancellable *cancellable,
                     GError **error)
{
  Kept *kept = self ? g_hash_table_lookup (self->kept, path) : NULL;
  PenKallsyms *kallsyms;
  struct stat status;

  /* Before it is read: what is changed meanwhile is read again. */
  if (!self || stat (path, &status) != 0)
    return pen_kallsyms_load (path, cancellable, error);
  if (kept && is_good (kept, path, &status))
    return pen_kallsyms_ref (kept->kallsyms);

  kallsyms = pen_kallsyms_load (path, cancellable, error);
  if (!kallsyms)
    return NULL;
  kept = g_new0 (Kept, 1);
  kept->kallsyms = pen_kallsyms_ref (kallsyms);
  kept->status = status;
  kept->loaded = g_get_monotonic_time ();
  g_hash_table_insert (self->kept, g_strdup (path), kept);
  return kallsyms;
}

PenSymbolFinder *
pen_kept_names_get_finder (PenKeptNames *self, const char *symfs, GCancellable *cancellable)
{
  if (!self->finder)
    self->finder = pen_symbol_finder_new (symfs, NULL, NULL);
  pen_symbol_finder_set_cancellable (self->finder, cancellable);
  return self->finder;
}
