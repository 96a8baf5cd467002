/* pen-loader-private.h: what the parts of PenLoader share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-load-pictures.h"
#include "pen-loader.h"

G_BEGIN_DECLS

typedef struct {
  PenLoader *loader;
  PenTaskKey key;
} PenLoaderTasks;

struct _PenLoader {
  const PenViewState *view;
  PenLoadedFunc loaded;
  gpointer owner;
  PenWorker *worker;       /* NULL: nothing is open */
  const PenOpened *opened; /* NULL: not yet */
  PenAnswers answers;

  guint overview_bins;
  guint flame_width;
  guint heat_columns;
  guint chart_width;
  char *flame_search; /* NULL: nothing is searched for */
  PenMapCells cells;
  PenSyntax syntax;
  PenCauseOrder cause_order;   /* @search: its own */
  PenChangeOrder change_order; /* the same */
  PenCauseTable *changes_of;   /* NULL: the changes are those of all */
  guint changes_of_row;
  gboolean changes_wait; /* for the causes: they are those of a row of the next answer */
  PenLoaderTasks tasks[2];

  guint32 stale;    /* bit per PenJobKind: to be asked again */
  guint32 deferred; /* the same, once the page that shows it is looked at */
  guint ask_id;
  guint32 refined;     /* the same: its newest answer was, or needs not be */
  guint32 refining;    /* the same: it is just now */
  guint32 ahead;       /* the same: to be asked before the page that shows it is looked at */
  guint32 asked_ahead; /* the one of those that was asked, or dropped since; 0: none */
};

/* What is asked ahead, once for each capture; of the text map its addresses, for its picture
 * depends on its size. */
#define PEN_LOADER_AHEAD                                                                           \
  (1u << PEN_JOB_MAP | 1u << PEN_JOB_FLAME | 1u << PEN_JOB_NEIGHBOURS | 1u << PEN_JOB_CAUSES       \
   | 1u << PEN_JOB_CHANGES | 1u << PEN_JOB_OCCUPANTS | 1u << PEN_JOB_RECORDING)

/* By PenTaskKey. */
extern const PenJobKind pen_loader_task_jobs[2];

/* Asks what the jobs of @stale (a bit for each PenJobKind) show, as the view is now. Answers that
 * depend on a size not known yet are left out. */
void pen_loader_ask (PenLoader *self, guint32 stale);
/* Asks for one estimate again, if nothing else is asked. */
void pen_loader_refine (PenLoader *self);
/* While nothing else is to do: asks for what another page shows first, a question at a time. */
void pen_loader_ask_ahead (PenLoader *self);

G_END_DECLS
