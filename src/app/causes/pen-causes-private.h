/* pen-causes-private.h: what the parts of PenCausesView share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-cause-item.h"
#include "pen-cause-key.h"
#include "pen-causes-view.h"
#include "pen-changes-fold.h"
#include "pen-growing-list.h"
#include "pen-row-menu.h"

G_BEGIN_DECLS

struct _PenCausesView {
  PenPane parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  PenCauseShow *show;      /* NULL: no answer yet */
  GtkTreeListModel *model; /* the same */
  PenGrowingList *listed;  /* of @model, from its first row: rows have the same positions */
  GPtrArray *open;         /* PenCauseKey */
  gpointer selected;       /* PenCauseKey; NULL: none */
  GtkTreeListRow *late;    /* its row, where that is not listed yet */
  gboolean is_chosen;      /* the selection, also of nothing, is the person's */
  gboolean is_filling;
  guint more_id; /* a tick: lists more rows, once a frame has laid them out */
  gboolean is_laid_out;

  GtkSearchEntry *search;
  GtkDropDown *grouping;
  GtkLabel *count;
  GtkStack *stack;
  AdwStatusPage *empty;
  GtkColumnView *view;
  GtkSingleSelection *selection;
  GtkPaned *paned;
  PenChangesView *changes;
  PenChangesFold *fold;
};

/* (nullable): no answer yet */
const PenCauseTree *pen_causes_get_tree (PenCausesView *self);
/* (transfer full) (nullable): a row above it is closed, or has so many that it is not listed */
GtkTreeListRow *pen_causes_find_tree_row (PenCausesView *self, guint index);
/* @row: (nullable): none. Lists it, if it is not yet. */
void pen_causes_select_row (PenCausesView *self, GtkTreeListRow *row);

/* Actions of the selected row. */
void pen_causes_install_places (GtkWidgetClass *widget_class);
/* For pen_row_menu_add() and pen_row_hover_add(). */
void pen_causes_describe_row (gpointer item, PenRow *row, gpointer owner);
void pen_causes_point_at (gpointer item, GtkWidget *under, double x, gpointer owner);

/* What is pointed at, in any view. */
void pen_causes_light (PenCausesView *self);
/* (transfer full): markup: why a recording has no patches, and what to do. @opened: (nullable) */
char *pen_causes_explain_none (const PenOpened *opened);

/* In the visible time. */
void pen_causes_redraw_lanes (PenCausesView *self);

G_END_DECLS
