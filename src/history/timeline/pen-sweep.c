/* pen-sweep.c: who holds what, asked in the order of moments
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cancel-check.h"
#include "pen-history-private.h"
#include "pen-live-plane.h"
#include "pen-timeless.h"

/* Where a number is in its table: searching for each sample's would cost more than all else about
 * it. */
#define KNOWN_NUMBERS 512u

typedef struct {
  gint32 number;
  guint place;
} KnownNumber;

/* Changes of parts are remembered by page; other pages may share a place. A part of more pages
 * counts as a change of its whole space. */
#define PAGE_SHIFT 12
#define PAGE_SLOTS 65536u
#define MAX_PAGES 64u

struct _PenSweep {
  PenHistory *history;
  PenMoment now;
  PenMoment next; /* nothing changes before it */
  PenCancelCheck check;

  guint begun; /* how many of history->begins are done, and so on */
  guint ended;
  guint spaces_begun;
  guint spaces_ended;
  guint patched;
  guint named;

  PenSweepChanges changes;
  guint64 *of_plane;       /* the last change of each plane; 0: none */
  guint64 *large_of_plane; /* the last of a part of many pages; both planes of the kernel in one */
  guint64 *of_page;        /* by place of pages: the last of any other part; NULL until asked for */

  PenLivePlane **planes;    /* by plane; NULL while nothing lives in it */
  guint32 *space_of_pid;    /* by place in history->pids; PEN_SPACE_KERNEL: none */
  const char **comm_of_tid; /* by place in history->tasks.tids */
  guint32 *revisions;       /* by edge of history->patches */
  guint8 *is_patched;       /* by edge: some patch covers what follows it; NULL until asked for */

  PenTimeless *timeless; /* NULL, but for samples while they have no time */
  gboolean is_ambiguous; /* what it answered last */

  KnownNumber pids[KNOWN_NUMBERS];
  KnownNumber tids[KNOWN_NUMBERS];
};

static void
init_numbers (KnownNumber *known)
{
  /* A number that belongs elsewhere is none. */
  for (guint i = 0; i < KNOWN_NUMBERS; i++)
    known[i].number = (gint32) i + 1;
}

static guint
find_number (KnownNumber *known, const PenPidSet *numbers, gint32 number)
{
  KnownNumber *slot = &known[(guint32) number % KNOWN_NUMBERS];

  if (slot->number != number) {
    slot->number = number;
    slot->place = pen_pid_set_find (numbers, number);
  }
  return slot->place;
}

static void
init_comms (PenSweep *self)
{
  const PenTasks *tasks = &self->history->tasks;

  self->comm_of_tid = g_new (const char *, tasks->tids.values->len);
  for (guint i = 0; i < tasks->tids.values->len; i++)
    self->comm_of_tid[i]
        = pen_tasks_get_first (tasks, g_array_index (tasks->tids.values, gint32, i));
}

PenSweep *
pen_sweep_new (PenHistory *history)
{
  PenSweep *self;

  g_return_val_if_fail (history && history->is_sealed, NULL);

  self = g_new0 (PenSweep, 1);
  self->history = history;
  self->planes = g_new0 (PenLivePlane *, history->planes.n_planes);
  self->of_plane = g_new0 (guint64, history->planes.n_planes);
  self->large_of_plane = g_new0 (guint64, history->planes.n_planes);
  self->planes[PEN_PLANE_KERNEL_MAPS]
      = pen_live_plane_new (&history->planes, PEN_PLANE_KERNEL_MAPS);
  self->planes[PEN_PLANE_KSYMBOLS] = pen_live_plane_new (&history->planes, PEN_PLANE_KSYMBOLS);
  self->space_of_pid = g_new0 (guint32, history->pids.values->len);
  self->revisions = g_new0 (guint32, history->patches.n_edges);
  init_comms (self);
  init_numbers (self->pids);
  init_numbers (self->tids);
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
  g_free (self->large_of_plane);
  g_free (self->of_page);
  g_free (self->space_of_pid);
  g_free (self->comm_of_tid);
  g_free (self->revisions);
  g_free (self->is_patched);
  pen_timeless_free (self->timeless);
  g_free (self);
}

PenSweep *
pen_sweep_new_for_samples (PenHistory *history)
{
  PenSweep *self = pen_sweep_new (history);

  self->timeless = pen_timeless_new (history);
  return self;
}

static guint32
hash_page (guint32 space, guint64 page)
{
  guint64 hash = (page + ((guint64) space << 40)) * 0x9e3779b97f4a7c15u;

  return (guint32) (hash >> 32) % PAGE_SLOTS;
}

/* Which plane stands for all of @space: nobody asks which of the kernel's had a change. */
static guint
get_main_plane (guint32 space)
{
  return pen_plane_of (space, PEN_LAYER_MAP);
}

static void
note_change (PenSweep *self, const PenTenure *tenure, guint plane, guint32 part)
{
  const PenPart *changed = &self->history->planes.parts[part];
  guint64 change = ++self->changes.count;
  guint64 first = changed->start >> PAGE_SHIFT;
  guint64 last = (changed->end - 1) >> PAGE_SHIFT;

  self->of_plane[plane] = change;
  if (tenure->space == PEN_SPACE_KERNEL)
    self->changes.kernel = self->changes.kernel_parts = change;
  if (!self->of_page)
    return;

  if (changed->end <= changed->start || last - first >= MAX_PAGES) {
    self->large_of_plane[get_main_plane (tenure->space)] = change;
    return;
  }
  for (guint64 page = first; page <= last; page++)
    self->of_page[hash_page (tenure->space, page)] = change;
}

static void
begin_part (PenSweep *self, guint32 part)
{
  const PenHistory *history = self->history;
  const PenTenure *tenure = pen_history_get_tenure_at (history, history->planes.parts[part].tenure);
  guint plane = pen_plane_of (tenure->space, tenure->layer);

  if (!self->planes[plane])
    self->planes[plane] = pen_live_plane_new (&history->planes, plane);
  pen_live_plane_begin (self->planes[plane], part);
  note_change (self, tenure, plane, part);
}

static void
end_part (PenSweep *self, guint32 part)
{
  const PenHistory *history = self->history;
  const PenTenure *tenure = pen_history_get_tenure_at (history, history->planes.parts[part].tenure);
  guint plane = pen_plane_of (tenure->space, tenure->layer);

  /* A part that ends when it begins was never begun. */
  if (self->planes[plane])
    pen_live_plane_end (self->planes[plane], part);
  note_change (self, tenure, plane, part);
}

static PenMoment
earlier (PenMoment a, PenMoment b)
{
  return pen_moment_compare (a, b) <= 0 ? a : b;
}

void
pen_sweep_set_func (PenSweep *self, PenHistoryFunc func, gpointer user_data)
{
  self->check = (PenCancelCheck){ .func = func, .user_data = user_data };
}

/* At one moment, what ends ends before what begins. */
static void
advance_parts (PenSweep *self)
{
  const PenHistory *history = self->history;
  const PenPart *parts = history->planes.parts;
  const guint32 *closed = (const guint32 *) (gpointer) history->builder.closed->data;
  guint n_closed = history->builder.closed->len;

  while (pen_cancel_check_step (&self->check)) {
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
end_space (PenSweep *self, guint32 place)
{
  const PenSpace *space = &g_array_index (self->history->spaces, PenSpace, place);
  guint plane = pen_plane_of (place, PEN_LAYER_MAP);
  guint32 *current = &self->space_of_pid[pen_pid_set_find (&self->history->pids, space->pid)];

  if (*current == place)
    *current = PEN_SPACE_KERNEL;
  g_clear_pointer (&self->planes[plane], pen_live_plane_free);
}

static void
advance_spaces (PenSweep *self)
{
  const PenHistory *history = self->history;
  const PenSpace *spaces = (const PenSpace *) (gpointer) history->spaces->data;
  guint n_begins = history->spaces->len - 1;

  while (pen_cancel_check_step (&self->check)) {
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
      end_space (self, history->space_ends[self->spaces_ended++]);
    } else {
      /* One that is over before it begins would stay for ever. */
      if (pen_moment_compare (begin->from, begin->to) < 0)
        self->space_of_pid[pen_pid_set_find (&history->pids, begin->pid)]
            = history->space_begins[self->spaces_begun];
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
  while (self->patched < patches->len && pen_cancel_check_step (&self->check)) {
    const PenPatch *patch = &g_array_index (patches, PenPatch, self->patched);

    if (pen_moment_compare (patch->moment, self->now) >= 0) {
      self->next = earlier (self->next, patch->moment);
      return;
    }
    pen_patches_apply (patch, self->revisions);
    self->patched++;
    self->changes.kernel = ++self->changes.count;
  }
}

static void
advance_names (PenSweep *self)
{
  GArray *names = self->history->tasks.names;

  while (self->named < names->len && pen_cancel_check_step (&self->check)) {
    const PenTaskName *name = &g_array_index (names, PenTaskName, self->named);

    if (pen_moment_compare (name->moment, self->now) >= 0) {
      self->next = earlier (self->next, name->moment);
      return;
    }
    self->comm_of_tid[name->thread] = name->comm ? name->comm : "";
    self->named++;
  }
}

/* What was found for samples without a time says nothing of those with one. */
static void
end_timeless (PenSweep *self)
{
  guint64 change = ++self->changes.count;

  g_clear_pointer (&self->timeless, pen_timeless_free);
  self->changes.kernel = self->changes.kernel_parts = change;
  for (guint plane = 0; plane < self->history->planes.n_planes; plane++)
    self->of_plane[plane] = self->large_of_plane[plane] = change;
}

void
pen_sweep_advance (PenSweep *self, PenMoment moment)
{
  g_return_if_fail (pen_moment_compare (self->now, moment) <= 0);

  self->now = moment;
  if (self->timeless && moment.time != 0)
    end_timeless (self);
  if (pen_moment_compare (moment, self->next) <= 0 || self->check.is_stopped)
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

/* Ksymbols lie over maps; of either, the one that starts nearest has it (K3). */
static inline const PenPart *
find_kernel_part (PenSweep *self, guint64 address)
{
  const PenPart *part = pen_live_plane_find (self->planes[PEN_PLANE_KSYMBOLS], address);

  return part ? part : pen_live_plane_find (self->planes[PEN_PLANE_KERNEL_MAPS], address);
}

const PenTenure *
pen_sweep_find_kernel (PenSweep *self, guint64 address, guint32 *revision)
{
  const PenPart *part;

  if (self->timeless)
    return pen_timeless_find_kernel (self->timeless, address, self->now, revision,
                                     &self->is_ambiguous);
  part = find_kernel_part (self, address);

  if (revision)
    *revision = part ? find_revision (self, part->tenure, address) : 0;
  return part ? pen_history_get_tenure_at (self->history, part->tenure) : NULL;
}

const PenTenure *
pen_sweep_find_kernel_run (PenSweep *self, guint64 address, guint64 *end)
{
  const PenPart *part = find_kernel_part (self, address);

  *end = MIN (*end, pen_live_plane_find_next (self->planes[PEN_PLANE_KSYMBOLS], address));
  if (!part) {
    *end = MIN (*end, pen_live_plane_find_next (self->planes[PEN_PLANE_KERNEL_MAPS], address));
    return NULL;
  }
  *end = MIN (*end, part->end);
  return pen_history_get_tenure_at (self->history, part->tenure);
}

gboolean
pen_sweep_is_ambiguous (PenSweep *self)
{
  return self->timeless && self->is_ambiguous;
}

static void
find_patched (PenSweep *self)
{
  const PenPatches *patches = &self->history->patches;

  self->is_patched = g_new0 (guint8, patches->n_edges + 1);
  for (guint i = 0; i < patches->patches->len; i++) {
    const PenPatch *patch = &g_array_index (patches->patches, PenPatch, i);

    for (guint32 edge = patch->first_edge; edge < patch->end_edge; edge++)
      self->is_patched[edge] = TRUE;
  }
}

const PenTenure *
pen_sweep_find_kernel_site (PenSweep *self, guint64 address, guint32 *revision, guint32 *site)
{
  const PenTenure *tenure = pen_sweep_find_kernel (self, address, revision);
  guint32 edge;

  *site = PEN_SWEEP_NO_SITE;
  if (self->timeless)
    return tenure;
  *revision = 0;
  if (!tenure)
    return NULL;

  if (!self->is_patched)
    find_patched (self);
  edge = pen_patches_find_edge (&self->history->patches,
                                pen_history_get_place (self->history, tenure), address);
  if (edge == PEN_PATCHES_NONE || !self->is_patched[edge])
    return tenure;
  *revision = self->revisions[edge];
  *site = edge;
  return tenure;
}

guint32
pen_sweep_get_revision (PenSweep *self, guint32 site)
{
  return self->revisions[site];
}

/* PEN_SPACE_KERNEL: none */
static guint32
find_space_of_pid (PenSweep *self, gint32 pid)
{
  guint place = find_number (self->pids, &self->history->pids, pid);

  return place == PEN_PID_SET_NONE ? PEN_SPACE_KERNEL : self->space_of_pid[place];
}

const PenTenure *
pen_sweep_find_process (PenSweep *self, gint32 pid, guint64 address)
{
  guint32 space = find_space_of_pid (self, pid);
  guint plane = pen_plane_of (space, PEN_LAYER_MAP);
  const PenPart *part;

  if (self->timeless)
    return pen_timeless_find_process (self->timeless, pid, address, self->now, &self->is_ambiguous);
  if (space == PEN_SPACE_KERNEL || !self->planes[plane])
    return NULL;
  part = pen_live_plane_find (self->planes[plane], address);
  return part ? pen_history_get_tenure_at (self->history, part->tenure) : NULL;
}

const PenSweepChanges *
pen_sweep_get_changes (PenSweep *self)
{
  /* Without its count, nobody can ask what has changed since. */
  if (!self->of_page)
    self->of_page = g_new0 (guint64, PAGE_SLOTS);
  return &self->changes;
}

guint32
pen_sweep_find_space (PenSweep *self, gint32 pid, guint64 *change)
{
  guint32 space = find_space_of_pid (self, pid);

  if (space == PEN_SPACE_KERNEL) {
    *change = 0;
    return PEN_SWEEP_NO_SPACE;
  }
  *change = self->of_plane[pen_plane_of (space, PEN_LAYER_MAP)];
  return space;
}

guint32
pen_sweep_get_page (G_GNUC_UNUSED PenSweep *self, guint32 space, guint64 address)
{
  return hash_page (space, address >> PAGE_SHIFT);
}

gboolean
pen_sweep_is_held_since (PenSweep *self, guint32 space, const guint32 *pages, guint n,
                         guint64 since)
{
  if (self->large_of_plane[get_main_plane (space)] > since)
    return FALSE;

  for (guint i = 0; i < n; i++)
    if (self->of_page[pages[i]] > since)
      return FALSE;
  return TRUE;
}

const char *
pen_sweep_find_comm (PenSweep *self, gint32 tid)
{
  guint place = find_number (self->tids, &self->history->tasks.tids, tid);

  return place == PEN_PID_SET_NONE ? pen_tasks_get_first (&self->history->tasks, tid)
                                   : self->comm_of_tid[place];
}
