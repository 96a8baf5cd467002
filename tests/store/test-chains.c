/* test-chains.c: callchains are read as they were written, and damage is seen
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#include "pen-store-writer.h"

#define KERNEL 0xffffffff81000000u
#define MANY (PEN_BLOCK_CHAINS + 10)

typedef struct {
  char *directory;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("pen-chains-XXXXXX", NULL);
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

/* Frame i is at KERNEL + i; chain i + 1 is called by chain i, but for every 100th. */
static void
write_store (const char *path)
{
  g_autofree PenFrame *frames = g_new0 (PenFrame, MANY);
  g_autofree PenChainNode *nodes = g_new0 (PenChainNode, MANY);
  PenFunction functions[] = {
    { 0, "vfs_read", PEN_KIND_KERNEL, "[kernel.kallsyms]", KERNEL, 0x40, 2, 20, 1, 2, 1, NULL, 0 },
    { 1, NULL, PEN_KIND_DSO, "/bin/true", 0, 0, 1, 10, 0, 0, 0, NULL, 0 },
  };
  GError *error = NULL;
  PenStoreWriter *writer = pen_store_writer_new (path, 0666, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    pen_store_writer_add_function (writer, &functions[i], &error);

  for (guint i = 0; i < MANY; i++) {
    frames[i].address = KERNEL + i;
    frames[i].tenure = i % 3;
    frames[i].revision = i % 5;
    frames[i].kind = i % 2 ? PEN_KIND_DSO : PEN_KIND_KERNEL;
    frames[i].function = i % 2;
    frames[i].is_return = i % 7 == 0;
    nodes[i].parent = i % 100 == 0 ? 0 : i;
    nodes[i].frame = i;
  }
  for (guint i = 0; i < MANY; i += PEN_BLOCK_FRAMES)
    g_assert_true (pen_store_writer_add_frames (writer, i, frames + i,
                                                MIN (MANY - i, PEN_BLOCK_FRAMES), &error));
  for (guint i = 0; i < MANY; i += PEN_BLOCK_CHAINS)
    g_assert_true (pen_store_writer_add_chains (writer, i + 1, nodes + i,
                                                MIN (MANY - i, PEN_BLOCK_CHAINS), &error));
  g_assert_true (pen_store_writer_finish (writer, &error));
  g_assert_no_error (error);
  pen_store_writer_free (writer);
}

static void
test_round_trip (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GArray) chain = NULL;
  g_autoptr (GArray) across = NULL;
  const PenFrame *frame;
  GError *error = NULL;

  write_store (fixture->path);
  store = pen_store_open (fixture->path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (pen_store_count_chains (store), ==, MANY);

  chain = pen_store_load_callchain (store, 106, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (chain->len, ==, 6);
  frame = &g_array_index (chain, PenFrame, 0);
  g_assert_cmphex (frame->address, ==, KERNEL + 105);
  g_assert_true (frame->is_return);
  g_assert_cmpuint (frame->tenure, ==, 0);
  g_assert_cmpuint (frame->revision, ==, 0);
  g_assert_cmpint (frame->kind, ==, PEN_KIND_DSO);
  g_assert_null (frame->symbol);
  g_assert_cmpstr (frame->occupant, ==, "/bin/true");
  frame = &g_array_index (chain, PenFrame, 1);
  g_assert_cmphex (frame->address, ==, KERNEL + 104);
  g_assert_false (frame->is_return);
  g_assert_cmpstr (frame->symbol, ==, "vfs_read");
  g_assert_cmphex (frame->offset, ==, 104);

  /* From the second block into the first. */
  across = pen_store_load_callchain (store, MANY, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (across->len, ==, (MANY - 1) % 100 + 1);
  frame = &g_array_index (across, PenFrame, across->len - 1);
  g_assert_cmphex (frame->address, ==, KERNEL + (MANY - 1) / 100 * 100);
}

/* The columns, and whole blocks, have what frames and chains have one by one. */
static void
test_columns (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenFrameColumns) columns = NULL;
  const PenFrame *frames;
  GError *error = NULL;
  guint n;

  write_store (fixture->path);
  store = pen_store_open (fixture->path, &error);
  g_assert_no_error (error);
  frames = pen_store_get_frames (store, &n, &error);
  g_assert_no_error (error);
  columns = pen_store_load_frame_columns (store, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (columns->n, ==, n);
  for (guint i = 0; i < n; i++) {
    g_assert_cmphex (columns->address[i], ==, frames[i].address);
    g_assert_cmpuint (columns->tenure[i], ==, frames[i].tenure);
    g_assert_cmpuint (columns->revision[i], ==, frames[i].revision);
    g_assert_cmpuint (columns->function[i], ==, frames[i].function);
    g_assert_cmpint (columns->kind[i], ==, (int) frames[i].kind);
    g_assert_cmpint (columns->is_return[i], ==, frames[i].is_return);
  }

  for (guint32 block = 0, id = 1; id <= MANY; block++) {
    const PenChainNode *nodes;

    g_assert_true (pen_store_read_chain_block (store, block, &nodes, &n, &error));
    for (guint i = 0; i < n; i++, id++) {
      PenChainNode node;

      g_assert_true (pen_store_read_chain (store, id, &node, &error));
      g_assert_cmpuint (nodes[i].parent, ==, node.parent);
      g_assert_cmpuint (nodes[i].frame, ==, node.frame);
    }
  }
}

/* Returns: whether the columns and blocks can be read */
static gboolean
read_columns (PenStore *store, GError **error)
{
  g_autoptr (PenFrameColumns) columns = pen_store_load_frame_columns (store, error);
  guint32 n_chains = pen_store_count_chains (store);

  for (guint32 block = 0; columns && block * PEN_BLOCK_CHAINS < n_chains; block++) {
    const PenChainNode *nodes;
    guint n;

    if (!pen_store_read_chain_block (store, block, &nodes, &n, error))
      return FALSE;
    for (guint i = 0; i < n; i++)
      g_assert_cmpuint (nodes[i].parent, <=, block * PEN_BLOCK_CHAINS + i);
  }
  return columns != NULL;
}

static void
change_store (const char *path, const char *sql)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
}

static void
test_damage (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const damages[] = {
    "UPDATE frame_block SET frames = zeroblob(30)",
    "UPDATE frame_block SET n = n - 1",
    "UPDATE frame_block SET id = id + 7",
    "DELETE FROM frame_block WHERE id = 1",
    "UPDATE chain_block SET chains = zeroblob(30)",
    "UPDATE chain_block SET n = n - 1 WHERE id = 0",
    "UPDATE chain_block SET n = -5",
    "UPDATE chain_block SET n = 65537 WHERE id = 0",
    "DELETE FROM chain_block WHERE id = 0",
    "UPDATE chain_block SET id = id + 7",
    "DELETE FROM function_row WHERE id = 1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++) {
    g_autoptr (PenStore) store = NULL;
    g_autoptr (GArray) chain = NULL;
    GError *error = NULL;

    g_unlink (fixture->path);
    write_store (fixture->path);
    change_store (fixture->path, damages[i]);
    store = pen_store_open (fixture->path, &error);
    if (store)
      chain = pen_store_load_callchain (store, MANY, &error);
    if (chain)
      g_error ("not seen: %s", damages[i]);
    g_assert_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED);
    g_clear_error (&error);
    /* Frames that are gone are seen where a chain names them. */
    if (!store || strstr (damages[i], "id = 1"))
      continue;
    g_assert_false (read_columns (store, &error));
    g_assert_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED);
    g_clear_error (&error);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/store/chains/round-trip", Fixture, NULL, set_up, test_round_trip, tear_down);
  g_test_add ("/store/chains/columns", Fixture, NULL, set_up, test_columns, tear_down);
  g_test_add ("/store/chains/damage", Fixture, NULL, set_up, test_damage, tear_down);
  return g_test_run ();
}
