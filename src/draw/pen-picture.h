/* pen-picture.h: a view as a file: PNG, SVG or PDF
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-clock.h"
#include "pen-decoder.h"
#include "pen-query-flame-diff.h"
#include "pen-query.h"
#include "pen-view.h"

G_BEGIN_DECLS

#define PEN_PICTURE_ERROR (pen_picture_error_quark ())
GQuark pen_picture_error_quark (void);

typedef enum {
  PEN_PICTURE_ERROR_FORMAT, /* the file's name does not say what to write */
  PEN_PICTURE_ERROR_SIZE,   /* larger than what can be drawn */
  PEN_PICTURE_ERROR_EMPTY,  /* there is nothing to draw */
  PEN_PICTURE_ERROR_FAILED,
} PenPictureError;

typedef enum {
  PEN_PICTURE_PNG,
  PEN_PICTURE_SVG,
  PEN_PICTURE_PDF,
} PenPictureFormat;

/* By the ending of a file's name; PEN_PICTURE_ERROR_FORMAT says which there are. */
gboolean pen_picture_format_from_name (const char *name, PenPictureFormat *format, GError **error);

/* Logical pixels; of a PNG, times its scale. */
#define PEN_PICTURE_SMALLEST 200
#define PEN_PICTURE_LARGEST 16384
#define PEN_PICTURE_SCALES 4
#define PEN_PICTURE_WIDTH 1200

/*
 * PenPictureOptions:
 * @width, @height: logical pixels; 0: as wide as a page, as high as there is to show
 * @scale: pixels of a PNG to one logical one, 1–4
 * @capture: the name to put over it
 * @filter: (nullable): its time is the stretch that is shown, unless @has_span
 * @span: shown instead; the filter's time is then drawn as selected
 * @function: of an annotation; G_MAXUINT32: the patched one with most samples
 * @folded: bit per PenLaneKind; @cpus, @processes: lanes on demand; of an overview
 * @has_addresses, @address_from, @address_to: what part of a map is shown; both included
 * @flame: of a flame graph; how small frames may be is found from @width. @upwards: the outermost
 *   frames are at its bottom
 * @compares, @windows, @batch: the stacks of these two stretches in one flame graph, which lie
 *   around a batch of patches, or 0; its frames are as small as @flame says
 */
typedef struct {
  PenView view;
  PenPictureFormat format;
  int width;
  int height;
  int scale;
  gboolean dark;
  const char *capture;
  const PenFilter *filter;
  PenTimes times;
  gboolean has_span;
  PenSpan span;
  guint32 function;
  guint32 folded;
  gboolean cpus;
  gboolean processes;
  PenSyntax syntax;
  gboolean has_addresses;
  guint64 address_from;
  guint64 address_to;
  PenFlameOptions flame;
  gboolean upwards;
  gboolean compares;
  PenFlameWindow windows[2];
  guint32 batch;
} PenPictureOptions;

/* Asks @query for what is to be drawn, and writes the file to @stream. */
gboolean pen_picture_write (PenQuery *query, const PenPictureOptions *options,
                            GOutputStream *stream, GCancellable *cancellable, GError **error);

G_END_DECLS
