/* pen-snapshot-painter.h: words and lines over a picture, as nodes of a widget
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-painter.h"
#include "pen-theme.h"

G_BEGIN_DECLS

/*
 * PenSnapshotPainter: lives as long as its widget. Words that were laid out once are kept: most are
 * the same in the next frame.
 */
typedef struct _PenSnapshotPainter PenSnapshotPainter;

PenSnapshotPainter *pen_snapshot_painter_new (GtkWidget *widget);
void pen_snapshot_painter_free (PenSnapshotPainter *self);

/* Height of a line of the widget's words: it follows the size of text that a person chose. */
double pen_snapshot_painter_get_em (PenSnapshotPainter *self);
/* Paints into @snapshot until the next call. */
PenPainter *pen_snapshot_painter_begin (PenSnapshotPainter *self, GtkSnapshot *snapshot);

/* The colours of @widget's words, as they are now. */
PenTheme pen_snapshot_painter_get_theme (GtkWidget *widget);

/* A node that shows @pixels (transfer full: a PenRaster) at (@x, @y), @scale pixels to one. */
GskRenderNode *pen_snapshot_painter_new_picture (gpointer raster, int scale, int x, int y);

G_END_DECLS
