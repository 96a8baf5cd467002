/* pen-store-symbols.c: names of kernel text
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

#include <string.h>

#include "pen-store-symbols.h"
#include "pen-symbol-block.h"
#include "pen-table-hash.h"

/* Which blocks are of an occupant: there may be as many occupants as blocks. */
static gboolean
index_blocks (PenStore *self, GError **error)
{
  g_autoptr (GHashTable) blocks
      = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref);
  g_autoptr (sqlite3_stmt) statement
      = pen_sql_prepare (self->db, "SELECT id, occupant FROM symbol_block ORDER BY id", error);
  PenSqlStep step = PEN_SQL_FAILED;

  while (statement && (step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    gint64 id = sqlite3_column_int64 (statement, 0);
    const char *occupant = pen_names_add (self->strings, pen_sql_text (statement, 1));
    GArray *ids = g_hash_table_lookup (blocks, occupant);

    if (!ids) {
      ids = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_hash_table_insert (blocks, (gpointer) occupant, ids);
    }
    g_array_append_val (ids, id);
  }
  if (step != PEN_SQL_DONE)
    return FALSE;
  self->symbol_blocks = g_steal_pointer (&blocks);
  return TRUE;
}

static GArray *
load_symbols (PenStore *self, const char *occupant, GError **error)
{
  g_autoptr (GArray) symbols = g_array_new (FALSE, FALSE, sizeof (PenStoreSymbol));
  g_autoptr (sqlite3_stmt) statement = NULL;
  const GArray *ids;

  if (!self->symbol_blocks && !index_blocks (self, error))
    return NULL;
  statement = pen_sql_prepare (self->db, "SELECT n, symbols FROM symbol_block WHERE id = ?", error);
  if (!statement)
    return NULL;

  ids = g_hash_table_lookup (self->symbol_blocks, occupant);
  for (guint i = 0; ids && i < ids->len; i++) {
    PenSqlStep step;

    sqlite3_reset (statement);
    sqlite3_bind_int64 (statement, 1, g_array_index (ids, gint64, i));
    step = pen_sql_step (statement, error);
    if (step == PEN_SQL_FAILED)
      return NULL;
    if (step != PEN_SQL_ROW)
      continue;

    gint64 n = sqlite3_column_int64 (statement, 0);
    const guint8 *bytes = sqlite3_column_blob (statement, 1);
    const char *reason = "it is empty";

    if (!bytes || n < 0 || n > PEN_BLOCK_SYMBOLS
        || !pen_symbol_block_unpack (bytes, (gsize) sqlite3_column_bytes (statement, 1), (guint) n,
                                     symbols, pen_names_get_chunk (self->strings), &reason)) {
      g_autofree char *what = g_strdup_printf ("the symbols of %s: %s", occupant, reason);

      pen_store_set_damaged (self, what, error);
      return NULL;
    }
  }
  return g_steal_pointer (&symbols);
}

static GArray *
get_symbols (PenStore *self, const char *occupant)
{
  GArray *symbols = g_hash_table_lookup (self->symbols, occupant);

  if (!symbols) {
    g_autoptr (GError) error = NULL;

    symbols = load_symbols (self, occupant, &error);
    if (!symbols) {
      /* Names are not worth failing for; but a cancelled query must not make them unknown for good.
       */
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return NULL;
      symbols = g_array_new (FALSE, FALSE, sizeof (PenStoreSymbol));
    }
    g_hash_table_insert (self->symbols, (gpointer) pen_names_add (self->strings, occupant),
                         symbols);
  }
  return symbols;
}

/* The first symbol that begins above @address. */
static guint
find_above (const GArray *symbols, guint64 address)
{
  guint low = 0;
  guint high = symbols ? symbols->len : 0;

  while (low < high) {
    guint middle = low + (high - low) / 2;

    if (g_array_index (symbols, PenStoreSymbol, middle).start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

gboolean
pen_store_find_symbol (PenStore *self, const char *occupant, guint64 address, const char **name,
                       guint64 *start, guint64 *end)
{
  GArray *symbols = get_symbols (self, occupant);
  const PenStoreSymbol *symbol;
  guint low = find_above (symbols, address);

  if (low == 0)
    return FALSE;

  symbol = &g_array_index (symbols, PenStoreSymbol, low - 1);
  if (address >= symbol->end)
    return FALSE;

  *name = symbol->name;
  *start = symbol->start;
  *end = symbol->end;
  return TRUE;
}

guint64
pen_store_find_symbol_above (PenStore *self, const char *occupant, guint64 address)
{
  GArray *symbols = get_symbols (self, occupant);
  guint index = find_above (symbols, address);

  return symbols && index < symbols->len ? g_array_index (symbols, PenStoreSymbol, index).start
                                         : G_MAXUINT64;
}

static void
add_named (PenStore *self, const char *occupant, const char *name, GArray *found)
{
  GArray *symbols = get_symbols (self, occupant);

  for (guint i = 0; symbols && i < symbols->len; i++) {
    const PenStoreSymbol *symbol = &g_array_index (symbols, PenStoreSymbol, i);
    PenStoredSymbol named = { occupant, symbol->name, symbol->start, symbol->end };

    if (strcmp (symbol->name, name) == 0)
      g_array_append_val (found, named);
  }
}

GArray *
pen_store_find_symbols_named (PenStore *self, const char *name, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (PenStoredSymbol));
  g_autoptr (sqlite3_stmt) statement = NULL;
  PenSqlStep step;

  statement = pen_sql_prepare (
      self->db, "SELECT DISTINCT occupant FROM symbol_block ORDER BY occupant", error);
  if (!statement)
    return NULL;

  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW)
    add_named (self, pen_names_add (self->strings, pen_sql_text (statement, 0)), name, found);
  return step == PEN_SQL_DONE ? g_steal_pointer (&found) : NULL;
}
