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
/* A loss, in the history once more, and in what is sorted and found again: 178 bytes. */
#define COST_OF_LOSS 192u
/* An event, beside its payload, and what the history keeps of it and sorts: 290 bytes. */
#define COST_OF_MODULE_EVENT 320u
/* A thread, and where it is found again, while that grows: 86 bytes. */
#define COST_OF_THREAD 112u

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

guint64
pen_record_budget_get_left (const PenRecordBudget *self)
{
  return PEN_RECORD_BUDGET - MIN (self->taken, PEN_RECORD_BUDGET);
}

static gboolean
take (PenRecordBudget *self, guint64 bytes)
{
  if (bytes > pen_record_budget_get_left (self))
    return FALSE;
  self->taken += bytes;
  return TRUE;
}

/* @share: what is taken of @most bytes */
static gboolean
take_share (PenRecordBudget *self, guint64 *share, guint64 most, guint64 bytes)
{
  if (bytes > most - *share || !take (self, bytes))
    return FALSE;
  *share += bytes;
  return TRUE;
}

void
pen_record_budget_set_features (PenRecordBudget *self, guint64 bytes)
{
  self->taken += bytes - self->features;
  self->features = bytes;
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
  if (of_process
          ? !take_share (self, &self->taken_by_processes, PEN_RECORD_BUDGET_OF_PROCESSES, cost)
          : !take (self, cost))
    return FALSE;

  if (pid)
    g_hash_table_add (self->pids, pid);
  return TRUE;
}

gboolean
pen_record_budget_take_reading (PenRecordBudget *self)
{
  return take (self, COST_OF_READING);
}

gboolean
pen_record_budget_take_loss (PenRecordBudget *self)
{
  return take_share (self, &self->taken_by_losses, PEN_RECORD_BUDGET_OF_LOSSES, COST_OF_LOSS);
}

gboolean
pen_record_budget_take_module_event (PenRecordBudget *self, gsize length)
{
  return take_share (self, &self->taken_by_module_events, PEN_RECORD_BUDGET_OF_MODULE_EVENTS,
                     COST_OF_MODULE_EVENT + length);
}

guint
pen_record_budget_get_copies (const PenRecordBudget *self)
{
  return (guint) (pen_record_budget_get_left (self) / COPY_COST);
}

/* @copies: tenures that forks copied */
static guint64
get_left_beside (const PenRecordBudget *self, guint copies)
{
  guint64 left = pen_record_budget_get_left (self);

  return left - MIN (left, (guint64) copies * COPY_COST);
}

guint
pen_record_budget_get_halvings (const PenRecordBudget *self, guint copies)
{
  guint64 left = get_left_beside (self, copies);
  guint n = 0;

  while (n < PEN_HALVINGS_MAX && PEN_COUNTING_MEMORY >> n > left)
    n++;
  return n;
}

guint
pen_record_budget_get_threads (const PenRecordBudget *self, guint copies, guint halvings)
{
  guint64 left = get_left_beside (self, copies);

  left -= MIN (left, PEN_COUNTING_MEMORY >> halvings);
  return (guint) MAX (left / COST_OF_THREAD, PEN_THREADS_MIN);
}
