/* pen-import-programs.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-programs.h"

#include <string.h>

#include "pen-btf-strings.h"

static gboolean
write_function (PenStoreWriter *writer, guint32 bpf_id, guint number,
                const PenBpfFunction *function, guint32 tenure, GError **error)
{
  PenStoredBpfFunction row = {
    .bpf_id = bpf_id,
    .number = number,
    .address = function->address,
    .length = function->length,
    .tenure = tenure,
    .tag = function->has_tag ? function->tag : NULL,
    .type_id = function->type_id,
    .bytes = function->bytes,
  };
  return pen_store_writer_add_bpf_function (writer, &row, error);
}

static gboolean
write_lines (PenStoreWriter *writer, const PenBpfProgram *program, GBytes *btf, GError **error)
{
  PenBtfStrings strings = pen_btf_strings_find (btf);

  for (guint i = 0; i < program->lines->len; i++) {
    const PenBpfLine *line = &g_array_index (program->lines, PenBpfLine, i);
    PenStoredBpfLine row = {
      .bpf_id = program->id,
      .address = line->address,
      .instruction = line->instruction,
      .file = pen_btf_strings_get (&strings, line->file_name),
      .line = line->line,
      .column = line->column,
      .text = pen_btf_strings_get (&strings, line->text),
    };

    if (!pen_store_writer_add_bpf_line (writer, &row, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
write_program (PenStoreWriter *writer, const PenFeatures *features, const PenBpfProgram *program,
               const guint32 *tenures, GError **error)
{
  GBytes *btf = g_hash_table_lookup (features->btf, GUINT_TO_POINTER (program->btf_id));
  PenStoredBpfProgram row = {
    .id = program->id,
    .type = program->type,
    .name = program->name,
    .load_time = program->load_time,
    .btf_id = program->btf_id,
  };

  memcpy (row.tag, program->tag, sizeof row.tag);
  if (!pen_store_writer_add_bpf_program (writer, &row, error))
    return FALSE;

  for (guint i = 0; i < program->functions->len; i++)
    if (!write_function (writer, program->id, i,
                         &g_array_index (program->functions, PenBpfFunction, i), tenures[i], error))
      return FALSE;
  return write_lines (writer, program, btf, error);
}

static gboolean
write_btf (PenStoreWriter *writer, GHashTable *btf, GError **error)
{
  GHashTableIter iter;
  gpointer id;
  gpointer bytes;

  g_hash_table_iter_init (&iter, btf);
  while (g_hash_table_iter_next (&iter, &id, &bytes))
    if (!pen_store_writer_add_btf (writer, GPOINTER_TO_UINT (id), bytes, error))
      return FALSE;
  return TRUE;
}

gboolean
pen_import_programs_write (PenStoreWriter *writer, const PenFeatures *features, GArray *tenures,
                           GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  const guint32 *next = (const guint32 *) (gpointer) tenures->data; /* NULL: no functions at all */

  for (guint i = 0; i < features->bpf_programs->len; i++) {
    const PenBpfProgram *program = g_ptr_array_index (features->bpf_programs, i);

    if (g_hash_table_add (seen, GUINT_TO_POINTER (program->id))
        && !write_program (writer, features, program, next, error))
      return FALSE;
    if (program->functions->len > 0)
      next += program->functions->len;
  }
  return write_btf (writer, features->btf, error);
}
