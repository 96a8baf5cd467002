/* pen-picture-annotation.c: a function's text over time as a picture
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>

#include "pen-amount-words.h"
#include "pen-format.h"
#include "pen-palette.h"
#include "pen-picture-private.h"

#include <glib/gi18n-lib.h>
#include "pen-plot.h"
#include "pen-query-functions.h"
#include "pen-query-history.h"
#include "pen-strip-sheet.h"

#define ROW 18
#define STRIP_BINS 240
#define OFFSET_WIDTH 76
#define COUNT_WIDTH 62
#define BAR_WIDTH 46
#define STRIP_LEAST 120
#define CODE_WIDTH 380

/* One row: a slot, or one of its versions. */
typedef struct {
  guint first;
  guint n;
  gboolean is_version;
} Row;

typedef struct {
  PenContent content;
  PenAnnotated *annotated;
  PenStripCounts *counts;
  PenBandCount *bands;
  PenStripSheet sheet;
  GArray *rows; /* (element-type Row) */
  guint64 hottest;
} Annotation;

static const PenAnnotationLine *
get_line (const Annotation *self, guint index)
{
  return g_ptr_array_index (self->annotated->lines, index);
}

static PenAmount
count_row (const Annotation *self, const Row *row)
{
  PenAmount amount = { self->annotated->population, 0, 0 };

  for (guint i = row->first; i < row->first + row->n; i++) {
    amount.n += get_line (self, i)->samples;
    amount.period += get_line (self, i)->period;
  }
  return amount;
}

static int
get_height (PenContent *content, int width G_GNUC_UNUSED)
{
  Annotation *self = (Annotation *) content;

  return pen_plot_get_ruler (PEN_EM) + (int) MIN (self->rows->len, 800) * ROW + 4;
}

/* ---- cells ---- */

static void
draw_cue (Annotation *self, PenSheet *sheet, const Row *row, double y)
{
  const PenAnnotationLine *line = get_line (self, row->first);
  const PenPoke *poke = row->is_version ? pen_annotated_find_poke (self->annotated, line) : NULL;
  g_autofree char *offset = NULL;

  if (!row->is_version) {
    offset = g_strdup_printf ("+%" G_GINT64_MODIFIER "x", line->offset);
    if (line->is_patched)
      pen_painter_text (sheet->painter, "↯", PEN_LOOK_BOLD, sheet->theme.text, 0, y, 14, ROW, 0.5);
    pen_painter_text (sheet->painter, offset, PEN_LOOK_CODE,
                      line->is_patched ? sheet->theme.text : sheet->theme.dim, 16, y,
                      OFFSET_WIDTH - 20, ROW, 0);
    return;
  }
  if (poke) {
    guint32 color = pen_palette_cause (poke->cause, sheet->theme.dark);

    offset = g_strdup_printf ("#%u", line->version);
    pen_painter_text (sheet->painter, pen_palette_cause_letter (poke->cause), PEN_LOOK_BOLD, color,
                      16, y, 14, ROW, 0.5);
  } else {
    offset = g_strdup (line->version == 0 ? C_ ("version", "first") : C_ ("version", "next"));
  }
  pen_painter_text (sheet->painter, offset, PEN_LOOK_PLAIN, sheet->theme.dim, 34, y,
                    OFFSET_WIDTH - 36, ROW, 0);
}

static void
draw_count (Annotation *self, PenSheet *sheet, const Row *row, double x, double y)
{
  PenAmount amount = count_row (self, row);
  g_autofree char *count = amount.n > 0 ? pen_amount_format (amount) : NULL;
  double length = self->hottest > 0
                      ? BAR_WIDTH * (double) pen_amount_get (amount) / (double) self->hottest
                      : 0;
  guint32 color = pen_palette_kind (self->annotated->kind, sheet->theme.dark);

  if (!count)
    return;
  pen_painter_fill (sheet->painter, pen_theme_fade (color, row->is_version ? 0.45 : 1), x, y + 4,
                    MAX (length, 1), ROW - 8);
  pen_painter_text (sheet->painter, count, PEN_LOOK_PLAIN, sheet->theme.text, x, y,
                    COUNT_WIDTH + BAR_WIDTH - 8, ROW, 1);
}

/* An instruction whose slot has versions is shown by them. */
static void
draw_code (Annotation *self, PenSheet *sheet, const Row *row, double x, double y, double width)
{
  const PenAnnotationLine *line = get_line (self, row->first);
  g_autofree char *instruction = NULL;
  g_autofree char *shown = NULL;
  double taken;

  if (line->is_inside) {
    pen_painter_text (sheet->painter, _ ("(inside the previous instruction)"), PEN_LOOK_PLAIN,
                      sheet->theme.dim, x, y, width, ROW, 0);
    return;
  }
  instruction = pen_format_instruction (line->instruction, line->target);
  for (char *c = instruction; *c; c++) {
    if (*c == '\t')
      *c = ' ';
  }
  shown = pen_display_text (instruction);
  taken = pen_painter_text (sheet->painter, shown, PEN_LOOK_CODE,
                            row->n > 1 ? sheet->theme.dim : sheet->theme.text, x, y, width, ROW, 0);
  if (row->is_version && width - taken > 60) {
    g_autofree char *when = pen_clock_format_tenancy (&self->content.clock, line->from, line->to);

    pen_painter_text (sheet->painter, when, PEN_LOOK_SMALL, sheet->theme.dim, x + taken + 10, y,
                      width - taken - 10, ROW, 0);
  }
}

/* ---- all of it ---- */

static gboolean
draw_rows (Annotation *self, PenSheet *sheet, const PenPlot *plot, int width, guint n_rows,
           GError **error)
{
  double code = plot->x + plot->width + 12;

  for (guint i = 0; i < n_rows; i++) {
    const Row *row = &g_array_index (self->rows, Row, i);
    double y = plot->y + (double) i * ROW;

    if (g_cancellable_set_error_if_cancelled (sheet->cancellable, error))
      return FALSE;
    draw_cue (self, sheet, row, y);
    draw_count (self, sheet, row, OFFSET_WIDTH, y);
    draw_code (self, sheet, row, code, y, width - code);
  }
  return TRUE;
}

static gboolean
draw_strips (Annotation *self, PenSheet *sheet, const PenPlot *plot, guint n_rows, GError **error)
{
  gboolean is_done = TRUE;
  int scale;
  PenRaster *raster
      = pen_sheet_begin (sheet, plot->x, plot->y, plot->width, (int) n_rows * ROW, &scale);

  pen_raster_fill (raster, (PenBox){ 0, 0, raster->width, raster->height },
                   pen_palette_ground (sheet->theme.dark));
  for (guint i = 0; is_done && i < n_rows; i++) {
    const Row *row = &g_array_index (self->rows, Row, i);
    PenBox box = { 0, ((int) i * ROW + 2) * scale, raster->width, (ROW - 4) * scale };

    pen_strip_sheet_draw (&self->sheet, raster, box, scale, row->first, row->n, sheet->theme.dark);
    is_done = !g_cancellable_set_error_if_cancelled (sheet->cancellable, error);
  }
  pen_sheet_end (sheet, raster, plot->x, plot->y, scale);
  for (guint i = 0; is_done && i < n_rows; i++) {
    const Row *row = &g_array_index (self->rows, Row, i);

    pen_strip_sheet_draw_words (&self->sheet, sheet->painter, &sheet->theme, plot->x,
                                plot->y + (double) i * ROW + 2, plot->width, ROW - 4, row->first,
                                row->n);
    is_done = !g_cancellable_set_error_if_cancelled (sheet->cancellable, error);
  }
  return is_done;
}

static gboolean
draw (PenContent *content, PenSheet *sheet, int width, int height, GError **error)
{
  Annotation *self = (Annotation *) content;
  int left = OFFSET_WIDTH + BAR_WIDTH + COUNT_WIDTH;
  int strip = CLAMP (width - left - CODE_WIDTH, STRIP_LEAST, 420);
  PenPlot plot = pen_plot_new (left + strip, height, 0, PEN_EM, FALSE, content->span);
  guint n_rows = (guint) MAX (plot.height / ROW, 1);

  plot.x = left;
  plot.width = strip;
  if (n_rows < self->rows->len) {
    g_autofree char *more = NULL;

    n_rows--;
    more = g_strdup_printf (
        ngettext ("… and %u more row", "… and %u more rows", self->rows->len - n_rows),
        self->rows->len - n_rows);
    pen_painter_text (sheet->painter, more, PEN_LOOK_PLAIN, sheet->theme.dim, 16,
                      plot.y + (double) n_rows * ROW, width - 16, ROW, 0);
  }
  n_rows = MIN (n_rows, self->rows->len);
  plot.height = (int) n_rows * ROW;
  if (!draw_strips (self, sheet, &plot, n_rows, error))
    return FALSE;
  pen_plot_draw_ruler (&plot, sheet->painter, &sheet->theme, &content->clock);
  return draw_rows (self, sheet, &plot, width, n_rows, error);
}

static void
annotation_free (PenContent *content)
{
  Annotation *self = (Annotation *) content;

  pen_annotated_free (self->annotated);
  g_clear_pointer (&self->rows, g_array_unref);
  g_clear_pointer (&self->counts, pen_strip_counts_free);
  g_free (self->bands);
  g_free (self);
}

/* The versions of a slot follow it. */
static void
make_rows (Annotation *self)
{
  guint n_lines = self->annotated->lines->len;
  Row row;

  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  for (guint i = 0; i < n_lines; i += row.n) {
    row = (Row){ .first = i, .n = 1 };
    while (i + row.n < n_lines
           && get_line (self, i + row.n)->address == get_line (self, i)->address)
      row.n++;
    self->hottest = MAX (self->hottest, pen_amount_get (count_row (self, &row)));
    g_array_append_val (self->rows, row);
    for (guint k = 0; row.n > 1 && k < row.n; k++) {
      Row version = { .first = i + k, .n = 1, .is_version = TRUE };

      g_array_append_val (self->rows, version);
    }
  }
}

/* As the window chooses when it opens a capture. */
static gboolean
find_function (PenQuery *query, const PenPictureOptions *options, guint32 *function, GError **error)
{
  g_autoptr (GArray) rows = NULL;
  const PenFunction *best = NULL;

  *function = options->function;
  if (options->function != G_MAXUINT32)
    return TRUE;
  rows = pen_query_functions (query, options->filter, NULL, error);
  if (!rows)
    return FALSE;
  for (guint i = 0; i < rows->len; i++) {
    const PenFunction *row = &g_array_index (rows, PenFunctionRow, i).function;
    gboolean is_patched = row->pokes > 0 && row->versions > 1;

    if (row->length > 0 && (!best || (is_patched && !(best->pokes > 0 && best->versions > 1))))
      best = row;
  }
  if (!best) {
    g_set_error_literal (error, PEN_PICTURE_ERROR, PEN_PICTURE_ERROR_EMPTY,
                         _ ("no function with known text matches the filter"));
    return FALSE;
  }
  *function = best->id;
  return TRUE;
}

static gboolean
load_bands (Annotation *self, PenQuery *query, const PenPictureOptions *options, GError **error)
{
  self->bands = g_new0 (PenBandCount, MAX (self->annotated->lines->len, 1));
  self->sheet.bands = self->bands;
  return pen_query_count_bands (query, options->filter, self->annotated, PEN_BAND, self->bands,
                                error);
}

static gboolean
load_strips (Annotation *self, PenQuery *query, const PenPictureOptions *options, GError **error)
{
  self->counts = pen_query_strips (query, options->filter, self->annotated, self->content.span.from,
                                   self->content.span.to, STRIP_BINS, error);
  if (!self->counts)
    return FALSE;
  self->sheet = (PenStripSheet){ .annotated = self->annotated,
                                 .span = self->content.span,
                                 .counted = self->content.span,
                                 .counts = self->counts };
  return TRUE;
}

PenContent *
pen_picture_load_annotation (PenQuery *query, const PenPictureOptions *options, GError **error)
{
  Annotation *self = g_new0 (Annotation, 1);
  g_autoptr (PenContent) content = &self->content;
  g_autofree char *symbol = NULL;
  guint32 function;

  content->get_height = get_height;
  content->draw = draw;
  content->free = annotation_free;
  pen_content_set_time (content, query, options);
  if (!find_function (query, options, &function, error))
    return NULL;
  self->annotated = pen_query_annotate (query, options->filter, function, options->syntax, error);
  if (!self->annotated || !load_strips (self, query, options, error)
      || !load_bands (self, query, options, error))
    return NULL;
  make_rows (self);
  symbol = pen_display_text (self->annotated->symbol ? self->annotated->symbol : "");
  content->title
      = g_strdup_printf ("%s (%s)", symbol, pen_palette_kind_title (self->annotated->kind));
  content->kinds = 1u << self->annotated->kind;
  for (guint i = 0; i < self->annotated->pokes->len; i++)
    content->causes |= 1u << g_array_index (self->annotated->pokes, PenPoke, i).cause;
  return g_steal_pointer (&content);
}
