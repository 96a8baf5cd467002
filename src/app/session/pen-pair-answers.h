/* pen-pair-answers.h: what is known of two recordings that are compared
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-clock.h"
#include "pen-query-overview.h"
#include "pen-query-pair-causes.h"
#include "pen-query-pair-paths.h"
#include "pen-query-pair-text.h"
#include "pen-span.h"

G_BEGIN_DECLS

/* What is shown of a comparison. */
typedef enum {
  PEN_PAIR_SHOWN_FUNCTIONS,
  PEN_PAIR_SHOWN_INSTRUCTIONS, /* of one function, as the following two */
  PEN_PAIR_SHOWN_SOURCES,
  PEN_PAIR_SHOWN_CALLERS,
  PEN_PAIR_SHOWN_PATHS, /* of all functions, as the following */
  PEN_PAIR_SHOWN_CAUSES,
} PenPairShown;

/*
 * PenPairList: the functions of both; an answer, kept by its reference
 * @sources: A is the open one; what they name lives as long as the list
 * @paths: of the files
 * @pairs: see pen_query_pair()
 * @ranges: from the first to the last time, of changes, too: what shares of time are of
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
  PenSpan ranges[2];
  PenSpan spans[2];
  PenOverview *overviews[2];
} PenPairList;

PenPairList *pen_pair_list_ref (PenPairList *self);
void pen_pair_list_unref (PenPairList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairList, pen_pair_list_unref)

/* The time of that recording that is compared, as far as it has samples; FALSE: all of it */
gboolean pen_pair_list_get_time (const PenPairList *self, guint side, PenSpan *time);
/* The same as the command line takes it: "4.8,5.2". (transfer full) (nullable): NULL: all of it */
char *pen_pair_list_dup_time (const PenPairList *self, guint side);
/* How its times are shown; not by the wall clock, which is not known of B. */
PenClock pen_pair_list_get_clock (const PenPairList *self, guint side, PenTimes times);

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

/* What stands differently; its functions are rows of the list's. */
typedef struct {
  PenPairList *list;
  PenPairCauses *causes;
} PenPairCauseList;

PenPairCauseList *pen_pair_cause_list_ref (PenPairCauseList *self);
void pen_pair_cause_list_unref (PenPairCauseList *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPairCauseList, pen_pair_cause_list_unref)

G_END_DECLS
