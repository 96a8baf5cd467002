/* pen-store-clean.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-clean.h"

#include <string.h>

#include "pen-bucket-block.h"
#include "pen-chain-block.h"
#include "pen-clean-rules.h"
#include "pen-names.h"
#include "pen-new-file.h"
#include "pen-sql.h"
#include "pen-store-buckets.h"
#include "pen-store-outputs.h"
#include "pen-store-pokes.h"
#include "pen-store-private.h"
#include "pen-store-writer-private.h"
#include "pen-symbol-block.h"
#include "pen-block-rows.h"

/* Addresses of the kernel's space have the highest bit. */
#define KERNEL_BIT 63

/*
 * @row: of the table that is being copied
 * @buffers: what its bytes and packs were made into, to be freed after it
 * @done, @total: bytes
 */
typedef struct {
  PenStore *store;
  PenStoreWriter *writer;
  const PenStoreCleaner *cleaner;
  const PenStoreTable *table;
  PenCleanRule *rules; /* of its columns */
  guint8 *row;
  GPtrArray *buffers;
  GByteArray *is_sound;
  PenPacker *packer;
  PenUnpacker unpacker;
  GArray *lost;
  guint64 done;
  guint64 total;
} Cleaning;

static void
cleaning_clear (Cleaning *self)
{
  g_free (self->rules);
  g_free (self->row);
  g_ptr_array_unref (self->buffers);
  g_byte_array_unref (self->is_sound);
  pen_packer_free (self->packer);
  pen_unpacker_clear (&self->unpacker);
  g_clear_pointer (&self->lost, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Cleaning, cleaning_clear)

/* ---- fields ---- */

static guint64
get_number (const guint8 *row, guint8 type, guint16 offset)
{
  guint64 value = 0;

  switch (type) {
  case PEN_FIELD_U8:
    return row[offset];
  case PEN_FIELD_U16:
    return *(const guint16 *) (gconstpointer) (row + offset);
  case PEN_FIELD_U32:
  case PEN_FIELD_I32:
    return *(const guint32 *) (gconstpointer) (row + offset);
  case PEN_FIELD_U64:
    memcpy (&value, row + offset, sizeof value);
    return value;
  default:
    g_return_val_if_reached (0);
  }
}

static void
set_number (guint8 *row, guint8 type, guint16 offset, guint64 value)
{
  switch (type) {
  case PEN_FIELD_U8:
    row[offset] = (guint8) value;
    break;
  case PEN_FIELD_U16:
    *(guint16 *) (gpointer) (row + offset) = (guint16) value;
    break;
  case PEN_FIELD_U32:
  case PEN_FIELD_I32:
    *(guint32 *) (gpointer) (row + offset) = (guint32) value;
    break;
  case PEN_FIELD_U64:
    memcpy (row + offset, &value, sizeof value);
    break;
  default:
    g_return_if_reached ();
  }
}

static const char **
get_string (Cleaning *self, const PenStoreColumn *column)
{
  return (const char **) (gpointer) (self->row + column->offset);
}

static gsize
get_length (Cleaning *self, const PenStoreColumn *column)
{
  return column->length_field == PEN_FIELD_NONE
             ? column->size
             : (gsize) get_number (self->row, column->length_field, column->length);
}

static const PenStoreColumn *
find_column (Cleaning *self, const char *name)
{
  for (guint i = 0; i < self->table->n_columns; i++) {
    if (strcmp (self->table->columns[i].name, name) == 0)
      return &self->table->columns[i];
  }
  return NULL;
}

/* By a column of the table; 0 where it has none of that name. */
static guint64
get_of (Cleaning *self, const char *name)
{
  const PenStoreColumn *column = find_column (self, name);

  return column ? get_number (self->row, column->field, column->offset) : 0;
}

static void
drop (Cleaning *self, const PenStoreColumn *column)
{
  switch (column->field) {
  case PEN_FIELD_NONE:
    break;
  case PEN_FIELD_STRING:
    *get_string (self, column) = column->null_rule == PEN_NULL_STRING ? NULL : "";
    break;
  case PEN_FIELD_BYTES:
    *get_string (self, column) = ""; /* without bytes, it is not NULL */
    set_number (self->row, column->length_field, column->length, 0);
    break;
  case PEN_FIELD_ARRAY:
    memset (self->row + column->offset, 0, column->size);
    if (column->length_field != PEN_FIELD_NONE)
      set_number (self->row, column->length_field, column->length, 0);
    break;
  default:
    set_number (self->row, column->field, column->offset,
                column->null_rule == PEN_NULL_VALUE ? column->null : 0);
  }
}

static void
set_text (Cleaning *self, const PenStoreColumn *column, PenCleanText what)
{
  const char **string = get_string (self, column);

  if (*string && **string != '\0')
    *string = self->cleaner->text (what, *string, self->cleaner->user_data);
}

static guint64
clean_address (Cleaning *self, guint64 address)
{
  return self->cleaner->address (address, self->cleaner->user_data);
}

/* ---- rules that ask for the row's kind ---- */

static gboolean
is_of_kernel (PenKind kind)
{
  return kind == PEN_KIND_KERNEL || kind == PEN_KIND_MODULE || kind == PEN_KIND_STUB;
}

static void
set_by_kind (Cleaning *self, const PenStoreColumn *column, PenCleanRule rule)
{
  PenKind kind = (PenKind) get_of (self, "kind");

  if (kind == PEN_KIND_BPF)
    set_text (self, column, PEN_CLEAN_PROGRAM);
  else if (is_of_kernel (kind) && rule == PEN_RULE_NAME)
    set_text (self, column, PEN_CLEAN_KERNEL);
  else if (is_of_kernel (kind))
    return;
  else if (rule == PEN_RULE_FUNCTION
           || (rule == PEN_RULE_NAME && get_of (self, "layer") == PEN_LAYER_JIT))
    set_text (self, column, PEN_CLEAN_SYMBOL);
  else
    set_text (self, column, PEN_CLEAN_FILE);
}

static void
cut_reason (Cleaning *self, const PenStoreColumn *column)
{
  const char **string = get_string (self, column);
  char *word;

  if (!*string)
    return;
  word = g_strndup (*string, strcspn (*string, "\t"));
  g_ptr_array_add (self->buffers, word);
  *string = word;
}

/* ---- bytes ---- */

static void
set_bytes (Cleaning *self, const PenStoreColumn *column, const guint8 *bytes, gsize n)
{
  *(const guint8 **) (gpointer) (self->row + column->offset) = bytes;
  set_number (self->row, column->length_field, column->length, n);
}

/* A copy of @bytes as they may be seen. */
static guint8 *
clean_code (Cleaning *self, PenCleanCodeKind code, guint64 address, const guint8 *bytes, gsize n)
{
  PenCleanPiece piece = {
    .code = code,
    .id = (guint32) get_of (self, code == PEN_CLEAN_READING ? "output" : "tenure"),
    .address = address,
    .bytes = g_memdup2 (bytes, n),
    .n = n,
  };

  g_byte_array_set_size (self->is_sound, (guint) n);
  piece.is_sound = self->is_sound->data;
  g_ptr_array_add (self->buffers, piece.bytes);
  self->cleaner->code (&piece, self->cleaner->user_data);
  return piece.bytes;
}

/* The row's address is cleaned after them, as it comes. Texts and readings are cleaned row by row.
 */
static void
clean_bytes (Cleaning *self, const PenStoreColumn *column, guint64 address)
{
  gsize n = get_length (self, column);
  const guint8 *bytes = *(const guint8 **) (gpointer) (self->row + column->offset);

  if (bytes && n > 0 && self->table != &pen_store_tables[PEN_TABLE_TEXT]
      && self->table != &pen_store_tables[PEN_TABLE_READING])
    set_bytes (self, column, clean_code (self, PEN_CLEAN_PATCH, address, bytes, n), n);
}

static gboolean
refuse_pack (Cleaning *self, const char *reason, GError **error)
{
  g_autofree char *what = g_strdup_printf ("%s: %s", self->table->name, reason);

  return pen_store_set_damaged (self->store, what, error);
}

/* @n: at most @most. Returns: the pack of the row */
static const guint8 *
get_pack (Cleaning *self, const PenStoreColumn *column, guint64 n, guint most, gsize *length,
          GError **error)
{
  const guint8 *bytes = *(const guint8 **) (gpointer) (self->row + column->offset);

  *length = get_length (self, column);
  if (bytes && n <= most)
    return bytes;
  refuse_pack (self, "it is empty, or there are too many rows in a pack", error);
  return NULL;
}

static gboolean
clean_buckets (Cleaning *self, const PenStoreColumn *column, GError **error)
{
  guint64 n = get_of (self, "n");
  gsize length;
  const guint8 *bytes = get_pack (self, column, n, PEN_BLOCK_BUCKETS, &length, error);
  g_autofree PenBucket *buckets = NULL;
  const char *reason = NULL;

  if (!bytes)
    return FALSE;
  buckets = g_new0 (PenBucket, n + 1);
  if (!pen_bucket_block_unpack (buckets, (guint) n, bytes, length, &self->unpacker, &reason))
    return refuse_pack (self, reason, error);
  for (guint i = 0; i < n; i++) {
    if (buckets[i].has_address)
      buckets[i].address = clean_address (self, buckets[i].address);
  }
  bytes = pen_bucket_block_pack (buckets, (guint) n, self->packer, &length);
  set_bytes (self, column, bytes, length);
  return TRUE;
}

static gboolean
clean_frames (Cleaning *self, const PenStoreColumn *column, GError **error)
{
  guint64 n = get_of (self, "n");
  gsize length;
  const guint8 *bytes = get_pack (self, column, n, PEN_BLOCK_FRAMES, &length, error);
  g_autoptr (GArray) frames = g_array_new (FALSE, FALSE, sizeof (PenFrame));
  const char *reason = NULL;

  if (!bytes)
    return FALSE;
  if (!pen_frame_block_unpack (frames, (guint) n, bytes, length, &self->unpacker, &reason))
    return refuse_pack (self, reason, error);
  for (guint i = 0; i < frames->len; i++) {
    PenFrame *frame = &g_array_index (frames, PenFrame, i);

    frame->address = clean_address (self, frame->address);
  }
  bytes = pen_frame_block_pack ((const PenFrame *) (gpointer) frames->data, frames->len,
                                self->packer, &length);
  set_bytes (self, column, bytes, length);
  return TRUE;
}

static gboolean
clean_symbols (Cleaning *self, const PenStoreColumn *column, GError **error)
{
  guint64 n = get_of (self, "n");
  gsize length;
  const guint8 *bytes = get_pack (self, column, n, PEN_BLOCK_SYMBOLS, &length, error);
  g_autoptr (GArray) symbols = g_array_new (FALSE, FALSE, sizeof (PenStoreSymbol));
  g_autoptr (GStringChunk) names = g_string_chunk_new (65536);
  const char *reason = NULL;

  if (!bytes)
    return FALSE;
  if (!pen_symbol_block_unpack (bytes, length, (guint) n, symbols, names, &reason))
    return refuse_pack (self, reason, error);
  for (guint i = 0; i < symbols->len; i++) {
    PenStoreSymbol *symbol = &g_array_index (symbols, PenStoreSymbol, i);
    guint64 last = symbol->end - 1;

    symbol->start = clean_address (self, symbol->start);
    symbol->end = MAX (clean_address (self, last) + 1, symbol->start);
    symbol->name = self->cleaner->text (PEN_CLEAN_PROGRAM, symbol->name, self->cleaner->user_data);
  }
  bytes = pen_symbol_block_pack ((const PenStoreSymbol *) (gpointer) symbols->data, symbols->len,
                                 self->packer, &length);
  set_bytes (self, column, bytes, length);
  return TRUE;
}

/* ---- a row ---- */

/* Where the bytes of a row are: the column of its addresses that comes first. */
static guint64
get_place (Cleaning *self)
{
  return find_column (self, "address") ? get_of (self, "address") : get_of (self, "start");
}

static gboolean
clean_column (Cleaning *self, const PenStoreColumn *column, PenCleanRule rule, guint64 place,
              GError **error)
{
  switch (rule) {
  case PEN_RULE_KEEP:
    return TRUE;
  case PEN_RULE_ADDRESS:
    set_number (self->row, column->field, column->offset,
                clean_address (self, get_number (self->row, column->field, column->offset)));
    return TRUE;
  case PEN_RULE_BYTES:
    clean_bytes (self, column, place);
    return TRUE;
  case PEN_RULE_TASK:
  case PEN_RULE_FILE:
  case PEN_RULE_SYMBOL:
  case PEN_RULE_SOURCE:
  case PEN_RULE_KERNEL:
  case PEN_RULE_PROGRAM:
  case PEN_RULE_WORDS:
  case PEN_RULE_KEY:
  case PEN_RULE_EVENT:
    set_text (self, column, (PenCleanText) (rule - PEN_RULE_TASK));
    return TRUE;
  case PEN_RULE_OCCUPANT:
  case PEN_RULE_NAME:
  case PEN_RULE_FUNCTION:
    set_by_kind (self, column, rule);
    return TRUE;
  case PEN_RULE_MAP:
    set_text (self, column, get_of (self, "is_kernel") ? PEN_CLEAN_KERNEL : PEN_CLEAN_FILE);
    return TRUE;
  case PEN_RULE_REASON:
    cut_reason (self, column);
    return TRUE;
  case PEN_RULE_BUILD_ID:
    if (!is_of_kernel ((PenKind) get_of (self, "kind")) && !get_of (self, "is_kernel"))
      drop (self, column);
    return TRUE;
  case PEN_RULE_BUCKETS:
    return clean_buckets (self, column, error);
  case PEN_RULE_FRAMES:
    return clean_frames (self, column, error);
  case PEN_RULE_SYMBOLS:
    return clean_symbols (self, column, error);
  case PEN_RULE_UNDECIDED:
  case PEN_RULE_DROP:
  case PEN_RULES:
  default:
    drop (self, column);
    return TRUE;
  }
}

/* Code that is not the kernel's is left out with its row: it is a program's. */
static gboolean
is_left_out (Cleaning *self, PenTableId id, guint64 place)
{
  if (id == PEN_TABLE_TEXT || id == PEN_TABLE_READING)
    return place >> KERNEL_BIT == 0;
  if (id == PEN_TABLE_BUILD_ID)
    return !g_str_equal (((const PenStoredBuildId *) (gconstpointer) self->row)->mode, "kernel");
  if (id == PEN_TABLE_CAPTURE)
    return !self->cleaner->fact (((const PenFactRow *) (gconstpointer) self->row)->key,
                                 self->cleaner->user_data);
  return FALSE;
}

static gboolean
write_row (Cleaning *self, PenTableId id, GError **error)
{
  if (id == PEN_TABLE_TEXT_POKE)
    return pen_store_writer_add_poke (self->writer, (const PenPoke *) (gconstpointer) self->row,
                                      error);
  return pen_store_writer_add_row (self->writer, id, self->row, error);
}

/* The next run of sound bytes of @n, from *@from on. */
static gboolean
find_sound (Cleaning *self, gsize n, gsize *from, gsize *to)
{
  while (*from < n && !self->is_sound->data[*from])
    *from += 1;
  *to = *from;
  while (*to < n && self->is_sound->data[*to])
    *to += 1;
  return *from < n;
}

/* A row for each run of sound bytes. */
static gboolean
write_texts (Cleaning *self, gboolean *is_lost, GError **error)
{
  PenTextRow *row = (PenTextRow *) (gpointer) self->row;
  gsize n = row->length;
  guint64 start = row->start;
  const guint8 *bytes = clean_code (self, PEN_CLEAN_STORED_TEXT, start, row->bytes, n);
  gsize to;

  *is_lost = TRUE;
  for (gsize from = 0; find_sound (self, n, &from, &to); from = to) {
    row->start = clean_address (self, start + from);
    row->bytes = bytes + from;
    row->length = to - from;
    *is_lost = FALSE;
    if (!write_row (self, PEN_TABLE_TEXT, error))
      return FALSE;
  }
  return TRUE;
}

static void
clean_reading (Cleaning *self)
{
  PenReading *row = (PenReading *) (gpointer) self->row;
  const guint8 *bytes;
  gsize from = 0;
  gsize to;

  if (row->length == 0)
    return;
  bytes = clean_code (self, PEN_CLEAN_READING, row->start, row->bytes, row->length);
  find_sound (self, row->length, &from, &to);
  row->start += from;
  row->bytes = bytes + from;
  row->length = (guint32) (to - from);
}

static gboolean
clean_row (Cleaning *self, PenTableId id, guint64 *n_lost, GError **error)
{
  guint64 place = get_place (self);
  gboolean is_lost = is_left_out (self, id, place);

  g_ptr_array_set_size (self->buffers, 0);
  if (!is_lost && id == PEN_TABLE_READING)
    clean_reading (self);
  if (!is_lost && id == PEN_TABLE_TEXT && !write_texts (self, &is_lost, error))
    return FALSE;
  *n_lost += is_lost;
  if (is_lost || id == PEN_TABLE_TEXT)
    return TRUE;
  for (guint i = 0; i < self->table->n_columns; i++) {
    if (!clean_column (self, &self->table->columns[i], self->rules[i], place, error))
      return FALSE;
  }
  return write_row (self, id, error);
}

/* ---- tables ---- */

/* Rows of packs are as long as their packs, about. */
static void
report_row (Cleaning *self)
{
  if (!self->cleaner->progress)
    return;
  for (guint i = 0; i < self->table->n_columns; i++)
    self->done += self->table->columns[i].field == PEN_FIELD_BYTES
                      ? get_length (self, &self->table->columns[i])
                      : sizeof (guint32);
  self->cleaner->progress (self->done, self->total, self->cleaner->user_data);
}

static void
begin_table (Cleaning *self, PenTableId id)
{
  self->table = &pen_store_tables[id];
  g_free (self->rules);
  g_free (self->row);
  self->rules = g_new0 (PenCleanRule, self->table->n_columns);
  self->row = g_malloc0 (self->table->size);
  for (guint i = 0; i < self->table->n_columns; i++)
    self->rules[i] = pen_clean_rules_find (self->table, &self->table->columns[i]);
}

static gboolean
clean_table (Cleaning *self, PenTableId id, guint64 *n_lost, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = pen_store_select (self->store, id, "", error);
  PenSqlStep step;

  if (!statement)
    return FALSE;
  begin_table (self, id);
  while ((step = pen_sql_step (statement, error)) == PEN_SQL_ROW) {
    memset (self->row, 0, self->table->size);
    if (!pen_store_read_row_in_place (self->store, id, statement, self->row, error))
      return FALSE;
    report_row (self);
    if (!clean_row (self, id, n_lost, error))
      return FALSE;
  }
  return step == PEN_SQL_DONE;
}

static gboolean
ask_number (Cleaning *self, const char *sql, guint64 *n, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = pen_sql_prepare (self->store->db, sql, error);

  if (!statement || pen_sql_step (statement, error) != PEN_SQL_ROW)
    return FALSE;
  *n = pen_sql_u64 (statement, 0);
  return TRUE;
}

static gboolean
count_rows (Cleaning *self, PenTableId id, guint64 *n, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT count(*) FROM %s", pen_store_tables[id].name);

  return ask_number (self, sql, n, error);
}

static gboolean
clean_all (Cleaning *self, GError **error)
{
  for (PenTableId id = 0; id < PEN_TABLES; id++) {
    PenCleanLoss loss = { pen_store_tables[id].name, 0 };
    gboolean is_done = TRUE;

    if (id == PEN_TABLE_SHARED)
      continue;
    is_done = pen_clean_rules_has_table (&pen_store_tables[id])
                  ? clean_table (self, id, &loss.rows, error)
                  : count_rows (self, id, &loss.rows, error);
    if (!is_done)
      return FALSE;
    if (loss.rows > 0)
      g_array_append_val (self->lost, loss);
  }
  return TRUE;
}

/* One that was killed cannot clean up. */
static void
remove_left (const char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);

  pen_new_file_remove_left (directory, base);
}

static PenStoreWriter *
open_writer (const char *path, mode_t mode, GCancellable *cancellable, GError **error)
{
  remove_left (path);
  return pen_store_writer_new (path, mode, cancellable, error);
}

gboolean
pen_store_clean (PenStore *self, const char *path, mode_t mode, const PenStoreCleaner *cleaner,
                 GCancellable *cancellable, GArray **lost, GError **error)
{
  g_autoptr (PenStoreWriter) writer = open_writer (path, mode, cancellable, error);
  g_auto (Cleaning) cleaning = {
    .store = self,
    .writer = writer,
    .cleaner = cleaner,
    .buffers = g_ptr_array_new_with_free_func (g_free),
    .is_sound = g_byte_array_new (),
    .packer = pen_packer_new (),
    .lost = g_array_new (FALSE, FALSE, sizeof (PenCleanLoss)),
  };

  if (!writer
      || !ask_number (&cleaning,
                      "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size",
                      &cleaning.total, error)
      || !clean_all (&cleaning, error) || !pen_store_writer_end (writer, error)
      || !pen_store_writer_finish (writer, error))
    return FALSE;
  *lost = g_steal_pointer (&cleaning.lost);
  return TRUE;
}

/* ---- names ---- */

static gboolean
hand_names (PenStore *self, sqlite3_stmt *statement, PenNameFunc func, gpointer user_data,
            gboolean *goes_on, GError **error)
{
  g_autoptr (GArray) symbols = g_array_new (FALSE, FALSE, sizeof (PenStoreSymbol));
  g_autoptr (GStringChunk) names = g_string_chunk_new (65536);
  const guint8 *bytes = sqlite3_column_blob (statement, 2);
  gint64 n = sqlite3_column_int64 (statement, 1);
  const char *reason = "it is empty";

  if (!bytes || n < 0 || n > PEN_BLOCK_SYMBOLS
      || !pen_symbol_block_unpack (bytes, (gsize) sqlite3_column_bytes (statement, 2), (guint) n,
                                   symbols, names, &reason))
    return pen_store_set_damaged (self, reason, error);
  for (guint i = 0; i < symbols->len && *goes_on; i++)
    *goes_on = func (pen_sql_text (statement, 0), g_array_index (symbols, PenStoreSymbol, i).name,
                     user_data);
  return TRUE;
}

gboolean
pen_store_foreach_kernel_name (PenStore *self, PenNameFunc func, gpointer user_data, GError **error)
{
  g_autoptr (sqlite3_stmt) statement
      = pen_sql_prepare (self->db, "SELECT occupant, n, symbols FROM symbol_block", error);
  gboolean goes_on = TRUE;
  PenSqlStep step;

  if (!statement)
    return FALSE;
  while (goes_on && (step = pen_sql_step (statement, error)) != PEN_SQL_DONE) {
    if (step == PEN_SQL_FAILED || !hand_names (self, statement, func, user_data, &goes_on, error))
      return FALSE;
  }
  return TRUE;
}
