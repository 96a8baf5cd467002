/* pen-problem-count.h: how much of a capture was not as it should be
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"

G_BEGIN_DECLS

/*
 * PenProblemCount:
 * @repaired: records read all the same
 * @set_aside: records, features or sources left out
 * @ended: how often the rest of a file could not be read
 */
typedef struct {
  guint64 repaired;
  guint64 set_aside;
  guint64 ended;
} PenProblemCount;

gboolean pen_problem_count_load (PenStore *store, PenProblemCount *count, GError **error);

/* @problems: (element-type PenStoreProblem): as pen_store_load_problems() gives them */
void pen_problem_count_add (PenProblemCount *count, GPtrArray *problems);

G_END_DECLS
