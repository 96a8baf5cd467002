/* pen-problem-count.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-problem-count.h"

#include "pen-store-records.h"

void
pen_problem_count_add (PenProblemCount *count, GPtrArray *problems)
{
  for (guint i = 0; i < problems->len; i++) {
    const PenStoreProblem *problem = problems->pdata[i];
    guint64 *sum = g_str_equal (problem->action, "repaired") ? &count->repaired
                   : g_str_equal (problem->action, "ended")  ? &count->ended
                                                             : &count->set_aside;

    *sum += MAX (problem->count, 1);
  }
}

gboolean
pen_problem_count_load (PenStore *store, PenProblemCount *count, GError **error)
{
  g_autoptr (GPtrArray) problems = pen_store_load_problems (store, error);

  *count = (PenProblemCount){ 0 };
  if (!problems)
    return FALSE;
  pen_problem_count_add (count, problems);
  return TRUE;
}
