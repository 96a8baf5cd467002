/* test-spans.c: spans and their pieces, whole and damaged
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#include "pen-span-functions.h"
#include "pen-span-piece.h"
#include "pen-store-writer.h"

#define N_BLOCKS 6
#define N_FUNCTIONS 5
#define N_BUCKETS 8
#define SHIFT 4

typedef struct {
  char *directory;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("pen-spans-XXXXXX", NULL);
  g_assert_nonnull (fixture->directory);
  fixture->path = g_build_filename (fixture->directory, "spans.pentimento", NULL);
}

static void
tear_down (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_unlink (fixture->path);
  g_assert_cmpint (g_rmdir (fixture->directory), ==, 0);
  g_free (fixture->directory);
  g_free (fixture->path);
}

/* Function 2 has buckets in both pieces. */
static const guint32 functions[N_BUCKETS] = { 0, 1, 1, 2, 2, 2, 3, 4 };

static void
put_bucket (PenSpanPiece *piece, guint32 bucket, const guint16 *tiles, const guint32 *counts,
            guint n)
{
  guint i = piece->n_buckets++;

  piece->functions[i] = functions[bucket];
  piece->buckets[i] = bucket;
  piece->cells[i] = n;
  piece->samples[i] = 0;
  for (guint k = 0; k < n; k++) {
    piece->tiles[piece->n_cells] = tiles[k];
    piece->counts[piece->n_cells++] = counts[k];
    piece->samples[i] += counts[k];
  }
  piece->periods[i] = bucket == 5 ? G_MAXUINT64 : piece->samples[i] * 1000;
}

static const guint16 tiles_of_span[] = { 0, 7, 9 };
static const guint32 counts_of_span[] = { 1, 2, 300 };

static void
write_span (PenStoreWriter *writer, guint level, guint first_block, guint n_blocks)
{
  g_autofree guint32 *counts = g_new0 (guint32, PEN_SPAN_TILES * PEN_KINDS);
  g_autoptr (PenSpanPiece) piece = pen_span_piece_new ();
  g_autoptr (PenPacker) packer = pen_packer_new ();
  g_autoptr (GArray) by_function = g_array_new (FALSE, FALSE, sizeof (PenSpanFunction));
  PenStoreSpan span = {
    .id = pen_store_writer_begin_span (writer),
    .level = level,
    .first_block = first_block,
    .n_blocks = n_blocks,
    .samples = N_BUCKETS * 303,
    .first = 100,
    .last = 100 + (9 << SHIFT),
    .shift = SHIFT,
  };
  PenPackedPiece packed;
  GError *error = NULL;
  guint64 id;

  for (guint32 bucket = 0; bucket < N_BUCKETS; bucket++) {
    put_bucket (piece, bucket, tiles_of_span, counts_of_span, 3);
    for (guint i = 0; i < 3; i++)
      counts[tiles_of_span[i] * PEN_KINDS + bucket % 2 * (PEN_KINDS - 1)] += counts_of_span[i];
    if (bucket != 3 && bucket != N_BUCKETS - 1)
      continue;

    for (guint i = 0; i < piece->n_buckets; i++)
      pen_span_functions_add (by_function, piece->functions[i], piece->samples[i],
                              piece->periods[i]);
    packed.first_function = piece->functions[0];
    packed.last_function = piece->functions[piece->n_buckets - 1];
    packed.bytes = (guint8 *) pen_span_piece_pack (piece, packer, &packed.length);
    pen_store_writer_add_span_piece (writer, span.id, &packed, &id, &error);
    g_assert_no_error (error);
    memset (piece, 0x55, sizeof *piece);
    pen_store_writer_read_span_piece (writer, id, piece, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (piece->n_buckets, ==, 4);
    g_assert_cmpuint (piece->buckets[3], ==, bucket);
    piece->n_buckets = piece->n_cells = 0;
  }

  pen_store_writer_add_span (writer, &span, counts, by_function, &error);
  g_assert_no_error (error);
}

static void
write_samples (PenStoreWriter *writer)
{
  g_autoptr (PenSampleBlock) block = pen_sample_block_new ();
  PenStoreEvent event = { .name = (char *) "cycles" };
  PenThread thread = { .comm = "" };
  PenBucket buckets[N_BUCKETS] = { { 0 } };
  GError *error = NULL;

  pen_store_writer_add_event (writer, 0, &event, &error);
  pen_store_writer_add_thread (writer, 0, &thread, &error);
  for (guint32 i = 0; i < N_BUCKETS; i++)
    buckets[i] = (PenBucket){ .id = i, .function = functions[i] };
  pen_store_writer_add_buckets (writer, buckets, N_BUCKETS, &error);
  for (guint32 i = 0; i < N_FUNCTIONS; i++) {
    PenFunction function = { .id = i, .occupant = "" };

    pen_store_writer_add_function (writer, &function, &error);
  }

  for (guint i = 0; i < N_BLOCKS; i++) {
    block->n = 5000;
    memset (block->time, 0, 5000 * sizeof *block->time);
    memset (block->has, 0, 5000);
    memset (block->bucket, 0, 5000 * sizeof *block->bucket);
    memset (block->thread, 0, 5000 * sizeof *block->thread);
    memset (block->cpu, 0, 5000 * sizeof *block->cpu);
    memset (block->period, 0, 5000 * sizeof *block->period);
    memset (block->chain, 0, 5000 * sizeof *block->chain);
    pen_store_writer_add_block (writer, block, &error);
  }
  g_assert_no_error (error);
}

/* Level 1: three of two blocks. Level 2: four blocks, two blocks. */
static void
write_store (const char *path)
{
  GError *error = NULL;
  g_autoptr (PenStoreWriter) writer = pen_store_writer_new (path, 0666, NULL, &error);

  g_assert_no_error (error);
  write_samples (writer);
  for (guint i = 0; i < 3; i++)
    write_span (writer, 1, 2 * i, 2);
  write_span (writer, 2, 0, 4);
  write_span (writer, 2, 4, 2);
  pen_store_writer_finish (writer, &error);
  g_assert_no_error (error);
}

typedef struct {
  GString *seen;
  PenStore *store;
  const PenStoreSpan *other; /* walked through inside, or NULL */
} Walk;

static gboolean
see_bucket (const PenSpanBucket *bucket, gpointer user_data)
{
  Walk *walk = user_data;

  g_assert_cmpuint (bucket->n_cells, ==, 3);
  g_assert_cmpmem (bucket->tiles, 6, tiles_of_span, 6);
  if (walk->other) {
    Walk inner = { walk->seen, walk->store, NULL };

    g_assert_true (
        pen_store_foreach_span_bucket (walk->store, walk->other, 4, 4, see_bucket, &inner, NULL));
  }
  g_assert_cmpmem (bucket->counts, 12, counts_of_span, 12);
  g_assert_cmpuint (bucket->samples, ==, 303);
  g_assert_cmpuint (bucket->period, ==, bucket->bucket == 5 ? G_MAXUINT64 : 303000);
  g_string_append_printf (walk->seen, "%u:%u ", bucket->function, bucket->bucket);
  return TRUE;
}

static void
assert_walk (PenStore *store, guint32 first, guint32 last, const char *expected)
{
  const PenStoreSpan *spans = pen_store_get_spans (store, &(guint){ 0 });
  g_autoptr (GString) seen = g_string_new (NULL);
  Walk walk = { seen, store, NULL };
  GError *error = NULL;

  pen_store_foreach_span_bucket (store, &spans[2], first, last, see_bucket, &walk, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (seen->str, ==, expected);
}

static gboolean
see_function (const PenSpanBucket *bucket, gpointer user_data)
{
  g_assert_cmpuint (bucket->samples, ==, 0);
  g_assert_cmpuint (bucket->n_cells, ==, 0);
  g_string_append_printf (user_data, "%u:%u ", bucket->function, bucket->bucket);
  return TRUE;
}

static void
test_walk (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const guint levels[][3]
      = { { 2, 0, 4 }, { 2, 4, 2 }, { 1, 0, 2 }, { 1, 2, 2 }, { 1, 4, 2 } };
  GError *error = NULL;
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autoptr (PenStore) store = NULL;
  const PenStoreSpan *spans;
  guint n;

  write_store (fixture->path);
  store = pen_store_open (fixture->path, &error);
  g_assert_no_error (error);

  spans = pen_store_get_spans (store, &n);
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (levels));
  for (guint i = 0; i < n; i++) {
    g_assert_cmpuint (spans[i].level, ==, levels[i][0]);
    g_assert_cmpuint (spans[i].first_block, ==, levels[i][1]);
    g_assert_cmpuint (spans[i].n_blocks, ==, levels[i][2]);
    g_assert_cmpuint (spans[i].samples, ==, N_BUCKETS * 303);
    g_assert_cmpuint (pen_store_span_get_n_tiles (&spans[i]), ==, 10);
    g_assert_cmpuint (pen_store_span_get_tile (&spans[i], 112), ==, 1);
    g_assert_cmpuint (pen_store_span_get_tile_start (&spans[i], 1), ==, 112);
  }

  assert_walk (store, 0, G_MAXUINT32, "0:0 1:1 1:2 2:3 2:4 2:5 3:6 4:7 ");
  assert_walk (store, 0, 0, "0:0 ");
  assert_walk (store, 2, 2, "2:3 2:4 2:5 ");
  assert_walk (store, 1, 3, "1:1 1:2 2:3 2:4 2:5 3:6 ");
  assert_walk (store, 5, G_MAXUINT32, "");

  pen_store_foreach_span_function (store, &spans[2], see_function, seen, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (seen->str, ==, "0:0 1:1 1:2 2:3 2:4 2:5 3:6 4:7 ");
}

static void
test_tiles (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  g_autofree guint32 *counts = g_new (guint32, PEN_SPAN_TILES * PEN_KINDS);
  GError *error = NULL;
  g_autoptr (PenStore) store = NULL;
  const PenStoreSpan *spans;

  write_store (fixture->path);
  store = pen_store_open (fixture->path, &error);
  spans = pen_store_get_spans (store, &(guint){ 0 });
  memset (counts, 0x55, PEN_SPAN_TILES * PEN_KINDS * sizeof *counts);
  pen_store_read_span_tiles (store, &spans[1], counts, &error);
  g_assert_no_error (error);

  for (guint tile = 0; tile < 10; tile++)
    for (guint kind = 0; kind < PEN_KINDS; kind++) {
      guint32 expected = 0;

      for (guint i = 0; i < 3; i++)
        if (tiles_of_span[i] == tile && kind % (PEN_KINDS - 1) == 0)
          expected = counts_of_span[i] * N_BUCKETS / 2;
      g_assert_cmpuint (counts[tile * PEN_KINDS + kind], ==, expected);
    }
}

/* The sums of a function go on from one piece to the next. */
static void
test_functions (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  GError *error = NULL;
  g_autoptr (PenStore) store = NULL;
  const PenStoreSpan *spans;
  guint n;

  write_store (fixture->path);
  store = pen_store_open (fixture->path, &error);
  spans = pen_store_get_spans (store, &n);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GArray) sums = pen_store_load_span_functions (store, &spans[i], &error);

    g_assert_no_error (error);
    g_assert_cmpuint (sums->len, ==, functions[N_BUCKETS - 1] + 1);
    for (guint32 function = 0; function < sums->len; function++) {
      const PenSpanFunction *sum = &g_array_index (sums, PenSpanFunction, function);
      guint64 samples = 0;
      guint64 period = 0;

      for (guint bucket = 0; bucket < N_BUCKETS; bucket++) {
        samples += functions[bucket] == function ? 303 : 0;
        period += functions[bucket] != function ? 0 : bucket == 5 ? G_MAXUINT64 : 303000;
      }
      g_assert_cmpuint (sum->function, ==, function);
      g_assert_cmpuint (sum->samples, ==, samples);
      g_assert_cmpuint (sum->period, ==, period);
    }
  }
}

/* Who is told of a bucket may walk through another span. */
static void
test_walk_inside (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  GError *error = NULL;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (GString) seen = g_string_new (NULL);
  const PenStoreSpan *spans;
  Walk walk = { seen, NULL, NULL };

  write_store (fixture->path);
  walk.store = store = pen_store_open (fixture->path, &error);
  spans = pen_store_get_spans (store, &(guint){ 0 });
  walk.other = &spans[3];
  pen_store_foreach_span_bucket (store, &spans[0], 1, 2, see_bucket, &walk, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (seen->str, ==, "4:7 1:1 4:7 1:2 4:7 2:3 4:7 2:4 4:7 2:5 ");
}

static gboolean
pass (const PenSpanBucket *bucket, gpointer user_data)
{
  guint64 *samples = user_data;

  for (guint i = 0; i < bucket->n_cells; i++)
    samples[bucket->tiles[i]] += bucket->counts[i];
  return TRUE;
}

/* Opens the store and asks all of it; what is found must be in bounds. */
static gboolean
read_all (const char *path, GError **error)
{
  g_autoptr (PenStore) store = pen_store_open (path, error);
  g_autofree guint32 *counts = g_new (guint32, PEN_SPAN_TILES * PEN_KINDS);
  g_autofree guint64 *samples = g_new (guint64, PEN_SPAN_TILES);
  const PenStoreSpan *spans;
  guint n;

  if (!store)
    return FALSE;

  spans = pen_store_get_spans (store, &n);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GArray) sums = pen_store_load_span_functions (store, &spans[i], error);

    if (!sums || !pen_store_read_span_tiles (store, &spans[i], counts, error)
        || !pen_store_foreach_span_bucket (store, &spans[i], 0, G_MAXUINT32, pass, samples, error))
      return FALSE;
  }
  return TRUE;
}

static void
change_store (const char *path, const char *sql)
{
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("%s: %s", sql, sqlite3_errmsg (db));
  sqlite3_close (db);
}

static void
test_damage (Fixture *fixture, G_GNUC_UNUSED gconstpointer data)
{
  static const char *const damages[] = {
    "UPDATE span SET level = 0 WHERE id = 0",
    "UPDATE span SET level = 3 WHERE level = 2",
    "UPDATE span SET level = 1000000 WHERE id = 0",
    "UPDATE span SET level = level + 1",
    "UPDATE span SET first_block = 1 WHERE id = 0",
    "UPDATE span SET first_block = -1 WHERE id = 0",
    "UPDATE span SET n_blocks = 0 WHERE id = 0",
    "UPDATE span SET n_blocks = 3 WHERE id = 2",
    "UPDATE span SET n_blocks = -1 WHERE id = 4",
    "UPDATE span SET n_blocks = 3 WHERE id = 3; UPDATE span SET first_block = 3, n_blocks = 3"
    " WHERE id = 4",
    "UPDATE span SET id = -1 WHERE id = 0",
    "UPDATE span SET samples = samples + 1 WHERE id = 0",
    "UPDATE span SET samples = -1 WHERE id = 0",
    "UPDATE span SET first = last + 1 WHERE id = 0",
    "UPDATE span SET last = -1 WHERE id = 0",
    "UPDATE span SET shift = 64 WHERE id = 0",
    "UPDATE span SET shift = -1 WHERE id = 0",
    "UPDATE span SET shift = 5 WHERE id = 0",
    "UPDATE span SET shift = 3 WHERE id = 0",
    "UPDATE span SET tiles = x'' WHERE id = 0",
    "UPDATE span SET tiles = zeroblob (100) WHERE id = 0",
    "UPDATE span SET tiles = substr (tiles, 1, 30) WHERE id = 0",
    "UPDATE span SET functions = x'' WHERE id = 0",
    "UPDATE span SET functions = zeroblob (100) WHERE id = 0",
    "UPDATE span SET functions = substr (functions, 1, 12) WHERE id = 0",
    "UPDATE span SET functions = tiles WHERE id = 0",
    "DELETE FROM span WHERE id = 0",
    "DELETE FROM span WHERE level = 1",
    "DELETE FROM span WHERE id = 4",
    "DELETE FROM sample_block WHERE id = 5",
    "DELETE FROM span_piece WHERE id = 0",
    "UPDATE span_piece SET span = 1 WHERE id = 0",
    "UPDATE span_piece SET buckets = x'' WHERE id = 0",
    "UPDATE span_piece SET buckets = zeroblob (100) WHERE id = 0",
    "UPDATE span_piece SET buckets = (SELECT tiles FROM span WHERE id = 0) WHERE id = 0",
    "DELETE FROM function_row WHERE id = 4",
    "DELETE FROM bucket_block",
  };

  for (guint i = 0; i < G_N_ELEMENTS (damages); i++) {
    GError *error = NULL;

    g_unlink (fixture->path);
    write_store (fixture->path);
    g_assert_true (read_all (fixture->path, &error));
    change_store (fixture->path, damages[i]);

    if (read_all (fixture->path, &error))
      g_error ("not seen: %s", damages[i]);
    g_assert_error (error, PEN_STORE_ERROR, PEN_STORE_ERROR_DAMAGED);
    g_clear_error (&error);
  }
}

static void
fill_piece (PenSpanPiece *piece)
{
  piece->n_buckets = piece->n_cells = 0;
  for (guint32 i = 0; i < N_BUCKETS; i++)
    put_bucket (piece, i, tiles_of_span, counts_of_span, 3);
}

static void
assert_in_bounds (const PenSpanPiece *piece)
{
  guint cell = 0;

  g_assert_cmpuint (piece->n_buckets, <=, PEN_SPAN_PIECE_BUCKETS);
  g_assert_cmpuint (piece->n_cells, <=, PEN_SPAN_PIECE_MAX_CELLS);
  for (guint i = 0; i < piece->n_buckets; i++) {
    guint64 samples = 0;

    g_assert_cmpuint (piece->cells[i], >, 0);
    for (guint k = 0; k < piece->cells[i]; k++, cell++) {
      g_assert_cmpuint (piece->tiles[cell], <, PEN_SPAN_TILES);
      g_assert_true (k == 0 || piece->tiles[cell] > piece->tiles[cell - 1]);
      g_assert_cmpuint (piece->counts[cell], >, 0);
      samples += piece->counts[cell];
    }
    g_assert_cmpuint (piece->samples[i], ==, samples);
  }
  g_assert_cmpuint (piece->n_cells, ==, cell);
}

/* Bytes changed, and the checksum made to fit: refused, or in bounds. */
static void
test_hostile_pieces (void)
{
  g_autoptr (PenPacker) packer = pen_packer_new ();
  g_autoptr (PenSpanPiece) piece = pen_span_piece_new ();
  g_autofree guint8 *pack = NULL;
  PenUnpacker unpacker = { 0 };
  const guint8 *made;
  guint n_taken = 0;
  gsize length;

  fill_piece (piece);
  made = pen_span_piece_pack (piece, packer, &length);
  pack = g_memdup2 (made, length);
  g_assert_cmpuint (pack[4], ==, 0);

  for (guint round = 0; round < 50000; round++) {
    g_autofree guint8 *changed = g_memdup2 (pack, length);
    const char *reason = NULL;
    guint32 crc;

    for (gint i = g_test_rand_int_range (0, 3); i >= 0; i--)
      changed[g_test_rand_int_range (9, (gint32) length)]
          = (guint8) (g_test_rand_bit () ? g_test_rand_int_range (0, 8) : g_test_rand_int ());
    crc = GUINT32_TO_LE (pen_crc32 (changed + 4, length - 4));
    memcpy (changed, &crc, 4);

    if (pen_span_piece_unpack (piece, changed, length, &unpacker, &reason)) {
      assert_in_bounds (piece);
      n_taken++;
    } else {
      g_assert_nonnull (reason);
    }
  }

  g_assert_cmpuint (n_taken, >, 0);
  g_assert_cmpuint (n_taken, <, 50000);
  pen_unpacker_clear (&unpacker);
}

/* As large as a piece can be, with numbers as large as they can be. */
static void
test_largest_piece (void)
{
  g_autoptr (PenPacker) packer = pen_packer_new ();
  g_autoptr (PenSpanPiece) piece = pen_span_piece_new ();
  g_autoptr (PenSpanPiece) back = pen_span_piece_new ();
  PenUnpacker unpacker = { 0 };
  const char *reason = NULL;
  const guint8 *pack;
  gsize length;

  memset (piece, 0, sizeof *piece);
  piece->n_buckets = PEN_SPAN_PIECE_BUCKETS;
  for (guint i = 0; i < PEN_SPAN_PIECE_BUCKETS; i++) {
    guint n = i + 1 < PEN_SPAN_PIECE_BUCKETS ? 3 : PEN_SPAN_TILES;

    piece->functions[i] = (guint32) g_test_rand_int ();
    piece->buckets[i] = i % 2 == 0 ? 0 : G_MAXUINT32;
    piece->periods[i] = i % 2 == 0 ? 0 : G_MAXUINT64 / 2;
    piece->cells[i] = n;
    for (guint k = 0; k < n; k++) {
      piece->tiles[piece->n_cells]
          = (guint16) (n == 3 ? k * 1000 + (guint) g_test_rand_int_range (0, 40) : k);
      piece->counts[piece->n_cells] = k % 2 == 0 ? G_MAXUINT32 : 2;
      piece->samples[i] += piece->counts[piece->n_cells++];
    }
  }

  pack = pen_span_piece_pack (piece, packer, &length);
  g_assert_true (pen_span_piece_unpack (back, pack, length, &unpacker, &reason));
  assert_in_bounds (back);
  g_assert_cmpmem (back->functions, sizeof back->functions, piece->functions,
                   sizeof piece->functions);
  g_assert_cmpmem (back->buckets, sizeof back->buckets, piece->buckets, sizeof piece->buckets);
  g_assert_cmpmem (back->periods, sizeof back->periods, piece->periods, sizeof piece->periods);
  g_assert_cmpmem (back->tiles, piece->n_cells * 2, piece->tiles, piece->n_cells * 2);
  g_assert_cmpmem (back->counts, piece->n_cells * 4, piece->counts, piece->n_cells * 4);
  pen_unpacker_clear (&unpacker);
}

/* A store with one function of a huge id, and a pack of a few bytes that claims as many. */
static void
test_hostile_functions (void)
{
  g_autoptr (PenPacker) packer = pen_packer_new ();
  PenUnpacker unpacker = { 0 };

  for (guint shift = 8; shift < 63; shift++) {
    guint64 n = G_GUINT64_CONSTANT (1) << shift;
    g_autofree guint8 *pack = NULL;
    const char *reason = NULL;
    const guint8 *made;
    guint64 total;
    gsize length;

    pen_packer_varint (packer, n);
    for (guint i = 0; i < 3; i++) {
      pen_packer_varint (packer, n);
      pen_packer_byte (packer, 0);
      pen_packer_varint (packer, i);
    }
    made = pen_packer_finish (packer, &length);
    pack = g_memdup2 (made, length);
    g_assert_null (pen_span_functions_unpack (n + 1, pack, length, &unpacker, &total, &reason));
    g_assert_nonnull (reason);
  }
  pen_unpacker_clear (&unpacker);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

#define ADD(name, func) g_test_add ("/store/spans/" name, Fixture, NULL, set_up, func, tear_down)

  ADD ("walk", test_walk);
  ADD ("walk-inside", test_walk_inside);
  ADD ("tiles", test_tiles);
  ADD ("functions", test_functions);
  ADD ("damage", test_damage);
  g_test_add_func ("/store/spans/hostile-pieces", test_hostile_pieces);
  g_test_add_func ("/store/spans/largest-piece", test_largest_piece);
  g_test_add_func ("/store/spans/hostile-functions", test_hostile_functions);
  return g_test_run ();
}
