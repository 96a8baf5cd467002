/* pen-store-programs.c: BPF programs, and their source lines
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

gboolean
pen_store_find_bpf_program (PenStore *self, guint32 bpf_id, PenStoredBpfProgram *program,
                            GError **error)
{
  g_autoptr (sqlite3_stmt) statement
      = pen_store_select (self, PEN_TABLE_BPF_PROGRAM, "WHERE bpf_id = ?", error);

  if (!statement)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, bpf_id);
  return pen_sql_step (statement, error) == PEN_SQL_ROW
         && pen_store_read_row (self, PEN_TABLE_BPF_PROGRAM, statement, program, error);
}

GArray *
pen_store_load_bpf_lines (PenStore *self, guint32 bpf_id, GError **error)
{
  /* Kernel addresses are negative to SQLite, all of them: their order is right. */
  g_autoptr (sqlite3_stmt) statement
      = pen_store_select (self, PEN_TABLE_BPF_LINE, "WHERE bpf_id = ? ORDER BY address, id", error);

  if (statement)
    sqlite3_bind_int64 (statement, 1, bpf_id);
  return pen_store_load_rows (self, PEN_TABLE_BPF_LINE, statement, error);
}

GArray *
pen_store_load_bpf_metadata (PenStore *self, const char *program, GError **error)
{
  g_autoptr (sqlite3_stmt) statement
      = pen_store_select (self, PEN_TABLE_BPF_METADATA,
                          program ? "WHERE program = ? ORDER BY id" : "ORDER BY id", error);

  if (statement && program)
    sqlite3_bind_text (statement, 1, program, -1, SQLITE_TRANSIENT);
  return pen_store_load_rows (self, PEN_TABLE_BPF_METADATA, statement, error);
}

GArray *
pen_store_load_bpf_programs (PenStore *self, GError **error)
{
  return pen_store_load_table (self, PEN_TABLE_BPF_PROGRAM, "ORDER BY bpf_id", error);
}

GArray *
pen_store_load_bpf_functions (PenStore *self, GError **error)
{
  return pen_store_load_table (self, PEN_TABLE_BPF_FUNCTION, "ORDER BY bpf_id, number", error);
}
