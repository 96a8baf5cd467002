/* pen-find-box-private.h: parts of the find box
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-find-box.h"

#include "pen-found-list.h"

G_BEGIN_DECLS

struct _PenFindBox {
  AdwBin parent_instance;

  PenSession *session;
  GSignalGroup *signals;
  GListStore *store;
  PenFoundAnswer *answer; /* (nullable): that is shown */
  char *trace;            /* (nullable): that is shown, or asked for */
  guint unfolded;         /* groups of @answer that are listed whole: a bit for each */
  gboolean goes_first;    /* to the first of what comes: Return was pressed */
  PenWidth width;
  GtkWidget *before; /* weak: had the focus */

  GtkStack *heading;
  GtkEditable *entry;
  AdwWindowTitle *title;
  GtkWidget *again; /* the first of a trace */
  GtkWidget *close;
  GtkLabel *note;
  GtkScrolledWindow *scroller;
  GtkListView *list;
  GtkSingleSelection *selection;
};

/* Returns: the next row from @from on that leads somewhere; GTK_INVALID_LIST_POSITION: none.
 * @step: 1, or -1 */
guint pen_find_box_find_active (PenFindBox *self, guint from, int step);
void pen_find_box_select (PenFindBox *self, guint position);

/* Escape and arrow keys. */
void pen_find_box_add_keys (PenFindBox *self);
/* As GtkWidgetClass has it. */
gboolean pen_find_box_focus (GtkWidget *widget, GtkDirectionType direction);

G_END_DECLS
