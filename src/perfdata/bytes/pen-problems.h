/* pen-problems.h: problems of a capture, alike ones in one row
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-reader.h"

G_BEGIN_DECLS

typedef struct _PenProblems PenProblems;

PenProblems *pen_problems_new (void);
void pen_problems_free (PenProblems *self);

/*
 * pen_problems_add:
 * @record_type: 0 if it is not about a record
 * @reason: see pen-reason.h. Rows alike in action, type and reason are counted up in the first of
 *   them, so it must not contain numbers that differ from record to record.
 *
 * However damaged the capture, the number of rows stays small.
 */
void pen_problems_add (PenProblems *self, PenProblemAction action, guint32 file, guint64 offset,
                       guint32 record_type, const char *reason);

/* (element-type PenProblem) */
GPtrArray *pen_problems_get_rows (PenProblems *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenProblems, pen_problems_free)

G_END_DECLS
