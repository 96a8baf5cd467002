/* pen-loader.h: asks for what is looked at, and keeps the answers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-view-state.h"
#include "pen-worker.h"

G_BEGIN_DECLS

typedef struct _PenLoader PenLoader;

/* In the main loop: the answer of that kind is another, or there is an error in place of it.
 * PEN_JOBS: others are on their way than before. The answer before it lives until then. */
typedef void (*PenLoadedFunc) (gpointer owner, PenJobKind kind);

/* @view: what is looked at, as long as the loader lives */
PenLoader *pen_loader_new (const PenViewState *view, PenLoadedFunc loaded, gpointer owner);
void pen_loader_free (PenLoader *self);

/* A capture is being opened, in place of what was open. Returns: (transfer none): who is asked */
PenWorker *pen_loader_open (PenLoader *self);
/* It is open, and can be asked about. */
void pen_loader_start (PenLoader *self, const PenOpened *opened);
/* What is looked at is @view, and told of are its answers by @loaded, from now on. */
void pen_loader_adopt (PenLoader *self, const PenViewState *view, PenLoadedFunc loaded);
/* Pictures are asked in the sizes of @from's, and lists in the order of its lists. */
void pen_loader_take_sizes (PenLoader *self, const PenLoader *from);
/* The changes of one row stay listed until that row is known in the causes of @self. */
void pen_loader_take_changes (PenLoader *self, PenLoader *from);
/* Nothing is asked any more; all answers are forgotten. */
void pen_loader_close (PenLoader *self);
/* (nullable) */
PenWorker *pen_loader_get_worker (PenLoader *self);
const PenAnswers *pen_loader_get_answers (PenLoader *self);

/* Has the questions of @jobs (bit per PenJobKind) asked anew; several changes of one turn of the
 * main loop make one question, and what another page shows is asked once that is looked at, or the
 * first time while nothing else is to do. */
void pen_loader_make_stale (PenLoader *self, guint32 jobs);
/* Another page is looked at. */
void pen_loader_ask_deferred (PenLoader *self);
/* Drops PEN_JOB_HISTORY, PEN_JOB_CPUS or PEN_JOB_PROCESSES: it is not looked at any more. */
void pen_loader_forget (PenLoader *self, PenJobKind kind);
gboolean pen_loader_is_busy (PenLoader *self, PenJobKind kind);
/* Nothing is being asked, or about to be. */
gboolean pen_loader_is_settled (PenLoader *self);
/* What is being asked is only what other pages will show. */
gboolean pen_loader_works_ahead (PenLoader *self);

/* How many steps of the overview, and cells of the text map, are drawn: @n_rows + 1 rising
 * addresses are the @edges of its rows. */
void pen_loader_set_overview_bins (PenLoader *self, guint n_bins);
void pen_loader_set_flame_width (PenLoader *self, guint pixels);
void pen_loader_set_heat_columns (PenLoader *self, guint n);
void pen_loader_set_flame_search (PenLoader *self, const char *text);
void pen_loader_set_chart_width (PenLoader *self, guint pixels);
void pen_loader_set_map_cells (PenLoader *self, guint n_columns, const guint64 *edges,
                               guint n_rows);
/* FALSE: the map was not drawn yet. */
gboolean pen_loader_get_map_addresses (PenLoader *self, guint64 *from, guint64 *to);
void pen_loader_set_syntax (PenLoader *self, PenSyntax syntax);
PenSyntax pen_loader_get_syntax (PenLoader *self);
void pen_loader_set_change_order (PenLoader *self, const PenChangeOrder *order);
const PenChangeOrder *pen_loader_get_change_order (PenLoader *self);
void pen_loader_set_cause_order (PenLoader *self, const PenCauseOrder *order);
const PenCauseOrder *pen_loader_get_cause_order (PenLoader *self);
/* The list of changes is that of row @row of @causes; NULL: of all. */
void pen_loader_set_changes_of (PenLoader *self, const PenCauseTable *causes, guint row);
const PenCauseTable *pen_loader_get_changes_of (PenLoader *self, guint *row);
/* (element-type guint32): at once, in place of what was asked before */
void pen_loader_ask_change_rows (PenLoader *self, GArray *ids);

G_END_DECLS
