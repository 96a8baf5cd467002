/* pen-window-private.h: what the parts of PenWindow share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation-view.h"
#include "pen-filter-bar.h"
#include "pen-functions-view.h"
#include "pen-history-view.h"
#include "pen-import-page.h"
#include "pen-start-page.h"
#include "pen-timeline.h"
#include "pen-window.h"

G_BEGIN_DECLS

struct _PenWindow {
  AdwApplicationWindow parent_instance;

  PenSession *session;
  GtkFileChooserNative *chooser; /* while it is open */
  PenExport exporting;           /* what the chooser is for */
  gboolean arranged;             /* the panes have got their first sizes */

  AdwToastOverlay *toasts;
  AdwToast *early_end; /* weak: while it is shown */
  AdwWindowTitle *title;
  GtkStack *stack;
  GtkWidget *export_button;
  GtkWidget *history_button;
  GtkWidget *busy;
  AdwStatusPage *error_page;
  GtkLabel *error_detail;
  GtkPaned *overview_paned;
  GtkPaned *functions_paned;
  GtkPaned *history_paned;
  PenImportPage *import_page;
  PenFilterBar *filter_bar;
  PenTimeline *timeline;
  GMenu *times_menu;
  PenFunctionsView *functions;
  PenAnnotationView *annotation;
  PenHistoryView *history;
};

/* pen-window-actions.c */
void pen_window_install_actions (GtkWidgetClass *widget_class);
void pen_window_update_actions (PenWindow *self);
void pen_window_update_times_menu (PenWindow *self);
void pen_window_add_drop_target (PenWindow *self);

G_END_DECLS
