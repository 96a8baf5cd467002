/* pen-tasks.h: the comm of each thread over time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-events.h"
#include "pen-names.h"
#include "pen-pid-set.h"

G_BEGIN_DECLS

/* From @moment on the thread at place @thread has @comm; NULL: not known. */
typedef struct {
  PenMoment moment;
  guint32 thread;
  const char *comm;
} PenTaskName;

/*
 * PenTasks: a COMM names its thread, a FORK gives the child its parent's name.
 */
typedef struct {
  PenPidSet tids;     /* every tid that an event names */
  GHashTable *before; /* tid → name, before the first event; or NULL */
  const char **last;  /* per thread, while events come in */
  GArray *names;      /* PenTaskName, in time order */
  guint32 *by_thread; /* names by thread, each thread's in time order */
  guint32 *first;     /* per thread and one more: into by_thread */
} PenTasks;

void pen_tasks_init (PenTasks *self);
void pen_tasks_clear (PenTasks *self);

/* After all tids are added, before the first event. */
void pen_tasks_begin (PenTasks *self);
/* In time order; comms are interned. */
void pen_tasks_comm (PenTasks *self, PenMoment moment, const PenTaskItem *comm);
void pen_tasks_fork (PenTasks *self, PenMoment moment, const PenTaskItem *fork);
void pen_tasks_finish (PenTasks *self);

/* The name of a thread before the first event. */
const char *pen_tasks_get_first (const PenTasks *self, gint32 tid);

/* After the end: puts the last names into @comms: tid → name, of @names. */
void pen_tasks_leave (const PenTasks *self, GHashTable *comms, PenNames *names);

/* The comm of @tid just before @moment. */
const char *pen_tasks_find (const PenTasks *self, gint32 tid, PenMoment moment);

G_END_DECLS
