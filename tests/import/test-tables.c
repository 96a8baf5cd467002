/* test-tables.c: the import's own containers against plain ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>

#include "pen-bucket-packer.h"
#include "pen-bucket-table.h"
#include "pen-compare.h"
#include "pen-overlap-counter.h"
#include "pen-range-index.h"
#include "pen-store-buckets.h"
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
  guint n;
  const PenBucket *buckets = pen_bucket_table_get_buckets (table, &n);
  guint32 first = pen_bucket_table_get_first (table);

  g_assert_cmpuint (n, ==, g_hash_table_size (plain));
  for (guint i = 0; i < n; i++) {
    const PenBucket *bucket = &buckets[i];
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

#define KERNEL_MAP_START 0xffffffff81000000u

/* A map of the kernel has tenure 1, one of a process 2. */
static PenHistory *
make_history (void)
{
  PenHistory *history = pen_history_new ();
  PenMapEvent kernel = {
    .is_kernel = TRUE,
    .pid = -1,
    .start = KERNEL_MAP_START,
    .length = 0x1000,
    .name = "[kernel.kallsyms]_text",
    .evidence = PEN_EVIDENCE_RECORDED,
    .origin.moment = pen_moment (1, 1),
  };
  PenMapEvent program = {
    .pid = 7,
    .tid = 7,
    .start = 0x400000,
    .length = 0x1000,
    .name = "/bin/program",
    .evidence = PEN_EVIDENCE_RECORDED,
    .origin.moment = pen_moment (2, 2),
  };

  pen_history_add_map (history, &kernel);
  pen_history_add_map (history, &program);
  g_assert_true (pen_history_seal (history, NULL, NULL));
  return history;
}

static gboolean
is_of_kernel (PenHistory *history, guint32 tenure)
{
  const PenTenure *found = pen_history_get_tenure (history, tenure);

  return found && found->space == PEN_SPACE_KERNEL;
}

static int
compare_buckets (gconstpointer a, gconstpointer b)
{
  const PenBucket *x = a;
  const PenBucket *y = b;
  const int orders[]
      = { PEN_COMPARE (x->function, y->function), PEN_COMPARE (x->address, y->address),
          PEN_COMPARE (x->tenure, y->tenure),     PEN_COMPARE (x->revision, y->revision),
          PEN_COMPARE (x->event, y->event),       PEN_COMPARE (x->id, y->id) };

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    if (orders[i] != 0)
      return orders[i];
  return 0;
}

/* @n_functions: few make long groups, of which one lies across the middle */
static PenBucket *
draw_buckets (guint n, gint n_functions)
{
  PenBucket *buckets = g_new0 (PenBucket, n);

  for (guint i = 0; i < n; i++)
    buckets[i] = (PenBucket){
      .id = i,
      .function = (guint32) g_test_rand_int_range (0, n_functions),
      .address = KERNEL_MAP_START + (guint64) g_test_rand_int_range (0, 300),
      .tenure = (guint32) g_test_rand_int_range (0, 3),
      .revision = (guint32) g_test_rand_int_range (0, 2),
      .event = g_test_rand_int_range (0, 2),
      .kind = PEN_KIND_KERNEL,
      .has_address = TRUE,
      .samples = (guint64) g_test_rand_int_range (1, 9),
    };
  return buckets;
}

static void
check_packed (const PenPackedBuckets *packed, const PenBucket *buckets, guint n)
{
  g_autoptr (PenPacker) packer = pen_packer_new ();
  PenPackedBuckets wanted;

  pen_packed_buckets_pack (&wanted, buckets, n, packer);
  g_assert_cmpuint (packed->n, ==, n);
  g_assert_cmpuint (packed->first_function, ==, wanted.first_function);
  g_assert_cmpuint (packed->last_function, ==, wanted.last_function);
  g_assert_cmpuint (packed->first_id, ==, wanted.first_id);
  g_assert_cmpuint (packed->last_id, ==, wanted.last_id);
  g_assert_cmpmem (packed->bytes, packed->length, wanted.bytes, wanted.length);
  pen_packed_buckets_clear (&wanted);
}

/* Those in the kernel's space, in the buckets' order. */
static void
check_places (const GArray *places, PenHistory *history, const PenBucket *buckets, guint n)
{
  guint at = 0;

  for (guint i = 0; i < n; i++) {
    const PenSampledPlace *place = &g_array_index (places, PenSampledPlace, at);

    if (!is_of_kernel (history, buckets[i].tenure))
      continue;
    g_assert_cmpuint (at, <, places->len);
    g_assert_cmpuint (place->address, ==, buckets[i].address);
    g_assert_cmpuint (place->tenure, ==, buckets[i].tenure);
    g_assert_cmpuint (place->function, ==, buckets[i].function);
    at++;
  }
  g_assert_cmpuint (at, ==, places->len);
}

/* By one thread and by two; whole blocks and not. */
static void
test_packer (void)
{
  static const guint counts[] = { 0, 1, 500, 2 * PEN_BLOCK_BUCKETS, 5 * PEN_BLOCK_BUCKETS + 7 };
  g_autoptr (PenHistory) history = make_history ();

  for (guint i = 0; i < G_N_ELEMENTS (counts) * 3; i++) {
    guint n = counts[i / 3];
    g_autofree PenBucket *buckets = draw_buckets (n, i % 3 == 0 ? 1 : i % 3 == 1 ? 7 : 20000);
    g_autofree PenBucket *sorted = g_memdup2 (buckets, n * sizeof *buckets);
    g_autoptr (PenBucketPacker) packer = pen_bucket_packer_start (buckets, n, history, NULL);
    const GArray *places;

    if (n > 0)
      qsort (sorted, n, sizeof *sorted, compare_buckets);
    for (guint first = 0; first < n; first += PEN_BLOCK_BUCKETS) {
      guint length = MIN (n - first, PEN_BLOCK_BUCKETS);
      const PenPackedBuckets *packed = pen_bucket_packer_next (packer, &places);

      g_assert_nonnull (packed);
      check_packed (packed, sorted + first, length);
      check_places (places, history, sorted + first, length);
    }
    g_assert_null (pen_bucket_packer_next (packer, &places));
  }
}

/* Freed before it was asked, and asked after it was cancelled. */
static void
test_packer_stopped (void)
{
  g_autoptr (PenHistory) history = make_history ();
  guint n = 5 * PEN_BLOCK_BUCKETS;
  g_autofree PenBucket *buckets = draw_buckets (n, 100);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (PenBucketPacker) packer = NULL;
  const GArray *places;

  pen_bucket_packer_free (pen_bucket_packer_start (buckets, n, history, cancellable));
  g_cancellable_cancel (cancellable);
  packer = pen_bucket_packer_start (buckets, n, history, cancellable);
  g_assert_null (pen_bucket_packer_next (packer, &places));
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
  g_test_add_func ("/import/tables/packer", test_packer);
  g_test_add_func ("/import/tables/packer-stopped", test_packer_stopped);
  g_test_add_func ("/import/tables/threads", test_threads);
  g_test_add_func ("/import/tables/ranges", test_ranges);
  return g_test_run ();
}
