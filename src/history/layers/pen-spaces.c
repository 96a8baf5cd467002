/* pen-spaces.c: process images that come and go (rules U1–U4)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-spaces.h"

#include <string.h>

#include "pen-map-layer.h"
#include "pen-map-name.h"
#include "pen-table-hash.h"

/* A pid: its present image, if it has one. Most have one thread. */
typedef struct {
  guint32 space;       /* its place; PEN_SPACE_KERNEL: none */
  gboolean was_named;  /* it had an image before */
  PenMapLayer *maps;   /* NULL: none yet */
  GHashTable *threads; /* tids that are known to live; NULL: @thread, with @has_thread */
  gint32 thread;
  gboolean has_thread;
} Process;

struct _PenSpaces {
  PenTenureBuilder *builder;
  const PenPidSet *pids;
  Process *processes;
  GArray *spaces;
  guint32 last_id;
  guint max_copies;
  guint max_pieces; /* of maps: as many, until one was refused */
  guint copies;
  PenLoss refused;
};

PenSpaces *
pen_spaces_new (PenTenureBuilder *builder, const PenPidSet *pids, guint max_copies)
{
  PenSpaces *self = g_new0 (PenSpaces, 1);
  PenSpace kernel
      = { .id = PEN_SPACE_KERNEL, .pid = -1, .from = PEN_MOMENT_START, .to = PEN_MOMENT_END };

  self->builder = builder;
  self->pids = pids;
  self->processes = g_new0 (Process, pids->values->len);
  self->spaces = g_array_new (FALSE, FALSE, sizeof (PenSpace));
  self->max_copies = max_copies;
  self->max_pieces = max_copies;
  g_array_append_val (self->spaces, kernel);
  return self;
}

static void
forget_image (Process *process)
{
  process->space = PEN_SPACE_KERNEL;
  process->has_thread = FALSE;
  g_clear_pointer (&process->maps, pen_map_layer_free);
  g_clear_pointer (&process->threads, g_hash_table_unref);
}

void
pen_spaces_free (PenSpaces *self)
{
  if (!self)
    return;
  for (guint i = 0; i < self->pids->values->len; i++)
    forget_image (&self->processes[i]);
  g_free (self->processes);
  g_clear_pointer (&self->spaces, g_array_unref);
  g_free (self);
}

static Process *
get_process (PenSpaces *self, gint32 pid)
{
  guint place = pen_pid_set_find (self->pids, pid);

  g_assert (place != PEN_PID_SET_NONE);
  return &self->processes[place];
}

static void
begin_space (PenSpaces *self, Process *process, gint32 pid, PenMoment moment)
{
  gboolean is_initial = moment.time == 0 && !process->was_named;
  PenSpace space = {
    .id = ++self->last_id,
    .pid = pid,
    .from = is_initial ? PEN_MOMENT_START : moment,
    .to = PEN_MOMENT_END,
  };

  process->space = self->spaces->len;
  process->was_named = TRUE;
  g_array_append_val (self->spaces, space);
}

static void
end_space (PenSpaces *self, Process *process, PenMoment moment)
{
  g_array_index (self->spaces, PenSpace, process->space).to = moment;
  if (process->maps)
    pen_map_layer_end (process->maps, moment);
  forget_image (process);
}

static void
add_thread (Process *process, gint32 tid)
{
  if (!process->threads && (!process->has_thread || process->thread == tid)) {
    process->thread = tid;
    process->has_thread = TRUE;
    return;
  }
  if (!process->threads) {
    process->threads = g_hash_table_new (pen_direct_hash, NULL);
    g_hash_table_add (process->threads, GINT_TO_POINTER (process->thread));
  }
  g_hash_table_add (process->threads, GINT_TO_POINTER (tid));
}

/* Returns: whether it was the last */
static gboolean
remove_thread (Process *process, gint32 tid)
{
  if (process->threads) {
    g_hash_table_remove (process->threads, GINT_TO_POINTER (tid));
    return g_hash_table_size (process->threads) == 0;
  }
  process->has_thread = process->has_thread && process->thread != tid;
  return !process->has_thread;
}

static PenMapLayer *
get_maps (PenSpaces *self, Process *process)
{
  if (!process->maps)
    process->maps = pen_map_layer_new (self->builder);
  return process->maps;
}

void
pen_spaces_go_on (PenSpaces *self, const PenPresent *present)
{
  const PenSpace *spaces;

  g_array_append_vals (self->spaces, present->spaces->data, present->spaces->len);
  self->last_id = present->n_spaces;
  spaces = (const PenSpace *) (gpointer) self->spaces->data;
  for (guint32 i = 1; i < self->spaces->len; i++) {
    get_process (self, spaces[i].pid)->space = i;
    get_process (self, spaces[i].pid)->was_named = TRUE;
  }
  for (guint i = 0; i < present->threads->len; i++) {
    const PenPresentThread *thread = &g_array_index (present->threads, PenPresentThread, i);

    add_thread (get_process (self, spaces[thread->space].pid), thread->tid);
  }
  for (guint i = 0; i < present->tenures->len; i++)
    pen_tenure_builder_open (self->builder, &g_array_index (present->tenures, PenTenure, i));
  for (guint i = 0; i < present->parts->len; i++) {
    const PenPart *part = &g_array_index (present->parts, PenPart, i);
    guint32 space = pen_tenure_builder_get_tenure (self->builder, part->tenure - 1)->space;

    pen_map_layer_go_on (get_maps (self, get_process (self, spaces[space].pid)), part->tenure - 1,
                         part);
  }
}

/* The image of @pid; begins here if this is the first that is heard of it. */
static Process *
name_process (PenSpaces *self, gint32 pid, gint32 tid, PenMoment moment)
{
  Process *process = get_process (self, pid);

  if (!process->space)
    begin_space (self, process, pid, moment);
  add_thread (process, tid);
  return process;
}

static void
refuse (PenSpaces *self, PenMoment moment)
{
  if (self->refused.count++ == 0)
    self->refused.from = moment.time;
  self->refused.to = moment.time;
}

static gboolean
take_copies (PenSpaces *self, guint n, PenMoment moment)
{
  if (n > self->max_copies - self->copies) {
    refuse (self, moment);
    return FALSE;
  }
  self->copies += n;
  return TRUE;
}

static PenTenure
describe_map (const PenProcessMapItem *map, PenMoment moment, guint32 space)
{
  PenTenure tenure = {
    .space = space,
    .layer = map->symbol ? PEN_LAYER_JIT : PEN_LAYER_MAP,
    .kind = map->symbol ? PEN_KIND_ANON : pen_map_name_get_process_kind (map->name),
    .occupant = map->name,
    .name = map->symbol ? map->symbol : map->name,
    .start = map->start,
    .end = map->end,
    .file_offset = map->file_offset,
    .from = moment,
    .from_bound = pen_tenure_builder_bound (moment, map->evidence),
    .evidence = map->evidence,
    .build_id_length = map->build_id_length,
  };

  if (map->build_id_length > 0)
    memcpy (tenure.build_id, map->build_id, map->build_id_length);
  return tenure;
}

void
pen_spaces_map (PenSpaces *self, PenMoment moment, const PenProcessMapItem *map)
{
  Process *process = name_process (self, map->pid, map->tid, moment);
  PenMapLayer *maps;
  PenTenure tenure;
  guint n;

  /* U4. A map without a length says that the process is there, and nothing else. */
  if (map->is_data || map->start == map->end)
    return;
  tenure = describe_map (map, moment, process->space);
  maps = get_maps (self, process);
  n = pen_map_layer_count_pieces (maps, &tenure,
                                  self->max_pieces - MIN (self->copies, self->max_pieces));
  if (take_copies (self, n, moment))
    pen_map_layer_take (maps, &tenure);
  else
    self->max_pieces = 0; /* counting goes no further, so it costs nothing any more */
}

static void
copy_maps (PenSpaces *self, Process *parent, Process *child, PenMoment moment)
{
  guint n = parent->maps ? pen_map_layer_count (parent->maps) : 0;

  if (n > 0 && take_copies (self, n, moment))
    pen_map_layer_copy (parent->maps, get_maps (self, child), child->space, moment);
}

void
pen_spaces_fork (PenSpaces *self, PenMoment moment, const PenTaskItem *fork)
{
  Process *parent = get_process (self, fork->ppid);
  Process *child = get_process (self, fork->pid);

  if (fork->pid == fork->ppid)
    name_process (self, fork->pid, fork->tid, moment);
  /* A task that forks is alive. */
  if (parent->space)
    add_thread (parent, fork->ptid);
  if (fork->pid == fork->ppid)
    return;

  if (child->space)
    end_space (self, child, moment);
  name_process (self, fork->pid, fork->tid, moment);
  if (parent->space && !fork->is_synthesized)
    copy_maps (self, parent, child, moment);
}

void
pen_spaces_exit (PenSpaces *self, PenMoment moment, const PenTaskItem *exit)
{
  Process *process = get_process (self, exit->pid);

  if (!process->space)
    return;
  if (remove_thread (process, exit->tid))
    end_space (self, process, moment);
}

void
pen_spaces_comm (PenSpaces *self, PenMoment moment, const PenTaskItem *comm)
{
  Process *process = get_process (self, comm->pid);

  if (comm->is_exec && process->space)
    end_space (self, process, moment);
  name_process (self, comm->pid, comm->tid, moment);
}

GArray *
pen_spaces_list_threads (PenSpaces *self)
{
  GArray *threads = g_array_new (FALSE, FALSE, sizeof (PenPresentThread));

  for (guint i = 0; i < self->pids->values->len; i++) {
    const Process *process = &self->processes[i];
    PenPresentThread thread = { process->space, process->thread };
    GHashTableIter iter;
    gpointer tid;

    if (process->space && process->has_thread && !process->threads)
      g_array_append_val (threads, thread);
    if (!process->space || !process->threads)
      continue;
    g_hash_table_iter_init (&iter, process->threads);
    while (g_hash_table_iter_next (&iter, &tid, NULL)) {
      thread.tid = GPOINTER_TO_INT (tid);
      g_array_append_val (threads, thread);
    }
  }
  return threads;
}

GArray *
pen_spaces_steal (PenSpaces *self)
{
  return g_steal_pointer (&self->spaces);
}

guint
pen_spaces_get_copies (const PenSpaces *self)
{
  return self->copies;
}

gboolean
pen_spaces_get_refused (PenSpaces *self, PenLoss *loss)
{
  if (self->refused.count == 0)
    return FALSE;
  *loss = self->refused;
  loss->kind = PEN_LOSS_SET_ASIDE;
  loss->cpu = G_MAXUINT32;
  return TRUE;
}
