/* pen-virtual-callchain.c: the table-valued function `callchain(id)`
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-virtual-private.h"

#include "pen-store-callchains.h"

enum {
  DEPTH,
  ADDRESS,
  KIND,
  OCCUPANT,
  REVISION,
  SYMBOL,
  OFFSET,
  IS_RETURN,
  TENURE,
  FUNCTION,
  CHAIN,
};

/* The argument of a table-valued function is a hidden column. */
static const char columns[]
    = "CREATE TABLE callchain (depth INTEGER, address INTEGER, kind TEXT, occupant TEXT,"
      " revision INTEGER, symbol TEXT, offset INTEGER, is_return INTEGER, tenure INTEGER,"
      " function INTEGER, chain INTEGER HIDDEN)";

typedef struct {
  sqlite3_vtab_cursor base;
  PenStore *store;
  gint64 chain;
  GArray *frames; /* of PenFrame; NULL: none */
  guint at;
} Cursor;

static int
callchain_connect (sqlite3 *db, void *host, G_GNUC_UNUSED int argc,
                   G_GNUC_UNUSED const char *const *argv, sqlite3_vtab **table, char **message)
{
  return pen_virtual_table_connect (db, host, columns, sizeof (PenVirtualTable), table, message);
}

static int
callchain_best_index (G_GNUC_UNUSED sqlite3_vtab *table, sqlite3_index_info *info)
{
  g_autoptr (GString) taken = g_string_new (NULL);

  for (int i = 0; i < info->nConstraint && taken->len == 0; i++)
    if (info->aConstraint[i].iColumn == CHAIN && info->aConstraint[i].usable
        && info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ && !sqlite3_vtab_in (info, i, -1))
      pen_virtual_take_constraint (info, i, CHAIN, taken);

  /* Not without the chain: SQLite looks for another order of the tables, or says so. */
  if (taken->len == 0)
    return SQLITE_CONSTRAINT;

  info->estimatedRows = 20;
  info->estimatedCost = 100;
  info->orderByConsumed
      = info->nOrderBy == 1 && !info->aOrderBy[0].desc && info->aOrderBy[0].iColumn <= DEPTH;
  return pen_virtual_finish_index (info, taken);
}

static int
callchain_open (sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
  Cursor *self = g_new0 (Cursor, 1);

  self->store = ((PenVirtualTable *) table)->store;
  *cursor = &self->base;
  return SQLITE_OK;
}

static int
callchain_close (sqlite3_vtab_cursor *cursor)
{
  Cursor *self = (Cursor *) cursor;

  g_clear_pointer (&self->frames, g_array_unref);
  g_free (self);
  return SQLITE_OK;
}

static int
callchain_filter (sqlite3_vtab_cursor *cursor, G_GNUC_UNUSED int number,
                  G_GNUC_UNUSED const char *taken, G_GNUC_UNUSED int argc, sqlite3_value **argv)
{
  Cursor *self = (Cursor *) cursor;
  GError *error = NULL;

  g_clear_pointer (&self->frames, g_array_unref);
  self->at = 0;
  self->chain = sqlite3_value_int64 (argv[0]);
  if (self->chain < 1 || self->chain > pen_store_count_chains (self->store))
    return SQLITE_OK;

  self->frames = pen_store_load_callchain (self->store, (guint32) self->chain, &error);
  return !error ? SQLITE_OK : pen_virtual_table_fail (cursor->pVtab, error);
}

static int
callchain_next (sqlite3_vtab_cursor *cursor)
{
  ((Cursor *) cursor)->at++;
  return SQLITE_OK;
}

static int
callchain_eof (sqlite3_vtab_cursor *cursor)
{
  const Cursor *self = (const Cursor *) cursor;

  return !self->frames || self->at >= self->frames->len;
}

static int
callchain_rowid (sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
  *id = ((const Cursor *) cursor)->at + 1;
  return SQLITE_OK;
}

static int
callchain_column (sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
  const Cursor *self = (const Cursor *) cursor;
  const PenFrame *frame = &g_array_index (self->frames, PenFrame, self->at);

  switch (column) {
  case DEPTH:
    sqlite3_result_int64 (context, self->at + 1);
    break;
  case ADDRESS:
    sqlite3_result_int64 (context, (sqlite3_int64) frame->address);
    break;
  case KIND:
    sqlite3_result_text (context, pen_kind_to_string (frame->kind), -1, SQLITE_STATIC);
    break;
  case OCCUPANT:
    sqlite3_result_text (context, frame->occupant, -1, SQLITE_STATIC);
    break;
  case REVISION:
    sqlite3_result_int64 (context, frame->revision);
    break;
  case SYMBOL:
    if (frame->symbol)
      sqlite3_result_text (context, frame->symbol, -1, SQLITE_STATIC);
    break;
  case OFFSET:
    if (frame->symbol)
      sqlite3_result_int64 (context, (sqlite3_int64) frame->offset);
    break;
  case IS_RETURN:
    sqlite3_result_int (context, frame->is_return != FALSE);
    break;
  case TENURE:
    if (frame->tenure != 0)
      sqlite3_result_int64 (context, frame->tenure);
    break;
  case FUNCTION:
    sqlite3_result_int64 (context, frame->function);
    break;
  default:
    sqlite3_result_int64 (context, self->chain);
    break;
  }
  return SQLITE_OK;
}

const sqlite3_module pen_virtual_callchain = {
  .iVersion = 0,
  .xConnect = callchain_connect,
  .xBestIndex = callchain_best_index,
  .xDisconnect = pen_virtual_table_disconnect,
  .xOpen = callchain_open,
  .xClose = callchain_close,
  .xFilter = callchain_filter,
  .xNext = callchain_next,
  .xEof = callchain_eof,
  .xColumn = callchain_column,
  .xRowid = callchain_rowid,
};
