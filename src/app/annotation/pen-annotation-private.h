/* pen-annotation-private.h: what the files of the annotation view share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-annotation-view.h"

#include "pen-instants-view.h"
#include "pen-line-find.h"
#include "pen-name-label.h"
#include "pen-slot-list.h"
#include "pen-slot-table.h"
#include "pen-verdict-bar.h"

G_BEGIN_DECLS

struct _PenAnnotationView {
  PenPane parent_instance;

  PenSession *session;
  GSignalGroup *signals;

  PenSlotList *slots;
  GtkTreeListModel *tree;
  GtkSingleSelection *selection;
  PenAnnotatedText *measured; /* the text whose lines have */
  guint n_letters;            /* these many letters, as nearly all have */
  gboolean has_source;
  int width;
  GHashTable *opened; /* of guint64: addresses of slots that are open */
  guint pending;      /* to scroll there, once it is shown */
  guint scroll_id;
  gboolean updating;
  gboolean has_arrows;

  PenNameLabel *name;
  GtkLabel *detail;
  GtkLabel *as_of_label;
  GtkButton *as_of;
  GtkWidget *leave_mark;
  PenVerdictBar *verdict;
  GtkLabel *change;
  PenLineFind *find;
  GtkStack *stack;
  GtkLabel *empty;
  GtkDropDown *loads;
  PenInstantsView *instants;
  PenSlotTable *view;
};

void pen_annotation_scroll_to (PenAnnotationView *self, guint position);

/* ---- pen-annotation-steps.c ---- */

void pen_annotation_install_actions (GtkWidgetClass *widget_class);
void pen_annotation_connect_find (PenAnnotationView *self);
void pen_annotation_connect_keys (PenAnnotationView *self);
/* (transfer full) (nullable) */
PenSlot *pen_annotation_dup_selected (PenAnnotationView *self);
/* To where a line leads, as of when its version stood there. */
void pen_annotation_follow (PenAnnotationView *self, PenSlot *slot);
/* After the selection, the text or the playhead has changed. */
void pen_annotation_update_follow (PenAnnotationView *self);
void pen_annotation_show_matches (PenAnnotationView *self);

/* ---- pen-annotation-loads.c ---- */

void pen_annotation_connect_loads (PenAnnotationView *self);
/* After the text has changed. */
void pen_annotation_show_loads (PenAnnotationView *self);
/* After one was chosen from the list. */
void pen_annotation_choose_load (PenAnnotationView *self);

/* ---- pen-annotation-heading.c ---- */

/* After the text, or the list of functions, has changed. */
void pen_annotation_show_heading (PenAnnotationView *self);

/* ---- pen-annotation-widths.c ---- */

/* After the text or the width has changed: the text columns get what they need, the strips the
 * rest.
 */
void pen_annotation_fit_columns (PenAnnotationView *self);

/* ---- pen-annotation-change.c ---- */

/* After the playhead, the line, or what is known of either has changed. */
void pen_annotation_show_change (PenAnnotationView *self);

G_END_DECLS
