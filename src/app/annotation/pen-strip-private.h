/* pen-strip-private.h: what the files of the strips share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-snapshot-painter.h"
#include "pen-strip.h"

G_BEGIN_DECLS

/*
 * PenStripTable: what all strips of a table have in common
 * @brushing, @brush: the stretch of time that is being selected in one of them
 */
typedef struct {
  PenSession *session;
  gboolean brushing;
  PenSpan brush;
} PenStripTable;

struct _PenStrip {
  GtkWidget parent_instance;

  PenSlot *slot;
  PenStripTable *table; /* of the table that it is in; NULL while it is in none */
  GtkWidget *view;      /* that table, which keeps @table */
  PenSnapshotPainter *painter;
  GskRenderNode *picture;
  PenSpan span; /* of the picture, as what follows */
  int width;
  int height;
  int scale;
  PenTheme theme;
  double drag_x;
  gboolean dragging;
};

/* The visible time, or that which the samples are counted of. */
PenSpan pen_strip_get_span (PenStrip *self);

/* ---- pen-strip-pointer.c ---- */

void pen_strip_add_pointer (PenStrip *self);

G_END_DECLS
