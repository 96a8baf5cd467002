/* pen-record-budget.h: how many records an import has memory for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-record.h"

G_BEGIN_DECLS

/* Bytes for what is kept of maps, symbols, patches and tasks; and how much of them those of
 * processes may take: so that recordings of many short programs keep what happened to the kernel.
 */
#define PEN_RECORD_BUDGET (G_GUINT64_CONSTANT (480) << 20)
#define PEN_RECORD_BUDGET_OF_PROCESSES (G_GUINT64_CONSTANT (400) << 20)
/* The most that a record was seen to take, of any kind (a map of a module within another's, 1,251
 * bytes), with a name of usual length. */
#define PEN_RECORD_COST 1280u

/* PenRecordBudget: starts as zeros. */
typedef struct {
  guint64 taken;
  guint64 taken_by_processes;
} PenRecordBudget;

/* Returns: FALSE: @record is to be left out. Samples and what is not kept cost nothing. */
gboolean pen_record_budget_take (PenRecordBudget *self, const PenRecord *record);

/* How many tenures forks may copy in what is left. */
guint pen_record_budget_get_copies (const PenRecordBudget *self);

G_END_DECLS
