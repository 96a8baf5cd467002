/* test-virtual-tables.c: samples, buckets and callchains as rows, in a connection of one's own and
 * through the loadable extension (PENTIMENTO_SQLITE_EXTENSION)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#include "pen-store-writer.h"
#include "pen-virtual-tables.h"

#define KERNEL G_GUINT64_CONSTANT (0xffffffff81000000)
#define N_FUNCTIONS 7
#define N_BUCKETS 40
#define N_THREADS 5
/* Three blocks, the last one not full. */
#define N_SAMPLES (2 * PEN_BLOCK_SAMPLES + 1000)

#define OK(call)                                                                                   \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gboolean is_ok = (call);                                                                       \
    g_assert_no_error (error);                                                                     \
    g_assert_true (is_ok);                                                                         \
  }                                                                                                \
  G_STMT_END

typedef struct {
  char *directory;
  char *path;
  sqlite3 *db;
} Fixture;

/* ---- a store ---- */

static void
write_functions (PenStoreWriter *writer)
{
  static const char *const symbols[N_FUNCTIONS]
      = { "vfs_read", "vfs_write", NULL, "a ' b", "schedule", "\xff\xfe", "" };
  GError *error = NULL;

  for (guint i = 0; i < N_FUNCTIONS; i++) {
    PenFunction function = {
      .id = i,
      .symbol = symbols[i],
      .kind = i % PEN_KINDS,
      .occupant = i == 0  ? ""
                  : i % 2 ? "[kernel.kallsyms]"
                          : "/lib/x.so",
      .start = KERNEL + i * 0x100,
      .length = 0x100,
    };

    OK (pen_store_writer_add_function (writer, &function, &error));
  }
}

static void
write_buckets (PenStoreWriter *writer)
{
  PenBucket buckets[N_BUCKETS];
  GError *error = NULL;

  for (guint i = 0; i < N_BUCKETS; i++) {
    guint function = i * N_FUNCTIONS / N_BUCKETS;

    buckets[i] = (PenBucket){
      .id = i,
      .event = (int) (i % 2),
      .tenure = i % 3,
      .revision = i % 4,
      .kind = function % PEN_KINDS,
      .has_address = i != 11,
      .address = i == 11   ? 0
                 : i == 12 ? 0x400000
                           : KERNEL + function * 0x100 + i,
      .function = function,
      .samples = i + 1,
      .period = G_MAXUINT64 - i,
      .first = i,
      .last = 1000 + i,
    };
  }
  OK (pen_store_writer_add_buckets (writer, buckets, N_BUCKETS, &error));
}

static void
write_frames (PenStoreWriter *writer)
{
  static const PenFrame frames[] = {
    { .address = KERNEL + 0x10, .tenure = 1, .revision = 2, .kind = PEN_KIND_KERNEL },
    { .address = 0x1234, .kind = PEN_KIND_UNKNOWN, .is_return = TRUE, .function = 2 },
  };
  static const PenChainNode nodes[] = { { 0, 0 }, { 1, 1 } };
  GError *error = NULL;

  OK (pen_store_writer_add_frames (writer, 0, frames, 2, &error));
  OK (pen_store_writer_add_chains (writer, 1, nodes, 2, &error));
}

/* The initial state comes first: samples without a time, and with times that sort last. */
static void
fill_sample (PenSampleBlock *block, guint row, guint i)
{
  block->time[row] = i < 10 ? 0 : i < 12 ? G_MAXUINT64 : 1000 + i * 7 / 3;
  block->has[row] = (guint8) ((i < 10 ? 0 : PEN_SAMPLE_HAS_TIME) | (i % 5 ? PEN_SAMPLE_HAS_CPU : 0)
                              | (i % 7 ? PEN_SAMPLE_HAS_PERIOD : 0));
  block->bucket[row] = i * 31 % N_BUCKETS;
  block->thread[row] = i / 1000 % N_THREADS;
  block->cpu[row] = i % 5 ? i % 4 : 0;
  block->period[row] = i % 7 ? i : 0;
  block->chain[row] = i % 3;
}

static void
write_samples (PenStoreWriter *writer)
{
  static const PenThread threads[N_THREADS] = { { TRUE, 1, 1, "init" },
                                                { TRUE, 7, 7, "sh" },
                                                { TRUE, 7, 8, "sh" },
                                                { FALSE, 0, 0, "" },
                                                { TRUE, -1, 9, "a \"b\"" } };
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  GError *error = NULL;

  for (guint i = 0; i < N_THREADS; i++)
    OK (pen_store_writer_add_thread (writer, i, &threads[i], &error));
  for (guint i = 0; i < 2; i++) {
    PenStoreEvent event = { .name = (char *) (i == 0 ? "cycles" : "cpu-clock") };

    OK (pen_store_writer_add_event (writer, i, &event, &error));
  }

  for (guint i = 0; i < N_SAMPLES;) {
    for (block->n = 0; block->n < PEN_BLOCK_SAMPLES && i < N_SAMPLES; i++)
      fill_sample (block, block->n++, i);
    OK (pen_store_writer_add_block (writer, block, &error));
  }
}

static void
write_store (const char *path)
{
  GError *error = NULL;
  g_autoptr (PenStoreWriter) writer = pen_store_writer_new (path, 0666, NULL, &error);

  g_assert_no_error (error);
  write_functions (writer);
  write_buckets (writer);
  write_frames (writer);
  write_samples (writer);
  OK (pen_store_writer_finish (writer, &error));
}

/* ---- a connection ---- */

static int
give_tables (sqlite3 *db)
{
  const char *extension = g_getenv ("PENTIMENTO_SQLITE_EXTENSION");
  char *message = NULL;
  int code;

  if (!extension)
    return pen_virtual_tables_register (db, NULL);

  sqlite3_db_config (db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
  code = sqlite3_load_extension (db, extension, NULL, &message);
  g_assert_cmpstr (message, ==, NULL);
  return code;
}

static void
set_up (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("pen-virtual-XXXXXX", NULL);
  g_assert_nonnull (fixture->directory);
  fixture->path = g_build_filename (fixture->directory, "a ' store?.pentimento", NULL);
  write_store (fixture->path);
  g_assert_cmpint (sqlite3_open (fixture->path, &fixture->db), ==, SQLITE_OK);
  g_assert_cmpint (give_tables (fixture->db), ==, SQLITE_OK);
}

static void
tear_down (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  /* Not SQLITE_BUSY: the tables hold no statement of this connection. */
  g_assert_cmpint (sqlite3_close (fixture->db), ==, SQLITE_OK);
  g_unlink (fixture->path);
  g_assert_cmpint (g_rmdir (fixture->directory), ==, 0);
  g_free (fixture->directory);
  g_free (fixture->path);
}

/* Rows with | between cells and a line feed after each. */
static char *
ask (sqlite3 *db, const char *sql)
{
  GString *rows = g_string_new (NULL);
  sqlite3_stmt *statement = NULL;
  int code = sqlite3_prepare_v2 (db, sql, -1, &statement, NULL);

  while (code == SQLITE_OK || code == SQLITE_ROW) {
    code = sqlite3_step (statement);
    for (int i = 0; code == SQLITE_ROW && i < sqlite3_column_count (statement); i++) {
      const char *text = (const char *) sqlite3_column_text (statement, i);

      g_string_append_printf (rows, "%s%s", i > 0 ? "|" : "", text ? text : "NULL");
    }
    if (code == SQLITE_ROW)
      g_string_append_c (rows, '\n');
  }
  if (code != SQLITE_DONE)
    g_string_append_printf (rows, "error: %s", sqlite3_errmsg (db));
  sqlite3_finalize (statement);
  return g_string_free (rows, FALSE);
}

static void
assert_rows (sqlite3 *db, const char *sql, const char *rows)
{
  g_autofree char *got = ask (db, sql);

  g_test_message ("%s", sql);
  g_assert_cmpstr (got, ==, rows);
}

/* ---- tests ---- */

/* Written down from fill_sample() and write_buckets(). */
static void
test_columns (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  /* No time, no cpu, no period. */
  assert_rows (fixture->db, "SELECT * FROM sample WHERE id = 0",
               "NULL|cycles|NULL|1|1|init|-2130706432|unknown||0|vfs_read|0|NULL|0|NULL|0|0|0|NULL"
               "\n");
  /* Time 2^64 - 1; bucket 341 % 40. */
  assert_rows (fixture->db, "SELECT * FROM sample WHERE id = 11",
               "-1|cpu-clock|3|1|1|init|-2130705643|bpf|[kernel.kallsyms]|1|a ' b|21|11|11|NULL|3|0"
               "|21|2\n");
  /* The last one: bucket 4094201 % 40. */
  assert_rows (
      fixture->db, "SELECT * FROM sample ORDER BY id DESC LIMIT 1",
      "309165|cpu-clock|3|7|8|sh|-2130706431|unknown||1|vfs_read|1|132071|132071|1|0|2|1|2\n");
  assert_rows (fixture->db, "SELECT count(*), max(rowid) FROM sample", "132072|132071\n");
  /* A task, an address and a symbol that are not known. */
  assert_rows (fixture->db,
               "SELECT pid, tid, comm, symbol, offset FROM sample WHERE bucket = 15 AND thread = 3"
               " LIMIT 1",
               "NULL|NULL||NULL|NULL\n");
  assert_rows (fixture->db, "SELECT DISTINCT address, offset FROM sample WHERE bucket = 11",
               "NULL|NULL\n");
  assert_rows (fixture->db, "SELECT count(payload), count(callchain) FROM sample", "0|88048\n");
}

static void
test_buckets (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  assert_rows (fixture->db, "SELECT * FROM bucket WHERE id = 12",
               "12|0|NULL|0|4194304|2|module|13|-13|12|1012\n");
  assert_rows (fixture->db, "SELECT * FROM bucket WHERE id = 11",
               "11|1|2|3|NULL|1|kernel|12|-12|11|1011\n");
  assert_rows (fixture->db, "SELECT count(*), sum(samples), count(tenure) FROM bucket",
               "40|820|26\n");
  assert_rows (fixture->db, "SELECT group_concat(id) FROM bucket WHERE function = 6",
               "35,36,37,38,39\n");
  assert_rows (fixture->db, "SELECT count(*) FROM bucket WHERE function = '6'", "5\n");
  assert_rows (fixture->db, "SELECT count(*) FROM bucket WHERE function IN (6, 0, 99, -1, NULL)",
               "11\n");
  assert_rows (fixture->db, "SELECT count(*) FROM bucket WHERE function = 6.5", "0\n");
  assert_rows (fixture->db, "SELECT id FROM bucket WHERE id IN (39, 40, -1, 3)", "3\n39\n");
  assert_rows (fixture->db, "SELECT count(*) FROM function f JOIN bucket b ON b.function = f.id",
               "40\n");
}

static void
test_callchains (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  assert_rows (fixture->db, "SELECT * FROM callchain(2)",
               "1|4660|unknown|/lib/x.so|0|NULL|NULL|1|NULL|2\n"
               "2|-2130706416|kernel||2|vfs_read|16|0|1|0\n");
  assert_rows (fixture->db, "SELECT count(*) FROM callchain(NULL)", "0\n");
  assert_rows (fixture->db, "SELECT count(*) FROM callchain(3)", "0\n");
  assert_rows (fixture->db, "SELECT count(*) FROM callchain(-4294967295)", "0\n");
  assert_rows (fixture->db,
               "SELECT s.id, c.depth, c.address FROM callchain(s.callchain) c, sample s"
               " WHERE s.id BETWEEN 1 AND 2 ORDER BY 1, 2",
               "1|1|-2130706416\n2|1|4660\n2|2|-2130706416\n");
  assert_rows (fixture->db, "SELECT * FROM callchain", "error: no query solution");
}

/* What a table narrows by itself must not differ from what SQLite finds in a copy of its rows. */
static void
assert_same (sqlite3 *db, const char *condition)
{
  g_autofree char *narrowed
      = g_strdup_printf ("SELECT count(*), total(id), min(id) FROM sample WHERE %s", condition);
  g_autofree char *plain
      = g_strdup_printf ("SELECT count(*), total(id), min(id) FROM plain WHERE %s", condition);
  g_autofree char *rows = ask (db, plain);

  g_assert_false (g_str_has_prefix (rows, "error"));
  assert_rows (db, narrowed, rows);
}

static void
test_conditions (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const conditions[] = {
    "time > 5000",
    "time >= 5000 AND time < 5002",
    "time = 5000",
    "time = 5000.0",
    "time = 5000.5",
    "time < 5000.5",
    "time > 5000.5 AND time <= 200000",
    "time BETWEEN 153904 AND 153910", /* from one block into the next */
    "time > 1e300",
    "time < -1e300",
    "time = '5000'",
    "time > 'x'",
    "time < 0",
    "time >= -1 AND time < 1010",
    "time IS NULL",
    "time IS NOT NULL",
    "time = NULL",
    "time IN (5000, 5002, 7000)",
    "time > 9223372036854775807",
    "id > 65530 AND id < 65540",
    "id = 65536",
    "id = 65536.5",
    "id IN (1, 70000, 999999)",
    "id >= 132070",
    "id > 4000000000",
    "id < 0",
    "cpu = 3",
    "cpu = '3'",
    "cpu = 3.0",
    "cpu IN (1, 2)",
    "cpu IN (1, NULL)",
    "cpu = 1 AND cpu = 2",
    "cpu = -1",
    "cpu IS NULL",
    "pid = 7",
    "pid = 7 AND tid = 8",
    "pid = -1",
    "pid IN (7, 1)",
    "pid = '7'",
    "comm = 'sh'",
    "comm = ''",
    "comm = 'SH'",
    "comm = 'SH' COLLATE NOCASE",
    "comm IN ('sh', 'init', 'nobody')",
    "thread = 4",
    "event = 'cpu-clock'",
    "event = 5",
    "kind = 'bpf'",
    "kind IN ('bpf', 'dso')",
    "occupant = ''",
    "occupant = '/lib/x.so' AND revision = 2",
    "revision = 3",
    "symbol = 'schedule'",
    "symbol = 'a '' b'",
    "symbol = ''",
    "symbol = x'fffe'",
    "symbol = cast(x'fffe' AS TEXT)",
    "symbol IS NULL",
    "symbol LIKE 'vfs%'",
    "symbol = 'vfs_read' OR cpu = 1",
    "address = -2130706432",
    "address = 4194304",
    "address IS NULL",
    "tenure = 1",
    "tenure = 0",
    "function IN (1, 3)",
    "bucket = 39",
    "bucket = 40",
    "bucket IN (SELECT id FROM bucket WHERE revision = 1)",
    "symbol = 'vfs_read' AND time BETWEEN 2000 AND 100000 AND cpu = 2 AND comm = 'sh'",
    "callchain = 2 AND offset = 4",
    "period = 11",
  };

  assert_rows (fixture->db, "CREATE TEMP TABLE plain AS SELECT * FROM sample", "");
  assert_rows (fixture->db, "SELECT id FROM sample WHERE rowid >= 132071", "132071\n");
  for (guint i = 0; i < G_N_ELEMENTS (conditions); i++)
    assert_same (fixture->db, conditions[i]);
}

static void
test_joins (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  /* Two cursors at once, each at a place of its own. */
  assert_rows (
      fixture->db,
      "SELECT count(*), sum(a.id - b.id) FROM sample a JOIN sample b ON b.id = a.id + 65536"
      " WHERE a.id < 10",
      "10|-655360\n");
  assert_rows (fixture->db,
               "SELECT f.symbol, count(*) FROM sample s JOIN function f ON f.id = s.function"
               " WHERE s.time < 1033 AND s.time > 0 GROUP BY f.id ORDER BY 1 LIMIT 2",
               "NULL|1\nvfs_read|1\n");
}

static void
test_order (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  assert_rows (fixture->db, "SELECT id FROM sample WHERE id > 65534 ORDER BY id LIMIT 3",
               "65535\n65536\n65537\n");
  /* The initial state's times are not in order: SQLite has to see to it. */
  assert_rows (fixture->db, "SELECT time FROM sample WHERE time IS NOT NULL ORDER BY time LIMIT 3",
               "-1\n-1\n1028\n");
  assert_rows (fixture->db, "SELECT max(time) = 309165 FROM sample", "1\n");
}

static void
test_views (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  assert_rows (fixture->db, "SELECT sum(samples) FROM thread_total", "132072\n");
  assert_rows (fixture->db, "SELECT sum(samples) FROM occupant_second", "132062\n");
  assert_rows (fixture->db, "SELECT sum(samples), count(*) FROM version_total", "820|40\n");
}

static void
test_nothing_is_written (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  assert_rows (fixture->db, "DELETE FROM sample", "error: table sample may not be modified");
  assert_rows (fixture->db, "INSERT INTO bucket (id) VALUES (1)",
               "error: table bucket may not be modified");
}

/* A store that anyone may have made: its views can name the tables, whatever the settings. */
static void
test_untrusted_schema (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  sqlite3_db_config (fixture->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  assert_rows (fixture->db, "CREATE VIEW mine AS SELECT count(*) AS n FROM sample WHERE pid = 1",
               "");
  assert_rows (fixture->db, "SELECT n FROM mine", "27000\n");
}

static void
test_damage (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *got = NULL;

  assert_rows (fixture->db, "UPDATE sample_block SET columns = zeroblob(100) WHERE id = 1", "");
  assert_rows (fixture->db, "SELECT count(*) FROM sample WHERE id < 65536", "65536\n");
  got = ask (fixture->db, "SELECT count(*) FROM sample");
  g_assert_nonnull (strstr (got, "error: “"));
  g_assert_nonnull (strstr (got, "sample block 1"));
}

static void
test_no_store (void)
{
  sqlite3 *db;
  g_autofree char *got = NULL;

  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  g_assert_cmpint (give_tables (db), ==, SQLITE_OK);
  got = ask (db, "SELECT * FROM sample");
  g_assert_nonnull (strstr (got, "error: "));
  g_assert_nonnull (strstr (got, "Pentimento store"));
  assert_rows (db, "SELECT count(*) FROM sqlite_temp_schema", "0\n");
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, function)                                                                        \
  g_test_add ("/store/virtual-tables/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("columns", test_columns);
  ADD ("buckets", test_buckets);
  ADD ("callchains", test_callchains);
  ADD ("conditions", test_conditions);
  ADD ("joins", test_joins);
  ADD ("order", test_order);
  ADD ("views", test_views);
  ADD ("nothing-is-written", test_nothing_is_written);
  ADD ("untrusted-schema", test_untrusted_schema);
  ADD ("damage", test_damage);
  g_test_add_func ("/store/virtual-tables/no-store", test_no_store);
  return g_test_run ();
}
