/* pen-record-budget.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-budget.h"

#include <string.h>

#include "pen-table-hash.h"

/* The most that each was seen to take, with a name of usual length: tests/steps has the worst. */
#define COST_OF_KERNEL_MAP 1280u /* a module within another: 1,199 bytes */
#define COST_OF_KSYMBOL 1024u    /* each within the one before: 944 */
#define COST_OF_POKE 1152u       /* over each other: 1,097 */
#define COST_OF_BPF_EVENT 256u
#define COST_OF_MAP 576u  /* 543; a piece that is left of another counts as a copy */
#define COST_OF_COMM 224u /* 278 with its name and its process */
#define COST_OF_EXIT 160u /* 152 */
#define COST_OF_FORK 480u /* with what two sweeps keep of its process */
/* A space, which a COMM begins with an exec. */
#define COST_OF_EXEC 128u
/* The first map of a pid: 832 bytes with a name of its own. */
#define COST_OF_PROCESS 192u
/* The first time that a name comes: 70 bytes with 15 characters. */
#define COST_OF_NAME 96u

/* A witness's reading, the place where it is, and its text there. */
#define COST_OF_READING 1024u

#define USUAL_NAME 64u
/* A name is kept as recorded, as it is shown, and in a table of names. */
#define NAME_COPIES 3u
/* The bytes of a poke are kept once, and as a part of the text around them, with a number for each
 * where pokes overlap. */
#define COST_OF_BYTE 5u
/* A tenure and its part, and where they are found again. */
#define COPY_COST 400u

void
pen_record_budget_init (PenRecordBudget *self)
{
  *self = (PenRecordBudget){ .pids = g_hash_table_new (pen_direct_hash, NULL) };
}

void
pen_record_budget_clear (PenRecordBudget *self)
{
  g_clear_pointer (&self->pids, g_hash_table_unref);
}

static guint64
cost_of_long_name (const char *name)
{
  gsize length = strlen (name);

  return length > USUAL_NAME ? NAME_COPIES * (guint64) length : 0;
}

static guint64
cost_of_new_name (const char *name, gboolean is_known)
{
  return is_known ? 0 : COST_OF_NAME + NAME_COPIES * (guint64) strlen (name);
}

static gboolean
is_of_kernel (const PenRecord *record)
{
  return record->map.pid == -1 || pen_record_get_cpumode (record) == PEN_CPUMODE_KERNEL;
}

static gboolean
is_of_process (const PenRecord *record)
{
  switch (record->type) {
  case PEN_RECORD_MMAP:
  case PEN_RECORD_MMAP2:
    return !is_of_kernel (record);
  case PEN_RECORD_COMM:
  case PEN_RECORD_FORK:
  case PEN_RECORD_EXIT:
    return TRUE;
  default:
    return FALSE;
  }
}

static gboolean
is_map (const PenRecord *record)
{
  return record->type == PEN_RECORD_MMAP || record->type == PEN_RECORD_MMAP2;
}

/* Returns: 0: nothing is kept of it */
static guint64
get_cost (const PenRecord *record, gboolean name_is_known)
{
  switch (record->type) {
  case PEN_RECORD_MMAP:
  case PEN_RECORD_MMAP2:
    return is_of_kernel (record) ? COST_OF_KERNEL_MAP + cost_of_long_name (record->map.name)
                                 : COST_OF_MAP + cost_of_new_name (record->map.name, name_is_known);
  case PEN_RECORD_KSYMBOL:
    return COST_OF_KSYMBOL + cost_of_long_name (record->ksymbol.name);
  case PEN_RECORD_COMM:
    return COST_OF_COMM + ((record->misc & PEN_MISC_COMM_EXEC) != 0 ? COST_OF_EXEC : 0)
           + cost_of_new_name (record->comm.comm, name_is_known);
  case PEN_RECORD_TEXT_POKE:
    return COST_OF_POKE + record->text_poke.old_length + record->text_poke.new_length
           + COST_OF_BYTE
                 * (guint64) MAX (record->text_poke.old_length, record->text_poke.new_length);
  case PEN_RECORD_BPF_EVENT:
    return COST_OF_BPF_EVENT;
  case PEN_RECORD_FORK:
    return COST_OF_FORK;
  case PEN_RECORD_EXIT:
    return COST_OF_EXIT;
  default:
    return 0;
  }
}

gboolean
pen_record_budget_take (PenRecordBudget *self, const PenRecord *record, gboolean name_is_known)
{
  guint64 cost = get_cost (record, name_is_known);
  gboolean of_process = is_of_process (record);
  gpointer pid = of_process && is_map (record) ? GINT_TO_POINTER (record->map.pid) : NULL;

  if (pid && !g_hash_table_contains (self->pids, pid))
    cost += COST_OF_PROCESS;
  if (cost > PEN_RECORD_BUDGET - self->taken
      || (of_process && cost > PEN_RECORD_BUDGET_OF_PROCESSES - self->taken_by_processes))
    return FALSE;

  self->taken += cost;
  if (of_process)
    self->taken_by_processes += cost;
  if (pid)
    g_hash_table_add (self->pids, pid);
  return TRUE;
}

gboolean
pen_record_budget_take_reading (PenRecordBudget *self)
{
  if (COST_OF_READING > PEN_RECORD_BUDGET - self->taken)
    return FALSE;
  self->taken += COST_OF_READING;
  return TRUE;
}

guint
pen_record_budget_get_copies (const PenRecordBudget *self)
{
  return (guint) ((PEN_RECORD_BUDGET - self->taken) / COPY_COST);
}

guint
pen_record_budget_get_halvings (const PenRecordBudget *self, guint copies)
{
  guint64 taken = self->taken + (guint64) copies * COPY_COST;
  guint64 left = PEN_RECORD_BUDGET - MIN (taken, PEN_RECORD_BUDGET);
  guint n = 0;

  while (n < PEN_HALVINGS_MAX && PEN_COUNTING_MEMORY >> n > left)
    n++;
  return n;
}
