/* pen-sideband-write.c: the records as recorded, into the store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sideband-private.h"

#define PROGRESS_STEP 256

static PenChangeRow
change_row (PenSideband *self, const Common *common)
{
  gboolean is_known = has_task (common);

  return (PenChangeRow){
    .change = common->change,
    .position = common->position,
    .time = common->time,
    .has_time = (common->has & PEN_HAS_TIME) != 0,
    .has_task = is_known,
    .pid = common->pid,
    .tid = common->tid,
    .cpu = common->cpu,
    .comm
    = is_known ? pen_history_find_comm (self->history, common->tid, common_moment (common)) : NULL,
    .tenure = common->tenure,
  };
}

static gboolean
write_map (PenSideband *self, const Map *map, PenStoreWriter *writer, GError **error)
{
  PenMapRow row = {
    .row = change_row (self, &map->common),
    .is_kernel = map->is_kernel,
    .is_data = map->is_data,
    .start = map->start,
    .length = map->length,
    .file_offset = map->file_offset,
    .name = map->name,
    .build_id = map->build_id,
    .build_id_length = map->build_id_length,
    .evidence = map->is_snapshot ? PEN_EVIDENCE_FILE_UNCHECKED : PEN_EVIDENCE_RECORDED,
  };

  row.row.pid = map->pid;
  row.row.tid = map->tid;
  row.row.comm = map->pid != -1
                     ? pen_history_find_comm (self->history, map->tid, common_moment (&map->common))
                     : NULL;

  return pen_store_writer_add_map (writer, &row, error);
}

static gboolean
write_ksymbol (PenSideband *self, const Ksymbol *ksymbol, PenStoreWriter *writer, GError **error)
{
  PenKsymbolRow row = {
    .row = change_row (self, &ksymbol->common),
    .is_unregister = ksymbol->is_unregister,
    .type = ksymbol->type,
    .address = ksymbol->address,
    .length = ksymbol->length,
    .name = ksymbol->name,
  };

  return pen_store_writer_add_ksymbol (writer, &row, error);
}

static gboolean
write_poke (PenSideband *self, const PenPoke *poke, const PenPokeFinding *finding,
            PenStoreWriter *writer, GError **error)
{
  const Common *untimed = g_hash_table_lookup (self->untimed_pokes, &poke->moment.position);
  PenPokeRow row = {
    .row = {
      .change = g_array_index (self->poke_changes, guint64, poke->id - 1),
      .position = poke->moment.position,
      .time = untimed != NULL ? untimed->time : poke->moment.time,
      .has_time = untimed == NULL || (untimed->has & PEN_HAS_TIME) != 0,
      .has_task = poke->pid != -1 || poke->tid != -1,
    },
    .poke = poke,
    .function = finding->function,
    .cause = finding->rule != NULL ? finding->rule->cause : PEN_CAUSE_UNKNOWN,
    .confidence = finding->rule != NULL ? finding->rule->confidence : PEN_CONFIDENCE_NONE,
    .rule = finding->rule != NULL ? finding->rule->name : "none",
    .reason = finding->reason,
    .key = finding->key,
    .batch = finding->batch,
    .breaks_chain = finding->breaks_chain,
    .break_loss = finding->break_loss,
  };

  return pen_store_writer_add_poke (writer, &row, error);
}

static gboolean
write_bpf_event (const BpfEvent *event, PenStoreWriter *writer, GError **error)
{
  PenBpfEventRow row = {
    .position = event->common.position,
    .time = event->common.time,
    .has_time = (event->common.has & PEN_HAS_TIME) != 0,
    .is_unload = event->is_unload,
    .bpf_id = event->bpf_id,
    .tag = event->tag,
    .has_task = has_task (&event->common),
    .pid = event->common.pid,
    .tid = event->common.tid,
    .cpu = event->common.cpu,
  };

  return pen_store_writer_add_bpf_event (writer, &row, error);
}

static gboolean
write_task (const Task *task, PenStoreWriter *writer, GError **error)
{
  PenTaskRow row = {
    .position = task->common.position,
    .time = task->common.time,
    .has_time = (task->common.has & PEN_HAS_TIME) != 0,
    .what = task->what,
    .pid = task->pid,
    .tid = task->tid,
    .ppid = task->ppid,
    .ptid = task->ptid,
    .comm = task->comm,
  };

  return pen_store_writer_add_task (writer, &row, error);
}

#define STEP() (++done % PROGRESS_STEP != 0 || pen_progress_step (progress, done, error))

gboolean
pen_sideband_write (PenSideband *self, PenStoreWriter *writer, PenProgress *progress,
                    GError **error)
{
  guint64 done = progress->state.done;

  for (guint i = 0; i < self->maps->len; i++)
    if (!STEP () || !write_map (self, &g_array_index (self->maps, Map, i), writer, error))
      return FALSE;

  for (guint i = 0; i < self->ksymbols->len; i++)
    if (!STEP ()
        || !write_ksymbol (self, &g_array_index (self->ksymbols, Ksymbol, i), writer, error))
      return FALSE;

  for (guint i = 0; i < self->bpf_events->len; i++)
    if (!STEP ()
        || !write_bpf_event (&g_array_index (self->bpf_events, BpfEvent, i), writer, error))
      return FALSE;

  for (guint i = 0; i < self->tasks->len; i++)
    if (!STEP () || !write_task (&g_array_index (self->tasks, Task, i), writer, error))
      return FALSE;

  return TRUE;
}

gboolean
pen_sideband_write_pokes (PenSideband *self, const PenPokeFinding *findings, PenStoreWriter *writer,
                          PenProgress *progress, GError **error)
{
  guint n;
  const PenPoke *pokes = pen_history_get_pokes (self->history, &n);
  guint64 done = progress->state.done;

  for (guint i = 0; i < n; i++)
    if (!STEP () || !write_poke (self, &pokes[i], &findings[i], writer, error))
      return FALSE;

  return TRUE;
}
