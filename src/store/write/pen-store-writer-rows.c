/* pen-store-writer-rows.c: records, and what was found out
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-writer-private.h"
#include "pen-text-limits.h"

gboolean
pen_store_writer_add_map (PenStoreWriter *self, const PenMapRow *map, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_MAP, &row, error))
    return FALSE;

  pen_row_u64 (&row, map->row.change);
  pen_row_time (&row, map->row.has_time, map->row.time);
  pen_row_u64 (&row, map->row.position);
  pen_row_i64 (&row, map->is_kernel);
  pen_row_i64 (&row, map->is_data);
  pen_row_i64 (&row, map->row.pid);
  pen_row_i64 (&row, map->row.tid);
  pen_row_u64 (&row, map->start);
  pen_row_u64 (&row, map->length);
  pen_row_u64 (&row, map->file_offset);
  pen_row_text (&row, map->name);
  if (map->build_id_length > 0)
    pen_row_blob (&row, map->build_id, map->build_id_length);
  else
    pen_row_null (&row);
  pen_row_cpu (&row, map->row.cpu);
  pen_row_comm (&row, map->row.comm);
  pen_row_id (&row, map->row.tenure);
  pen_row_text (&row, pen_evidence_to_string (map->evidence));

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_ksymbol (PenStoreWriter *self, const PenKsymbolRow *ksymbol, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_KSYMBOL, &row, error))
    return FALSE;

  pen_row_u64 (&row, ksymbol->row.change);
  pen_row_time (&row, ksymbol->row.has_time, ksymbol->row.time);
  pen_row_u64 (&row, ksymbol->row.position);
  pen_row_i64 (&row, ksymbol->is_unregister);
  pen_row_u64 (&row, ksymbol->type);
  pen_row_u64 (&row, ksymbol->address);
  pen_row_u64 (&row, ksymbol->length);
  pen_row_text (&row, ksymbol->name);
  pen_row_cpu (&row, ksymbol->row.cpu);
  pen_row_task (&row, ksymbol->row.has_task, ksymbol->row.pid, ksymbol->row.tid);
  pen_row_comm (&row, ksymbol->row.comm);
  pen_row_id (&row, ksymbol->row.tenure);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_poke (PenStoreWriter *self, const PenPokeRow *stored, GError **error)
{
  const PenPoke *poke = stored->poke;
  PenRow row;

  self->longest_poke = MAX (self->longest_poke, pen_poke_get_length (poke));
  if (!pen_store_writer_start_row (self, INSERT_POKE, &row, error))
    return FALSE;

  pen_row_u64 (&row, poke->id);
  pen_row_u64 (&row, stored->row.change);
  pen_row_time (&row, stored->row.has_time, stored->row.time);
  pen_row_u64 (&row, stored->row.position);
  pen_row_u64 (&row, poke->address);
  pen_row_u64 (&row, pen_poke_get_length (poke));
  pen_row_blob (&row, poke->old_bytes, poke->old_length);
  pen_row_blob (&row, poke->new_bytes, poke->new_length);
  pen_row_text (&row, pen_poke_effect_to_string (poke->effect));
  pen_row_id (&row, poke->tenure);
  pen_row_u64 (&row, poke->revision);
  if (stored->function == G_MAXUINT32)
    pen_row_null (&row);
  else
    pen_row_u64 (&row, stored->function);
  pen_row_text (&row, pen_cause_to_string (stored->cause));
  pen_row_text (&row, stored->reason != NULL ? stored->reason : "");
  pen_row_i64 (&row, stored->breaks_chain);
  pen_row_cpu (&row, poke->cpu);
  pen_row_task (&row, stored->row.has_task, poke->pid, poke->tid);
  pen_row_comm (&row, poke->comm);
  pen_row_text (&row, pen_confidence_to_string (stored->confidence));
  pen_row_text (&row, stored->rule);
  pen_row_text (&row, stored->key);
  pen_row_id (&row, stored->batch);
  pen_row_id (&row, stored->break_loss);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_batch (PenStoreWriter *self, const PenBatch *batch, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_BATCH, &row, error))
    return FALSE;

  pen_row_u64 (&row, batch->id);
  pen_row_u64 (&row, batch->first_poke);
  pen_row_u64 (&row, batch->last_poke);
  pen_row_u64 (&row, batch->from);
  pen_row_u64 (&row, batch->to);
  pen_row_text (&row, pen_cause_to_string (batch->cause));
  pen_row_text (&row, pen_confidence_to_string (batch->confidence));
  pen_row_text (&row, pen_poke_effect_to_string (batch->effect));
  pen_row_u64 (&row, batch->n_sites);
  pen_row_text (&row, batch->key);
  pen_row_text (&row, batch->sentence);
  pen_row_cpu (&row, batch->cpu);
  pen_row_task (&row, batch->pid != -1 || batch->tid != -1, batch->pid, batch->tid);
  pen_row_comm (&row, batch->comm);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_module_event (PenStoreWriter *self, const PenModuleEventRow *event,
                                   GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_MODULE_EVENT, &row, error))
    return FALSE;

  pen_row_null (&row);
  pen_row_time (&row, event->has_time, event->time);
  pen_row_u64 (&row, event->position);
  pen_row_i64 (&row, event->is_free);
  pen_row_text (&row, event->module);
  pen_row_cpu (&row, event->cpu);
  pen_row_task (&row, event->has_task, event->pid, event->tid);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_task (PenStoreWriter *self, const PenTaskRow *task, GError **error)
{
  gboolean has_parent = task->comm == NULL;
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_TASK, &row, error))
    return FALSE;

  pen_row_null (&row);
  pen_row_time (&row, task->has_time, task->time);
  pen_row_u64 (&row, task->position);
  pen_row_text (&row, task->what);
  pen_row_i64 (&row, task->pid);
  pen_row_i64 (&row, task->tid);
  pen_row_task (&row, has_parent, task->ppid, task->ptid);
  pen_row_text (&row, task->comm);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_space (PenStoreWriter *self, const PenSpace *space, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_SPACE, &row, error))
    return FALSE;

  pen_row_u64 (&row, space->id);
  pen_row_i64 (&row, space->pid);
  pen_row_moment (&row, space->from);
  pen_row_end_moment (&row, space->to);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_tenure (PenStoreWriter *self, const PenTenure *tenure, GError **error)
{
  static const char *const layers[] = { "map", "ksymbol", "jit" };
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_TENURE, &row, error))
    return FALSE;

  pen_row_u64 (&row, tenure->id);
  pen_row_u64 (&row, tenure->space);
  pen_row_text (&row, layers[tenure->layer]);
  pen_row_text (&row, pen_kind_to_string (tenure->kind));
  pen_row_text (&row, tenure->occupant);
  pen_row_text (&row, tenure->name);
  pen_row_u64 (&row, tenure->start);
  pen_row_u64 (&row, tenure->end);
  pen_row_u64 (&row, tenure->file_offset);
  pen_row_moment (&row, tenure->from);
  pen_row_end_moment (&row, tenure->to);
  pen_row_text (&row, pen_bound_to_string (tenure->from_bound));
  pen_row_text (&row, pen_bound_to_string (tenure->to_bound));
  pen_row_text (&row, pen_evidence_to_string (tenure->evidence));
  pen_row_id (&row, tenure->bpf_id);
  if (tenure->bpf_id != 0)
    pen_row_blob (&row, tenure->bpf_tag, 8);
  else
    pen_row_null (&row);
  if (tenure->build_id_length > 0)
    pen_row_blob (&row, tenure->build_id, MIN (tenure->build_id_length, sizeof tenure->build_id));
  else
    pen_row_null (&row);
  pen_row_end_moment (&row, tenure->unverified_from);
  pen_row_u64 (&row, tenure->samples);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_part (PenStoreWriter *self, const PenPart *part, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_PART, &row, error))
    return FALSE;

  pen_row_null (&row);
  pen_row_u64 (&row, part->tenure);
  pen_row_u64 (&row, part->start);
  pen_row_u64 (&row, part->end);
  pen_row_u64 (&row, part->file_offset);
  pen_row_moment (&row, part->from);
  pen_row_end_moment (&row, part->to);

  return pen_row_end (&row, error);
}

/* @owner: a tenure, or a file */
static gboolean
add_text (PenStoreWriter *self, guint insert, guint32 owner, const PenStoredText *text,
          GError **error)
{
  gsize length;
  const guint8 *bytes = g_bytes_get_data (text->bytes, &length);

  for (gsize done = 0; done < length; done += PEN_STORE_TEXT_MAX) {
    PenRow row;

    if (!pen_store_writer_start_row (self, insert, &row, error))
      return FALSE;

    pen_row_null (&row);
    pen_row_u64 (&row, owner);
    pen_row_u64 (&row, text->start + done);
    pen_row_blob (&row, bytes + done, MIN (length - done, PEN_STORE_TEXT_MAX));
    pen_row_text (&row, pen_evidence_to_string (text->evidence));
    pen_row_text (&row, text->source);
    if (!pen_row_end (&row, error))
      return FALSE;
  }

  return TRUE;
}

gboolean
pen_store_writer_add_text (PenStoreWriter *self, const PenStoredText *text, GError **error)
{
  return add_text (self, INSERT_TEXT, text->tenure, text, error);
}

gboolean
pen_store_writer_add_file_text (PenStoreWriter *self, guint32 name_file, const PenStoredText *text,
                                GError **error)
{
  return add_text (self, INSERT_FILE_TEXT, name_file, text, error);
}

gboolean
pen_store_writer_add_symbol_packs (PenStoreWriter *self, GArray *packs, GError **error)
{
  for (guint i = 0; i < packs->len; i++) {
    const PenSymbolPack *pack = &g_array_index (packs, PenSymbolPack, i);
    gsize length;
    gconstpointer bytes = g_bytes_get_data (pack->bytes, &length);
    PenRow row;

    if (!pen_store_writer_start_row (self, INSERT_SYMBOLS, &row, error))
      return FALSE;

    pen_row_null (&row);
    pen_row_text (&row, pack->occupant);
    pen_row_u64 (&row, pack->n);
    pen_row_blob (&row, bytes, length);
    if (!pen_row_end (&row, error))
      return FALSE;
  }

  return TRUE;
}
