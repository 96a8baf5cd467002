/* test-tables.c: the import's own containers against plain ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-table.h"
#include "pen-range-index.h"
#include "pen-thread-table.h"

static char *
key_text (const PenBucket *key)
{
  return g_strdup_printf ("%d/%u/%u/%d/%d/%" G_GUINT64_FORMAT, key->event, key->tenure,
                          key->revision, key->kind, key->has_address, key->address);
}

static void
test_buckets (void)
{
  g_autoptr (PenBucketTable) table = pen_bucket_table_new ();
  g_autoptr (GHashTable) plain = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < 50000; i++) {
    PenBucket key = {
      .event = g_test_rand_int_range (-1, 3),
      .tenure = (guint32) g_test_rand_int_range (0, 5),
      .revision = (guint32) g_test_rand_int_range (0, 5),
      .kind = (PenKind) g_test_rand_int_range (0, 3),
      .has_address = g_test_rand_bit (),
      .address = 0xffffffff81000000u + (guint64) g_test_rand_int_range (0, 60),
    };
    g_autofree char *text = key_text (&key);
    PenBucket *bucket = pen_bucket_table_get (table, &key);
    gpointer id;

    if (g_hash_table_lookup_extended (plain, text, NULL, &id))
      g_assert_cmpuint (bucket->id, ==, GPOINTER_TO_UINT (id));
    else
      g_hash_table_insert (plain, g_steal_pointer (&text), GUINT_TO_POINTER (bucket->id));

    g_assert_cmpuint (pen_bucket_table_get_buckets (table)->len, ==, g_hash_table_size (plain));
    bucket->samples++;
  }

  {
    GArray *buckets = pen_bucket_table_get_buckets (table);
    guint64 total = 0;

    g_assert_cmpuint (buckets->len, >, 4096);
    for (guint i = 0; i < buckets->len; i++) {
      g_assert_cmpuint (g_array_index (buckets, PenBucket, i).id, ==, i);
      total += g_array_index (buckets, PenBucket, i).samples;
    }
    g_assert_cmpuint (total, ==, 50000);
  }
}

static void
test_threads (void)
{
  g_autoptr (PenThreadTable) table = pen_thread_table_new ();
  char comm[] = "sh";
  PenThread threads[] = {
    { TRUE, 1, 1, "sh" }, { TRUE, 1, 2, "sh" }, { TRUE, 1, 1, "bash" },
    { FALSE, 0, 0, "" },  { TRUE, 0, 0, "" },   { TRUE, -1, -1, "sh" },
  };
  PenThread again = { TRUE, 1, 1, comm };

  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
      g_assert_cmpuint (pen_thread_table_get (table, &threads[i]), ==, i);

  g_assert_cmpuint (pen_thread_table_get (table, &again), ==, 0);
}

typedef struct {
  guint64 start;
  guint64 end;
} Range;

static void
count (guint32 id, gpointer user_data)
{
  guint *counts = user_data;

  counts[id]++;
}

static void
test_ranges (void)
{
  for (guint round = 0; round < 200; round++) {
    g_autoptr (PenRangeIndex) index = pen_range_index_new ();
    guint n = (guint) g_test_rand_int_range (0, 60);
    g_autofree Range *ranges = g_new (Range, n + 1);

    for (guint i = 0; i < n; i++) {
      ranges[i].start = (guint64) g_test_rand_int_range (0, 200);
      ranges[i].end = ranges[i].start + (guint64) g_test_rand_int_range (1, 40);
      if (g_test_rand_int_range (0, 20) == 0)
        ranges[i].end = G_MAXUINT64;
      pen_range_index_add (index, ranges[i].start, ranges[i].end, i);
    }
    pen_range_index_seal (index);

    for (guint question = 0; question < 50; question++) {
      guint64 start = (guint64) g_test_rand_int_range (0, 260);
      guint64 end = start + (guint64) g_test_rand_int_range (0, 30);
      g_autofree guint *counts = g_new0 (guint, n + 1);

      pen_range_index_find (index, start, end, count, counts);
      for (guint i = 0; i < n; i++)
        g_assert_cmpuint (counts[i], ==,
                          start < end && ranges[i].start < end && ranges[i].end > start);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/import/tables/buckets", test_buckets);
  g_test_add_func ("/import/tables/threads", test_threads);
  g_test_add_func ("/import/tables/ranges", test_ranges);

  return g_test_run ();
}
