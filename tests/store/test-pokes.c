/* test-pokes.c: the few pokes that tell what stood somewhere at a moment, and what they cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <sqlite3.h>
#include <string.h>

#include "pen-store-pokes.h"
#include "store-fixture.h"

#define BASE (KERNEL + 0x1000)
#define PAGE 4096u

/* ---- what is asked of SQLite, in steps of its virtual machine ---- */

static guint64 n_steps;

int __real_sqlite3_step (sqlite3_stmt *statement);
int __wrap_sqlite3_step (sqlite3_stmt *statement);

int
__wrap_sqlite3_step (sqlite3_stmt *statement)
{
  int status = __real_sqlite3_step (statement);

  n_steps += (guint64) sqlite3_stmt_status (statement, SQLITE_STMTSTATUS_VM_STEP, 1);
  return status;
}

/* ---- pokes ---- */

typedef struct {
  guint16 offset;
  guint16 length;
} Place;

static const Place places[] = { { 0, 5 },   { 0, 1 },    { 2, 2 },    { 900, 5 },
                                { 903, 1 }, { 4000, 5 }, { 4094, 5 }, { 4095, 1 } };

static PenStore *
make_store (StoreFixture *fixture, guint n_pokes)
{
  static const guint8 bytes[2][8] = { { 1, 2, 3, 4, 5 }, { 6, 7, 8, 9, 10 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (n_pokes);
  g_autoptr (PenStoreWriter) writer = pen_store_writer_new (fixture->path, 0666, NULL, &error);
  PenStore *store;

  g_assert_no_error (error);
  store_fixture_write_history (writer);
  for (guint i = 0; i < n_pokes; i++) {
    const Place *place = &places[g_rand_int_range (random, 0, G_N_ELEMENTS (places))];
    guint kind = (guint) g_rand_int_range (random, 0, 20);
    PenPoke poke = {
      .id = i + 1,
      .moment = { 1000 + i / 3, 100 + i }, /* three at a time */
      .address = BASE + place->offset,
      .old_length = kind == 0 ? 0 : place->length,
      .new_length = kind == 1 ? 0 : place->length,
      .old_bytes = bytes[0],
      .new_bytes = bytes[1],
      .effect = kind == 0   ? PEN_POKE_FILL
                : kind == 1 ? PEN_POKE_CLEAR
                            : PEN_POKE_PATCH,
      .tenure = kind == 2 ? 2 : 1,
      .comm = "",
      .change = i + 1,
      .time = 1000 + i / 3,
      .has_time = TRUE,
      .function = PEN_POKE_NO_FUNCTION,
    };

    OK (pen_store_writer_add_poke (writer, &poke, &error));
  }
  OK (pen_store_writer_finish (writer, &error));
  store = pen_store_open (fixture->path, &error);
  g_assert_no_error (error);
  return store;
}

/* ---- the plain way: all of them are looked at ---- */

static gboolean
is_same_site (const PenPoke *a, const PenPoke *b)
{
  return a->address == b->address && a->effect == b->effect
         && pen_poke_get_length (a) == pen_poke_get_length (b);
}

static gboolean
matters (const GArray *all, guint index, PenMoment moment)
{
  const PenPoke *poke = &g_array_index (all, PenPoke, index);
  gboolean is_before = pen_moment_compare (poke->moment, moment) < 0;
  gboolean is_first = TRUE;
  gboolean is_nearest = TRUE;

  for (guint i = 0; i < all->len; i++) {
    const PenPoke *other = &g_array_index (all, PenPoke, i);

    if (i == index || other->tenure != poke->tenure || !is_same_site (poke, other))
      continue;
    is_first &= i > index;
    if ((pen_moment_compare (other->moment, moment) < 0) == is_before)
      is_nearest &= is_before ? i < index : i > index;
  }
  return is_first || is_nearest;
}

static void
assert_pokes_at (PenStore *store, guint64 start, guint64 end, PenMoment moment)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) all = pen_store_load_pokes (store, start, end, &error);
  g_autoptr (GArray) found = pen_store_load_pokes_at (store, 1, start, end, moment, &error);
  guint n = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < all->len; i++) {
    const PenPoke *stored = &g_array_index (all, PenPoke, i);

    if (stored->tenure != 1 || !matters (all, i, moment))
      continue;
    g_assert_cmpuint (n, <, found->len);
    g_assert_cmpuint (g_array_index (found, PenPoke, n).id, ==, stored->id);
    n++;
  }
  g_assert_cmpuint (n, ==, found->len);
}

static void
test_same (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autoptr (PenStore) store = make_store (fixture, 300);
  static const guint64 ranges[][2]
      = { { 0, PAGE },  { 0, 1 },       { 1, 2 },       { 4, 5 }, { 5, 900 },
          { 904, 905 }, { 4096, 4100 }, { 4099, 4100 }, { 3, 3 } };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++) {
    for (guint64 time = 998; time <= 1102; time += 8) {
      assert_pokes_at (store, BASE + ranges[i][0], BASE + ranges[i][1], pen_moment (time, 0));
      assert_pokes_at (store, BASE + ranges[i][0], BASE + ranges[i][1],
                       pen_moment (time, 100 + (time - 1000) * 3 + 1));
      assert_pokes_at (store, BASE + ranges[i][0], BASE + ranges[i][1],
                       pen_moment (time, G_MAXUINT64));
    }
  }
  assert_pokes_at (store, BASE, BASE + PAGE, PEN_MOMENT_START);
  assert_pokes_at (store, BASE, BASE + PAGE, PEN_MOMENT_END);
  assert_pokes_at (store, 0, G_MAXUINT64, pen_moment (1050, 0));
}

/* ---- what it costs ---- */

static guint64
count_steps (PenStore *store, PenMoment moment, guint *n_found)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) found = NULL;

  n_steps = 0;
  found = pen_store_load_pokes_at (store, 1, BASE, BASE + PAGE, moment, &error);
  g_assert_no_error (error);
  *n_found = found->len;
  return n_steps;
}

/* A page that was poked a hundred thousand times costs no more than one that was poked a few
 * hundred times. */
static void
test_cost (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  const guint counts[] = { 300, 100000 };
  guint64 most[G_N_ELEMENTS (counts)] = { 0 };

  for (guint c = 0; c < G_N_ELEMENTS (counts); c++) {
    g_autoptr (PenStore) store = make_store (fixture, counts[c]);

    for (guint part = 0; part <= 10; part++) {
      guint n_found;
      PenMoment moment = pen_moment (1000 + counts[c] / 30 * part, 0);
      guint64 steps = count_steps (store, moment, &n_found);

      most[c] = MAX (most[c], steps);
      g_assert_cmpuint (n_found, <=, 3 * 3 * G_N_ELEMENTS (places));
    }
  }
  g_assert_cmpuint (most[1], <, 2 * most[0]);
}

/* Rows on their way to the store leave out what is as in the one before: more of them than go
 * together, with columns that come, stay and go. */
static void
test_alike (StoreFixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const words[] = { NULL, "", "a", "a", "aa", NULL, "b" };
  static const guint8 bytes[] = { 1, 1, 1, 2 };
  const guint n_pokes = 5000;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) stored = NULL;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenStoreWriter) writer = pen_store_writer_new (fixture->path, 0666, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < n_pokes; i++) {
    PenPoke poke = store_fixture_poke;

    poke.id = poke.change = i + 1;
    poke.key = words[i % G_N_ELEMENTS (words)];
    poke.comm = words[i / 700 % G_N_ELEMENTS (words)];
    poke.new_bytes = bytes;
    poke.new_length = (guint16) (1 + i % sizeof bytes);
    poke.cpu = i % 3 == 0 ? G_MAXUINT32 : i % 2;
    OK (pen_store_writer_add_poke (writer, &poke, &error));
    if (i % 100 == 0)
      OK (pen_store_writer_add_file (writer, i + 1, "file", &error));
  }
  OK (pen_store_writer_finish (writer, &error));

  store = pen_store_open (fixture->path, &error);
  g_assert_no_error (error);
  stored = pen_store_load_pokes (store, 0, G_MAXUINT64, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (stored->len, ==, n_pokes);
  for (guint i = 0; i < n_pokes; i++) {
    const PenPoke *poke = &g_array_index (stored, PenPoke, i);
    const char *comm = words[i / 700 % G_N_ELEMENTS (words)];

    g_assert_cmpuint (poke->id, ==, i + 1);
    g_assert_cmpstr (poke->key, ==, words[i % G_N_ELEMENTS (words)]);
    g_assert_cmpstr (poke->comm, ==, comm ? comm : "");
    g_assert_cmpmem (poke->new_bytes, poke->new_length, bytes, 1 + i % sizeof bytes);
    g_assert_cmpuint (poke->cpu, ==, i % 3 == 0 ? G_MAXUINT32 : i % 2);
    g_assert_cmpstr (poke->site, ==, store_fixture_poke.site);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/store/pokes/same", StoreFixture, NULL, store_fixture_set_up, test_same,
              store_fixture_tear_down);
  g_test_add ("/store/pokes/alike", StoreFixture, NULL, store_fixture_set_up, test_alike,
              store_fixture_tear_down);
  g_test_add ("/store/pokes/cost", StoreFixture, NULL, store_fixture_set_up, test_cost,
              store_fixture_tear_down);
  return g_test_run ();
}
