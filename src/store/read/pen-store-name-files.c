/* pen-store-name-files.c: files that names and bytes came from, and where they were mapped
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

#include <string.h>

static guint
read_build_id (sqlite3_stmt *statement, int column, guint8 *build_id, gsize max)
{
  const guint8 *blob = sqlite3_column_blob (statement, column);
  int length = sqlite3_column_bytes (statement, column);

  if (blob == NULL || length <= 0)
    return 0;
  memcpy (build_id, blob, MIN ((gsize) length, max));

  return (guint) MIN ((gsize) length, max);
}

GArray *
pen_store_load_sources (PenStore *self, GError **error)
{
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (PenStoreSource));
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db,
                               "SELECT id, what, occupant, path, found, build_id, evidence, moved,"
                               " gives, refused FROM source ORDER BY id",
                               error);
  if (statement == NULL)
    return NULL;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenStoreSource source = {
      .id = (guint32) MIN (pen_sql_u64 (statement, 0), G_MAXUINT32),
      .what = pen_store_column_string (self, statement, 1),
      .path = pen_store_column_string (self, statement, 3),
      .found = pen_store_column_string (self, statement, 4),
      .evidence = pen_store_column_evidence (statement, 6),
      .moved = pen_sql_u64 (statement, 7),
      .gives = pen_store_column_string (self, statement, 8),
    };

    if (sqlite3_column_type (statement, 2) != SQLITE_NULL)
      source.occupant = pen_store_column_string (self, statement, 2);
    if (sqlite3_column_type (statement, 9) != SQLITE_NULL)
      source.refused = pen_store_column_string (self, statement, 9);
    source.build_id_length = read_build_id (statement, 5, source.build_id, sizeof source.build_id);
    g_array_append_val (sources, source);
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&sources) : NULL;
}

GArray *
pen_store_load_found_files (PenStore *self, GError **error)
{
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (PenStoreFoundFile));
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db, "SELECT path, size, changed FROM found_file", error);
  if (statement == NULL)
    return NULL;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenStoreFoundFile file = {
      .path = pen_store_column_string (self, statement, 0),
      .size = pen_sql_u64 (statement, 1),
      .changed = (gint64) pen_sql_u64 (statement, 2),
    };

    g_array_append_val (files, file);
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&files) : NULL;
}

GPtrArray *
pen_store_load_absent_files (PenStore *self, GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db, "SELECT path FROM absent_file", error);
  if (statement == NULL)
    return NULL;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW)
    g_ptr_array_add (paths, (gpointer) pen_store_column_string (self, statement, 0));

  return step == PEN_SQL_DONE ? g_steal_pointer (&paths) : NULL;
}

GArray *
pen_store_load_name_files (PenStore *self, GError **error)
{
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (PenStoreNameFile));
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db,
                               "SELECT id, occupant, build_id, path, source, evidence"
                               " FROM name_file ORDER BY id",
                               error);
  if (statement == NULL)
    return NULL;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    PenStoreNameFile file = {
      .id = (guint32) MIN (pen_sql_u64 (statement, 0), G_MAXUINT32),
      .occupant = pen_store_column_string (self, statement, 1),
      .path = pen_store_column_string (self, statement, 3),
      .source = pen_store_column_string (self, statement, 4),
      .evidence = pen_store_column_evidence (statement, 5),
    };

    file.build_id_length = read_build_id (statement, 2, file.build_id, sizeof file.build_id);
    g_array_append_val (files, file);
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&files) : NULL;
}

GHashTable *
pen_store_load_biases (PenStore *self, GError **error)
{
  g_autoptr (GHashTable) biases = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (self->db, "SELECT tenure, bias FROM named_tenure", error);
  if (statement == NULL)
    return NULL;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    guint64 tenure = pen_sql_u64 (statement, 0);
    guint64 bias = pen_sql_u64 (statement, 1);

    if (tenure <= G_MAXUINT32 && bias != 0)
      g_hash_table_insert (biases, GUINT_TO_POINTER ((guint32) tenure),
                           g_memdup2 (&bias, sizeof bias));
  }

  return step == PEN_SQL_DONE ? g_steal_pointer (&biases) : NULL;
}

guint64
pen_store_get_bias (PenStore *self, const PenFunction *function, guint32 tenure)
{
  const guint64 *bias = function->name_file != 0 && self->biases != NULL
                            ? g_hash_table_lookup (self->biases, GUINT_TO_POINTER (tenure))
                            : NULL;

  return bias != NULL ? *bias : 0;
}

guint64
pen_store_get_offset (PenStore *self, const PenFunction *function, guint32 tenure, guint64 address)
{
  return address + pen_store_get_bias (self, function, tenure) - function->start;
}
