/* pen-sweep.c: who holds what, asked in the order of moments
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-history-private.h"
#include "pen-live-plane.h"

struct _PenSweep {
  PenHistory *history;
  PenMoment now;
  PenMoment next; /* nothing changes before it */

  guint begun; /* how many of history->begins are done, and so on */
  guint ended;
  guint spaces_begun;
  guint spaces_ended;
  guint patched;
  guint named;

  guint64 changes;   /* how many parts and patches came or went */
  guint64 kernel;    /* which of them was the kernel's last */
  guint64 *of_plane; /* and the last of each plane; 0: none */

  PenLivePlane **planes;    /* by plane; NULL while nothing lives in it */
  guint32 *space_of_pid;    /* by place in history->pids; PEN_SPACE_KERNEL: none */
  const char **comm_of_tid; /* by place in history->tasks.tids */
  guint32 *revisions;       /* by edge of history->patches */

  gint32 last_pid;
  guint last_pid_place;
  gint32 last_tid;
  guint last_tid_place;
};

static void
init_comms (PenSweep *self)
{
  const PenTasks *tasks = &self->history->tasks;

  self->comm_of_tid = g_new (const char *, tasks->tids.values->len);
  for (guint i = 0; i < tasks->tids.values->len; i++)
    self->comm_of_tid[i] = pen_tasks_get_default (g_array_index (tasks->tids.values, gint32, i));
}

PenSweep *
pen_sweep_new (PenHistory *history)
{
  PenSweep *self;

  g_return_val_if_fail (history != NULL && history->is_sealed, NULL);

  self = g_new0 (PenSweep, 1);
  self->history = history;
  self->planes = g_new0 (PenLivePlane *, history->planes.n_planes);
  self->of_plane = g_new0 (guint64, history->planes.n_planes);
  self->planes[PEN_PLANE_KERNEL_MAPS]
      = pen_live_plane_new (&history->planes, PEN_PLANE_KERNEL_MAPS);
  self->planes[PEN_PLANE_KSYMBOLS] = pen_live_plane_new (&history->planes, PEN_PLANE_KSYMBOLS);
  self->space_of_pid = g_new0 (guint32, history->pids.values->len);
  self->revisions = g_new0 (guint32, history->patches.n_edges);
  init_comms (self);
  self->last_pid_place = pen_numbers_find (&history->pids, 0);
  self->last_tid_place = pen_numbers_find (&history->tasks.tids, 0);
  return self;
}

void
pen_sweep_free (PenSweep *self)
{
  if (!self)
    return;
  for (guint plane = 0; plane < self->history->planes.n_planes; plane++)
    pen_live_plane_free (self->planes[plane]);
  g_free (self->planes);
  g_free (self->of_plane);
  g_free (self->space_of_pid);
  g_free (self->comm_of_tid);
  g_free (self->revisions);
  g_free (self);
}

/* A change belongs to one plane: no two planes have the same last one. */
static void
note_change (PenSweep *self, guint plane)
{
  self->of_plane[plane] = ++self->changes;
  if (plane == PEN_PLANE_KERNEL_MAPS || plane == PEN_PLANE_KSYMBOLS)
    self->kernel = self->changes;
}

static void
begin_part (PenSweep *self, guint32 part)
{
  const PenHistory *history = self->history;
  const PenTenure *tenure = pen_history_get_tenure (history, history->planes.parts[part].tenure);
  guint plane = pen_plane_of (tenure->space, tenure->layer);

  if (!self->planes[plane])
    self->planes[plane] = pen_live_plane_new (&history->planes, plane);
  pen_live_plane_begin (self->planes[plane], part);
  note_change (self, plane);
}

static void
end_part (PenSweep *self, guint32 part)
{
  const PenHistory *history = self->history;
  const PenTenure *tenure = pen_history_get_tenure (history, history->planes.parts[part].tenure);
  guint plane = pen_plane_of (tenure->space, tenure->layer);

  /* A part that ends when it begins was never begun. */
  if (self->planes[plane])
    pen_live_plane_end (self->planes[plane], part);
  note_change (self, plane);
}

static PenMoment
earlier (PenMoment a, PenMoment b)
{
  return pen_moment_compare (a, b) <= 0 ? a : b;
}

/* At one moment, what ends ends before what begins. */
static void
advance_parts (PenSweep *self)
{
  const PenHistory *history = self->history;
  const PenPart *parts = history->planes.parts;
  const guint32 *closed = (const guint32 *) (gpointer) history->ledger.closed->data;
  guint n_closed = history->ledger.closed->len;

  for (;;) {
    PenMoment begin = self->begun < history->n_begins ? parts[history->begins[self->begun]].from
                                                      : PEN_MOMENT_END;
    PenMoment end = self->ended < n_closed ? parts[closed[self->ended]].to : PEN_MOMENT_END;
    PenMoment first = earlier (end, begin);

    if (pen_moment_compare (first, self->now) >= 0) {
      self->next = earlier (self->next, first);
      return;
    }
    if (pen_moment_compare (end, begin) <= 0)
      end_part (self, closed[self->ended++]);
    else
      begin_part (self, history->begins[self->begun++]);
  }
}

static void
end_space (PenSweep *self, const PenSpace *space)
{
  guint plane = pen_plane_of (space->id, PEN_LAYER_MAP);
  guint32 *current = &self->space_of_pid[pen_numbers_find (&self->history->pids, space->pid)];

  if (*current == space->id)
    *current = PEN_SPACE_KERNEL;
  g_clear_pointer (&self->planes[plane], pen_live_plane_free);
}

static void
advance_spaces (PenSweep *self)
{
  const PenHistory *history = self->history;
  const PenSpace *spaces = (const PenSpace *) (gpointer) history->spaces->data;
  guint n_begins = history->spaces->len - 1;

  for (;;) {
    const PenSpace *begin
        = self->spaces_begun < n_begins ? &spaces[history->space_begins[self->spaces_begun]] : NULL;
    const PenSpace *end = self->spaces_ended < history->n_space_ends
                              ? &spaces[history->space_ends[self->spaces_ended]]
                              : NULL;
    PenMoment begins_at = begin ? begin->from : PEN_MOMENT_END;
    PenMoment ends_at = end ? end->to : PEN_MOMENT_END;
    PenMoment first = earlier (ends_at, begins_at);

    if (pen_moment_compare (first, self->now) >= 0) {
      self->next = earlier (self->next, first);
      return;
    }
    if (pen_moment_compare (ends_at, begins_at) <= 0) {
      end_space (self, end);
      self->spaces_ended++;
    } else {
      /* One that is over before it begins would stay for ever. */
      if (pen_moment_compare (begin->from, begin->to) < 0)
        self->space_of_pid[pen_numbers_find (&history->pids, begin->pid)] = begin->id;
      self->spaces_begun++;
    }
  }
}

static void
advance_patches (PenSweep *self)
{
  GArray *patches = self->history->patches.patches;

  if (!self->history->patches.edges)
    return;
  while (self->patched < patches->len) {
    const PenPatch *patch = &g_array_index (patches, PenPatch, self->patched);

    if (pen_moment_compare (patch->moment, self->now) >= 0) {
      self->next = earlier (self->next, patch->moment);
      return;
    }
    pen_patches_apply (patch, self->revisions);
    self->patched++;
    self->kernel = ++self->changes;
  }
}

static void
advance_names (PenSweep *self)
{
  GArray *names = self->history->tasks.names;

  while (self->named < names->len) {
    const PenTaskName *name = &g_array_index (names, PenTaskName, self->named);

    if (pen_moment_compare (name->moment, self->now) >= 0) {
      self->next = earlier (self->next, name->moment);
      return;
    }
    self->comm_of_tid[name->thread] = name->comm ? name->comm : "";
    self->named++;
  }
}

void
pen_sweep_advance (PenSweep *self, PenMoment moment)
{
  g_return_if_fail (pen_moment_compare (self->now, moment) <= 0);

  self->now = moment;
  if (pen_moment_compare (moment, self->next) <= 0)
    return;
  self->next = PEN_MOMENT_END;
  /* Spaces after parts: the plane of a space that ends must not be needed any more. */
  advance_parts (self);
  advance_spaces (self);
  advance_patches (self);
  advance_names (self);
}

static guint32
find_revision (PenSweep *self, guint32 tenure, guint64 address)
{
  guint32 edge = pen_patches_find_edge (&self->history->patches, tenure, address);

  return edge == PEN_PATCHES_NONE ? 0 : self->revisions[edge];
}

const PenTenure *
pen_sweep_find_kernel (PenSweep *self, guint64 address, guint32 *revision)
{
  const PenPart *part = pen_live_plane_find (self->planes[PEN_PLANE_KSYMBOLS], address);

  if (!part)
    part = pen_live_plane_find (self->planes[PEN_PLANE_KERNEL_MAPS], address);
  if (revision)
    *revision = part ? find_revision (self, part->tenure, address) : 0;
  return part ? pen_history_get_tenure (self->history, part->tenure) : NULL;
}

const PenTenure *
pen_sweep_find_kernel_run (PenSweep *self, guint64 address, guint64 *end)
{
  PenLivePlane *maps = self->planes[PEN_PLANE_KERNEL_MAPS];
  PenLivePlane *ksymbols = self->planes[PEN_PLANE_KSYMBOLS];
  const PenPart *part = pen_live_plane_find (ksymbols, address);

  *end = MIN (*end, pen_live_plane_find_next (ksymbols, address));
  if (!part) {
    part = pen_live_plane_find (maps, address);
    if (!part)
      *end = MIN (*end, pen_live_plane_find_next (maps, address));
  }
  if (!part)
    return NULL;
  *end = MIN (*end, part->end);
  return pen_history_get_tenure (self->history, part->tenure);
}

/* The plane of @pid's space now, or 0. */
static guint
find_process_plane (PenSweep *self, gint32 pid)
{
  guint32 space;

  if (pid != self->last_pid) {
    self->last_pid = pid;
    self->last_pid_place = pen_numbers_find (&self->history->pids, pid);
  }
  if (self->last_pid_place == PEN_NUMBERS_NONE)
    return 0;
  space = self->space_of_pid[self->last_pid_place];
  return space == PEN_SPACE_KERNEL ? 0 : pen_plane_of (space, PEN_LAYER_MAP);
}

const PenTenure *
pen_sweep_find_process (PenSweep *self, gint32 pid, guint64 address)
{
  guint plane = find_process_plane (self, pid);
  const PenPart *part;

  if (plane == 0 || !self->planes[plane])
    return NULL;
  part = pen_live_plane_find (self->planes[plane], address);
  return part ? pen_history_get_tenure (self->history, part->tenure) : NULL;
}

PenSweepState
pen_sweep_get_state (PenSweep *self, gint32 pid)
{
  guint plane = find_process_plane (self, pid);

  return (PenSweepState){ self->kernel, plane == 0 ? 0 : self->of_plane[plane] };
}

const char *
pen_sweep_find_comm (PenSweep *self, gint32 tid)
{
  if (tid != self->last_tid) {
    self->last_tid = tid;
    self->last_tid_place = pen_numbers_find (&self->history->tasks.tids, tid);
  }
  if (self->last_tid_place == PEN_NUMBERS_NONE)
    return pen_tasks_get_default (tid);
  return self->comm_of_tid[self->last_tid_place];
}
