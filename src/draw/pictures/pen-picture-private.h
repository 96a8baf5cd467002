/* pen-picture-private.h: what the views of a picture share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-cairo-painter.h"
#include "pen-picture.h"
#include "pen-raster.h"
#include "pen-theme.h"

G_BEGIN_DECLS

/*
 * PenSheet: where a view draws
 * @scale: pixels to a logical one
 * @is_vector: there are no pixels
 * @cancellable: (nullable): for views with many rows
 */
typedef struct {
  cairo_t *cr;
  PenPainter *painter;
  PenTheme theme;
  int scale;
  gboolean is_vector;
  GCancellable *cancellable;
} PenSheet;

/*
 * PenContent: what a view found out to draw, without its margins
 * @title: its subject, after the capture's name; may be NULL
 * @kinds, @causes, @verdicts: bits of those for which there are colours to explain
 * @get_height: logical pixels that it would like for that width
 * @draw: in (0, 0) to (@width, @height)
 */
typedef struct _PenContent PenContent;
struct _PenContent {
  char *title;
  guint32 kinds;
  guint32 causes;
  guint32 verdicts;
  PenSpan span;
  PenClock clock;
  int (*get_height) (PenContent *self, int width);
  gboolean (*draw) (PenContent *self, PenSheet *sheet, int width, int height, GError **error);
  void (*free) (PenContent *self);
};

PenContent *pen_picture_load_overview (PenQuery *query, const PenPictureOptions *options,
                                       GError **error);
PenContent *pen_picture_load_map (PenQuery *query, const PenPictureOptions *options,
                                  GError **error);
PenContent *pen_picture_load_annotation (PenQuery *query, const PenPictureOptions *options,
                                         GError **error);
PenContent *pen_picture_load_flame (PenQuery *query, const PenPictureOptions *options,
                                    GError **error);

PenContent *pen_picture_load_chart (PenQuery *query, const PenPictureOptions *options,
                                    GError **error);
PenContent *pen_picture_load_heat (PenQuery *query, const PenPictureOptions *options,
                                   GError **error);

/* Of a content in a picture of that width. */
int pen_content_get_width (int width);
/* Sets @span and @clock. */
void pen_content_set_time (PenContent *self, PenQuery *query, const PenPictureOptions *options);
void pen_content_free (PenContent *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenContent, pen_content_free)

/* A raster of @width × @height logical pixels; @scale: (out): its pixels to a logical one. A format
 * without pixels hands its rectangles to cairo at (@x, @y). */
PenRaster *pen_sheet_begin (PenSheet *self, double x, double y, int width, int height, int *scale);
/* The same always with pixels: for what has too many rectangles. */
PenRaster *pen_sheet_begin_pixels (PenSheet *self, int width, int height, int *scale);
/* Puts it there. @raster: (transfer full) */
void pen_sheet_end (PenSheet *self, PenRaster *raster, double x, double y, int scale);

G_END_DECLS
