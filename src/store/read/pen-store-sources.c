/* pen-store-sources.c: files that names and bytes came from, where they were mapped, and build-ids
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

#include "pen-table-hash.h"

GArray *
pen_store_load_sources (PenStore *self, GError **error)
{
  return pen_store_load_table (self, PEN_TABLE_SOURCE, "ORDER BY id", error);
}

GArray *
pen_store_load_found_files (PenStore *self, GError **error)
{
  return pen_store_load_table (self, PEN_TABLE_FOUND_FILE, "", error);
}

GPtrArray *
pen_store_load_absent_files (PenStore *self, GError **error)
{
  g_autoptr (GArray) rows = pen_store_load_table (self, PEN_TABLE_ABSENT_FILE, "", error);
  GPtrArray *paths = rows ? g_ptr_array_new () : NULL;

  for (guint i = 0; rows && i < rows->len; i++)
    g_ptr_array_add (paths, (gpointer) g_array_index (rows, PenStringRow, i).string);
  return paths;
}

GArray *
pen_store_load_build_ids (PenStore *self, GError **error)
{
  return pen_store_load_table (self, PEN_TABLE_BUILD_ID, "ORDER BY id", error);
}

GHashTable *
pen_store_load_biases (PenStore *self, GError **error)
{
  g_autoptr (GArray) rows
      = pen_store_load_table (self, PEN_TABLE_NAMED_TENURE, "WHERE bias != 0", error);
  GHashTable *biases = rows ? g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free) : NULL;

  for (guint i = 0; rows && i < rows->len; i++) {
    const PenNamedTenureRow *row = &g_array_index (rows, PenNamedTenureRow, i);

    g_hash_table_insert (biases, GUINT_TO_POINTER (row->tenure),
                         g_memdup2 (&row->bias, sizeof row->bias));
  }
  return biases;
}

guint64
pen_store_get_bias (PenStore *self, const PenFunction *function, guint32 tenure)
{
  const guint64 *bias = function->name_file != 0 && self->biases
                            ? g_hash_table_lookup (self->biases, GUINT_TO_POINTER (tenure))
                            : NULL;

  return bias ? *bias : 0;
}

guint64
pen_store_get_offset (PenStore *self, const PenFunction *function, guint32 tenure, guint64 address)
{
  return address + pen_store_get_bias (self, function, tenure) - function->start;
}
