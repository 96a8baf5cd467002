/* test-buckets.c: buckets in blocks, of one generation and of several
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "pen-bucket-block.h"
#include "pen-store-buckets.h"
#include "pen-store-writer.h"

#define N_FUNCTIONS 300
#define N_BUCKETS 30000
#define N_GENERATIONS 3

static PenBucket
make_bucket (guint32 id)
{
  /* The first generation has ids from 0, the second those after it, and so on. */
  guint32 place = id % (N_BUCKETS / N_GENERATIONS);
  guint32 mixed = place * 2654435761u;

  return (PenBucket){
    .id = id,
    .event = (int) (mixed >> 8) % 2,
    .tenure = mixed % 5,
    .revision = mixed >> 30,
    .kind = (mixed >> 4) % PEN_KINDS,
    .has_address = (mixed & 8) == 0,
    .address = 0xffffffff81000000u + mixed % 7777,
    .function = (mixed >> 12) % N_FUNCTIONS,
    .samples = 1 + mixed % 1000,
    .period = (guint64) mixed << 20,
    .first = G_MAXUINT64 / 2 + mixed,
    .last = G_MAXUINT64 / 2 + mixed + (guint64) place * place,
  };
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const PenBucket *x = a;
  const PenBucket *y = b;

  if (x->function != y->function)
    return x->function < y->function ? -1 : 1;
  return (x->id > y->id) - (x->id < y->id);
}

static void
assert_same (const PenBucket *a, const PenBucket *b)
{
  g_assert_cmpuint (a->id, ==, b->id);
  g_assert_cmpint (a->event, ==, b->event);
  g_assert_cmpuint (a->tenure, ==, b->tenure);
  g_assert_cmpuint (a->revision, ==, b->revision);
  g_assert_cmpint (a->kind, ==, b->kind);
  g_assert_cmpint (a->has_address, ==, b->has_address);
  g_assert_cmpuint (a->address, ==, b->address);
  g_assert_cmpuint (a->function, ==, b->function);
  g_assert_cmpuint (a->samples, ==, b->samples);
  g_assert_cmpuint (a->period, ==, b->period);
  g_assert_cmpuint (a->first, ==, b->first);
  g_assert_cmpuint (a->last, ==, b->last);
}

static void
write_generation (PenStoreWriter *writer, guint32 first, guint n)
{
  g_autofree PenBucket *buckets = g_new (PenBucket, n);
  GError *error = NULL;

  for (guint i = 0; i < n; i++)
    buckets[i] = make_bucket (first + i);
  qsort (buckets, n, sizeof *buckets, compare);

  for (guint done = 0; done < n; done += PEN_BLOCK_BUCKETS) {
    pen_store_writer_add_buckets (writer, buckets + done, MIN (n - done, PEN_BLOCK_BUCKETS),
                                  &error);
    g_assert_no_error (error);
  }
}

static void
write_store (const char *path)
{
  GError *error = NULL;
  g_autoptr (PenStoreWriter) writer = pen_store_writer_new (path, 0666, NULL, &error);
  PenStoreEvent event = { .name = (char *) "cycles" };

  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    pen_store_writer_add_event (writer, i, &event, &error);
  for (guint32 i = 0; i < N_FUNCTIONS; i++) {
    PenFunction function = { .id = i, .symbol = "f", .occupant = "" };

    pen_store_writer_add_function (writer, &function, &error);
  }
  g_assert_no_error (error);

  for (guint i = 0; i < N_GENERATIONS; i++)
    write_generation (writer, i * N_BUCKETS / N_GENERATIONS, N_BUCKETS / N_GENERATIONS);

  pen_store_writer_finish (writer, &error);
  g_assert_no_error (error);
}

static void
check_all (PenStore *store)
{
  GError *error = NULL;
  const PenBucket *buckets;
  const guint32 *functions;
  guint n;

  g_assert_cmpuint (pen_store_count_buckets (store), ==, N_BUCKETS);
  buckets = pen_store_get_buckets (store, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, N_BUCKETS);
  functions = pen_store_get_bucket_functions (store, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, N_BUCKETS);

  for (guint32 i = 0; i < n; i++) {
    PenBucket bucket = make_bucket (i);

    assert_same (&buckets[i], &bucket);
    g_assert_cmpuint (functions[i], ==, bucket.function);
  }
}

static void
check_function (PenStore *store, guint32 function)
{
  GError *error = NULL;
  g_autoptr (GArray) found = pen_store_load_function_buckets (store, function, &error);
  guint n = 0;

  g_assert_no_error (error);
  for (guint32 i = 0; i < N_BUCKETS; i++) {
    PenBucket bucket = make_bucket (i);

    if (bucket.function == function)
      assert_same (&g_array_index (found, PenBucket, n++), &bucket);
  }
  g_assert_cmpuint (found->len, ==, n);
}

static void
count_bucket (const PenBucket *bucket, gpointer counts)
{
  g_assert_cmpuint (bucket->function % 7, ==, 3);
  ((guint *) counts)[bucket->id]++;
}

/* Of several functions, in whatever order and named twice: each bucket once. */
static void
check_functions (PenStore *store)
{
  GError *error = NULL;
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint *counts = g_new0 (guint, N_BUCKETS);

  for (guint32 i = N_FUNCTIONS + 100; i-- > 0;) {
    if (i % 7 == 3)
      g_array_append_val (functions, i);
    if (i == 10)
      g_array_append_val (functions, i);
  }
  g_array_remove_index (functions, functions->len - 1);
  pen_store_foreach_bucket_of (store, functions, count_bucket, counts, &error);
  g_assert_no_error (error);
  for (guint32 i = 0; i < N_BUCKETS; i++) {
    PenBucket bucket = make_bucket (i);

    g_assert_cmpuint (counts[i], ==, bucket.function % 7 == 3 && bucket.function != 3 ? 1 : 0);
  }
}

static void
test_blocks (void)
{
  g_autofree char *directory = g_dir_make_tmp ("pen-buckets-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "buckets.pentimento", NULL);
  GError *error = NULL;
  g_autoptr (PenStore) store = NULL;

  write_store (path);
  store = pen_store_open (path, &error);
  g_assert_no_error (error);
  for (guint32 i = 0; i <= N_FUNCTIONS; i += 23)
    check_function (store, i);
  check_functions (store);
  check_function (store, N_FUNCTIONS);
  check_function (store, G_MAXUINT32);
  check_all (store);

  g_unlink (path);
  g_rmdir (directory);
}

static void
test_extremes (void)
{
  static const PenBucket bucket = {
    .id = G_MAXUINT32,
    .event = G_MAXINT,
    .tenure = G_MAXUINT32,
    .revision = G_MAXUINT32,
    .kind = PEN_KINDS - 1,
    .has_address = TRUE,
    .address = G_MAXUINT64,
    .function = G_MAXUINT32,
    .samples = G_MAXUINT64,
    .period = G_MAXUINT64,
    .first = 1,
    .last = G_MAXUINT64,
  };
  g_autofree PenBucket *buckets = g_new0 (PenBucket, PEN_BLOCK_BUCKETS);
  g_autofree PenBucket *unpacked = g_new0 (PenBucket, PEN_BLOCK_BUCKETS);
  g_autoptr (PenPacker) packer = pen_packer_new ();
  PenUnpacker unpacker = { 0 };
  const char *reason = NULL;
  const guint8 *bytes;
  gsize length;

  /* Each as far from the one before as can be: the longest block. */
  for (guint i = 0; i < PEN_BLOCK_BUCKETS; i += 2)
    buckets[i] = bucket;
  bytes = pen_bucket_block_pack (buckets, PEN_BLOCK_BUCKETS, packer, &length);
  g_assert_true (
      pen_bucket_block_unpack (unpacked, PEN_BLOCK_BUCKETS, bytes, length, &unpacker, &reason));
  for (guint i = 0; i < PEN_BLOCK_BUCKETS; i++)
    assert_same (&unpacked[i], &buckets[i]);

  for (guint n = 0; n < PEN_BLOCK_BUCKETS; n += 1023)
    g_assert_false (pen_bucket_block_unpack (unpacked, n, bytes, length, &unpacker, &reason));
  g_assert_false (
      pen_bucket_block_unpack (unpacked, PEN_BLOCK_BUCKETS + 1, bytes, length, &unpacker, &reason));
  pen_unpacker_clear (&unpacker);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/buckets/blocks", test_blocks);
  g_test_add_func ("/buckets/extremes", test_extremes);
  return g_test_run ();
}
