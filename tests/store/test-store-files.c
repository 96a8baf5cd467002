/* test-store-files.c: files that are no store, damaged, replaced, given up
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "pen-store-buckets.h"
#include "pen-store-changes.h"
#include "pen-store-occupants.h"
#include "pen-store-pokes.h"
#include "pen-store-symbols.h"
#include "store-fixture.h"

static void
test_versions (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const struct {
    const char *sql;
    int code;
  } cases[] = {
    { "PRAGMA user_version = 1000", PEN_STORE_ERROR_NEWER },
    { "PRAGMA user_version = 1", PEN_STORE_ERROR_OLDER },
    { "PRAGMA user_version = " G_STRINGIFY (
          PEN_STORE_VERSION) "; DELETE FROM capture WHERE key = 'complete'",
      PEN_STORE_ERROR_UNFINISHED },
    { "DROP TABLE sample_block; INSERT INTO capture VALUES ('complete', '1')",
      PEN_STORE_ERROR_DAMAGED },
    { "PRAGMA application_id = 1", PEN_STORE_ERROR_NOT_A_STORE },
  };

  store_fixture_write (fixture->path);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;

    store_fixture_change (fixture->path, cases[i].sql);
    g_assert_null (pen_store_open (fixture->path, &error));
    g_assert_error (error, PEN_STORE_ERROR, cases[i].code);
    g_assert_nonnull (strstr (error->message, fixture->path));
  }
}

static void
test_not_a_store (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (pen_store_is_store (fixture->path));
  g_assert_false (pen_store_is_store ("/dev/zero"));
  g_assert_false (pen_store_is_store (fixture->directory));
  g_assert_null (pen_store_open (fixture->path, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  g_clear_error (&error);

  g_assert_true (g_file_set_contents (fixture->path, "PERFILE2 and no database", -1, NULL));
  g_assert_false (pen_store_is_store (fixture->path));
  g_assert_null (pen_store_open (fixture->path, &error));
  g_assert_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_NOT_A_STORE);
}

/* All that samples are found by. */
static gboolean
read_samples (PenStore *store, PenSampleBlock *block, GError **error)
{
  guint n;

  return pen_store_read_block (store, 0, block, error)
         && pen_store_get_bucket_functions (store, &n, error)
         && pen_store_get_buckets (store, &n, error) && pen_store_get_functions (store, &n, error);
}

/* Each of these would be an index out of bounds if it were believed. */
static void
test_damage (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const damages[] = {
    "UPDATE sample_block SET columns = substr(columns, 1, 20)",
    "UPDATE sample_block SET columns = zeroblob(30)",
    "UPDATE sample_block SET columns = 'text'",
    "UPDATE sample_block SET n = 2",
    "UPDATE sample_block SET n = 65537",
    "UPDATE sample_block SET n = -1",
    "UPDATE sample_block SET id = 5",
    "DELETE FROM bucket_block",
    "UPDATE bucket_block SET id = 1",
    "UPDATE bucket_block SET n = 1",
    "UPDATE bucket_block SET n = 1, last_id = 0",
    "UPDATE bucket_block SET n = 3, last_id = 2",
    "UPDATE bucket_block SET first_function = 2, last_function = 1",
    "UPDATE bucket_block SET last_function = 0",
    "UPDATE bucket_block SET last_id = -1",
    "UPDATE bucket_block SET buckets = substr(buckets, 1, 30)",
    "UPDATE bucket_block SET buckets = x''",
    "INSERT INTO bucket_block SELECT id + 1, first_function, last_function, first_id + 2,"
    " last_id + 2, n, buckets FROM bucket_block",
    "DELETE FROM function_row WHERE id = 1",
    "UPDATE event SET id = 1",
    "DELETE FROM thread WHERE id = 1",
    "UPDATE thread SET id = 9 WHERE id = 1",
    "UPDATE function_row SET id = 9 WHERE id = 1",
    "UPDATE function_row SET occupant = 99",
    "UPDATE function_row SET kind = -1",
    "UPDATE shared SET id = 99 WHERE id = 1",
    "DELETE FROM shared",
    "DROP VIEW function",
    "DROP VIEW tenure; CREATE VIEW tenure AS SELECT * FROM tenure_row",
    "DROP TABLE map_row; CREATE VIEW map_row AS SELECT 1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++) {
    g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
    g_autoptr (PenStore) store = NULL;
    GError *error = NULL;

    g_unlink (fixture->path);
    store_fixture_write (fixture->path);
    store_fixture_change (fixture->path, damages[i]);

    store = pen_store_open (fixture->path, &error);
    if (store && read_samples (store, block, &error))
      g_error ("not seen: %s", damages[i]);
    g_assert_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED);
    g_clear_error (&error);
  }
}

static gboolean
take_change (const PenChange *change, gpointer user_data)
{
  guint *n = user_data;

  g_assert_nonnull (change->comm);
  return ++*n < 1000;
}

static void
read_all (PenStore *store)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  guint n_changes = 0;
  g_autoptr (GArray) tenures = pen_store_load_tenures (store, 0, 0, G_MAXUINT64, NULL);
  g_autoptr (GArray) found = pen_store_load_parts (store, 1, 0, G_MAXUINT64, NULL);
  g_autoptr (GArray) pokes = pen_store_load_pokes (store, 0, G_MAXUINT64, NULL);
  g_autoptr (GPtrArray) texts = pen_store_load_text (store, 0, G_MAXUINT64, NULL);
  g_autoptr (GArray) of_function = NULL;
  const char *name;
  guint64 at;
  guint n;

  pen_store_foreach_change (store, take_change, &n_changes, NULL);
  pen_store_get_buckets (store, &n, NULL);
  pen_store_get_bucket_functions (store, &n, NULL);
  of_function = pen_store_load_function_buckets (store, 0, NULL);
  pen_store_find_symbol (store, store_fixture_kernel.occupant, KERNEL, &name, &at, &at);
  pen_store_get_blocks (store, &n);
  for (guint i = 0; i < n; i++)
    pen_store_read_block (store, i, block, NULL);
}

/* Bytes of the file changed at random: errors perhaps, crashes never. */
static void
test_random_damage (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree char *contents = NULL;
  gsize length;

  store_fixture_write (fixture->path);
  g_assert_true (g_file_get_contents (fixture->path, &contents, &length, NULL));

  for (guint round = 0; round < 300; round++) {
    g_autofree char *damaged = g_memdup2 (contents, length);
    g_autoptr (PenStore) store = NULL;

    for (guint i = 0; i < 8; i++)
      damaged[g_test_rand_int_range (round % 2 == 0 ? 100 : 0, (gint32) length)]
          = (char) g_test_rand_int ();
    g_assert_true (g_file_set_contents (
        fixture->path, damaged,
        round % 3 == 0 ? g_test_rand_int_range (100, (gint32) length) : (gssize) length, NULL));

    store = pen_store_open (fixture->path, NULL);
    if (store)
      read_all (store);
  }
}

static void
test_abandoned (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStoreWriter) writer = pen_store_writer_new (fixture->path, 0666, NULL, NULL);

  g_assert_nonnull (writer);
  store_fixture_write_history (writer);
  g_assert_cmpuint (store_fixture_count_files (fixture->directory), ==, 1);
  g_clear_pointer (&writer, pen_store_writer_free);
  g_assert_cmpuint (store_fixture_count_files (fixture->directory), ==, 0);
}

/* A store of that name stays as it is until the new one is whole. */
static void
test_replaced (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStoreWriter) writer = NULL;
  g_autoptr (PenStore) before = NULL;
  g_autoptr (PenStore) after = NULL;
  GError *error = NULL;

  store_fixture_write (fixture->path);
  writer = pen_store_writer_new (fixture->path, 0666, NULL, NULL);
  before = store_fixture_open (fixture->path);
  g_assert_cmpstr (pen_store_get_fact (before, "osrelease"), ==, "6.1.0");

  OK (pen_store_writer_finish (writer, &error));
  after = store_fixture_open (fixture->path);
  g_assert_null (pen_store_get_fact (after, "osrelease"));
  g_assert_cmpuint (store_fixture_count_files (fixture->directory), ==, 1);
}

static void
test_unwritable (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (pen_store_writer_new ("/proc/no/such/place.pentimento", 0666, NULL, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "/proc/no/such/place.pentimento"));
}

static void
test_cancel (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (PenStoreWriter) writer = NULL;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  g_autoptr (GError) error = NULL;

  store_fixture_write (fixture->path);
  store = store_fixture_open (fixture->path);
  pen_store_set_cancellable (store, cancellable);
  g_assert_true (pen_store_read_block (store, 0, block, NULL));
  g_cancellable_cancel (cancellable);
  g_assert_false (pen_store_read_block (store, 0, block, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  pen_store_set_cancellable (store, NULL);
  g_assert_true (pen_store_read_block (store, 0, block, NULL));

  g_cancellable_reset (cancellable);
  writer = pen_store_writer_new (fixture->path, 0666, cancellable, NULL);
  store_fixture_write_history (writer);
  g_cancellable_cancel (cancellable);
  g_assert_false (pen_store_writer_finish (writer, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_pointer (&writer, pen_store_writer_free);
  g_assert_cmpuint (store_fixture_count_files (fixture->directory), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func)                                                                            \
  g_test_add ("/store-files/" name, StoreFixture, NULL, store_fixture_set_up, func,                \
              store_fixture_tear_down)

  ADD ("versions", test_versions);
  ADD ("not-a-store", test_not_a_store);
  ADD ("damage", test_damage);
  ADD ("random-damage", test_random_damage);
  ADD ("abandoned", test_abandoned);
  ADD ("replaced", test_replaced);
  ADD ("cancel", test_cancel);
  g_test_add_func ("/store-files/unwritable", test_unwritable);
  return g_test_run ();
}
