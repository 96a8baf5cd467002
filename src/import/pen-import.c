/* pen-import.c: the passes from a capture to a store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import.h"

#include <glib/gi18n-lib.h>

#include "pen-capture-links.h"
#include "pen-importer.h"

const char *
pen_import_stage_to_string (PenImportStage stage)
{
  static const char *const words[PEN_IMPORT_STAGES] = {
    [PEN_IMPORT_READ] = N_ ("reading records"),
    [PEN_IMPORT_HISTORY] = N_ ("building the history"),
    [PEN_IMPORT_SAMPLES] = N_ ("placing samples"),
    [PEN_IMPORT_TEXT] = N_ ("reading text and names"),
    [PEN_IMPORT_WRITE] = N_ ("writing"),
  };

  g_return_val_if_fail (stage < PEN_IMPORT_STAGES, "");
  return words[stage];
}

PenSketch *
pen_import_progress_draw (const PenImportProgress *progress)
{
  PenSketch *sketch;

  if (!progress->sketcher)
    return NULL;
  sketch = pen_sketcher_draw (progress->sketcher);
  sketch->n_samples = progress->samples;
  return sketch;
}

static gboolean
import (const char *capture, const char *store, PenImporterWay way, const PenSources *sources,
        PenImportFunc func, gpointer user_data, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenImporter) self
      = pen_importer_new (capture, store, way, sources, func, user_data, cancellable, error);
  g_autoptr (PenStoreWriter) writer = NULL;
  gboolean ok
      = self && pen_importer_read_records (self, error) && pen_importer_build_history (self, error)
        && pen_importer_place_samples (self, error) && pen_importer_place_waits (self, error)
        && pen_importer_write_history (self, error) && pen_importer_find_text (self, error)
        && pen_importer_write_store (self, error);

  if (!ok)
    return FALSE;

  /* While it goes to the disk. */
  writer = g_steal_pointer (&self->writer);
  g_clear_pointer (&self, pen_importer_free);
  return pen_store_writer_finish (writer, error);
}

gboolean
pen_import (const char *capture, const char *store, const PenSources *sources, PenImportFunc func,
            gpointer user_data, GCancellable *cancellable, GError **error)
{
  return pen_capture_links_check (capture, error)
         && import (capture, store, PEN_IMPORTER_ALONE, sources, func, user_data, cancellable,
                    error);
}

gboolean
pen_import_with_kernel_text (const char *capture, const char *store, const PenSources *sources,
                             PenImportFunc func, gpointer user_data, GCancellable *cancellable,
                             GError **error)
{
  return import (capture, store, PEN_IMPORTER_BESIDE_TEXT, sources, func, user_data, cancellable,
                 error);
}

gboolean
pen_import_growing (const char *capture, const char *store, const PenSources *sources,
                    GCancellable *cancellable, GError **error)
{
  return pen_capture_links_check (capture, error)
         && import (capture, store, PEN_IMPORTER_GROWING, sources, NULL, NULL, cancellable, error);
}
