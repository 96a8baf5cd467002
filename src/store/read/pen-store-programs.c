/* pen-store-programs.c: source lines of BPF programs, build-ids
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

#include <string.h>

gboolean
pen_store_find_bpf_program (PenStore *self, guint32 bpf_id, PenStoredBpfProgram *program,
                            GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  const guint8 *tag;
  gsize length;

  statement = pen_sql_prepare (self->db, "SELECT type, name, tag FROM bpf_program WHERE bpf_id = ?",
                               error);
  if (statement == NULL)
    return FALSE;

  sqlite3_bind_int64 (statement, 1, bpf_id);
  if (pen_sql_step (statement, error) != PEN_SQL_ROW)
    return FALSE;

  *program = (PenStoredBpfProgram){
    .id = bpf_id,
    .type = (guint32) pen_sql_u64 (statement, 0),
    .name = pen_store_column_string (self, statement, 1),
  };
  tag = pen_store_column_bytes (self, statement, 2, &length);
  if (length > 0)
    memcpy (program->tag, tag, MIN (length, sizeof program->tag));

  return TRUE;
}

GArray *
pen_store_load_bpf_lines (PenStore *self, guint32 bpf_id, GError **error)
{
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (PenStoredBpfLine));
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  /* Kernel addresses are negative to SQLite, all of them: their order is right. */
  statement = pen_sql_prepare (self->db,
                               "SELECT address, instruction, file, line, column, text FROM bpf_line"
                               " WHERE bpf_id = ? ORDER BY address, id",
                               error);
  if (statement == NULL)
    return NULL;

  sqlite3_bind_int64 (statement, 1, bpf_id);
  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenStoredBpfLine line = {
      .address = pen_sql_u64 (statement, 0),
      .instruction = (guint32) pen_sql_u64 (statement, 1),
      .file = pen_store_column_string (self, statement, 2),
      .line = (guint32) pen_sql_u64 (statement, 3),
      .column = (guint32) pen_sql_u64 (statement, 4),
      .text = pen_store_column_string (self, statement, 5),
    };

    g_array_append_val (lines, line);
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&lines) : NULL;
}

GArray *
pen_store_load_build_ids (PenStore *self, GError **error)
{
  g_autoptr (GArray) build_ids = g_array_new (FALSE, FALSE, sizeof (PenStoredBuildId));
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db,
                               "SELECT pid, mode, build_id, name FROM build_id ORDER BY id", error);
  if (statement == NULL)
    return NULL;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenStoredBuildId build_id = {
      .pid = sqlite3_column_int (statement, 0),
      .mode = pen_store_column_string (self, statement, 1),
      .name = pen_store_column_string (self, statement, 3),
    };

    build_id.id = pen_store_column_bytes (self, statement, 2, &build_id.id_length);
    g_array_append_val (build_ids, build_id);
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&build_ids) : NULL;
}

GArray *
pen_store_load_bpf_programs (PenStore *self, GError **error)
{
  g_autoptr (GArray) programs = g_array_new (FALSE, FALSE, sizeof (PenStoredBpfProgram));
  g_autoptr (sqlite3_stmt) statement = pen_sql_prepare (
      self->db, "SELECT bpf_id, type, name, tag FROM bpf_program ORDER BY bpf_id", error);
  PenSqlStep step;

  if (statement == NULL)
    return NULL;
  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenStoredBpfProgram program = {
      .id = (guint32) pen_sql_u64 (statement, 0),
      .type = (guint32) pen_sql_u64 (statement, 1),
      .name = pen_store_column_string (self, statement, 2),
    };
    const guint8 *tag = sqlite3_column_blob (statement, 3);

    if (tag != NULL && sqlite3_column_bytes (statement, 3) == (int) sizeof program.tag)
      memcpy (program.tag, tag, sizeof program.tag);
    g_array_append_val (programs, program);
  }
  return step == PEN_SQL_DONE ? g_steal_pointer (&programs) : NULL;
}

GArray *
pen_store_load_bpf_functions (PenStore *self, GError **error)
{
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (PenStoredBpfFunction));
  g_autoptr (sqlite3_stmt) statement
      = pen_sql_prepare (self->db,
                         "SELECT bpf_id, number, address, length, tenure, bytes IS NOT NULL"
                         " FROM bpf_function ORDER BY bpf_id, number",
                         error);
  PenSqlStep step;

  if (statement == NULL)
    return NULL;
  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenStoredBpfFunction function = {
      .bpf_id = (guint32) pen_sql_u64 (statement, 0),
      .number = (guint32) pen_sql_u64 (statement, 1),
      .address = pen_sql_u64 (statement, 2),
      .length = pen_sql_u64 (statement, 3),
      .tenure = (guint32) pen_sql_u64 (statement, 4),
      .has_bytes = sqlite3_column_int (statement, 5) != 0,
    };

    g_array_append_val (functions, function);
  }
  return step == PEN_SQL_DONE ? g_steal_pointer (&functions) : NULL;
}
