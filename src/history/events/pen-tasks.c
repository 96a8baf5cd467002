/* pen-tasks.c: the comm of each thread over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-tasks.h"

#include "pen-binary-search.h"

void
pen_tasks_init (PenTasks *self)
{
  pen_pid_set_init (&self->tids);
  self->names = g_array_new (FALSE, FALSE, sizeof (PenTaskName));
}

void
pen_tasks_clear (PenTasks *self)
{
  pen_pid_set_clear (&self->tids);
  g_clear_pointer (&self->names, g_array_unref);
  g_clear_pointer (&self->last, g_free);
  g_clear_pointer (&self->by_thread, g_free);
  g_clear_pointer (&self->first, g_free);
}

/* Returns: (nullable) */
static const char *
find_first (const PenTasks *self, gint32 tid)
{
  const char *comm
      = self->before ? g_hash_table_lookup (self->before, GINT_TO_POINTER (tid)) : NULL;

  return !comm && tid == 0 ? "swapper" : comm;
}

const char *
pen_tasks_get_first (const PenTasks *self, gint32 tid)
{
  const char *comm = find_first (self, tid);

  return comm ? comm : "";
}

void
pen_tasks_begin (PenTasks *self)
{
  pen_pid_set_seal (&self->tids);
  self->last = g_new (const char *, self->tids.values->len);
  for (guint i = 0; i < self->tids.values->len; i++)
    self->last[i] = find_first (self, g_array_index (self->tids.values, gint32, i));
}

static void
set_name (PenTasks *self, PenMoment moment, guint thread, const char *comm)
{
  PenTaskName name = { .moment = moment, .thread = thread, .comm = comm };

  self->last[thread] = comm;
  g_array_append_val (self->names, name);
}

void
pen_tasks_comm (PenTasks *self, PenMoment moment, const PenTaskItem *comm)
{
  set_name (self, moment, pen_pid_set_find (&self->tids, comm->tid), comm->comm);
}

void
pen_tasks_fork (PenTasks *self, PenMoment moment, const PenTaskItem *fork)
{
  guint parent = pen_pid_set_find (&self->tids, fork->ptid);

  /* Nobody forks the idle task: its name is known without a record. */
  if (fork->tid == 0)
    return;
  set_name (self, moment, pen_pid_set_find (&self->tids, fork->tid), self->last[parent]);
}

void
pen_tasks_finish (PenTasks *self)
{
  guint n_threads = self->tids.values->len;
  g_autofree guint32 *next = g_new (guint32, n_threads);

  g_clear_pointer (&self->last, g_free);
  self->first = g_new0 (guint32, n_threads + 1);
  self->by_thread = g_new (guint32, self->names->len);

  for (guint i = 0; i < self->names->len; i++)
    self->first[g_array_index (self->names, PenTaskName, i).thread + 1]++;
  for (guint thread = 0; thread < n_threads; thread++) {
    self->first[thread + 1] += self->first[thread];
    next[thread] = self->first[thread];
  }
  for (guint i = 0; i < self->names->len; i++)
    self->by_thread[next[g_array_index (self->names, PenTaskName, i).thread]++] = i;
}

const char *
pen_tasks_find (const PenTasks *self, gint32 tid, PenMoment moment)
{
  guint thread = pen_pid_set_find (&self->tids, tid);
  const PenTaskName *names = (const PenTaskName *) (gpointer) self->names->data;
  guint low;

  if (thread == PEN_PID_SET_NONE)
    return pen_tasks_get_first (self, tid);

  low = PEN_BINARY_SEARCH (i, self->first[thread], self->first[thread + 1],
                           pen_moment_compare (names[self->by_thread[i]].moment, moment) < 0);
  if (low == self->first[thread])
    return pen_tasks_get_first (self, tid);
  return names[self->by_thread[low - 1]].comm ? names[self->by_thread[low - 1]].comm : "";
}

void
pen_tasks_leave (const PenTasks *self, GHashTable *comms, PenNames *names)
{
  const PenTaskName *all = (const PenTaskName *) (gpointer) self->names->data;

  for (guint thread = 0; thread < self->tids.values->len; thread++) {
    gpointer tid = GINT_TO_POINTER (g_array_index (self->tids.values, gint32, thread));
    guint32 end = self->first[thread + 1];
    const char *comm;

    if (end == self->first[thread])
      continue;
    comm = all[self->by_thread[end - 1]].comm;
    if (comm)
      g_hash_table_insert (comms, tid, (gpointer) pen_names_add (names, comm));
    else
      g_hash_table_remove (comms, tid);
  }
}
