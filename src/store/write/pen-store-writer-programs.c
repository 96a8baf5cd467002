/* pen-store-writer-programs.c: BPF programs, build-ids
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-writer-private.h"

gboolean
pen_store_writer_add_bpf_event (PenStoreWriter *self, const PenBpfEventRow *event, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_BPF_EVENT, &row, error))
    return FALSE;

  pen_row_null (&row);
  pen_row_time (&row, event->has_time, event->time);
  pen_row_u64 (&row, event->position);
  pen_row_i64 (&row, event->is_unload);
  pen_row_u64 (&row, event->bpf_id);
  pen_row_blob (&row, event->tag, 8);
  pen_row_cpu (&row, event->cpu);
  pen_row_task (&row, event->has_task, event->pid, event->tid);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_bpf_program (PenStoreWriter *self, guint32 bpf_id, guint32 type,
                                  const char *name, const guint8 tag[8], guint64 load_time,
                                  guint32 btf_id, GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_BPF_PROGRAM, &row, error))
    return FALSE;

  pen_row_u64 (&row, bpf_id);
  pen_row_u64 (&row, type);
  pen_row_text (&row, name);
  pen_row_blob (&row, tag, 8);
  pen_row_u64 (&row, load_time);
  pen_row_u64 (&row, btf_id);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_bpf_function (PenStoreWriter *self, const PenBpfFunctionRow *function,
                                   GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_BPF_FUNCTION, &row, error))
    return FALSE;

  pen_row_u64 (&row, function->bpf_id);
  pen_row_u64 (&row, function->number);
  pen_row_u64 (&row, function->address);
  pen_row_u64 (&row, function->length);
  pen_row_id (&row, function->tenure);
  if (function->tag != NULL)
    pen_row_blob (&row, function->tag, 8);
  else
    pen_row_null (&row);
  pen_row_id (&row, function->type_id);
  if (function->bytes != NULL)
    pen_row_blob (&row, function->bytes, function->length);
  else
    pen_row_null (&row);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_bpf_line (PenStoreWriter *self, guint32 bpf_id, const PenStoredBpfLine *line,
                               GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_BPF_LINE, &row, error))
    return FALSE;

  pen_row_null (&row);
  pen_row_u64 (&row, bpf_id);
  pen_row_u64 (&row, line->address);
  pen_row_u64 (&row, line->instruction);
  pen_row_text (&row, line->file);
  pen_row_u64 (&row, line->line);
  pen_row_u64 (&row, line->column);
  pen_row_text (&row, line->text);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_btf (PenStoreWriter *self, guint32 id, GBytes *bytes, GError **error)
{
  gsize length;
  const void *data = g_bytes_get_data (bytes, &length);
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_BTF, &row, error))
    return FALSE;

  pen_row_u64 (&row, id);
  pen_row_blob (&row, data, length);

  return pen_row_end (&row, error);
}

gboolean
pen_store_writer_add_build_id (PenStoreWriter *self, const PenStoredBuildId *build_id,
                               GError **error)
{
  PenRow row;

  if (!pen_store_writer_start_row (self, INSERT_BUILD_ID, &row, error))
    return FALSE;

  pen_row_null (&row);
  pen_row_i64 (&row, build_id->pid);
  pen_row_text (&row, build_id->mode);
  pen_row_blob (&row, build_id->id, build_id->id_length);
  pen_row_text (&row, build_id->name);

  return pen_row_end (&row, error);
}
