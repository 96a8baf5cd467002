/* pen-watch-tasks.h: names of tasks, from records and from /proc, in bounded memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-record.h"

G_BEGIN_DECLS

/* Tasks whose name is kept. When there are more, all are forgotten, and asked for in /proc. */
#define PEN_WATCH_TASKS_MAX 65536u
#define PEN_WATCH_COMM_SIZE 16u

typedef struct _PenWatchTasks PenWatchTasks;

/* @proc: (nullable): such as "/proc": asked for tasks that no record named; NULL: none is */
PenWatchTasks *pen_watch_tasks_new (const char *proc);
void pen_watch_tasks_free (PenWatchTasks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenWatchTasks, pen_watch_tasks_free)

/* A record COMM, FORK or EXIT. */
void pen_watch_tasks_take (PenWatchTasks *self, const PenRecord *record);
/* Records were lost: names may be those of other tasks. */
void pen_watch_tasks_forget (PenWatchTasks *self);

/* Asks /proc if there is no name yet: to be called as soon as the record came, for the task may
 * end. */
void pen_watch_tasks_ask (PenWatchTasks *self, gint32 pid, gint32 tid);

/* "" where not known. Returns: owned by @self, until the next call of another function */
const char *pen_watch_tasks_find (PenWatchTasks *self, gint32 tid);

guint pen_watch_tasks_get_length (PenWatchTasks *self);

G_END_DECLS
