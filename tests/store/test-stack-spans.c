/* test-stack-spans.c: stacks and their samples are read as they were written, and damage is seen
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <sqlite3.h>

#include "pen-store-verify.h"
#include "pen-store-writer.h"

/* Stack i is called by stack i / 2, and is of function i % N_FUNCTIONS; every 50th is of callers
 * that were not recorded. */
#define N_STACKS (PEN_BLOCK_STACKS + 40)
#define N_FUNCTIONS 7u
#define N_BLOCKS 4u

typedef struct {
  char *directory;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("pen-stack-spans-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->directory, "a.pentimento", NULL);
}

static void
tear_down (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_unlink (fixture->path);
  g_assert_cmpint (g_rmdir (fixture->directory), ==, 0);
  g_free (fixture->directory);
  g_free (fixture->path);
}

static PenStoredStack *
make_stacks (void)
{
  PenStoredStack *stacks = g_new (PenStoredStack, N_STACKS + 1);

  stacks[0] = (PenStoredStack){ 0, PEN_STACK_NO_FUNCTION };
  for (guint32 i = 1; i <= N_STACKS; i++)
    stacks[i] = (PenStoredStack){ i / 2, i % 50 == 0 ? PEN_STACK_NO_FUNCTION : i % N_FUNCTIONS };
  return stacks;
}

/* Of the stacks' own functions; the last two of another one, and of another event. */
static PenStackCell *
make_cells (guint span)
{
  PenStackCell *cells = g_new (PenStackCell, 6);

  for (guint i = 0; i < 6; i++)
    cells[i] = (PenStackCell){ .stack = 1 + i * 10000 + span,
                               .function = (1 + i * 10000 + span) % N_FUNCTIONS,
                               .samples = 1 + i,
                               .period = 1000 * (1 + i) + (i % 2 == 0 ? 3 : -(guint64) 2) };
  cells[4].stack = 50;
  cells[4].function = 5;
  cells[5].stack = 50;
  cells[5].function = 6;
  cells[5].event = 1;
  return cells;
}

static void
write_blocks (PenStoreWriter *writer)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();

  for (guint i = 0; i < N_BLOCKS; i++) {
    /* 1 + 2 + … + 6, in two blocks */
    block->n = i % 2 == 0 ? 10 : 11;
    for (guint k = 0; k < block->n; k++) {
      block->has[k] = 0;
      block->time[k] = block->period[k] = 0;
      block->bucket[k] = block->thread[k] = block->cpu[k] = block->chain[k] = 0;
    }
    g_assert_true (pen_store_writer_add_block (writer, block, NULL));
  }
}

static void
write_store (const char *path)
{
  g_autofree PenStoredStack *stacks = make_stacks ();
  PenBucket bucket = { .function = 1, .samples = 42 };
  PenStoreEvent events[] = { { .name = (char *) "cycles" }, { .name = (char *) "faults" } };
  PenThread thread = { .comm = "sh" };
  GError *error = NULL;
  g_autoptr (PenStoreWriter) writer = pen_store_writer_new (path, 0666, NULL, &error);

  g_assert_no_error (error);
  for (guint32 i = 0; i < N_FUNCTIONS; i++) {
    PenFunction function = { .id = i, .kind = PEN_KIND_DSO, .occupant = "/bin/true" };

    g_assert_true (pen_store_writer_add_function (writer, &function, NULL));
  }
  for (guint32 i = 0; i < G_N_ELEMENTS (events); i++)
    g_assert_true (pen_store_writer_add_event (writer, i, &events[i], NULL));
  g_assert_true (pen_store_writer_add_thread (writer, 0, &thread, NULL));
  g_assert_true (pen_store_writer_add_buckets (writer, &bucket, 1, NULL));
  g_assert_true (pen_store_writer_set_fact_int (writer, "samples", 42, NULL));
  write_blocks (writer);
  for (guint i = 0; i < 2; i++) {
    g_autofree PenStackCell *cells = make_cells (i);
    PenStackSpan span = { i, 2 * i, 2, 6 };

    g_assert_true (pen_store_writer_add_stack_span (writer, &span, cells, stacks, NULL));
  }
  for (guint32 first = 1; first <= N_STACKS; first += PEN_BLOCK_STACKS)
    g_assert_true (pen_store_writer_add_stacks (
        writer, first, stacks + first, MIN (N_STACKS + 1 - first, PEN_BLOCK_STACKS), NULL));
  g_assert_true (pen_store_writer_finish (writer, &error));
  g_assert_no_error (error);
}

static gboolean
verify (PenStore *store, GError **error)
{
  PenVerified verified;

  return pen_store_verify (store, NULL, NULL, &verified, error) && verified.damages == 0;
}

static void
test_round_trip (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree PenStoredStack *written = make_stacks ();
  g_autofree PenStoredStack *stacks = NULL;
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (PenStackCell));
  g_autoptr (PenStore) store = NULL;
  GError *error = NULL;
  const PenStackSpan *spans;
  guint32 n_stacks;
  guint n;

  write_store (fixture->path);
  store = pen_store_open (fixture->path, &error);
  g_assert_no_error (error);
  stacks = pen_store_load_stacks (store, &n_stacks, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_stacks, ==, N_STACKS);
  for (guint32 i = 1; i <= N_STACKS; i++) {
    g_assert_cmpuint (stacks[i].parent, ==, written[i].parent);
    g_assert_cmpuint (stacks[i].function, ==, written[i].function);
  }
  spans = pen_store_get_stack_spans (store, &n);
  g_assert_cmpuint (n, ==, 2);
  for (guint i = 0; i < n; i++) {
    g_autofree PenStackCell *expected = make_cells (i);

    g_assert_cmpuint (spans[i].first_block, ==, 2 * i);
    g_assert_cmpuint (spans[i].n_blocks, ==, 2);
    g_assert_true (pen_store_read_stack_span (store, &spans[i], stacks, n_stacks, cells, &error));
    g_assert_cmpuint (cells->len, ==, 6);
    for (guint k = 0; k < cells->len; k++) {
      const PenStackCell *cell = &g_array_index (cells, PenStackCell, k);

      g_assert_cmpuint (cell->stack, ==, expected[k].stack);
      g_assert_cmpuint (cell->function, ==, expected[k].function);
      g_assert_cmpuint (cell->event, ==, expected[k].event);
      g_assert_cmpuint (cell->samples, ==, expected[k].samples);
      g_assert_cmpuint (cell->period, ==, expected[k].period);
    }
  }
  g_assert_true (verify (store, &error));
  g_assert_no_error (error);
}

static void
change_store (const char *path, const char *sql)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

/* Returns: whether all of it can be read */
static gboolean
read_all (PenStore *store, GError **error)
{
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (PenStackCell));
  g_autofree PenStoredStack *stacks = NULL;
  guint32 n_stacks;
  guint n;
  const PenStackSpan *spans = pen_store_get_stack_spans (store, &n);

  stacks = pen_store_load_stacks (store, &n_stacks, error);
  for (guint i = 0; stacks && i < n; i++)
    if (!pen_store_read_stack_span (store, &spans[i], stacks, n_stacks, cells, error))
      return FALSE;
  return stacks != NULL;
}

static void
test_damage (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const damages[] = {
    "UPDATE stack_block SET stacks = zeroblob(30) WHERE id = 1",
    "UPDATE stack_block SET n = n - 1 WHERE id = 1",
    "UPDATE stack_block SET n = 65537 WHERE id = 0",
    "UPDATE stack_block SET n = -5 WHERE id = 0",
    "UPDATE stack_block SET id = id + 7",
    "DELETE FROM stack_block",
    "DELETE FROM function_row WHERE id = 6",
    "DELETE FROM event WHERE id = 1",
    "UPDATE stack_span SET cells = zeroblob(30)",
    "UPDATE stack_span SET n = n - 1",
    "UPDATE stack_span SET n = 2000000",
    "UPDATE stack_span SET n = -1",
    "UPDATE stack_span SET n_blocks = 3 WHERE id = 0",
    "UPDATE stack_span SET n_blocks = 3 WHERE id = 1",
    "UPDATE stack_span SET n_blocks = 0",
    "UPDATE stack_span SET n_blocks = -1 WHERE id = 1",
    "UPDATE stack_span SET n_blocks = 1 WHERE id = 1",
    "UPDATE stack_span SET first_block = 1 WHERE id = 1",
    "DELETE FROM stack_span WHERE id = 0",
  };

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++) {
    g_autoptr (PenStore) store = NULL;
    GError *error = NULL;

    g_unlink (fixture->path);
    write_store (fixture->path);
    change_store (fixture->path, damages[i]);
    store = pen_store_open (fixture->path, &error);
    if (store && read_all (store, &error))
      g_error ("not seen: %s", damages[i]);
    g_assert_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED);
    g_clear_error (&error);
    if (store)
      g_assert_false (verify (store, NULL));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/store/stack-spans/round-trip", Fixture, NULL, set_up, test_round_trip, tear_down);
  g_test_add ("/store/stack-spans/damage", Fixture, NULL, set_up, test_damage, tear_down);
  return g_test_run ();
}
