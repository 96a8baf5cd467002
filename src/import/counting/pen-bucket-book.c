/* pen-bucket-book.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-book.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-function-memo.h"
#include "pen-key-sort.h"
#include "pen-store-buckets.h"

#define FEW_KEYS 16
/* How many buckets ahead memory is asked for: they lie in it as they came. */
#define PREFETCH 32

struct _PenBucketBook {
  PenBucketBook *other; /* NULL: has functions and texts of its own */
  PenBucketTable *table;
  PenHistory *history;
  PenLoadedSources *sources;
  PenFunctionTable *functions; /* NULL until it is asked for */
  PenFunctionMemo *memo;       /* of these */
  PenTextPass *text;
  guint max;            /* of a generation */
  guint n_found;        /* buckets of this generation that have a function */
  gboolean is_added_up; /* this generation is */
  guint n_events;
  guint64 *event_samples;
  guint64 module_space_samples;
  GArray *tenure_samples; /* guint64: by id */
  PenBookSums *sums;      /* or NULL */
};

PenBucketBook *
pen_bucket_book_new (PenBucketTable *table, PenHistory *history, PenLoadedSources *sources,
                     guint n_events)
{
  PenBucketBook *self = g_new0 (PenBucketBook, 1);

  self->max = PEN_GENERATION_BUCKETS;
  self->table = table;
  self->history = history;
  self->sources = sources;
  self->text = pen_text_pass_new (history);
  self->n_events = n_events;
  self->event_samples = g_new0 (guint64, (gsize) n_events + 1);
  self->tenure_samples = g_array_new (FALSE, TRUE, sizeof (guint64));
  g_array_set_size (self->tenure_samples, pen_history_get_last_tenure (history) + 1);
  return self;
}

static void
take_sums (guint64 *to, guint n, GArray *from)
{
  n = MIN (n, from->len);
  if (n > 0)
    memcpy (to, from->data, n * sizeof *to);
}

void
pen_bucket_book_go_on (PenBucketBook *self, PenBookSums *sums)
{
  self->sums = sums;
  self->n_found = pen_bucket_table_get_buckets (self->table)->len;
  take_sums (self->event_samples, self->n_events + 1, sums->events);
  g_array_unref (self->tenure_samples);
  self->tenure_samples = g_array_ref (sums->tenures);
  g_array_set_size (self->tenure_samples, pen_history_get_last_tenure (self->history) + 1);
  self->module_space_samples = sums->module_space;
}

PenBucketBook *
pen_bucket_book_new_beside (PenBucketBook *other, PenBucketTable *table)
{
  PenBucketBook *self = g_new0 (PenBucketBook, 1);

  self->other = other;
  self->max = other->max;
  self->table = table;
  self->history = other->history;
  self->sources = other->sources;
  self->text = other->text;
  return self;
}

void
pen_bucket_book_limit (PenBucketBook *self, guint max)
{
  self->max = max;
}

void
pen_bucket_book_free (PenBucketBook *self)
{
  if (!self->other) {
    g_clear_pointer (&self->memo, pen_function_memo_free);
    if (!self->sums)
      g_clear_pointer (&self->functions, pen_function_table_free);
    pen_text_pass_free (self->text);
  }
  g_free (self->event_samples);
  g_clear_pointer (&self->tenure_samples, g_array_unref);
  g_free (self);
}

static PenFunctionTable *
get_functions (PenBucketBook *self)
{
  PenFunctionTable *kept = self->sums ? self->sums->functions : NULL;

  if (kept) {
    pen_function_table_go_on (kept, self->history, self->sources->kernel);
    return kept;
  }
  kept = pen_function_table_new (self->history, self->sources->kernel, self->sources->user_names);
  if (self->sums) {
    pen_function_table_keep_names (kept);
    self->sums->functions = kept;
  }
  return kept;
}

PenFunctionTable *
pen_bucket_book_get_functions (PenBucketBook *self, GError **error)
{
  if (self->other) {
    self->functions = pen_bucket_book_get_functions (self->other, error);
    self->memo = self->other->memo;
  } else if (!self->functions && pen_kernel_sources_wait (self->sources->kernel, error)) {
    self->functions = get_functions (self);
    self->memo = pen_function_memo_new (self->history, self->functions);
  }
  return self->functions;
}

guint32
pen_bucket_book_find_function (PenBucketBook *self, const PenTenure *tenure, PenKind kind,
                               guint64 address)
{
  return pen_function_memo_get (self->memo, tenure, kind, address);
}

guint32
pen_bucket_book_find_frame_function (PenBucketBook *self, const PenTableFrame *frame)
{
  const PenTenure *tenure = pen_history_get_tenure (self->history, frame->tenure);

  return pen_bucket_book_find_function (self, tenure, frame->kind,
                                        frame->address - (frame->is_return != 0));
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
  return (const guint64 *) (gpointer) self->tenure_samples->data;
}

gboolean
pen_bucket_book_find_functions (PenBucketBook *self, GError **error)
{
  GArray *buckets = pen_bucket_table_get_buckets (self->table);

  if (!pen_bucket_book_get_functions (self, error))
    return FALSE;

  for (; self->n_found < buckets->len; self->n_found++) {
    PenBucket *bucket = &g_array_index (buckets, PenBucket, self->n_found);

    bucket->function = pen_bucket_book_find_function (
        self, pen_history_get_tenure (self->history, bucket->tenure), bucket->kind,
        bucket->address);
  }
  return TRUE;
}

gboolean
pen_bucket_book_is_full (PenBucketBook *self)
{
  return pen_bucket_table_get_buckets (self->table)->len >= self->max;
}

/* @sign: of the samples, modulo 2^64 */
static void
add_buckets (PenBucketBook *self, gint64 sign)
{
  const PenKernelFacts *facts = pen_kernel_sources_get_facts (self->sources->kernel);
  GArray *buckets = pen_bucket_table_get_buckets (self->table);

  for (guint i = 0; i < buckets->len; i++) {
    const PenBucket *bucket = &g_array_index (buckets, PenBucket, i);
    guint64 samples = bucket->samples * (guint64) sign;

    self->event_samples[MIN ((guint) bucket->event, self->n_events)] += samples;
    g_array_index (self->tenure_samples, guint64, bucket->tenure) += samples;
    if (bucket->kind == PEN_KIND_UNKNOWN && facts
        && pen_kernel_facts_is_module_space (facts, bucket->address))
      self->module_space_samples += samples;
  }
}

void
pen_bucket_book_add_up (PenBucketBook *self)
{
  if (self->is_added_up || self->other)
    return;
  self->is_added_up = TRUE;
  add_buckets (self, 1);
}

/* @sign: see add_buckets() */
static void
add_to_functions (PenBucketBook *self, gint64 sign)
{
  GArray *buckets = pen_bucket_table_get_buckets (self->table);

  for (guint i = 0; i < buckets->len && !self->other; i++) {
    const PenBucket *bucket = &g_array_index (buckets, PenBucket, i);

    pen_function_table_add_samples (self->functions, bucket->function,
                                    bucket->samples * (guint64) sign,
                                    bucket->period * (guint64) sign);
  }
}

/* Few keys: each is moved to its place. */
static void
sort_few (PenSortKey *keys, guint n)
{
  for (guint i = 1; i < n; i++) {
    PenSortKey key = keys[i];
    guint k = i;

    for (; k > 0 && keys[k - 1].value > key.value; k--)
      keys[k] = keys[k - 1];
    keys[k] = key;
  }
}

/* More of them, but of one function: byte by byte, and those in which no two differ not at all.
 * @other: room for as many */
static void
sort_bytes (PenSortKey *keys, guint n, PenSortKey *other)
{
  PenSortKey *from = keys;
  guint64 differing = 0;

  for (guint i = 1; i < n; i++)
    differing |= keys[i].value ^ keys[0].value;

  for (guint shift = 0; shift < 64; shift += 8) {
    guint32 places[256] = { 0 };
    guint32 place = 0;
    PenSortKey *to = from == keys ? other : keys;

    if ((differing >> shift & 0xff) == 0)
      continue;

    for (guint i = 0; i < n; i++)
      places[from[i].value >> shift & 0xff]++;
    for (guint i = 0; i < 256; i++) {
      guint32 count = places[i];

      places[i] = place;
      place += count;
    }
    for (guint i = 0; i < n; i++)
      to[places[from[i].value >> shift & 0xff]++] = from[i];
    from = to;
  }

  if (from != keys)
    memcpy (keys, from, n * sizeof *keys);
}

/* Equal values keep their order. */
static void
sort_group (PenSortKey *keys, guint n, PenSortKey *other)
{
  if (n <= FEW_KEYS)
    sort_few (keys, n);
  else
    sort_bytes (keys, n, other);
}

static guint
find_end (const PenSortKey *keys, guint begin, guint n)
{
  guint end = begin + 1;

  while (end < n && keys[end].value == keys[begin].value)
    end++;
  return end;
}

/* Buckets of one address: by tenure, revision, event and id; as they came, they are by id. */
static void
sort_ties (PenSortKey *keys, guint n, const PenBucket *buckets, PenSortKey *other)
{
  for (guint i = 0; i < n; i++)
    keys[i].value = (guint64) (guint32) buckets[keys[i].index].event;
  sort_group (keys, n, other);
  for (guint i = 0; i < n; i++) {
    const PenBucket *bucket = &buckets[keys[i].index];

    keys[i].value = (guint64) bucket->tenure << 32 | bucket->revision;
  }
  sort_group (keys, n, other);
}

/* Buckets of one function: by address, and then by what else makes a key. */
static void
sort_function (PenSortKey *keys, guint n, const PenBucket *buckets, PenSortKey *other)
{
  for (guint i = 0; i < n; i++)
    keys[i].value = buckets[keys[i].index].address;
  sort_group (keys, n, other);

  for (guint begin = 0, end; begin < n; begin = end) {
    end = find_end (keys, begin, n);
    if (end - begin > 1)
      sort_ties (keys + begin, end - begin, buckets, other);
  }
}

/* Returns: (transfer full): indexes of @buckets by function, address, and what else makes a key */
static PenSortKey *
sort_buckets (const PenBucket *buckets, guint n)
{
  PenSortKey *keys = g_new (PenSortKey, MAX (n, 1));
  g_autofree PenSortKey *other = g_new (PenSortKey, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    keys[i] = (PenSortKey){ buckets[i].function, i };
  pen_key_sort (&keys, n);

  for (guint begin = 0, end, asked = 0; begin < n; begin = end) {
    end = find_end (keys, begin, n);
    for (; asked < MIN (end + PREFETCH, n); asked++)
      __builtin_prefetch (&buckets[keys[asked].index]);
    sort_function (keys + begin, end - begin, buckets, other);
  }
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

    for (guint k = 0; k < length; k++) {
      const PenBucket *ahead = &buckets[sorted[MIN (i + k + PREFETCH, n - 1)].index];

      __builtin_prefetch (ahead);
      __builtin_prefetch (&ahead->last);
      block[k] = buckets[sorted[i + k].index];
    }
    pen_text_pass_want_buckets (self->text, self->functions, block, length);
    if (!pen_store_writer_add_buckets (writer, block, length, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
pen_bucket_book_write_rest (PenBucketBook *self, PenStoreWriter *writer, GError **error)
{
  GArray *buckets = pen_bucket_table_get_buckets (self->table);

  if (!pen_bucket_book_find_functions (self, error))
    return FALSE;
  if (buckets->len > G_MAXUINT32 - pen_bucket_table_get_first (self->table)) {
    g_set_error_literal (
        error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
        _ ("The samples have more than 2³² different instructions: record a shorter time"));
    return FALSE;
  }

  pen_bucket_book_add_up (self);
  add_to_functions (self, 1);
  return write_generation (self, (const PenBucket *) (gpointer) buckets->data, buckets->len, writer,
                           error);
}

static void
keep_sums (GArray *to, const guint64 *from, guint n)
{
  g_array_set_size (to, 0);
  g_array_append_vals (to, from, n);
}

void
pen_bucket_book_leave (PenBucketBook *self)
{
  add_buckets (self, -1);
  add_to_functions (self, -1);
  keep_sums (self->sums->events, self->event_samples, self->n_events + 1);
  self->sums->module_space = self->module_space_samples;
}

gboolean
pen_bucket_book_write (PenBucketBook *self, PenStoreWriter *writer, GError **error)
{
  if (!pen_bucket_book_write_rest (self, writer, error))
    return FALSE;

  pen_bucket_table_begin_generation (self->table);
  self->n_found = 0;
  self->is_added_up = FALSE;
  return TRUE;
}
