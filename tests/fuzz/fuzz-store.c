/* fuzz-store.c: a store that was damaged, asked everything
 *
 * The input is a list of damages to a store that is whole at first:
 *   0 OFFSET(4) LENGTH(1) BYTES        bytes of the file
 *   1 TABLE(1) ROW(1)                  a row is gone
 *   2 TABLE(1) COLUMN(1) ROW(1) VALUE  a value is another one
 * where VALUE is 0 INTEGER(8), 1 LENGTH(1) TEXT, 2 LENGTH(1) BLOB, 3 LENGTH(1) PACKED, 4 (NULL), or
 * 5 N(1) and N times OFFSET(2) BYTE(1): bytes of the value that is there are others.
 * PACKED, and a pack whose bytes are others, get a checksum: they are not refused for that.
 *
 * The file is in memory (pen-fuzz-disk.h). Rows are changed first, by a connection that stays;
 * bytes of the file after that.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#include "pen-fuzz-ask.h"
#include "pen-fuzz-disk.h"
#include "pen-fuzz-history.h"
#include "pen-fuzz-mutate.h"
#include "pen-fuzz-steps.h"
#include "pen-fuzz.h"
#include "pen-import.h"
#include "pen-pack.h"
#include "pen-sql-query.h"
#include "pen-store-verify.h"

#define MAX_DAMAGES 16
#define N_ROWS 16
/* As many as pen_store_header_read() reads of the file itself. */
#define HEADER_SIZE 100u
/* A pack: checksum, form, length, content (pen-pack.h). */
#define PACK_HEADER 9u
/* Branches of this project's code: opening and the dearest question take them for any store. What
 * a damage makes more of them is bounded by what the store holds. */
#define STEPS_MAX 3000000

enum { DAMAGE_BYTES, DAMAGE_ROW, DAMAGE_VALUE, DAMAGES };
enum { VALUE_INTEGER, VALUE_TEXT, VALUE_BLOB, VALUE_PACKED, VALUE_NULL, VALUE_EDITED, VALUES };

static char *path;
static char *whole;
static gsize whole_size;
static sqlite3 *changed;       /* of the file, to change rows of it */
static GHashTable *statements; /* char * → sqlite3_stmt, of @changed */
static GPtrArray *tables;      /* char * */
static GPtrArray *columns;     /* by table: char ** */

static void
run_sql (sqlite3 *db, const char *sql)
{
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
}

/* A hostile store need not have our schema's constraints. */
static void
drop_constraints (sqlite3 *db)
{
  run_sql (db, "PRAGMA writable_schema = ON");
  run_sql (db, "UPDATE sqlite_schema SET sql = replace (sql, ' NOT NULL', '')");
  run_sql (db, "PRAGMA writable_schema = OFF");
}

static void
list_columns (sqlite3 *db)
{
  sqlite3_stmt *statement;
  const char *sql = "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info (t.name) c"
                    " WHERE t.type = 'table' ORDER BY t.name, c.cid";

  tables = g_ptr_array_new ();
  columns = g_ptr_array_new ();
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  while (sqlite3_step (statement) == SQLITE_ROW) {
    const char *table = (const char *) sqlite3_column_text (statement, 0);
    const char *column = (const char *) sqlite3_column_text (statement, 1);

    if (tables->len == 0 || !g_str_equal (g_ptr_array_index (tables, tables->len - 1), table)) {
      g_ptr_array_add (tables, g_strdup (table));
      g_ptr_array_add (columns, g_ptr_array_new ());
    }
    g_ptr_array_add (g_ptr_array_index (columns, columns->len - 1), g_strdup (column));
  }
  sqlite3_finalize (statement);
}

static void
make_store (void)
{
  const char *directory = pen_fuzz_get_directory ();
  g_autofree char *capture_path = g_build_filename (directory, "capture", NULL);
  g_autoptr (PenTestCapture) capture = pen_fuzz_make_history ();
  g_autoptr (GError) error = NULL;
  sqlite3 *db;

  path = g_build_filename (directory, "store.pentimento", NULL);
  pen_test_capture_write (capture, capture_path, PEN_TEST_CAPTURE_DIRECTORY, &error);
  g_assert_no_error (error);
  pen_import (capture_path, path, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  drop_constraints (db);
  list_columns (db);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  g_assert_true (g_file_get_contents (path, &whole, &whole_size, &error));

  pen_fuzz_disk_use (path, (const guint8 *) whole, whole_size);
  statements = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_assert_cmpint (sqlite3_open (path, &changed), ==, SQLITE_OK);
  run_sql (changed, "PRAGMA journal_mode = OFF");
  run_sql (changed, "PRAGMA synchronous = OFF");
}

static sqlite3_stmt *
get_statement (const char *sql)
{
  sqlite3_stmt *statement = g_hash_table_lookup (statements, sql);

  if (!statement && sqlite3_prepare_v2 (changed, sql, -1, &statement, NULL) == SQLITE_OK)
    g_hash_table_insert (statements, g_strdup (sql), statement);
  return statement;
}

/* Bytes of the file that are to be others. */
typedef struct {
  guint64 offset;
  const guint8 *bytes;
  gsize length;
} Bytes;

static Bytes
take_bytes (PenFuzzBytes *input)
{
  Bytes self = { .offset = pen_fuzz_take (input, 4) % whole_size };

  self.length = (gsize) pen_fuzz_take (input, 1);
  self.bytes = pen_fuzz_take_bytes (input, &self.length);
  return self;
}

/* The check whether it is a store looks at the beginning of the file itself. */
static void
change_bytes (const Bytes *bytes, guint n)
{
  static gboolean is_changed;
  gsize size;
  guint8 *contents = pen_fuzz_disk_get (&size);
  gboolean was_changed = is_changed;

  is_changed = FALSE;
  for (guint i = 0; i < n; i++) {
    if (bytes[i].offset >= size || bytes[i].length == 0)
      continue;
    memcpy (contents + bytes[i].offset, bytes[i].bytes,
            MIN (bytes[i].length, size - bytes[i].offset));
    is_changed |= bytes[i].offset < HEADER_SIZE;
  }
  if (is_changed || was_changed)
    pen_fuzz_write (path, contents, MIN (size, HEADER_SIZE));
}

static void
bind_bytes (sqlite3_stmt *statement, PenFuzzBytes *input, guint type)
{
  gsize length = (gsize) pen_fuzz_take (input, 1);
  const guint8 *bytes = pen_fuzz_take_bytes (input, &length);
  g_autoptr (PenPacker) packer = NULL;

  if (type == VALUE_TEXT) {
    sqlite3_bind_text (statement, 1, (const char *) bytes, (int) length, SQLITE_TRANSIENT);
    return;
  }
  if (type == VALUE_PACKED) {
    packer = pen_packer_new ();
    pen_packer_bytes (packer, bytes, length);
    bytes = pen_packer_finish (packer, &length);
  }
  sqlite3_bind_blob (statement, 1, bytes, (int) length, SQLITE_TRANSIENT);
}

/* @read asks for the value that is there. */
static void
bind_edited (sqlite3_stmt *statement, sqlite3_stmt *read, PenFuzzBytes *input)
{
  gsize length = sqlite3_step (read) == SQLITE_ROW ? (gsize) sqlite3_column_bytes (read, 0) : 0;
  g_autofree guint8 *bytes = length > 0 ? g_memdup2 (sqlite3_column_blob (read, 0), length) : NULL;
  gboolean is_pack = sqlite3_column_type (read, 0) == SQLITE_BLOB && length > PACK_HEADER;

  sqlite3_reset (read);
  for (guint n = (guint) pen_fuzz_take (input, 1); n > 0 && input->at < input->end; n--) {
    gsize at = (gsize) pen_fuzz_take (input, 2);
    guint8 byte = (guint8) pen_fuzz_take (input, 1);

    if (length > 0)
      bytes[at % length] = byte;
  }
  if (is_pack) {
    guint32 sum = GUINT32_TO_LE (pen_crc32 (bytes + 4, length - 4));

    memcpy (bytes, &sum, sizeof sum);
  }
  sqlite3_bind_blob (statement, 1, bytes, (int) length, SQLITE_TRANSIENT);
}

/* A value may break a rule of SQLite's own: then it stays. */
static void
change_row (PenFuzzBytes *input, gboolean is_value)
{
  guint table = (guint) pen_fuzz_take (input, 1) % tables->len;
  const char *name = g_ptr_array_index (tables, table);
  GPtrArray *names = g_ptr_array_index (columns, table);
  const char *key = g_ptr_array_index (names, 0);
  const char *column
      = is_value ? g_ptr_array_index (names, pen_fuzz_take (input, 1) % names->len) : key;
  guint row = (guint) pen_fuzz_take (input, 1) % N_ROWS;
  guint type = is_value ? (guint) pen_fuzz_take (input, 1) % VALUES : VALUES;
  g_autofree char *where = g_strdup_printf (
      "WHERE \"%s\" = (SELECT \"%s\" FROM \"%s\" LIMIT 1 OFFSET %u)", key, key, name, row);
  g_autofree char *what = is_value ? g_strdup_printf ("UPDATE OR IGNORE \"%s\" SET \"%s\" = ? %s",
                                                      name, column, where)
                                   : g_strdup_printf ("DELETE FROM \"%s\" %s", name, where);
  g_autofree char *that = g_strdup_printf ("SELECT \"%s\" FROM \"%s\" %s", column, name, where);
  sqlite3_stmt *statement = get_statement (what);
  sqlite3_stmt *read = get_statement (that);

  if (!statement || !read)
    return;
  if (type == VALUE_INTEGER)
    sqlite3_bind_int64 (statement, 1, (sqlite3_int64) pen_fuzz_take (input, 8));
  else if (type == VALUE_EDITED)
    bind_edited (statement, read, input);
  else if (type != VALUE_NULL && type != VALUES)
    bind_bytes (statement, input, type);
  sqlite3_step (statement);
  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
}

static void
do_damages (const guint8 *data, gsize size)
{
  PenFuzzBytes input = { data, data + size };
  Bytes bytes[MAX_DAMAGES];
  guint n = 0;

  run_sql (changed, "BEGIN");
  for (guint i = 0; i < MAX_DAMAGES && input.at < input.end; i++) {
    guint damage = (guint) pen_fuzz_take (&input, 1) % DAMAGES;

    if (damage == DAMAGE_BYTES)
      bytes[n++] = take_bytes (&input);
    else
      change_row (&input, damage == DAMAGE_VALUE);
  }
  run_sql (changed, "COMMIT");
  change_bytes (bytes, n);
}

/* Through the virtual tables, and one that orders and joins them. */
static void
ask_sql (PenStore *opened, guint choice)
{
  static const char *const queries[] = {
    "SELECT count(*), max(time), max(symbol), max(offset) FROM sample",
    "SELECT count(payload) FROM sample WHERE time > 5 AND pid IN (1, 42) ORDER BY time",
    "SELECT * FROM bucket b JOIN function f ON f.id = b.function WHERE f.id < 4",
    "SELECT count(c.symbol), max(c.depth) FROM sample s, callchain(s.callchain) c",
    "SELECT * FROM version_total",
    "SELECT * FROM patch_total, loss_total, function_total",
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenSqlQuery) query
      = pen_sql_query_new (opened, queries[choice % G_N_ELEMENTS (queries)], 5, NULL, NULL, &error);
  gboolean has_row = query != NULL;

  while (has_row && pen_sql_query_next (query, &has_row, &error))
    for (guint i = 0; has_row && i < pen_sql_query_get_n_columns (query); i++)
      pen_sql_query_get_cell (query, i);
}

static void
verify (PenStore *opened)
{
  g_autoptr (GError) error = NULL;
  PenVerified verified;

  g_assert_true (pen_store_verify (opened, NULL, NULL, &verified, &error) == (!error));
}

static void
ask (PenStore *store, guint choice)
{
  enum { VERIFY = PEN_FUZZ_QUESTIONS, SQL, ALL };
  guint question = choice % ALL;

  if (pen_fuzz_is_replay || question < PEN_FUZZ_QUESTIONS)
    pen_fuzz_ask (store, question);
  if (pen_fuzz_is_replay || question == VERIFY)
    verify (store);
  if (pen_fuzz_is_replay || question == SQL)
    ask_sql (store, choice / ALL);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenStore) store = NULL;

  pen_fuzz_mutations = 4;
  if (!path)
    make_store ();
  pen_fuzz_disk_set ((const guint8 *) whole, whole_size);
  do_damages (data, size);

  pen_fuzz_steps_start ();
  store = pen_store_open (path, &error);
  g_assert_true ((!store) == (error != NULL));
  if (store)
    ask (store, pen_fuzz_hash (data, size));
  pen_fuzz_steps_check (size, 0, STEPS_MAX);
  return 0;
}

/* ---- changes that know the form ---- */

/* A new damage. Returns: its length */
static gsize
make_damage (guint8 *damage, guint *seed)
{
  guint kind = pen_fuzz_random (seed, 8);
  gsize n = 0;

  if (kind == 0) {
    guint64 number = pen_fuzz_random_number (seed);
    guint32 offset = GUINT32_TO_LE (pen_fuzz_random (seed, 1u << 24));

    damage[n++] = DAMAGE_BYTES;
    memcpy (damage + n, &offset, 4);
    damage[n + 4] = (guint8) (1 + pen_fuzz_random (seed, 8));
    memcpy (damage + n + 5, &number, damage[n + 4]);
    return n + 5 + damage[n + 4];
  }
  damage[n++] = kind == 1 ? DAMAGE_ROW : DAMAGE_VALUE;
  damage[n++] = (guint8) pen_fuzz_random (seed, tables ? tables->len : 256);
  if (kind == 1) {
    damage[n++] = (guint8) pen_fuzz_random (seed, N_ROWS);
    return n;
  }
  damage[n++] = (guint8) pen_fuzz_random (seed, 32);
  damage[n++] = (guint8) pen_fuzz_random (seed, N_ROWS);
  if (kind < 5) {
    guint64 number = GUINT64_TO_LE (pen_fuzz_random_number (seed));

    damage[n++] = VALUE_INTEGER;
    memcpy (damage + n, &number, sizeof number);
    return n + sizeof number;
  }
  damage[n++] = VALUE_EDITED;
  damage[n] = (guint8) (1 + pen_fuzz_random (seed, 4));
  for (guint i = damage[n++]; i > 0; i--) {
    damage[n++] = (guint8) pen_fuzz_random (seed, 256);
    damage[n++] = (guint8) (pen_fuzz_random (seed, 4) == 0);
    damage[n++] = (guint8) pen_fuzz_random_number (seed);
  }
  return n;
}

/* One more damage, before the others or as the first of those that are left. */
size_t
LLVMFuzzerCustomMutator (guint8 *data, size_t size, size_t max_size, unsigned int seed)
{
  guint8 damage[64];
  gsize length = make_damage (damage, &seed);

  if (pen_fuzz_random (&seed, 3) == 0)
    return LLVMFuzzerMutate (data, size, max_size);
  if (pen_fuzz_random (&seed, 3) == 0 || length + size > max_size)
    size = 0;
  if (length > max_size)
    return size;
  memmove (data + length, data, size);
  memcpy (data, damage, length);
  return length + size;
}
