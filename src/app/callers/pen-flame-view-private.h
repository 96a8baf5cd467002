/* pen-flame-view-private.h: what the parts of PenFlameView share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-flame-view.h"
#include "pen-picture-widget.h"
#include "pen-snapshot-painter.h"

G_BEGIN_DECLS

struct _PenFlameView {
  GtkWidget parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  PenSnapshotPainter *painter;
  GtkAdjustment *down;

  PenFlameAnswer *answer; /* NULL: none yet */
  PenFlame *flame;        /* of it, for the size that the widget has; NULL: to be laid out */
  guint root;             /* what is looked into */
  guint selected;
  GArray *selected_path; /* guint32: to find it in the next answer */
  guint8 *matches;       /* by group; NULL: nothing is searched for */
  char *search;          /* its case folded */

  GskRenderNode *picture; /* until something in it changes */
  PenPointer pointer;
};

enum { PEN_FLAME_VIEW_SELECTED, PEN_FLAME_VIEW_MENU, PEN_FLAME_VIEW_SIGNALS };
extern guint pen_flame_view_signals[PEN_FLAME_VIEW_SIGNALS];

/* NULL: none yet */
const PenFlameTree *pen_flame_view_get_tree (PenFlameView *self);
/* How many pixels are scrolled away. */
int pen_flame_view_get_top (PenFlameView *self);
/* The picture has to be drawn anew. */
void pen_flame_view_invalidate (PenFlameView *self);
/* @node: PEN_FLAME_NONE: none */
void pen_flame_view_set_selected (PenFlameView *self, guint node);
void pen_flame_view_scroll_to (PenFlameView *self, guint node);
/* The function of a frame; NULL: none is known. */
const PenFunction *pen_flame_view_get_function (PenFlameView *self, guint node);

/* ---- pen-flame-pointer.c ---- */

void pen_flame_view_add_controllers (PenFlameView *self);
gboolean pen_flame_view_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard,
                                       GtkTooltip *tooltip);

/* ---- pen-flame-keys.c ---- */

/* Once, in the class init. */
void pen_flame_view_install_actions (GtkWidgetClass *widget_class);

/* ---- pen-flame-search.c ---- */

/* Looks for what is searched for in the tree that is there now. */
void pen_flame_view_match (PenFlameView *self);

G_END_DECLS
