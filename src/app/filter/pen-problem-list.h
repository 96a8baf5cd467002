/* pen-problem-list.h: what of a recording could not be read, or was never recorded, row by row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-answers.h"
#include "pen-clock.h"

G_BEGIN_DECLS

typedef enum {
  PEN_PROBLEMS_DAMAGE,   /* repaired, set aside, ended */
  PEN_PROBLEMS_LOST,     /* by CPU */
  PEN_PROBLEMS_FILTERED, /* samples that nobody wanted: not missing */
  PEN_PROBLEM_GROUPS,
} PenProblemGroup;

/*
 * PenProblemRow: strings are fit to be shown
 * @title: "Set aside", "Lost records on CPU 2: 1 204"
 * @place: file, offset, type and how many alike; "" of losses
 * @detail: the reason, or when it was lost
 * @span: of a loss; empty where the row has no time
 * @is_repeated: all of it is in other rows too
 */
typedef struct {
  PenProblemGroup group;
  char *title;
  char *place;
  char *detail;
  PenSpan span;
  gboolean is_repeated;
} PenProblemRow;

/* Returns: (transfer full) (element-type PenProblemRow): group after group. As many rows as there
 * are rows of damage, and kinds of loss on a CPU. */
GPtrArray *pen_problem_list_new (const PenOpened *opened, const PenClock *clock);

/* "Damage", "Lost", "Left out by a Filter, as Was Wanted" */
const char *pen_problem_group_title (PenProblemGroup group);

/* Whether some file of the recording ends before its time. */
gboolean pen_problem_list_ends_early (const PenOpened *opened);
/* "19 649 samples, 4.810 s – 7.290 s" */
char *pen_problem_list_describe_kept (const PenOpened *opened, const PenClock *clock);

G_END_DECLS
