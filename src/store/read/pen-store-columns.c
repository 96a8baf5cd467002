/* pen-store-columns.c: values of rows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-store-private.h"

const char *
pen_store_column_string (PenStore *self, sqlite3_stmt *statement, int column)
{
  return g_string_chunk_insert_const (self->strings, pen_sql_text (statement, column));
}

const char *
pen_store_column_string_or_null (PenStore *self, sqlite3_stmt *statement, int column)
{
  return pen_sql_is_null (statement, column) ? NULL
                                             : pen_store_column_string (self, statement, column);
}

const guint8 *
pen_store_column_bytes (PenStore *self, sqlite3_stmt *statement, int column, gsize *length)
{
  const void *bytes = sqlite3_column_blob (statement, column);
  g_autoptr (GBytes) key = NULL;
  gpointer known;

  *length = (gsize) sqlite3_column_bytes (statement, column);
  if (bytes == NULL || *length == 0) {
    *length = 0;
    return (const guint8 *) "";
  }

  key = g_bytes_new_static (bytes, *length);
  if (!g_hash_table_lookup_extended (self->blobs, key, &known, NULL)) {
    known = g_bytes_new (bytes, *length);
    g_hash_table_add (self->blobs, known);
  }

  return g_bytes_get_data (known, NULL);
}

guint
pen_store_word (const char *word, PenWordFunc to_string, guint n)
{
  for (guint value = 0; value < n; value++)
    if (strcmp (to_string (value), word) == 0)
      return value;

  return 0;
}

PenKind
pen_store_column_kind (sqlite3_stmt *statement, int column)
{
  return pen_store_word (pen_sql_text (statement, column), (PenWordFunc) pen_kind_to_string,
                         PEN_KINDS);
}

PenCause
pen_store_column_cause (sqlite3_stmt *statement, int column)
{
  return pen_store_word (pen_sql_text (statement, column), (PenWordFunc) pen_cause_to_string,
                         PEN_CAUSES);
}

PenConfidence
pen_store_column_confidence (sqlite3_stmt *statement, int column)
{
  return pen_store_word (pen_sql_text (statement, column), (PenWordFunc) pen_confidence_to_string,
                         PEN_CONFIDENCES);
}

PenEvidence
pen_store_column_evidence (sqlite3_stmt *statement, int column)
{
  return pen_store_word (pen_sql_text (statement, column), (PenWordFunc) pen_evidence_to_string,
                         PEN_EVIDENCES);
}

PenPokeEffect
pen_store_column_effect (sqlite3_stmt *statement, int column)
{
  return pen_store_word (pen_sql_text (statement, column), (PenWordFunc) pen_poke_effect_to_string,
                         PEN_POKE_EFFECTS);
}
