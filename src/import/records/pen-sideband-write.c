/* pen-sideband-write.c: the records as recorded, into the store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sideband-private.h"

#define PROGRESS_STEP 256

static const char *
find_comm (PenSideband *self, gint32 tid, PenMoment moment)
{
  return pen_history_find_comm (self->history, tid, moment);
}

static gboolean
write_map (PenSideband *self, const Map *map, PenStoreWriter *writer, GError **error)
{
  PenMapEvent event = pen_sideband_get_map (map);

  if (map->pid != -1)
    event.origin.comm = find_comm (self, map->tid, map->origin.moment);
  return pen_store_writer_add_map (writer, &event, error);
}

static gboolean
write_task (const Task *task, PenStoreWriter *writer, GError **error)
{
  static const char *const words[] = {
    [PEN_TASK_FORK] = "fork",
    [PEN_TASK_EXIT] = "exit",
    [PEN_TASK_COMM] = "comm",
    [PEN_TASK_EXEC] = "exec",
  };
  const PenTaskEvent event = {
    .origin = pen_sideband_get_origin (&task->origin),
    .what = words[task->what],
    .pid = task->pid,
    .tid = task->tid,
    .has_parent = !task->comm,
    .ppid = task->ppid,
    .ptid = task->ptid,
    .comm = task->comm,
  };

  return pen_store_writer_add_task (writer, &event, error);
}

static gboolean
write_ksymbol (PenSideband *self, PenKsymbolEvent *ksymbol, PenStoreWriter *writer, GError **error)
{
  PenOrigin *origin = &ksymbol->origin;

  if (origin->has_task)
    origin->comm = find_comm (self, origin->tid, origin->moment);
  return pen_store_writer_add_ksymbol (writer, ksymbol, error);
}

#define STEP() (++done % PROGRESS_STEP != 0 || pen_progress_step (progress, done, error))

static void
note_rows (PenSideband *self, PenSidebandRows *rows)
{
  rows->maps = 0;
  for (guint i = 0; i < self->maps->len; i++)
    rows->maps += g_array_index (self->maps, Map, i).is_kernel;
  rows->ksymbols = self->ksymbols->len;
  rows->tenures = pen_history_get_last_tenure (self->history);
}

gboolean
pen_sideband_write (PenSideband *self, PenSidebandRows *rows, PenStoreWriter *writer,
                    PenProgress *progress, GError **error)
{
  guint64 done = progress->state.done;

  for (guint i = rows ? rows->maps : 0; i < self->maps->len; i++)
    if (!STEP () || !write_map (self, &g_array_index (self->maps, Map, i), writer, error))
      return FALSE;

  for (guint i = rows ? rows->ksymbols : 0; i < self->ksymbols->len; i++)
    if (!STEP ()
        || !write_ksymbol (self, &g_array_index (self->ksymbols, PenKsymbolEvent, i), writer,
                           error))
      return FALSE;

  for (guint i = 0; i < self->bpf_events->len; i++)
    if (!STEP ()
        || !pen_store_writer_add_bpf_event (
            writer, &g_array_index (self->bpf_events, PenBpfEvent, i), error))
      return FALSE;

  for (guint i = 0; i < self->tasks->len; i++)
    if (!STEP () || !write_task (&g_array_index (self->tasks, Task, i), writer, error))
      return FALSE;

  if (rows)
    note_rows (self, rows);
  g_clear_pointer (&self->maps, g_array_unref);
  g_clear_pointer (&self->ksymbols, g_array_unref);
  g_clear_pointer (&self->bpf_events, g_array_unref);
  g_clear_pointer (&self->tasks, g_array_unref);
  return TRUE;
}

gboolean
pen_sideband_write_pokes (PenSideband *self, PenStoreWriter *writer, PenProgress *progress,
                          GError **error)
{
  guint n;
  const PenPoke *pokes = pen_history_get_pokes (self->history, &n);
  guint64 done = progress->state.done;

  for (guint i = 0; i < n; i++)
    if (!STEP () || !pen_store_writer_add_poke (writer, &pokes[i], error))
      return FALSE;
  return TRUE;
}
