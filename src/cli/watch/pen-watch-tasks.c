/* pen-watch-tasks.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-watch-tasks.h"

#include <string.h>

#include "pen-table-hash.h"

struct _PenWatchTasks {
  char *proc;
  GHashTable *comms; /* tid → name */
};

PenWatchTasks *
pen_watch_tasks_new (const char *proc)
{
  PenWatchTasks *self = g_new0 (PenWatchTasks, 1);

  self->proc = g_strdup (proc);
  self->comms = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);
  return self;
}

void
pen_watch_tasks_free (PenWatchTasks *self)
{
  if (!self)
    return;
  g_hash_table_unref (self->comms);
  g_free (self->proc);
  g_free (self);
}

static void
keep (PenWatchTasks *self, gint32 tid, const char *comm)
{
  if (g_hash_table_size (self->comms) >= PEN_WATCH_TASKS_MAX
      && !g_hash_table_contains (self->comms, GINT_TO_POINTER (tid)))
    g_hash_table_remove_all (self->comms);
  g_hash_table_replace (self->comms, GINT_TO_POINTER (tid),
                        g_strndup (comm, PEN_WATCH_COMM_SIZE - 1));
}

void
pen_watch_tasks_take (PenWatchTasks *self, const PenRecord *record)
{
  const char *parent;

  switch (record->type) {
  case PEN_RECORD_COMM:
    keep (self, record->comm.tid, record->comm.comm);
    break;
  case PEN_RECORD_FORK:
    parent = g_hash_table_lookup (self->comms, GINT_TO_POINTER (record->task.ptid));
    /* An earlier task of that number is gone. */
    if (parent) {
      g_autofree char *copy = g_strdup (parent);

      keep (self, record->task.tid, copy);
    } else {
      g_hash_table_remove (self->comms, GINT_TO_POINTER (record->task.tid));
    }
    break;
  case PEN_RECORD_EXIT:
    g_hash_table_remove (self->comms, GINT_TO_POINTER (record->task.tid));
    break;
  default:
    break;
  }
}

void
pen_watch_tasks_forget (PenWatchTasks *self)
{
  g_hash_table_remove_all (self->comms);
}

void
pen_watch_tasks_ask (PenWatchTasks *self, gint32 pid, gint32 tid)
{
  g_autofree char *path = NULL;
  g_autofree char *comm = NULL;

  if (!self->proc || pid <= 0 || tid <= 0
      || g_hash_table_contains (self->comms, GINT_TO_POINTER (tid)))
    return;
  path = g_strdup_printf ("%s/%d/task/%d/comm", self->proc, pid, tid);
  if (g_file_get_contents (path, &comm, NULL, NULL))
    keep (self, tid, g_strchomp (comm));
}

const char *
pen_watch_tasks_find (PenWatchTasks *self, gint32 tid)
{
  const char *comm = g_hash_table_lookup (self->comms, GINT_TO_POINTER (tid));

  if (tid == 0)
    return "swapper";
  return comm ? comm : "";
}

guint
pen_watch_tasks_get_length (PenWatchTasks *self)
{
  return g_hash_table_size (self->comms);
}
