/* pen-part-importer.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-part-importer.h"

#include "pen-capture-links.h"
#include "pen-importer.h"
#include "pen-part-records.h"

/* Beginning anew costs a whole import: a recording that tells of earlier times again and again is
 * no better off in parts. After so many parts in a row, it is well off. */
#define MAX_BEGINNINGS 16
#define MANY_PARTS 64

struct _PenPartImporter {
  char *path;
  char *directory;
  const PenSources *sources;
  PenPartRecords *records;
  PenImportKept *kept; /* NULL: the next part is the first */
  guint n_beginnings;
  guint n_parts; /* since the last of them */
};

PenPartImporter *
pen_part_importer_new (const char *path, const char *directory, const PenSources *sources)
{
  PenPartImporter *self = g_new0 (PenPartImporter, 1);

  self->path = g_strdup (path);
  self->directory = g_strdup (directory);
  self->sources = sources;
  self->records = pen_part_records_new ();
  return self;
}

void
pen_part_importer_free (PenPartImporter *self)
{
  if (!self)
    return;
  pen_import_kept_free (self->kept);
  pen_part_records_free (self->records);
  g_free (self->path);
  g_free (self->directory);
  g_free (self);
}

static void
begin_anew (PenPartImporter *self)
{
  g_clear_pointer (&self->kept, pen_import_kept_free);
  pen_part_records_free (self->records);
  self->records = pen_part_records_new ();
  self->n_parts = 0;
}

static gboolean
look (PenPartImporter *self, gboolean *is_fit, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenReader) reader = pen_reader_open_growing (self->path, cancellable, error);

  if (reader && pen_part_records_look (self->records, reader, is_fit, cancellable, error))
    return TRUE;
  begin_anew (self);
  return FALSE;
}

/* In pipe form, events may still come: then they have other numbers. */
static gboolean
has_other_events (PenPartImporter *self, PenImporter *importer)
{
  guint n = pen_reader_get_attrs (importer->reader)->len;

  self->kept->is_other |= self->kept->n_attrs > 0 && n != self->kept->n_attrs;
  return self->kept->is_other;
}

static gboolean
run (PenPartImporter *self, PenImporter *importer, GError **error)
{
  if (!pen_importer_read_records (importer, error))
    return FALSE;
  if (has_other_events (self, importer)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "there are other events");
    return FALSE;
  }
  return pen_importer_build_history (importer, error)
         && pen_importer_place_samples (importer, error)
         && pen_importer_place_waits (importer, error)
         && pen_importer_write_history (importer, error) && pen_importer_find_text (importer, error)
         && pen_importer_write_store (importer, error);
}

static PenStore *
import (PenPartImporter *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenReader) reader = pen_reader_open_growing (self->path, cancellable, error);
  g_autoptr (PenImporter) importer = NULL;
  const PenRecordRange *ranges;
  guint n;

  if (!reader)
    return NULL;
  if (!self->kept)
    self->kept = pen_import_kept_new (self->directory, error);
  if (!self->kept)
    return NULL;
  ranges = pen_part_records_take (self->records, &n);
  pen_reader_choose (reader, ranges, n);
  importer = pen_importer_new_part (self->path, g_steal_pointer (&reader), self->kept,
                                    self->directory, self->sources, cancellable, error);
  return importer && run (self, importer, error) ? pen_store_open_state (self->kept->state, error)
                                                 : NULL;
}

static gboolean
must_begin_anew (PenPartImporter *self)
{
  return pen_part_records_is_late (self->records) || (self->kept && self->kept->is_other);
}

/* Of much, piece by piece: the last one has all. NULL without @error: nothing is new, it is not
 * fit, or it must begin anew. */
static PenStore *
import_new (PenPartImporter *self, gboolean *is_fit, GCancellable *cancellable, GError **error)
{
  PenStore *store = NULL;

  do {
    if (!look (self, is_fit, cancellable, error) || !*is_fit
        || pen_part_records_is_late (self->records)) {
      g_clear_object (&store);
      return NULL;
    }
    if (pen_part_records_count_new (self->records) == 0)
      return store;
    g_clear_object (&store);
    store = import (self, cancellable, error);
  } while (store && pen_part_records_has_more (self->records));
  return store;
}

PenStore *
pen_part_importer_next (PenPartImporter *self, gboolean *is_fit, GCancellable *cancellable,
                        GError **error)
{
  GError *wrong = NULL;
  PenStore *store;

  *is_fit = TRUE;
  if (!pen_capture_links_check (self->path, error))
    return NULL;

  store = import_new (self, is_fit, cancellable, &wrong);
  while (!store && *is_fit && must_begin_anew (self) && ++self->n_beginnings <= MAX_BEGINNINGS) {
    g_clear_error (&wrong);
    begin_anew (self);
    store = import_new (self, is_fit, cancellable, &wrong);
  }
  if (store && ++self->n_parts == MANY_PARTS)
    self->n_beginnings = 0;
  if (store || (*is_fit && !wrong && !must_begin_anew (self)))
    return store;
  *is_fit = *is_fit && !must_begin_anew (self)
            && !g_error_matches (wrong, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  begin_anew (self);
  if (*is_fit)
    g_propagate_error (error, wrong);
  else
    g_clear_error (&wrong);
  return NULL;
}
