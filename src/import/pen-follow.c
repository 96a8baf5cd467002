/* pen-follow.c: a recording, imported part by part while it is made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-follow.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <time.h>

#include "pen-import-key.h"
#include "pen-kept-names.h"
#include "pen-part-importer.h"
#include "pen-reader.h"
#include "pen-stream-copy.h"
#include "pen-stream-directory.h"

/* µs: from the beginning of a part to that of the next, at least, and how often is looked whether
 * there is more. */
#define PART_LEAST (G_USEC_PER_SEC / 2)
#define LOOK (G_USEC_PER_SEC / 5)
/* A part of CPU time needs so many of time; a tenth is the limit, and waiting has a cost, too. */
#define TIMES 12
/* What is done with a part may cost three times its import; beyond, it is the user's wish. */
#define COST_MOST 4
/* The recorder of a directory adds what it knows in the end. */
#define SETTLED (G_USEC_PER_SEC)
/* A header may not be whole before. */
#define HEADER_ROOM 4096

struct _PenFollow {
  char *path;
  char *place; /* where it is read */
  const PenSources *sources;
  PenSources of_parts; /* with the names of the part before */
  PenStreamDirectory *directory;
  PenPartImporter *parts; /* NULL: it is imported as a whole each time */
  PenStreamCopy *copy;    /* NULL: it is no stream */
  guint64 size;           /* of the last part */
  gint64 begun;           /* its import, monotonic µs; 0: there was none */
  gint64 cpu_begun;       /* µs that this process had used by then */
  gint64 cpu_import;      /* that it cost */
};

static gint64
get_cpu_time (void)
{
  struct timespec spent;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &spent);
  return (gint64) spent.tv_sec * G_USEC_PER_SEC + spent.tv_nsec / 1000;
}

gboolean
pen_follow_is_possible (const char *path)
{
  g_autofree char *place = NULL;

  if (pen_import_is_stream (path))
    return TRUE;
  place = pen_import_find_capture (path);
  return pen_growth_look (place).is_growing;
}

PenFollow *
pen_follow_new (const char *path, const PenSources *sources, GError **error)
{
  g_autoptr (PenFollow) self = g_new0 (PenFollow, 1);

  self->path = g_strdup (path);
  self->sources = sources;
  if (sources)
    self->of_parts = *sources;
  self->of_parts.kept = pen_kept_names_new ();
  self->directory = pen_stream_directory_new (error);
  if (!self->directory)
    return NULL;
  if (pen_import_is_stream (path)) {
    self->copy = pen_stream_copy_start (path, self->directory->copy, error);
    if (!self->copy)
      return NULL;
    self->place = g_strdup (self->directory->copy);
  } else {
    self->place = pen_import_find_capture (path);
  }
  self->parts = pen_part_importer_new (self->place, self->directory->path, &self->of_parts);
  return g_steal_pointer (&self);
}

void
pen_follow_free (PenFollow *self)
{
  g_clear_pointer (&self->parts, pen_part_importer_free); /* has names that are kept */
  g_clear_pointer (&self->copy, pen_stream_copy_free);
  g_clear_pointer (&self->directory, pen_stream_directory_free);
  pen_kept_names_free (self->of_parts.kept);
  g_free (self->place);
  g_free (self->path);
  g_free (self);
}

/* ---- when ---- */

/* FALSE: cancelled. */
static gboolean
wait (gint64 time, GCancellable *cancellable, GError **error)
{
  GPollFD cancel;

  if (g_cancellable_make_pollfd (cancellable, &cancel)) {
    g_poll (&cancel, 1, (int) (time / 1000) + 1);
    g_cancellable_release_fd (cancellable);
  } else {
    g_usleep ((gulong) time);
  }
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

static gint64
get_wait (const PenFollow *self)
{
  gint64 spent = get_cpu_time () - self->cpu_begun;
  gint64 due;

  if (self->begun == 0)
    return 0;
  spent = MIN (spent, self->cpu_import * COST_MOST);
  due = self->begun + MAX (PART_LEAST, spent * TIMES);
  return MAX (due - g_get_monotonic_time (), 0);
}

static gboolean
was_changed_lately (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  struct stat status;

  return stat (path, &status) == 0
         && g_get_real_time () - (gint64) status.st_mtim.tv_sec * G_USEC_PER_SEC < 2 * SETTLED;
}

static gboolean
is_settled (const PenFollow *self)
{
  return !was_changed_lately (self->place, "pentimento")
         && !was_changed_lately (self->place, "pentimento/end");
}

/* ---- what ---- */

static PenStore *
import_whole (PenFollow *self, GCancellable *cancellable, GError **error)
{
  PenStore *store = NULL;

  if (pen_import_growing (self->place, self->directory->store, &self->of_parts, cancellable, error))
    store = pen_store_open (self->directory->store, error);
  g_unlink (self->directory->store);
  return store;
}

/* NULL without @error: there is nothing new. */
static PenStore *
import_new (PenFollow *self, GCancellable *cancellable, GError **error)
{
  gboolean is_fit = TRUE;
  PenStore *store;

  if (!self->parts)
    return import_whole (self, cancellable, error);
  store = pen_part_importer_next (self->parts, &is_fit, cancellable, error);
  if (is_fit)
    return store;
  g_clear_pointer (&self->parts, pen_part_importer_free);
  return import_whole (self, cancellable, error);
}

/* Where it was cancelled, less was found than there is. */
static void
forget_names (PenFollow *self)
{
  pen_kept_names_free (self->of_parts.kept);
  self->of_parts.kept = pen_kept_names_new ();
}

/* NULL without @error: there is nothing to see yet. */
static PenStore *
import_part (PenFollow *self, guint64 size, GCancellable *cancellable, GError **error)
{
  gint64 begun = g_get_monotonic_time ();
  gint64 cpu_begun = get_cpu_time ();
  g_autoptr (GError) wrong = NULL;
  g_autoptr (PenStore) store = import_new (self, cancellable, &wrong);

  self->size = size;
  if (wrong)
    forget_names (self);
  /* A look alone costs nothing. */
  if (store || wrong) {
    self->begun = begun;
    self->cpu_begun = cpu_begun;
    self->cpu_import = get_cpu_time () - cpu_begun;
  }
  if (wrong && !(wrong->domain == PEN_READER_ERROR && size < HEADER_ROOM)) {
    g_propagate_error (error, g_steal_pointer (&wrong));
    return NULL;
  }
  return store && pen_store_get_fact_int (store, "samples", 0) > 0 ? g_steal_pointer (&store)
                                                                   : NULL;
}

static PenStore *
import_last (PenFollow *self, PenImportFunc func, gpointer user_data, GCancellable *cancellable,
             GError **error)
{
  PenStore *store = NULL;

  if (!self->copy)
    return pen_import_open_store (self->path, self->sources, func, user_data, cancellable, error);
  if (pen_stream_copy_finish (self->copy, error)
      && pen_import (self->place, self->directory->store, self->sources, func, user_data,
                     cancellable, error))
    store = pen_store_open (self->directory->store, error);
  g_unlink (self->directory->store);
  return store;
}

PenStore *
pen_follow_next (PenFollow *self, PenImportFunc func, gpointer user_data, gboolean *is_last,
                 GCancellable *cancellable, GError **error)
{
  *is_last = FALSE;
  for (;;) {
    /* In this order: of a copy that is done, all has been written. */
    gboolean is_copied = self->copy && pen_stream_copy_is_done (self->copy);
    PenGrowth growth = pen_growth_look (self->place);
    gint64 time = get_wait (self);

    if (self->copy ? is_copied : !growth.is_growing && is_settled (self)) {
      *is_last = TRUE;
      return import_last (self, func, user_data, cancellable, error);
    }
    if (time == 0 && growth.is_growing && growth.size > self->size) {
      g_autoptr (GError) wrong = NULL;
      PenStore *store = import_part (self, growth.size, cancellable, &wrong);

      if (store)
        return store;
      if (wrong) {
        g_propagate_error (error, g_steal_pointer (&wrong));
        return NULL;
      }
    }
    if (!wait (time > 0 ? MIN (time, LOOK) : LOOK, cancellable, error))
      return NULL;
  }
}
