/* pen-thumbnail-source.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-thumbnail-source.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-query-overview.h"
#include "pen-sketch.h"

/* Steps in [from, to]. Whole numbers would overflow. */
static guint
find_step (guint64 time, guint64 from, guint64 to, guint n)
{
  double at = (double) (time - from) / ((double) (to - from) + 1) * n;

  return MIN ((guint) at, n - 1);
}

static gboolean
has_no_time (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("nothing in it has a time"));
  return FALSE;
}

/* ---- of a recording ---- */

/* Where the header does not say when it ends, the rest is taken to be like what was read. */
static guint64
get_end (const PenSketch *sketch, double part)
{
  double length = (double) (sketch->to - sketch->from);

  if (part >= 1)
    return sketch->to;
  if (sketch->has_expected)
    return MAX (sketch->to, sketch->expected_to);
  return part > 0 && length / part < (double) (G_MAXUINT64 / 2 - sketch->from / 2)
             ? sketch->from + (guint64) (length / part)
             : sketch->to;
}

/* @share: of the counts that are step @at's; the next one has the rest. */
static void
add_counts (guint64 *steps, guint n_steps, guint at, double share, const guint32 *counts,
            guint n_counts)
{
  guint64 *first = steps + (gsize) at * n_counts;
  guint64 *next = at + 1 < n_steps ? first + n_counts : first;

  for (guint i = 0; i < n_counts; i++) {
    guint32 n = (guint32) (counts[i] * share + 0.5);

    first[i] += n;
    next[i] += counts[i] - n;
  }
}

/* Bins are narrower than steps; one across an edge is divided, or steps would differ by a bin. */
static void
add_sketch (PenThumbnail *self, const PenSketch *sketch, double part)
{
  guint64 from = sketch->from;
  guint64 to = get_end (sketch, part);
  double width = ((double) (to - from) + 1) / self->n;
  double bin_width = (double) (G_GUINT64_CONSTANT (1) << sketch->bin_shift);

  self->n_read = find_step (sketch->to, from, to, self->n) + 1;
  for (guint i = 0; i < sketch->n_bins; i++) {
    guint64 time = sketch->bins_from + ((guint64) i << sketch->bin_shift);
    guint64 within = CLAMP (time, from, to);
    guint step = find_step (within, from, to, self->n);
    double left = (step + 1) * width - (double) (within - from);
    double share = CLAMP (left / bin_width, 0, 1);

    add_counts (self->samples, self->n, step, share, sketch->samples + (gsize) i * PEN_KINDS,
                PEN_KINDS);
    add_counts (self->patches, self->n, step, 1, sketch->patches + (gsize) i * PEN_CAUSES,
                PEN_CAUSES);
  }
}

static gboolean
read_recording (PenThumbnail *self, const char *path, gint64 microseconds, GError **error)
{
  double part = 1;
  g_autoptr (PenSketch) sketch = pen_sketch_read (path, microseconds, &part, error);

  if (!sketch)
    return FALSE;
  if (sketch->to == 0)
    return has_no_time (error);
  add_sketch (self, sketch, part);
  return TRUE;
}

/* ---- of a store ---- */

static void
add_marks (PenThumbnail *self, const PenOverview *overview)
{
  for (guint i = 0; i < overview->marks->len; i++) {
    const PenPatchMark *mark = &g_array_index (overview->marks, PenPatchMark, i);
    guint64 time = CLAMP (mark->first, overview->from, overview->to);
    guint step = find_step (time, overview->from, overview->to, self->n);

    self->patches[(gsize) step * PEN_CAUSES + mark->cause] += mark->count;
  }
}

static gboolean
read_store (PenThumbnail *self, const char *path, GError **error)
{
  g_autoptr (PenStore) store = pen_store_open (path, error);
  g_autoptr (PenQuery) query = store ? pen_query_new (store) : NULL;
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autoptr (PenOverview) overview = NULL;
  guint64 from, to;

  if (!store)
    return FALSE;
  if (!pen_query_get_time_range (query, &from, &to))
    return has_no_time (error);
  to = MIN (to, G_MAXUINT64 - 1) + 1;
  overview = pen_query_overview (query, filter, from, to, self->n, error);
  if (!overview)
    return FALSE;
  memcpy (self->samples, overview->samples, sizeof *self->samples * self->n * PEN_KINDS);
  add_marks (self, overview);
  return TRUE;
}

/* ---- */

PenThumbnail *
pen_thumbnail_source_read (const char *path, guint n, gint64 microseconds, GError **error)
{
  g_autoptr (PenThumbnail) self = pen_thumbnail_new (n);
  gboolean is_read = pen_store_is_store (path) ? read_store (self, path, error)
                                               : read_recording (self, path, microseconds, error);

  return is_read ? g_steal_pointer (&self) : NULL;
}
