/* pen-virtual-sample.c: the table `sample`
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-virtual-sample.h"

static const char columns[]
    = "CREATE TABLE sample (time INTEGER, event TEXT, cpu INTEGER, pid INTEGER, tid INTEGER,"
      " comm TEXT, address INTEGER, kind TEXT, occupant TEXT, revision INTEGER, symbol TEXT,"
      " offset INTEGER, period INTEGER, id INTEGER, tenure INTEGER, function INTEGER,"
      " thread INTEGER, bucket INTEGER, callchain INTEGER, payload BLOB HIDDEN)";

typedef struct {
  PenVirtualTable table;
  guint64 n_samples;
  gboolean is_in_time_order; /* every sample has a time, and no one is less than that before it */
} SampleTable;

static int
sample_connect (sqlite3 *db, void *host, G_GNUC_UNUSED int argc,
                G_GNUC_UNUSED const char *const *argv, sqlite3_vtab **table, char **message)
{
  SampleTable *self;
  const PenBlockInfo *blocks;
  guint n_blocks;
  int code = pen_virtual_table_connect (db, host, columns, sizeof *self, table, message);

  if (code != SQLITE_OK)
    return code;

  self = (SampleTable *) *table;
  self->is_in_time_order = TRUE;
  blocks = pen_store_get_blocks (self->table.store, &n_blocks);
  for (guint i = 0; i < n_blocks; i++) {
    self->n_samples += blocks[i].n;
    self->is_in_time_order &= blocks[i].first > 0 && blocks[i].last <= G_MAXINT64
                              && (i == 0 || blocks[i].first >= blocks[i - 1].last);
  }
  return SQLITE_OK;
}

/* ---- xBestIndex ---- */

static gboolean
is_text (int column)
{
  return column == SAMPLE_EVENT || column == SAMPLE_COMM || column == SAMPLE_KIND
         || column == SAMPLE_OCCUPANT || column == SAMPLE_SYMBOL;
}

static gboolean
is_narrowing (sqlite3_index_info *info, int index)
{
  int column = info->aConstraint[index].iColumn;
  gboolean is_equal = info->aConstraint[index].op == SQLITE_INDEX_CONSTRAINT_EQ;

  switch (column) {
  case -1:
  case SAMPLE_ID:
  case SAMPLE_TIME:
    /* Each value of a list would be a range of its own. */
    return !(is_equal && sqlite3_vtab_in (info, index, -1));
  case SAMPLE_OFFSET:
  case SAMPLE_PERIOD:
  case SAMPLE_CALLCHAIN:
  case SAMPLE_PAYLOAD:
    return FALSE;
  default:
    return is_equal
           && (!is_text (column)
               || g_ascii_strcasecmp (sqlite3_vtab_collation (info, index), "BINARY") == 0);
  }
}

/* The cost of a skipped row, and of one that is handed over, as parts of one that SQLite looks at.
 */
#define COST_SKIPPED 0.1
#define COST_BLOCK 1000.0

static void
estimate (const SampleTable *self, sqlite3_index_info *info, gboolean is_one, guint n_ranges,
          guint n_masks)
{
  double looked_at = (double) self->n_samples;
  double rows;

  if (is_one) {
    info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
    looked_at = 1;
  }
  for (guint i = 0; i < n_ranges; i++)
    looked_at /= 4;
  rows = looked_at;
  for (guint i = 0; i < n_masks; i++)
    rows /= 20;

  info->estimatedRows = MAX ((sqlite3_int64) rows, 1);
  info->estimatedCost = COST_BLOCK + looked_at * COST_SKIPPED + rows;
}

static gboolean
gives_order (const SampleTable *self, const sqlite3_index_info *info)
{
  int column;

  if (info->nOrderBy != 1 || info->aOrderBy[0].desc)
    return FALSE;

  column = info->aOrderBy[0].iColumn;
  return column == -1 || column == SAMPLE_ID || (column == SAMPLE_TIME && self->is_in_time_order);
}

static int
sample_best_index (sqlite3_vtab *table, sqlite3_index_info *info)
{
  g_autoptr (GString) taken = g_string_new (NULL);
  gboolean is_one = FALSE;
  guint n_ranges = 0;
  guint n_masks = 0;

  for (int i = 0; i < info->nConstraint; i++) {
    int column = info->aConstraint[i].iColumn == -1 ? SAMPLE_ID : info->aConstraint[i].iColumn;
    gboolean is_range = column == SAMPLE_ID || column == SAMPLE_TIME;

    if (!info->aConstraint[i].usable || !is_narrowing (info, i)
        || !pen_virtual_take_constraint (info, i, column, taken))
      continue;

    is_one |= column == SAMPLE_ID && info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ;
    n_ranges += is_range;
    n_masks += !is_range;
  }

  estimate ((const SampleTable *) table, info, is_one, n_ranges, n_masks);
  info->orderByConsumed = gives_order ((const SampleTable *) table, info);
  return pen_virtual_finish_index (info, taken);
}

/* ---- cursors ---- */

static int
sample_open (sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
  PenSampleCursor *self = g_new0 (PenSampleCursor, 1);

  self->store = ((PenVirtualTable *) table)->store;
  self->block = pen_sample_block_new ();
  *cursor = &self->base;
  return SQLITE_OK;
}

static int
sample_close (sqlite3_vtab_cursor *cursor)
{
  PenSampleCursor *self = (PenSampleCursor *) cursor;

  pen_sample_cursor_forget (self);
  pen_sample_block_free (self->block);
  g_free (self);
  return SQLITE_OK;
}

static int
sample_next (sqlite3_vtab_cursor *cursor)
{
  PenSampleCursor *self = (PenSampleCursor *) cursor;

  self->row++;
  return pen_sample_cursor_go (self);
}

static int
sample_eof (sqlite3_vtab_cursor *cursor)
{
  return ((PenSampleCursor *) cursor)->is_at_end;
}

static int
sample_rowid (sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
  *id = pen_sample_cursor_get_id ((PenSampleCursor *) cursor);
  return SQLITE_OK;
}

/* ---- xColumn ---- */

/* Texts live as long as the store. No result at all is NULL. */
static void
give_text (sqlite3_context *context, const char *text)
{
  if (text)
    sqlite3_result_text (context, text, -1, SQLITE_STATIC);
}

static gboolean
give_thread (PenSampleCursor *self, sqlite3_context *context, int column, GError **error)
{
  const PenThread *thread;

  if (!pen_sample_cursor_need_threads (self, error))
    return FALSE;

  thread = &self->threads[self->block->thread[self->row]];
  if (column == SAMPLE_COMM)
    give_text (context, thread->comm);
  else if (thread->has_task)
    sqlite3_result_int (context, column == SAMPLE_PID ? thread->pid : thread->tid);
  return TRUE;
}

static void
give_function (const PenSampleCursor *self, sqlite3_context *context, int column)
{
  guint32 bucket = self->block->bucket[self->row];
  const PenFunction *function = &self->functions[self->bucket_functions[bucket]];

  switch (column) {
  case SAMPLE_OCCUPANT:
    give_text (context, function->occupant);
    break;
  case SAMPLE_SYMBOL:
    give_text (context, function->symbol);
    break;
  default:
    sqlite3_result_int64 (context, function->id);
    break;
  }
}

static void
give_bucket (PenSampleCursor *self, sqlite3_context *context, int column)
{
  const PenBucket *bucket = &self->buckets[self->block->bucket[self->row]];
  const PenFunction *function = &self->functions[bucket->function];

  switch (column) {
  case SAMPLE_EVENT:
    give_text (context, pen_sample_cursor_get_event (self, bucket->event));
    break;
  case SAMPLE_ADDRESS:
    if (bucket->has_address)
      sqlite3_result_int64 (context, (sqlite3_int64) bucket->address);
    break;
  case SAMPLE_KIND:
    give_text (context, pen_kind_to_string (bucket->kind));
    break;
  case SAMPLE_REVISION:
    sqlite3_result_int64 (context, bucket->revision);
    break;
  case SAMPLE_OFFSET:
    if (bucket->has_address && function->symbol)
      sqlite3_result_int64 (context, (sqlite3_int64) pen_store_get_offset (
                                         self->store, function, bucket->tenure, bucket->address));
    break;
  default:
    if (bucket->tenure != 0)
      sqlite3_result_int64 (context, bucket->tenure);
    break;
  }
}

static gboolean
give_payload (PenSampleCursor *self, sqlite3_context *context, GError **error)
{
  const guint8 *bytes = NULL;
  gsize length = 0;

  if (!(self->block->has[self->row] & PEN_SAMPLE_HAS_PAYLOAD))
    return TRUE;
  if (!pen_store_read_payload (self->store, self->number, self->row, &bytes, &length, error))
    return FALSE;
  if (bytes)
    sqlite3_result_blob64 (context, bytes, length, SQLITE_TRANSIENT);
  return TRUE;
}

/* Returns: FALSE with @error where something of the store could not be read */
static gboolean
give (PenSampleCursor *self, sqlite3_context *context, int column, GError **error)
{
  const PenSampleBlock *block = self->block;
  guint row = self->row;
  guint8 has = block->has[row];

  switch (column) {
  case SAMPLE_TIME:
    if (has & PEN_SAMPLE_HAS_TIME)
      sqlite3_result_int64 (context, (sqlite3_int64) block->time[row]);
    return TRUE;
  case SAMPLE_CPU:
    if (has & PEN_SAMPLE_HAS_CPU)
      sqlite3_result_int64 (context, block->cpu[row]);
    return TRUE;
  case SAMPLE_PERIOD:
    if (has & PEN_SAMPLE_HAS_PERIOD)
      sqlite3_result_int64 (context, (sqlite3_int64) block->period[row]);
    return TRUE;
  case SAMPLE_ID:
    sqlite3_result_int64 (context, pen_sample_cursor_get_id (self));
    return TRUE;
  case SAMPLE_THREAD:
    sqlite3_result_int64 (context, block->thread[row]);
    return TRUE;
  case SAMPLE_BUCKET:
    sqlite3_result_int64 (context, block->bucket[row]);
    return TRUE;
  case SAMPLE_CALLCHAIN:
    if (block->chain[row] != 0)
      sqlite3_result_int64 (context, block->chain[row]);
    return TRUE;
  case SAMPLE_PAYLOAD:
    return give_payload (self, context, error);
  case SAMPLE_PID:
  case SAMPLE_TID:
  case SAMPLE_COMM:
    return give_thread (self, context, column, error);
  default:
    if (!pen_sample_cursor_need_bucket (self, column, error))
      return FALSE;
    if (pen_sample_column_is_of_function (column))
      give_function (self, context, column);
    else
      give_bucket (self, context, column);
    return TRUE;
  }
}

static int
sample_column (sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
  GError *error = NULL;
  int code;

  if (give ((PenSampleCursor *) cursor, context, column, &error))
    return SQLITE_OK;

  code = pen_virtual_table_fail (cursor->pVtab, error);
  sqlite3_result_error (context, cursor->pVtab->zErrMsg, -1);
  return code;
}

const sqlite3_module pen_virtual_sample = {
  .iVersion = 0,
  .xConnect = sample_connect,
  .xBestIndex = sample_best_index,
  .xDisconnect = pen_virtual_table_disconnect,
  .xOpen = sample_open,
  .xClose = sample_close,
  .xFilter = pen_sample_filter,
  .xNext = sample_next,
  .xEof = sample_eof,
  .xColumn = sample_column,
  .xRowid = sample_rowid,
};
