/* pen-problems.c: problems of a capture, alike ones in one row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-problems.h"

#include "pen-reason.h"

#define ROWS_MAX 200

struct _PenProblems {
  GPtrArray *rows;
};

static void
problem_free (gpointer data)
{
  PenProblem *problem = data;

  g_free (problem->reason);
  g_free (problem);
}

PenProblems *
pen_problems_new (void)
{
  PenProblems *self = g_new0 (PenProblems, 1);

  self->rows = g_ptr_array_new_with_free_func (problem_free);
  return self;
}

void
pen_problems_free (PenProblems *self)
{
  g_ptr_array_unref (self->rows);
  g_free (self);
}

static PenProblem *
find_alike (PenProblems *self, PenProblemAction action, guint32 record_type, const char *reason)
{
  for (guint i = 0; i < self->rows->len; i++) {
    PenProblem *row = g_ptr_array_index (self->rows, i);

    if (row->action == action && row->record_type == record_type
        && g_str_equal (row->reason, reason))
      return row;
  }
  return NULL;
}

void
pen_problems_add (PenProblems *self, PenProblemAction action, guint32 file, guint64 offset,
                  guint32 record_type, const char *reason)
{
  PenProblem *row;

  if (self->rows->len >= ROWS_MAX && !find_alike (self, action, record_type, reason)) {
    record_type = 0;
    reason = PEN_REASON_MORE_KINDS;
  }

  row = find_alike (self, action, record_type, reason);
  if (row) {
    row->count++;
    return;
  }

  row = g_new0 (PenProblem, 1);
  row->action = action;
  row->file = file;
  row->offset = offset;
  row->record_type = record_type;
  row->count = 1;
  row->reason = g_strdup (reason);
  g_ptr_array_add (self->rows, row);
}

GPtrArray *
pen_problems_get_rows (PenProblems *self)
{
  return self->rows;
}
