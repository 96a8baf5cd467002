/* test-poke-text.c: the text just before each poke of real captures is its old bytes, and the text
 * after it its new ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>

#include "pen-import.h"
#include "pen-query-text.h"
#include "pen-query.h"
#include "pen-store-pokes.h"

/* Of more, so many evenly. */
#define MOST_BUNDLED 150
#define MOST_LARGE 3000

static char *directory;

/* Pokes that pokes of the same moment follow are passed over: they stand in no order of theirs. */
static gboolean
is_alone (const GArray *pokes, guint index)
{
  const PenPoke *all = (const PenPoke *) (gpointer) pokes->data;

  return index + 1 >= pokes->len || all[index].moment.time != all[index + 1].moment.time
         || all[index].moment.position != all[index + 1].moment.position;
}

static void
assert_text (PenQuery *query, const PenPoke *poke, const guint8 *bytes, guint length,
             PenMoment moment, gboolean has_to_be_known)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenTextAt) text = NULL;

  if (length == 0)
    return;
  text = pen_query_text_at (query, poke->address, poke->address + length, poke->tenure, moment,
                            PEN_SYNTAX_ATT, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < length; i++) {
    if (has_to_be_known)
      g_assert_cmpuint (text->known[i], ==, 1);
    if (text->known[i])
      g_assert_cmphex (text->bytes[i], ==, bytes[i]);
  }
}

static void
check_pokes (PenQuery *query, GArray *pokes, guint most)
{
  guint step = 1 + pokes->len / most;

  for (guint i = 0; i < pokes->len; i += step) {
    const PenPoke *stored = &g_array_index (pokes, PenPoke, i);
    const PenPoke *poke = stored;
    PenMoment after = { poke->moment.time, poke->moment.position + 1 };

    if (poke->tenure == 0)
      continue;
    /* Where the chain is broken, what was reconstructed is something else, and the row says so. */
    if (!stored->breaks_chain)
      assert_text (query, poke, poke->old_bytes, poke->old_length, poke->moment, TRUE);
    if (is_alone (pokes, i))
      assert_text (query, poke, poke->new_bytes, poke->new_length, after, TRUE);
  }
}

static void
check_capture (const char *path, guint most)
{
  g_autofree char *store_path = g_build_filename (directory, "a.pentimento", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenQuery) query = NULL;
  g_autoptr (GArray) pokes = NULL;

  g_test_message ("%s", path);
  pen_import (path, store_path, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  store = pen_store_open (store_path, &error);
  g_assert_no_error (error);
  query = pen_query_new (store);
  pokes = pen_store_load_pokes (store, 0, G_MAXUINT64, &error);
  g_assert_no_error (error);
  check_pokes (query, pokes, most);
  g_unlink (store_path);
}

/* @below: of each entry, or NULL: the entries themselves. Returns: how many were there */
static guint
check_all (const char *captures, const char *suffix, const char *below, guint most)
{
  g_autoptr (GDir) dir = g_dir_open (captures, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir && (name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (captures, name, below, NULL);

    if (!g_str_has_suffix (name, suffix) || !g_file_test (path, G_FILE_TEST_EXISTS))
      continue;
    check_capture (path, most);
    n++;
  }
  return n;
}

static void
test_bundled (void)
{
  g_autofree char *data = g_test_build_filename (G_TEST_DIST, "data", NULL);

  g_assert_cmpuint (check_all (data, ".data", NULL, MOST_BUNDLED), >=, 9);
}

static void
test_large (void)
{
  const char *large = g_getenv ("PENTIMENTO_CAPTURES");

  if (!large) {
    g_test_skip ("PENTIMENTO_CAPTURES is not set");
    return;
  }
  g_assert_cmpuint (check_all (large, "", "perf.data", MOST_LARGE), >, 0);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  directory = g_dir_make_tmp ("pen-poke-text-XXXXXX", NULL);
  g_test_add_func ("/query/poke-text/bundled", test_bundled);
  g_test_add_func ("/query/poke-text/large", test_large);
  result = g_test_run ();
  g_rmdir (directory);
  g_free (directory);
  return result;
}
