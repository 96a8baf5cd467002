/* test-tables.c: the import's own containers against plain ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-table.h"
#include "pen-overlap-counter.h"
#include "pen-range-index.h"
#include "pen-store.h"
#include "pen-thread-table.h"

static char *
key_text (const PenPlacedSample *key)
{
  return g_strdup_printf ("%u/%u/%u/%d/%d/%" G_GUINT64_FORMAT, key->event, key->tenure,
                          key->revision, key->kind, key->has_address, key->address);
}

static void
draw_samples (PenPlacedSample *samples, guint n, guint64 *time)
{
  for (guint i = 0; i < n; i++) {
    *time += (guint64) g_test_rand_int_range (0, 3);
    samples[i] = (PenPlacedSample){
      .time = *time,
      .period = (guint64) g_test_rand_int_range (0, 100),
      .has = g_test_rand_bit () ? PEN_SAMPLE_HAS_PERIOD : 0,
      .event = (guint32) g_test_rand_int_range (0, 4),
      .tenure = (guint32) g_test_rand_int_range (0, 5),
      .revision = (guint32) g_test_rand_int_range (0, 5),
      .kind = (guint8) g_test_rand_int_range (0, 3),
      .has_address = (guint8) g_test_rand_bit (),
      .address = 0xffffffff81000000u + (guint64) g_test_rand_int_range (0, 60),
    };
  }
}

static void
add_plainly (PenBucket *plain, const PenPlacedSample *sample)
{
  if (sample->time != 0) {
    plain->first = plain->first != 0 ? plain->first : sample->time;
    plain->last = sample->time;
  }
  plain->samples++;
  plain->period += (sample->has & PEN_SAMPLE_HAS_PERIOD) != 0 ? sample->period : 0;
}

static void
check_buckets (PenBucketTable *table, GHashTable *plain)
{
  GArray *buckets = pen_bucket_table_get_buckets (table);
  guint32 first = pen_bucket_table_get_first (table);

  g_assert_cmpuint (buckets->len, ==, g_hash_table_size (plain));
  for (guint i = 0; i < buckets->len; i++) {
    const PenBucket *bucket = &g_array_index (buckets, PenBucket, i);
    PenPlacedSample key = {
      .event = (guint32) bucket->event,
      .tenure = bucket->tenure,
      .revision = bucket->revision,
      .kind = (guint8) bucket->kind,
      .has_address = bucket->has_address != 0,
      .address = bucket->address,
    };
    g_autofree char *text = key_text (&key);
    const PenBucket *wanted = g_hash_table_lookup (plain, text);

    g_assert_nonnull (wanted);
    g_assert_cmpuint (bucket->id, ==, first + i);
    g_assert_cmpuint (bucket->id, ==, wanted->id);
    g_assert_cmpuint (bucket->samples, ==, wanted->samples);
    g_assert_cmpuint (bucket->period, ==, wanted->period);
    g_assert_cmpuint (bucket->first, ==, wanted->first);
    g_assert_cmpuint (bucket->last, ==, wanted->last);
  }
}

/* Chunks of all lengths; then the table is emptied, and ids go on. */
static void
test_buckets (void)
{
  g_autoptr (PenBucketTable) table = pen_bucket_table_new ();
  PenPlacedSample samples[500];
  guint32 ids[500];
  guint64 time = 0;

  for (guint generation = 0; generation < 3; generation++) {
    g_autoptr (GHashTable) plain = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

    for (guint chunk = 0; chunk < 200; chunk++) {
      guint n = (guint) g_test_rand_int_range (0, G_N_ELEMENTS (samples) + 1);

      draw_samples (samples, n, &time);
      pen_bucket_table_count (table, samples, n, ids);
      for (guint i = 0; i < n; i++) {
        g_autofree char *text = key_text (&samples[i]);
        PenBucket *known = g_hash_table_lookup (plain, text);

        if (!known) {
          known = g_new0 (PenBucket, 1);
          known->id = ids[i];
          g_hash_table_insert (plain, g_steal_pointer (&text), known);
        }
        g_assert_cmpuint (ids[i], ==, known->id);
        add_plainly (known, &samples[i]);
      }
    }

    g_assert_cmpuint (g_hash_table_size (plain), >, 4096);
    check_buckets (table, plain);
    pen_bucket_table_begin_generation (table);
  }
}

static guint32
get_thread (PenThreadTable *table, const PenThread *thread)
{
  return pen_thread_table_get (table, thread->has_task, thread->pid, thread->tid, thread->comm);
}

static void
test_threads (void)
{
  g_autoptr (PenThreadTable) table = pen_thread_table_new ();
  char comm[] = "sh";
  guint32 other;
  PenThread threads[] = {
    { TRUE, 1, 1, "sh" }, { TRUE, 1, 2, "sh" }, { TRUE, 1, 1, "bash" },
    { FALSE, 0, 0, "" },  { TRUE, 0, 0, "" },   { TRUE, -1, -1, "sh" },
  };
  PenThread again = { TRUE, 1, 1, comm };

  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
      g_assert_cmpuint (get_thread (table, &threads[i]), ==, i);

  g_assert_cmpuint (get_thread (table, &again), ==, 0);

  /* Later ones are the one that is not known, and those before are still themselves. */
  pen_thread_table_limit (table, G_N_ELEMENTS (threads));
  other = get_thread (table, &(PenThread){ TRUE, 70, 71, "c" });
  g_assert_cmpuint (get_thread (table, &(PenThread){ TRUE, 72, 73, "d" }), ==, other);
  g_assert_cmpuint (get_thread (table, &(PenThread){ FALSE, 0, 0, "" }), ==, other);
  g_assert_cmpuint (get_thread (table, &again), ==, 0);
  g_assert_cmpuint (pen_thread_table_get_dropped (table), ==, 2);
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
    g_autoptr (PenOverlapCounter) counter = pen_overlap_counter_new ();
    guint n = (guint) g_test_rand_int_range (0, 60);
    g_autofree Range *ranges = g_new (Range, n + 1);

    for (guint i = 0; i < n; i++) {
      ranges[i].start = (guint64) g_test_rand_int_range (0, 200);
      ranges[i].end = ranges[i].start + (guint64) g_test_rand_int_range (1, 40);
      if (g_test_rand_int_range (0, 20) == 0)
        ranges[i].end = G_MAXUINT64;
      pen_range_index_add (index, ranges[i].start, ranges[i].end, i);
      pen_overlap_counter_add (counter, ranges[i].start, ranges[i].end);
    }
    pen_overlap_counter_add (counter, 100, 100);
    pen_range_index_seal (index);
    pen_overlap_counter_seal (counter);

    for (guint question = 0; question < 50; question++) {
      guint64 start = (guint64) g_test_rand_int_range (0, 260);
      guint64 end = start + (guint64) g_test_rand_int_range (0, 30);
      g_autofree guint *counts = g_new0 (guint, n + 1);
      guint touching = 0;

      pen_range_index_find (index, start, end, count, counts);
      for (guint i = 0; i < n; i++) {
        gboolean touches = start < end && ranges[i].start < end && ranges[i].end > start;

        g_assert_cmpuint (counts[i], ==, touches);
        touching += touches;
      }
      g_assert_cmpuint (pen_overlap_counter_get (counter, start, end), ==, touching);
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
