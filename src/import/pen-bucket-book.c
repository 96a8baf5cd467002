/* pen-bucket-book.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-book.h"

#include "pen-key-sort.h"

#include <stdlib.h>

struct _PenBucketBook {
  PenBucketTable *table;
  PenHistory *history;
  const PenTenure *tenures;
  PenLoadedSources *sources;
  PenFunctionTable *functions; /* NULL until it is asked for */
  PenTextPass *text;
  guint n_found;        /* buckets of this generation that have a function */
  gboolean is_added_up; /* this generation is */
  guint n_events;
  guint64 *event_samples;
  guint64 module_space_samples;
  guint64 *tenure_samples;
};

PenBucketBook *
pen_bucket_book_new (PenBucketTable *table, PenHistory *history, PenLoadedSources *sources,
                     guint n_events)
{
  PenBucketBook *self = g_new0 (PenBucketBook, 1);
  guint n_tenures;

  self->table = table;
  self->history = history;
  self->tenures = pen_history_get_tenures (history, &n_tenures);
  self->sources = sources;
  self->text = pen_text_pass_new (history);
  self->n_events = n_events;
  self->event_samples = g_new0 (guint64, (gsize) n_events + 1);
  self->tenure_samples = g_new0 (guint64, (gsize) n_tenures + 1);

  return self;
}

void
pen_bucket_book_free (PenBucketBook *self)
{
  if (self == NULL)
    return;

  g_clear_pointer (&self->functions, pen_function_table_free);
  pen_text_pass_free (self->text);
  g_free (self->event_samples);
  g_free (self->tenure_samples);
  g_free (self);
}

PenFunctionTable *
pen_bucket_book_get_functions (PenBucketBook *self, GError **error)
{
  if (self->functions == NULL && pen_kernel_sources_wait (self->sources->kernel, error))
    self->functions
        = pen_function_table_new (self->history, self->sources->kernel, self->sources->user_names);

  return self->functions;
}

PenTextPass *
pen_bucket_book_get_text (PenBucketBook *self)
{
  return self->text;
}

guint64
pen_bucket_book_get_module_space_samples (PenBucketBook *self)
{
  return self->module_space_samples;
}

const guint64 *
pen_bucket_book_get_event_samples (PenBucketBook *self)
{
  return self->event_samples;
}

const guint64 *
pen_bucket_book_get_tenure_samples (PenBucketBook *self)
{
  return self->tenure_samples;
}

static const PenTenure *
get_tenure (PenBucketBook *self, const PenBucket *bucket)
{
  return bucket->tenure != 0 ? &self->tenures[bucket->tenure - 1] : NULL;
}

gboolean
pen_bucket_book_find_functions (PenBucketBook *self, GError **error)
{
  GArray *buckets = pen_bucket_table_get_buckets (self->table);
  PenFunctionTable *functions = pen_bucket_book_get_functions (self, error);

  if (functions == NULL)
    return FALSE;

  for (; self->n_found < buckets->len; self->n_found++) {
    PenBucket *bucket = &g_array_index (buckets, PenBucket, self->n_found);

    bucket->function = pen_function_table_get (functions, get_tenure (self, bucket), bucket->kind,
                                               bucket->address);
  }

  return TRUE;
}

gboolean
pen_bucket_book_is_full (PenBucketBook *self)
{
  return pen_bucket_table_get_buckets (self->table)->len >= PEN_GENERATION_BUCKETS;
}

void
pen_bucket_book_add_up (PenBucketBook *self)
{
  const PenKernelFacts *facts = pen_kernel_sources_get_facts (self->sources->kernel);
  GArray *buckets = pen_bucket_table_get_buckets (self->table);

  if (self->is_added_up)
    return;

  self->is_added_up = TRUE;
  for (guint i = 0; i < buckets->len; i++) {
    const PenBucket *bucket = &g_array_index (buckets, PenBucket, i);

    self->event_samples[MIN ((guint) bucket->event, self->n_events)] += bucket->samples;
    self->tenure_samples[bucket->tenure] += bucket->samples;
    if (bucket->tenure == 0 && bucket->kind == PEN_KIND_UNKNOWN && facts != NULL
        && pen_kernel_facts_is_module_space (facts, bucket->address))
      self->module_space_samples += bucket->samples;
  }
}

static int
compare_buckets (gconstpointer a, gconstpointer b, gpointer data)
{
  const PenBucket *buckets = data;
  const PenBucket *x = &buckets[((const PenSortKey *) a)->index];
  const PenBucket *y = &buckets[((const PenSortKey *) b)->index];

  if (x->tenure != y->tenure)
    return x->tenure < y->tenure ? -1 : 1;
  if (x->revision != y->revision)
    return x->revision < y->revision ? -1 : 1;
  if (x->event != y->event)
    return x->event < y->event ? -1 : 1;

  return (x->id > y->id) - (x->id < y->id);
}

/* They come in the order in which they were made, which is nearly always this one. */
static gboolean
is_sorted (const PenSortKey *keys, guint n, const PenBucket *buckets)
{
  for (guint i = 1; i < n; i++)
    if (compare_buckets (&keys[i - 1], &keys[i], (gpointer) buckets) > 0)
      return FALSE;

  return TRUE;
}

/* Buckets of one address, few as they are. */
static void
sort_ties (PenSortKey *keys, guint n, const PenBucket *buckets)
{
  for (guint begin = 0, end; begin < n; begin = end) {
    const PenBucket *first = &buckets[keys[begin].index];

    for (end = begin + 1; end < n; end++) {
      const PenBucket *bucket = &buckets[keys[end].index];

      if (bucket->function != first->function || bucket->address != first->address)
        break;
    }
    if (!is_sorted (keys + begin, end - begin, buckets))
      qsort_r (keys + begin, end - begin, sizeof *keys, compare_buckets, (gpointer) buckets);
  }
}

/* Returns: (transfer full): indexes of @buckets by function, address, and what else makes a key */
static PenSortKey *
sort_buckets (const PenBucket *buckets, guint n)
{
  PenSortKey *keys = g_new (PenSortKey, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    keys[i] = (PenSortKey){ buckets[i].address, i };
  pen_key_sort (&keys, n);
  for (guint i = 0; i < n; i++)
    keys[i].value = buckets[keys[i].index].function;
  pen_key_sort (&keys, n);
  sort_ties (keys, n, buckets);

  return keys;
}

static gboolean
write_generation (PenBucketBook *self, const PenBucket *buckets, guint n, PenStoreWriter *writer,
                  GError **error)
{
  g_autofree PenSortKey *sorted = sort_buckets (buckets, n);
  g_autofree PenBucket *block = g_new (PenBucket, MIN (n, PEN_BLOCK_BUCKETS) + 1);

  for (guint i = 0; i < n; i += PEN_BLOCK_BUCKETS) {
    guint length = MIN (PEN_BLOCK_BUCKETS, n - i);

    for (guint k = 0; k < length; k++)
      block[k] = buckets[sorted[i + k].index];
    pen_text_pass_want_buckets (self->text, self->functions, block, length);
    if (!pen_store_writer_add_buckets (writer, block, length, error))
      return FALSE;
  }

  return TRUE;
}

gboolean
pen_bucket_book_write (PenBucketBook *self, PenStoreWriter *writer, GError **error)
{
  GArray *buckets = pen_bucket_table_get_buckets (self->table);

  if (!pen_bucket_book_find_functions (self, error))
    return FALSE;
  if (buckets->len > G_MAXUINT32 - pen_bucket_table_get_first (self->table)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                         "The samples are of more than 2³² different instructions: record a "
                         "shorter time");
    return FALSE;
  }

  pen_bucket_book_add_up (self);
  for (guint i = 0; i < buckets->len; i++) {
    const PenBucket *bucket = &g_array_index (buckets, PenBucket, i);

    pen_function_table_add_samples (self->functions, bucket->function, bucket->samples,
                                    bucket->period);
  }

  if (!write_generation (self, (const PenBucket *) (gpointer) buckets->data, buckets->len, writer,
                         error))
    return FALSE;

  pen_bucket_table_begin_generation (self->table);
  self->n_found = 0;
  self->is_added_up = FALSE;

  return TRUE;
}
