/* pen-window-private.h: what the parts of PenWindow share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation-view.h"
#include "pen-callers-view.h"
#include "pen-causes-view.h"
#include "pen-changes-view.h"
#include "pen-dragged-file.h"
#include "pen-error-page.h"
#include "pen-filter-bar.h"
#include "pen-find-box.h"
#include "pen-fold.h"
#include "pen-functions-view.h"
#include "pen-history-view.h"
#include "pen-import-page.h"
#include "pen-live-bar.h"
#include "pen-missing-banner.h"
#include "pen-place-buttons.h"
#include "pen-occupants-view.h"
#include "pen-pair-view.h"
#include "pen-recording-view.h"
#include "pen-start-page.h"
#include "pen-text-map.h"
#include "pen-timeline.h"
#include "pen-tour.h"
#include "pen-window.h"

G_BEGIN_DECLS

/* The panes of the code, of which a narrow window shows one. */
typedef enum {
  PEN_CODE_PANE_FUNCTIONS,
  PEN_CODE_PANE_ANNOTATION,
  PEN_CODE_PANE_HISTORY,
  PEN_CODE_PANES,
} PenCodePane;

typedef enum {
  PEN_WINDOW_EXPORT_TABLE,
  PEN_WINDOW_EXPORT_PROFILE,
  PEN_WINDOW_EXPORT_PICTURE,
  PEN_WINDOW_EXPORT_COMPARISON, /* its list */
  PEN_WINDOW_EXPORT_COMPARED,   /* what is shown beside it */
} PenWindowExport;

/*
 * PenExportChoice: what is written to a file
 * @table, @profile, @picture: of which @sort says the one that counts
 * @ending: of the name that is suggested, a literal
 */
typedef struct {
  PenWindowExport sort;
  PenExport table;
  PenProfileFormat profile;
  PenView picture;
  const char *ending;
} PenExportChoice;

struct _PenWindow {
  AdwApplicationWindow parent_instance;

  PenSession *session;
  PenPairSession *pair;          /* what it is compared with */
  GFile *compare_later;          /* once the recording is open; NULL: nothing */
  GFile *compared;               /* is being compared with; NULL: nothing, or its own times */
  gboolean reopens;              /* what was open, at the start of the program */
  GtkFileChooserNative *chooser; /* while it is open */
  PenExportChoice exporting;     /* what the chooser is for */
  PenDraggedFile *dragged;       /* that is being written */
  double pressed_x;              /* where a drag may begin */
  double pressed_y;
  int arranged_width; /* of the window that the panes' sizes are for; 0: none yet */
  int arranged_height;
  gboolean arranging;         /* sizes are being given out: it is not a person that moves panes */
  gboolean is_persons;        /* their sizes are what a person chose */
  PenWidth width;             /* that the panes are laid out for */
  gboolean crossing;          /* from the import to what it made */
  PenCodePane code_pane;      /* that a narrow window shows */
  gboolean history_is_chosen; /* by a person: hidden or not */
  gboolean history_hidden;
  gboolean overview_hidden;
  gboolean overview_folded[2]; /* by whether the window is low */
  int overview_position;       /* that a person chose, to unfold it to; 0: none */
  guint ahead_id;              /* measures pages that are hidden */
  guint n_measured;            /* of them */

  gint64 import_started; /* 0: none runs */
  gint64 notice_after;   /* µs: what takes less time is not worth a notification */
  gboolean has_notice;   /* sent, and not withdrawn */

  char *name;       /* of the capture, with its folder where that says more */
  char *short_name; /* where there is little room */
  char *facts;      /* its kernel and duration */

  AdwToastOverlay *toasts;
  AdwToast *early_end; /* weak: while it is shown */
  PenFold *fold;
  AdwWindowTitle *title;
  AdwWindowTitle *centre_title;
  GtkStack *title_stack;
  AdwViewSwitcher *switcher;
  AdwClamp *switcher_clamp;
  AdwViewSwitcherBar *switcher_bar;
  AdwViewStack *views;
  GtkStack *stack;
  AdwSplitButton *open_button;
  GtkMenuButton *export_button;
  GtkWindow *notes; /* weak: while it is open */
  PenPlaceButtons *place_buttons;
  GtkWidget *overview_button;
  GtkWidget *history_button;
  GtkWidget *code_panes;
  GtkStack *code_stack;
  PenPairView *pair_view;
  GtkWidget *busy;
  PenErrorPage *error_page;
  PenPage advised_on; /* that was chosen when it was shown */
  GtkPaned *overview_paned;
  GtkPaned *functions_paned;
  GtkPaned *history_paned;
  PenImportPage *import_page;
  GtkSizeGroup *strips; /* what is above the timeline, while it is imported and then */
  PenLiveBar *live_bar;
  PenMissingBanner *missing_banner;
  PenFilterBar *filter_bar;
  PenFindBox *find;
  PenTour *tour;
  gboolean wants_tour; /* when the recording is shown */
  PenTimeline *timeline;
  GMenu *times_menu;
  GMenu *narrow_menu; /* what has no button in a narrow window */
  GtkMenuButton *main_button;
  GMenu *recents_menu;
  PenFunctionsView *functions;
  PenAnnotationView *annotation;
  PenHistoryView *history;
  PenCallersView *callers;
  PenTextMap *map;
  PenCausesView *causes;
  PenChangesView *changes; /* of the causes */
  PenOccupantsView *occupants;
  PenRecordingView *recording;
};

/* pen-window-fold.c: notify_panes has actions that stand for panes told their state anew. */
void pen_window_notify_panes (PenWindow *self);
/* To the annotated text, whatever page is shown. */
void pen_window_show_code (PenWindow *self);
const char *pen_code_pane_to_string (PenCodePane pane);
gboolean pen_code_pane_from_string (const char *word, PenCodePane *pane);
gboolean pen_window_shows_code_pane (PenWindow *self, PenCodePane pane);
void pen_window_fold_init (PenWindow *self);
void pen_window_fold_update (PenWindow *self);
void pen_window_fold_forget (PenWindow *self);
void pen_window_fold_arrange (PenWindow *self, int width, int height);
void pen_window_fold_show_code_pane (PenWindow *self, PenCodePane pane);
void pen_window_fold_set_history_visible (PenWindow *self, gboolean visible);
/* Returns: TRUE when the focus was in a list, and is somewhere else now. */
gboolean pen_window_fold_leave_list (PenWindow *self, GtkDirectionType direction);
/* @direction: 1 or −1 */
void pen_window_fold_focus_next (PenWindow *self, int direction);
void pen_window_fold_focus_page (PenWindow *self);

/* pen-window-ahead.c: pages, before somebody looks at them */
void pen_window_measure_ahead (PenWindow *self);
void pen_window_stop_ahead (PenWindow *self);

/* pen-window-drag.c: what is shown, dragged out of the window as a file */
void pen_window_init_drag (PenWindow *self);

/* pen-window-export.c: tables, profiles and pictures into files */
void pen_window_install_export (GtkWidgetClass *widget_class);
/* "perf-data.vfs_read.annotation.csv" (transfer full) */
char *pen_window_suggest_name (PenWindow *self, const PenExportChoice *choice);
void pen_window_export_async (PenWindow *self, const PenExportChoice *choice, GFile *file,
                              GAsyncReadyCallback callback, gpointer user_data);
/* @source: as @callback gets it; the window may be closed. @n_rows: of a table, without its titles;
 * of a profile, its samples or waits */
gboolean pen_window_export_finish (GObject *source, GAsyncResult *result, guint64 *n_rows,
                                   GError **error);

/* pen-window-help.c: whether the focus is in @widget, or at it */
gboolean pen_window_has_focus_in (PenWindow *self, gpointer widget);

/* pen-window-overview.c: what is seen of the overview */
void pen_window_overview_init (PenWindow *self);
void pen_window_overview_update (PenWindow *self);
gboolean pen_window_overview_is_folded (PenWindow *self);
void pen_window_overview_set_folded (PenWindow *self, gboolean folded);

/* pen-window-pair.c: another recording, beside this one */
void pen_window_install_pair (GtkWidgetClass *widget_class);
void pen_window_init_pair (PenWindow *self);
/* Whether a comparison is what the window shows. */
gboolean pen_window_shows_pair (PenWindow *self);
/* Writes the comparison to @file; @sort: one of those of a comparison. */
void pen_window_export_pair (PenWindow *self, PenWindowExport sort, GFile *file,
                             GAsyncReadyCallback callback, gpointer user_data);
/* The command that prints what the comparison shows. (transfer full) */
char *pen_window_dup_pair_command (PenWindow *self);

/* pen-window-notice.c: the desktop says what has ended. @started: g_get_monotonic_time() then;
 * nothing is said of what was short, nor to who looks at the window. */
void pen_window_init_notice (PenWindow *self);
void pen_window_init_start (PenWindow *self);
void pen_window_notice (PenWindow *self, gint64 started, const char *title, const char *body);

/* pen-window-find.c: the box, and the room that a trace in it takes at the side */
void pen_window_install_find (GtkWidgetClass *widget_class);
void pen_window_init_find (PenWindow *self);
int pen_window_get_find_room (PenWindow *self);

/* pen-window-steps.c: filters, places, the clipboard */
void pen_window_install_steps (GtkWidgetClass *widget_class);
void pen_window_init_steps (PenWindow *self);

/* pen-window-tour.c: the recording that comes with the program */
void pen_window_install_tour (GtkWidgetClass *widget_class);
void pen_window_init_tour (PenWindow *self);

/* pen-window-actions.c */
void pen_window_add_toast (PenWindow *self, const char *text);
void pen_window_install_actions (GtkWidgetClass *widget_class);
void pen_window_update_actions (PenWindow *self);
void pen_window_update_times_menu (PenWindow *self);

/* pen-window-files.c: how captures come in */
void pen_window_install_files (GtkWidgetClass *widget_class);
void pen_window_init_files (PenWindow *self);
GtkFileChooserNative *pen_window_new_chooser (PenWindow *self, const char *title,
                                              GtkFileChooserAction action, const char *accept);
/* Of files that may be recordings. */
void pen_window_add_recording_filters (GtkFileChooser *chooser);
/* In a window of its own, where this one shows something. */
void pen_window_open_beside (PenWindow *self, GFile *file);

G_END_DECLS
