/* pen-pair-session.h: another recording, which is compared with the open one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pair-answers.h"
#include "pen-session.h"

G_BEGIN_DECLS

typedef enum {
  PEN_PAIR_CLOSED,
  PEN_PAIR_OPENING, /* the other recording may have to be imported */
  PEN_PAIR_READY,
  PEN_PAIR_FAILED,
} PenPairState;

/*
 * PenPairSession: main thread only. It has a thread of its own, and opens both recordings anew for
 * it. The filter is that of the session; its time is taken from B at the same share of the
 * recording, unless another time of B was chosen. What is compared is a part of what the session
 * looks at: steps back begin and end it. When the session opens something else, it closes. Signals:
 *   state      pen_pair_session_get_state() and the progress
 *   list       another list, or none
 *   lines      other lines, or none
 *   tree       another tree, or none
 *   causes     other causes, or none
 */
#define PEN_TYPE_PAIR_SESSION (pen_pair_session_get_type ())
G_DECLARE_FINAL_TYPE (PenPairSession, pen_pair_session, PEN, PAIR_SESSION, GObject)

PenPairSession *pen_pair_session_new (PenSession *session);

/* Compares with the capture or store at @path, in place of what was compared: also with the open
 * one. @time: as below */
void pen_pair_session_open (PenPairSession *self, const char *path, const PenSpan *time);
/* Which time of B is compared. @time: (nullable): on its own clock, both ends included; NULL: the
 * share of it that the filter's is of A */
void pen_pair_session_set_time (PenPairSession *self, const PenSpan *time);
/* Also while it is opening. */
void pen_pair_session_close (PenPairSession *self);

PenPairState pen_pair_session_get_state (PenPairSession *self);
void pen_pair_session_get_progress (PenPairSession *self, PenImportProgress *progress);
/* Whether an answer is on its way. */
gboolean pen_pair_session_is_busy (PenPairSession *self);
/* Of the last question; NULL: none */
const GError *pen_pair_session_get_error (PenPairSession *self);
/* NULL: none yet */
const PenPairList *pen_pair_session_get_list (PenPairSession *self);
/* While the list is the first one of a comparison that was not come back to: it opens on its first
 * row. */
gboolean pen_pair_session_is_new (PenPairSession *self);
const PenPairLines *pen_pair_session_get_lines (PenPairSession *self);
/* NULL: none was asked for, or it is on its way */
const PenPairTree *pen_pair_session_get_tree (PenPairSession *self);
/* @index: of a row of the list; the lines follow */
void pen_pair_session_choose (PenPairSession *self, guint index);
/* @index: of the row whose callers are wanted; G_MAXUINT: all call paths */
void pen_pair_session_ask_tree (PenPairSession *self, guint index);

/* NULL: they were not asked for, or are on their way */
const PenPairCauseList *pen_pair_session_get_causes (PenPairSession *self);
void pen_pair_session_ask_causes (PenPairSession *self);

/* Whether there is a list, and no other export in progress. */
gboolean pen_pair_session_can_export (PenPairSession *self);
/* As `compare` writes it: CSV, or JSON where the file is called so.
 * @row: (nullable): of the list, for @shown that are about one function */
void pen_pair_session_export_async (PenPairSession *self, PenPairShown shown, const PenPairRow *row,
                                    GFile *file, GAsyncReadyCallback callback, gpointer user_data);
gboolean pen_pair_session_export_finish (PenPairSession *self, GAsyncResult *result,
                                         guint64 *n_rows, GError **error);
/* Stops the export that is in progress, if there is one: it leaves no file. */
void pen_pair_session_cancel_export (PenPairSession *self);

G_END_DECLS
