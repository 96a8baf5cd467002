/* pen-record-budget.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-budget.h"

#include <string.h>

#define USUAL_NAME 64u
/* A name is kept as recorded, as it is shown, and in a table of names. */
#define NAME_COPIES 3u
/* The bytes of a poke are kept once, and as a part of the text around them. */
#define BYTES_COPIES 2u
/* A tenure and its part, and where they are found again. */
#define COPY_COST 400u

static guint64
cost_with_name (const char *name)
{
  gsize length = strlen (name);

  return PEN_RECORD_COST + (length > USUAL_NAME ? NAME_COPIES * (guint64) length : 0);
}

/* Returns: 0: nothing is kept of it */
static guint64
get_cost (const PenRecord *record)
{
  switch (record->type) {
  case PEN_RECORD_MMAP:
  case PEN_RECORD_MMAP2:
    return cost_with_name (record->map.name);
  case PEN_RECORD_KSYMBOL:
    return cost_with_name (record->ksymbol.name);
  case PEN_RECORD_COMM:
    return cost_with_name (record->comm.comm);
  case PEN_RECORD_TEXT_POKE:
    return PEN_RECORD_COST
           + BYTES_COPIES * ((guint64) record->text_poke.old_length + record->text_poke.new_length);
  case PEN_RECORD_BPF_EVENT:
  case PEN_RECORD_FORK:
  case PEN_RECORD_EXIT:
    return PEN_RECORD_COST;
  default:
    return 0;
  }
}

static gboolean
is_of_process (const PenRecord *record)
{
  switch (record->type) {
  case PEN_RECORD_MMAP:
  case PEN_RECORD_MMAP2:
    return record->map.pid != -1 && pen_record_get_cpumode (record) != PEN_CPUMODE_KERNEL;
  case PEN_RECORD_COMM:
  case PEN_RECORD_FORK:
  case PEN_RECORD_EXIT:
    return TRUE;
  default:
    return FALSE;
  }
}

gboolean
pen_record_budget_take (PenRecordBudget *self, const PenRecord *record)
{
  guint64 cost = get_cost (record);
  gboolean of_process = is_of_process (record);

  if (cost > PEN_RECORD_BUDGET - self->taken
      || (of_process && cost > PEN_RECORD_BUDGET_OF_PROCESSES - self->taken_by_processes))
    return FALSE;

  self->taken += cost;
  if (of_process)
    self->taken_by_processes += cost;
  return TRUE;
}

guint
pen_record_budget_get_copies (const PenRecordBudget *self)
{
  return (guint) ((PEN_RECORD_BUDGET - self->taken) / COPY_COST);
}
