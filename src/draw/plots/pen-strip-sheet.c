/* pen-strip-sheet.c: the rows of an annotation over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-strip-sheet.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "pen-binary-search.h"
#include "pen-format.h"
#include "pen-palette.h"
#include "pen-query-history.h"

/* Narrower hatching is not visible as such. */
#define BAND_MIN_WIDTH 4

const PenPoke *
pen_annotated_find_poke (const PenAnnotated *annotated, const PenAnnotationLine *line)
{
  GArray *pokes = annotated->pokes;
  /* Pokes are numbered in the order of time. */
  guint at
      = PEN_BINARY_SEARCH (i, 0, pokes->len, g_array_index (pokes, PenPoke, i).id < line->poke);
  const PenPoke *poke = &g_array_index (pokes, PenPoke, at);

  return at < pokes->len && poke->id == line->poke ? poke : NULL;
}

/* ---- the band ---- */

char *
pen_format_band (guint64 near, PenAmount amount)
{
  g_autofree char *some = pen_format_count (MIN (near, amount.n));
  g_autofree char *all = pen_format_count (amount.n);

  if (near == 0 || amount.n == 0)
    return NULL;
  if (amount.population == PEN_POPULATION_WAITS)
    return g_strdup_printf (
        /* Translators: a number, number of all waits, milliseconds */
        ngettext ("%s of %s wait began within %u ms of a change: its side is uncertain",
                  "%s of %s waits began within %u ms of a change: their side is uncertain",
                  amount.n),
        some, all, PEN_BAND / 1000000u);
  return g_strdup_printf (
      /* Translators: a number, number of all samples, milliseconds */
      ngettext ("%s of %s sample lies within %u ms of a change: its side is uncertain",
                "%s of %s samples lie within %u ms of a change: their side is uncertain", amount.n),
      some, all, PEN_BAND / 1000000u);
}

/* One end of a version, with the samples that lie so near to it that they may belong to its other
 * side. */
typedef struct {
  guint64 time;
  guint64 near;
  guint32 color;
} Edge;

static guint32
get_color (const PenStripSheet *self, const PenAnnotationLine *line, gboolean dark)
{
  const PenPoke *poke = pen_annotated_find_poke (self->annotated, line);

  return poke ? pen_palette_cause (poke->cause, dark) : pen_palette_kind (PEN_KIND_UNKNOWN, dark);
}

static const PenAnnotationLine *
get_line (const PenStripSheet *self, guint i)
{
  return g_ptr_array_index (self->annotated->lines, i);
}

static gboolean
is_bounded (guint64 time)
{
  return time > 0 && time < G_MAXUINT64;
}

static Edge
get_beginning (const PenStripSheet *self, guint i, guint first, gboolean dark)
{
  const PenAnnotationLine *line = get_line (self, i);
  Edge edge = { line->from.time, 0, get_color (self, line, dark) };

  if (self->bands)
    edge.near = self->bands[i].near_from;
  if (self->bands && i > first && get_line (self, i - 1)->to.time == edge.time)
    edge.near += self->bands[i - 1].near_to;
  return edge;
}

/* Where no other version of the slot begins: what stood there is gone. FALSE: one begins */
static gboolean
get_end (const PenStripSheet *self, guint i, guint end, gboolean dark, Edge *edge)
{
  const PenAnnotationLine *line = get_line (self, i);

  if (!is_bounded (line->to.time)
      || (i + 1 < end && get_line (self, i + 1)->from.time == line->to.time))
    return FALSE;
  *edge = (Edge){ line->to.time, self->bands ? self->bands[i].near_to : 0,
                  pen_palette_kind (PEN_KIND_UNKNOWN, dark) };
  return TRUE;
}

/* The range around @time (semantics.md, P4). FALSE: too narrow for stripes, or not in view */
static gboolean
find_band (const PenStripSheet *self, PenBox box, int scale, guint64 time, PenBox *part)
{
  return pen_raster_interval (box, self->span, time - MIN (time, PEN_BAND), time + PEN_BAND, part)
         && part->width >= BAND_MIN_WIDTH * scale;
}

/* Broken, where samples are so near that it matters. */
static void
draw_tick (const PenStripSheet *self, PenRaster *raster, PenBox box, int scale, const Edge *edge)
{
  int dash = edge->near > 0 ? 2 * scale : box.height;

  for (int y = 0; y < box.height; y += 2 * dash)
    pen_raster_tick (raster, (PenBox){ box.x, box.y + y, box.width, MIN (dash, box.height - y) },
                     self->span, edge->time, 2 * scale, edge->color);
}

/* Of thousands of edges close to each other the bands look alike: one is drawn. */
typedef struct {
  PenBox part;
  guint32 color;
} Hatch;

/* Draw a band, not an edge: stripes over the samples where there is room for them, a tick below
 * them where there is none. */
static void
draw_edge (const PenStripSheet *self, PenRaster *raster, PenBox box, int scale, const Edge *edge,
           gboolean bands, Hatch *last)
{
  Hatch hatch = { .color = edge->color };

  if (find_band (self, box, scale, edge->time, &hatch.part)) {
    if (bands && memcmp (&hatch, last, sizeof hatch) != 0)
      pen_raster_hatch (raster, hatch.part, hatch.color, 4 * scale);
    *last = hatch;
  } else if (!bands) {
    draw_tick (self, raster, box, scale, edge);
  }
}

static void
draw_edges (const PenStripSheet *self, PenRaster *raster, PenBox box, int scale, guint first,
            guint n, gboolean dark, gboolean bands)
{
  Hatch last = { 0 };

  for (guint i = first; i < first + n; i++) {
    const PenAnnotationLine *line = get_line (self, i);
    Edge edge = get_beginning (self, i, first, dark);

    /* A version that was there by itself shows where it begins by its ground alone. */
    if (is_bounded (edge.time) && (line->poke > 0 || bands || edge.near > 0))
      draw_edge (self, raster, box, scale, &edge, bands, &last);
    if (get_end (self, i, first + n, dark, &edge) && (bands || edge.near > 0))
      draw_edge (self, raster, box, scale, &edge, bands, &last);
  }
}

/* ---- versions ---- */

/* The ground says who stood there: a line for what was there by itself, a tint for a patch, blank
 * where nobody of this slot did. */
static void
draw_versions (const PenStripSheet *self, PenRaster *raster, PenBox box, int scale, guint first,
               guint n, gboolean dark)
{
  guint32 ground = pen_palette_ground (dark);

  pen_raster_fill (raster, box, ground);
  for (guint i = first; i < first + n; i++) {
    const PenAnnotationLine *line = get_line (self, i);
    const PenPoke *poke = pen_annotated_find_poke (self->annotated, line);
    PenBox part;

    if (!pen_raster_interval (box, self->span, line->from.time, line->to.time, &part))
      continue;
    if (!poke) {
      part.y = box.y + box.height - 2 * scale;
      part.height = 2 * scale;
      pen_raster_fill (raster, part, pen_palette_lane (dark));
      continue;
    }
    pen_raster_fill (raster, part,
                     pen_raster_blend (pen_palette_cause (poke->cause, dark), ground, 0.3));
  }
}

/* ---- samples ---- */

/* Of all lines: a slot may have tens of thousands. Returns: (transfer full): a sum
 * for each bin */
static guint64 *
sum_bins (const PenStripSheet *self, guint first, guint n)
{
  guint64 *sums = g_new0 (guint64, self->counts->n_bins);

  pen_strip_counts_sum (self->counts, first, n, sums);
  return sums;
}

/* The bins under the pixel @x of @width: the fullest counts. */
static guint64
count_pixel (const PenStripSheet *self, const guint64 *sums, int x, int width)
{
  double from = (double) pen_span_length (self->span) * x / width
                + (double) (gint64) (self->span.from - self->counted.from);
  double step = (double) pen_span_length (self->span) / width;
  guint n_bins = self->counts->n_bins;
  double bin = (double) pen_span_length (self->counted) / n_bins;
  guint64 most = 0;

  if (from + step <= 0 || from >= bin * n_bins)
    return 0;
  for (guint i = (guint) (MAX (from, 0) / bin), k = i; k < n_bins; k++) {
    if (k > i && (k + 0.5) * bin >= from + step)
      break;
    most = MAX (most, sums[k]);
  }
  return most;
}

static void
draw_samples (const PenStripSheet *self, PenRaster *raster, PenBox box, guint first, guint n,
              gboolean dark)
{
  guint32 color = pen_palette_kind (self->annotated->kind, dark);
  g_autofree guint64 *sums = NULL;

  if (self->counts->n_bins == 0 || pen_span_length (self->counted) == 0)
    return;
  sums = sum_bins (self, first, n);
  for (int x = 0; x < box.width; x++) {
    guint64 count = count_pixel (self, sums, x, box.width);
    int height;

    if (count == 0)
      continue;
    /* By the square root: one sample beside a thousand is still to be seen. */
    height = (int) lround (sqrt ((double) count / MAX (self->counts->max, 1)) * box.height);
    height = CLAMP (height, MAX (box.height / 5, 2), box.height);
    pen_raster_fill (raster, (PenBox){ box.x + x, box.y + box.height - height, 1, height }, color);
  }
}

/* Below the words, where there are any. */
static PenBox
get_sample_box (PenBox box, guint n)
{
  int words = n > 1 ? box.height * 6 / 10 : 0;

  return (PenBox){ box.x, box.y + words, box.width, box.height - words };
}

void
pen_strip_sheet_draw (const PenStripSheet *self, PenRaster *raster, PenBox box, int scale,
                      guint first, guint n, gboolean dark)
{
  draw_versions (self, raster, box, scale, first, n, dark);
  draw_edges (self, raster, box, scale, first, n, dark, FALSE);
  draw_samples (self, raster, get_sample_box (box, n), first, n, dark);
  draw_edges (self, raster, box, scale, first, n, dark, TRUE);
}
