/* pen-callers-private.h: what the parts of PenCallersView share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-callers-view.h"
#include "pen-chart-picture.h"
#include "pen-column.h"
#include "pen-flame-item.h"
#include "pen-flame-view.h"
#include "pen-growing-list.h"
#include "pen-heat-view.h"
#include "pen-neighbours-view.h"

G_BEGIN_DECLS

struct _PenCallersView {
  PenPane parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GSimpleActionGroup *actions;
  GtkTreeListModel *model; /* of the table; NULL: it is not shown, or there is no answer */
  PenFlameAnswer *listed;  /* of @model */
  PenGrowingList *rows;    /* of @model, from its first row: rows have the same positions */
  gboolean is_updating;
  gboolean is_narrow;
  gboolean is_arranging;
  guint arrange_id;
  int length;   /* of the panes, when they were arranged */
  int height;   /* the same */
  int most;     /* of the handle, the same */
  double share; /* of the stacks, as a person chose it; 0: none did */

  GtkSearchEntry *search;
  GtkWidget *inverted;
  GtkDropDown *grouping;
  GtkLabel *count;
  GtkWidget *table;
  GtkWidget *export;
  GtkWidget *choices;
  GtkWidget *difference; /* the bar over stacks that are compared */
  GtkLabel *compared;
  GtkLabel *meaning;
  GtkWidget *rules;
  GtkPaned *paned;
  GtkStack *stack;
  PenFlameView *flame;
  GtkScrollbar *scrollbar;
  PenChartPicture *chart;
  GtkScrollbar *chart_scrollbar;
  GtkColumnView *view;
  GtkSingleSelection *selection;
  AdwStatusPage *empty;
  GtkWidget *copy;
  PenNeighboursView *neighbours;
  PenHeatView *heat;
};

/* ---- pen-callers-actions.c: what can be done with stacks, and what was ---- */

void pen_callers_init_actions (PenCallersView *self);
/* The state of the session, on buttons, in menus and as chips. */
void pen_callers_show_state (PenCallersView *self);
/* The menu of the selected frame, at a point of @about. */
void pen_callers_popup (PenCallersView *self, GtkWidget *about, double x, double y);
/* The function of a group of the answer; NULL: none */
const PenFunction *pen_callers_find_function (const PenFlameAnswer *answer, guint node);

/* ---- pen-callers-difference.c: the bar over stacks that are compared ---- */

void pen_callers_init_difference (PenCallersView *self);
void pen_callers_show_difference (PenCallersView *self, const PenFlameState *state);

/* ---- pen-callers-table.c: the stacks as rows ---- */

void pen_callers_fill_table (PenCallersView *self);
void pen_callers_init_table (PenCallersView *self);
/* As the template's signals have them. */
void pen_callers_on_selected (PenCallersView *self);
void pen_callers_on_activate (PenCallersView *self, guint position);

G_END_DECLS
