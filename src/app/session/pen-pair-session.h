/* pen-pair-session.h: another recording, which is compared with the open one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-overview.h"
#include "pen-query-pair-paths.h"
#include "pen-query-pair-text.h"
#include "pen-session.h"

G_BEGIN_DECLS

/*
 * PenPairList: the functions of both; an answer, kept by its reference
 * @sources: A is the open one; what they name lives as long as the list
 * @paths: of the files
 * @pairs: see pen_query_pair()
 * @spans: from the first to the last sample of each recording; @overviews: (nullable elements): all
 *   samples under the filter, but for its time
 */
typedef struct {
  PenQuery *queries[2];
  PenFilter *filters[2];
  char *names[2];
  char *paths[2];
  PenPairSource sources[2];
  PenPairs *pairs;
  PenSpan spans[2];
  PenOverview *overviews[2];
} PenPairList;

PenPairList *pen_pair_list_ref (PenPairList *self);
void pen_pair_list_unref (PenPairList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairList, pen_pair_list_unref)

/* The text of a function in both. @row: of the list's; @overviews: (nullable elements): its
 * samples, and patches of it; NULL: its functions have no name by which they are found */
typedef struct {
  PenPairList *list;
  const PenPairRow *row;
  PenSyntax syntax;
  PenPairAnnotation *annotation;
  PenOverview *overviews[2];
} PenPairLines;

PenPairLines *pen_pair_lines_ref (PenPairLines *self);
void pen_pair_lines_unref (PenPairLines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairLines, pen_pair_lines_unref)

/* Call paths in both. @row: of the list's, whose callers they are; NULL: all paths */
typedef struct {
  PenPairList *list;
  const PenPairRow *row;
  PenPairPaths *paths;
} PenPairTree;

PenPairTree *pen_pair_tree_ref (PenPairTree *self);
void pen_pair_tree_unref (PenPairTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairTree, pen_pair_tree_unref)

typedef enum {
  PEN_PAIR_CLOSED,
  PEN_PAIR_OPENING, /* the other recording may have to be imported */
  PEN_PAIR_READY,
  PEN_PAIR_FAILED,
} PenPairState;

/*
 * PenPairSession: main thread only. It has a thread of its own, and opens both recordings anew for
 * it. The filter is that of the session; its time is taken from B at the same share of the
 * recording. When the session opens something else, it closes. Signals:
 *   state      pen_pair_session_get_state() and the progress
 *   list       another list, or none
 *   lines      other lines, or none
 *   tree       another tree, or none
 */
#define PEN_TYPE_PAIR_SESSION (pen_pair_session_get_type ())
G_DECLARE_FINAL_TYPE (PenPairSession, pen_pair_session, PEN, PAIR_SESSION, GObject)

PenPairSession *pen_pair_session_new (PenSession *session);

/* Compares with the capture or store at @path, in place of what was compared. */
void pen_pair_session_open (PenPairSession *self, const char *path);
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
const PenPairLines *pen_pair_session_get_lines (PenPairSession *self);
/* NULL: none was asked for, or it is on its way */
const PenPairTree *pen_pair_session_get_tree (PenPairSession *self);
/* @index: of a row of the list; the lines follow */
void pen_pair_session_choose (PenPairSession *self, guint index);
/* @index: of the row whose callers are wanted; G_MAXUINT: all call paths */
void pen_pair_session_ask_tree (PenPairSession *self, guint index);

G_END_DECLS
