/* pen-picture.c: a view as a file: PNG, SVG or PDF
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-picture-private.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-display.h"
#include "pen-filter-term.h"
#include "pen-flame-difference.h"
#include "pen-format.h"
#include "pen-palette.h"

#define MARGIN 14
#define HEAD 44
#define LEGEND 26
/* Steps of a rectangle's edges in pictures without pixels. */
#define VECTOR_SCALE 2
/* The scale of embedded pixels: sharp on paper, too. */
#define EMBEDDED_SCALE 3

G_DEFINE_QUARK (pen_picture_error_quark, pen_picture_error)

gboolean
pen_picture_format_from_name (const char *name, PenPictureFormat *format, GError **error)
{
  static const char *const endings[] = { ".png", ".svg", ".pdf" };
  g_autofree char *small = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++) {
    if (g_str_has_suffix (small, endings[i])) {
      *format = i;
      return TRUE;
    }
  }
  g_set_error_literal (error, PEN_PICTURE_ERROR, PEN_PICTURE_ERROR_FORMAT,
                       _ ("unknown format: the name has to end in .png, .svg or .pdf"));
  return FALSE;
}

/* ---- contents ---- */

void
pen_content_set_time (PenContent *self, PenQuery *query, const PenPictureOptions *options)
{
  const PenFilter *filter = options->filter;
  guint64 first, last;

  self->clock.times = options->times;
  self->clock.has_wall
      = pen_clock_find_wall (pen_query_get_store (query), &self->clock.wall_offset);
  if (pen_query_get_time_range (query, &first, &last) && last < G_MAXUINT64)
    self->clock.span = (PenSpan){ first, last + 1 };
  else
    self->clock.span = (PenSpan){ 0, PEN_SPAN_SHORTEST };
  self->span = self->clock.span;
  if (options->has_span)
    self->span = options->span;
  else if (filter && filter->has_time)
    self->span = (PenSpan){ filter->from, MIN (filter->to, G_MAXUINT64 - 1) + 1 };
  self->span = pen_span_clamp (self->span, self->clock.span);
}

void
pen_content_free (PenContent *self)
{
  g_free (self->title);
  self->free (self);
}

int
pen_content_get_width (int width)
{
  return width - 2 * MARGIN;
}

/* ---- the sheet ---- */

PenRaster *
pen_sheet_begin (PenSheet *self, double x, double y, int width, int height, int *scale)
{
  if (!self->is_vector)
    return pen_sheet_begin_pixels (self, width, height, scale);
  *scale = VECTOR_SCALE;
  cairo_save (self->cr);
  cairo_translate (self->cr, x, y);
  cairo_scale (self->cr, 1.0 / VECTOR_SCALE, 1.0 / VECTOR_SCALE);
  return pen_raster_new_vector (self->cr, width * VECTOR_SCALE, height * VECTOR_SCALE);
}

PenRaster *
pen_sheet_begin_pixels (PenSheet *self, int width, int height, int *scale)
{
  *scale = self->is_vector ? EMBEDDED_SCALE : self->scale;
  return pen_raster_new (width * *scale, height * *scale);
}

void
pen_sheet_end (PenSheet *self, PenRaster *raster, double x, double y, int scale)
{
  if (raster->cr) {
    cairo_restore (self->cr);
    pen_raster_free (raster);
    return;
  }

  static const cairo_user_data_key_t key;
  cairo_surface_t *surface
      = cairo_image_surface_create_for_data ((guchar *) raster->pixels, CAIRO_FORMAT_RGB24,
                                             raster->width, raster->height, raster->width * 4);

  cairo_surface_set_user_data (surface, &key, raster, (cairo_destroy_func_t) pen_raster_free);
  cairo_save (self->cr);
  cairo_translate (self->cr, x, y);
  cairo_scale (self->cr, 1.0 / scale, 1.0 / scale);
  cairo_set_source_surface (self->cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (self->cr), CAIRO_FILTER_NEAREST);
  cairo_paint (self->cr);
  cairo_restore (self->cr);
  cairo_surface_destroy (surface);
}

/* ---- words around it ---- */

/* Times are told as the stretch that is shown. */
static char *
describe_filter (const PenFilter *filter)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) terms = filter ? pen_filter_dup_terms (filter) : NULL;

  for (guint i = 0; terms && i < terms->len; i++) {
    const PenFilterTerm *term = terms->pdata[i];
    g_autofree char *word = NULL;
    g_autofree char *shown = NULL;

    if (term->part == PEN_FILTER_TIME)
      continue;
    word = pen_filter_term_to_text (term);
    shown = pen_display_text (word);
    g_string_append_printf (text, " · %s", shown);
  }
  return g_strdup (text->str);
}

static void
draw_head (PenContent *content, PenQuery *query, const PenPictureOptions *options, PenSheet *sheet,
           int width)
{
  const PenClock *clock = &content->clock;
  guint64 resolution = MAX (pen_span_length (content->span) / 1000, 1);
  g_autofree char *from = pen_clock_format (clock, content->span.from, resolution);
  g_autofree char *to = pen_clock_format_long (clock, content->span.to, resolution);
  g_autofree char *filter = describe_filter (options->filter);
  g_autofree char *capture = pen_display_text (options->capture ? options->capture : "");
  g_autofree char *title
      = content->title ? g_strdup_printf ("%s · %s", content->title, capture) : g_strdup (capture);
  g_autofree char *release = NULL;
  g_autofree char *note = NULL;
  const char *osrelease = pen_store_get_fact (pen_query_get_store (query), "osrelease");

  release = pen_display_text (osrelease ? osrelease : "");
  note = g_strdup_printf ("%s%s%s – %s%s", release, release[0] ? " · " : "", from, to, filter);
  pen_painter_text (sheet->painter, title, PEN_LOOK_BOLD, sheet->theme.text, MARGIN, 8,
                    width - 2 * MARGIN, 18, 0);
  pen_painter_text (sheet->painter, note, PEN_LOOK_PLAIN, sheet->theme.dim, MARGIN, 25,
                    width - 2 * MARGIN, 16, 0);
}

static double
draw_legend_word (PenSheet *sheet, double x, double y, double end, guint32 color,
                  const char *letter, const char *word)
{
  /* Letters are some 7 pixels wide: what does not fit is left out. */
  if (x + 24 + 7 * (double) strlen (word) > end)
    return x;
  if (letter)
    pen_painter_text (sheet->painter, letter, PEN_LOOK_BOLD, color, x, y, 12, LEGEND, 0.5);
  else
    pen_painter_fill (sheet->painter, color, x + 1, y + LEGEND / 2.0 - 5, 10, 10);
  return x + 30
         + pen_painter_text (sheet->painter, word, PEN_LOOK_PLAIN, sheet->theme.text, x + 16, y, 0,
                             LEGEND, 0);
}

/* Draws the meaning of colours and letters. */
static void
draw_legend (PenContent *content, PenSheet *sheet, int width, int height)
{
  double x = MARGIN;
  double y = height - LEGEND;

  for (guint i = 0; i < PEN_KINDS; i++) {
    PenKind kind = pen_palette_stack_order ()[i];

    if (content->kinds & 1u << kind)
      x = draw_legend_word (sheet, x, y, width - MARGIN, pen_palette_kind (kind, sheet->theme.dark),
                            NULL, pen_palette_kind_title (kind));
  }
  for (guint i = 1; i <= PEN_CAUSES; i++) {
    PenCause cause = i % PEN_CAUSES;

    if (content->causes & 1u << cause)
      x = draw_legend_word (sheet, x, y, width - MARGIN,
                            pen_palette_cause (cause, sheet->theme.dark),
                            pen_palette_cause_letter (cause), pen_palette_cause_title (cause));
  }
  for (guint i = 0; i < PEN_VERDICTS; i++) {
    if (content->verdicts & 1u << i)
      x = draw_legend_word (sheet, x, y, width - MARGIN,
                            pen_flame_difference_get_color (i, sheet->theme.dark), NULL,
                            pen_flame_difference_get_title (i));
  }
  if (content->verdicts)
    /* xgettext:no-c-format */
    pen_painter_text (sheet->painter, _ ("5 % for all frames together"), PEN_LOOK_PLAIN,
                      sheet->theme.dim, x, y, MAX (width - MARGIN - x, 1), LEGEND, 0);
}

static gboolean
draw_all (PenContent *content, PenQuery *query, const PenPictureOptions *options, PenSheet *sheet,
          int width, int height, GError **error)
{
  guint32 ground = pen_palette_ground (sheet->theme.dark);
  gboolean drawn;

  pen_painter_fill (sheet->painter, ground, 0, 0, width, height);
  draw_head (content, query, options, sheet, width);
  draw_legend (content, sheet, width, height);
  cairo_save (sheet->cr);
  cairo_translate (sheet->cr, MARGIN, HEAD);
  drawn = content->draw (content, sheet, width - 2 * MARGIN, height - HEAD - LEGEND, error);
  cairo_restore (sheet->cr);
  return drawn;
}

/* ---- files ---- */

typedef struct {
  GOutputStream *stream;
  GCancellable *cancellable;
  GError **error;
} Target;

static cairo_status_t
write_some (gpointer closure, const guchar *bytes, guint length)
{
  Target *target = closure;

  /* Cairo may go on writing after an error: the first one counts. */
  if (*target->error)
    return CAIRO_STATUS_WRITE_ERROR;
  return g_output_stream_write_all (target->stream, bytes, length, NULL, target->cancellable,
                                    target->error)
             ? CAIRO_STATUS_SUCCESS
             : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_surface_t *
new_surface (const PenPictureOptions *options, Target *target, int width, int height)
{
  cairo_surface_t *surface;

  switch (options->format) {
  case PEN_PICTURE_SVG:
    surface = cairo_svg_surface_create_for_stream (write_some, target, width, height);
    cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
    return surface;
  case PEN_PICTURE_PDF:
    /* Points: three quarters of a logical pixel, as everywhere. */
    surface = cairo_pdf_surface_create_for_stream (write_some, target, width * 0.75, height * 0.75);
    cairo_surface_set_device_scale (surface, 0.75, 0.75);
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Pentimento " PEN_VERSION);
    return surface;
  case PEN_PICTURE_PNG:
  default:
    surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width * options->scale,
                                          height * options->scale);
    cairo_surface_set_device_scale (surface, options->scale, options->scale);
    return surface;
  }
}

static gboolean
finish_surface (cairo_surface_t *surface, const PenPictureOptions *options, Target *target,
                GError **error)
{
  cairo_status_t status = cairo_surface_status (surface);

  if (status == CAIRO_STATUS_SUCCESS && options->format == PEN_PICTURE_PNG)
    status = cairo_surface_write_to_png_stream (surface, write_some, target);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  if (*target->error) {
    g_propagate_error (error, g_steal_pointer (target->error));
    return FALSE;
  }
  if (status != CAIRO_STATUS_SUCCESS) {
    g_set_error (error, PEN_PICTURE_ERROR, PEN_PICTURE_ERROR_FAILED,
                 _ ("cannot draw the picture: %s"), cairo_status_to_string (status));
    return FALSE;
  }
  return TRUE;
}

static gboolean
check_size (const PenPictureOptions *options, int width, int height, GError **error)
{
  int scale = options->format == PEN_PICTURE_PNG ? options->scale : 1;
  gboolean is_small = width < PEN_PICTURE_SMALLEST || height < PEN_PICTURE_SMALLEST / 2;

  if (!is_small && width <= PEN_PICTURE_LARGEST / scale && height <= PEN_PICTURE_LARGEST / scale)
    return TRUE;
  g_set_error (error, PEN_PICTURE_ERROR, PEN_PICTURE_ERROR_SIZE,
               is_small
                   ? _ ("a picture of %d × %d pixels, scale %d, is too small: the least is %d × %d")
                   : _ ("a picture of %d × %d pixels, scale %d, is too large: the most is %d × %d"),
               width, height, scale, is_small ? PEN_PICTURE_SMALLEST : PEN_PICTURE_LARGEST,
               is_small ? PEN_PICTURE_SMALLEST / 2 : PEN_PICTURE_LARGEST);
  return FALSE;
}

static PenContent *
load_content (PenQuery *query, const PenPictureOptions *options, GError **error)
{
  switch (options->view) {
  case PEN_VIEW_OVERVIEW:
    return pen_picture_load_overview (query, options, error);
  case PEN_VIEW_MAP:
    return pen_picture_load_map (query, options, error);
  case PEN_VIEW_ANNOTATION:
    return pen_picture_load_annotation (query, options, error);
  case PEN_VIEW_CHART:
    return pen_picture_load_chart (query, options, error);
  case PEN_VIEW_HEAT:
    return pen_picture_load_heat (query, options, error);
  case PEN_VIEW_FLAME:
    return pen_picture_load_flame (query, options, error);
  case PEN_VIEWS:
  default:
    g_return_val_if_reached (NULL);
  }
}

gboolean
pen_picture_write (PenQuery *query, const PenPictureOptions *options, GOutputStream *stream,
                   GCancellable *cancellable, GError **error)
{
  g_autoptr (PenContent) content = load_content (query, options, error);
  g_autoptr (GError) wrong = NULL;
  Target target = { stream, cancellable, &wrong };
  PenSheet sheet = { .theme = pen_theme_new (options->dark, FALSE),
                     .scale = options->scale,
                     .is_vector = options->format != PEN_PICTURE_PNG,
                     .cancellable = cancellable };
  int width = options->width > 0 ? options->width : PEN_PICTURE_WIDTH;
  int height = options->height;
  cairo_surface_t *surface;
  gboolean written;

  if (!content)
    return FALSE;
  if (height <= 0)
    height = MIN (content->get_height (content, width - 2 * MARGIN) + HEAD + LEGEND,
                  PEN_PICTURE_LARGEST / (sheet.is_vector ? 1 : options->scale));
  if (!check_size (options, width, height, error))
    return FALSE;

  surface = new_surface (options, &target, width, height);
  sheet.cr = cairo_create (surface);
  {
    g_autoptr (PenCairoPainter) painter = pen_cairo_painter_new (sheet.cr);

    sheet.painter = &painter->painter;
    written = draw_all (content, query, options, &sheet, width, height, error);
  }
  cairo_destroy (sheet.cr);
  if (written)
    written = finish_surface (surface, options, &target, error);
  else
    cairo_surface_finish (surface);
  cairo_surface_destroy (surface);
  return written;
}
