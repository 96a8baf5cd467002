/* pen-bucket-book.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-book.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-bucket-packer.h"
#include "pen-function-memo.h"

/* How many buckets or frames ahead memory is asked for, for their functions. */
#define TENURE_AHEAD 16u
#define PLACE_AHEAD 8u

struct _PenBucketBook {
  PenBucketBook *other; /* NULL: has functions and texts of its own */
  PenBucketTable *table;
  PenHistory *history;
  PenLoadedSources *sources;
  PenFunctionTable *functions; /* NULL until it is asked for */
  PenFunctionMemo *memo;       /* of these */
  PenTextPass *text;
  guint max;               /* of a generation */
  guint n_found;           /* buckets of this generation that have a function */
  PenBucketPacker *packer; /* of this generation; NULL: it was not begun */
  gboolean is_added_up;    /* this generation is */
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
  pen_bucket_table_get_buckets (self->table, &self->n_found);
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
  g_clear_pointer (&self->packer, pen_bucket_packer_free);
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

/* Of the instruction that called, where it is the return address. */
static guint64
get_code_address (const PenTableFrame *frame)
{
  return frame->address - (frame->is_return != 0);
}

guint32
pen_bucket_book_find_frame_function (PenBucketBook *self, const PenTableFrame *frame)
{
  const PenTenure *tenure = pen_history_get_tenure (self->history, frame->tenure);

  return pen_bucket_book_find_function (self, tenure, frame->kind, get_code_address (frame));
}

void
pen_bucket_book_find_frame_functions (PenBucketBook *self, const PenTableFrame *frames, guint n,
                                      guint32 *functions)
{
  for (guint i = 0; i < n; i++) {
    if (i + TENURE_AHEAD < n)
      __builtin_prefetch (pen_history_get_tenure (self->history, frames[i + TENURE_AHEAD].tenure));
    if (i + PLACE_AHEAD < n)
      pen_function_memo_expect (
          self->memo, pen_history_get_tenure (self->history, frames[i + PLACE_AHEAD].tenure),
          get_code_address (&frames[i + PLACE_AHEAD]));
    functions[i] = pen_bucket_book_find_frame_function (self, &frames[i]);
  }
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
  guint n;
  PenBucket *buckets = pen_bucket_table_get_buckets (self->table, &n);

  if (!pen_bucket_book_get_functions (self, error))
    return FALSE;

  for (; self->n_found < n; self->n_found++) {
    PenBucket *bucket = &buckets[self->n_found];

    if (self->n_found + TENURE_AHEAD < n)
      __builtin_prefetch (pen_history_get_tenure (self->history, bucket[TENURE_AHEAD].tenure));
    if (self->n_found + PLACE_AHEAD < n)
      pen_function_memo_expect (self->memo,
                                pen_history_get_tenure (self->history, bucket[PLACE_AHEAD].tenure),
                                bucket[PLACE_AHEAD].address);

    bucket->function = pen_bucket_book_find_function (
        self, pen_history_get_tenure (self->history, bucket->tenure), bucket->kind,
        bucket->address);
  }
  return TRUE;
}

gboolean
pen_bucket_book_is_full (PenBucketBook *self)
{
  guint n;

  pen_bucket_table_get_buckets (self->table, &n);
  return n >= self->max;
}

/* @sign: of the samples, modulo 2^64 */
static void
add_buckets (PenBucketBook *self, gint64 sign)
{
  const PenKernelFacts *facts = pen_kernel_sources_get_facts (self->sources->kernel);
  guint n;
  const PenBucket *buckets = pen_bucket_table_get_buckets (self->table, &n);

  for (guint i = 0; i < n; i++) {
    const PenBucket *bucket = &buckets[i];
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
  guint n;
  const PenBucket *buckets = pen_bucket_table_get_buckets (self->table, &n);

  for (guint i = 0; i < n && !self->other; i++) {
    const PenBucket *bucket = &buckets[i];

    pen_function_table_add_samples (self->functions, bucket->function,
                                    bucket->samples * (guint64) sign,
                                    bucket->period * (guint64) sign);
  }
}

static PenBucketPacker *
start_packer (PenBucketBook *self, PenStoreWriter *writer)
{
  guint n;
  const PenBucket *buckets = pen_bucket_table_get_buckets (self->table, &n);

  return pen_bucket_packer_start (buckets, n, self->history,
                                  pen_store_writer_get_cancellable (writer));
}

gboolean
pen_bucket_book_begin_write (PenBucketBook *self, PenStoreWriter *writer, GError **error)
{
  if (!pen_bucket_book_find_functions (self, error))
    return FALSE;

  g_return_val_if_fail (!self->packer, FALSE);
  self->packer = start_packer (self, writer);
  return TRUE;
}

static gboolean
write_generation (PenBucketBook *self, PenStoreWriter *writer, GError **error)
{
  g_autoptr (PenBucketPacker) packer = g_steal_pointer (&self->packer);
  const PenPackedBuckets *packed;
  const GArray *places;

  if (!packer)
    packer = start_packer (self, writer);
  while ((packed = pen_bucket_packer_next (packer, &places))) {
    pen_text_pass_want_places (self->text, self->functions,
                               (const PenSampledPlace *) (gpointer) places->data, places->len);
    if (!pen_store_writer_add_packed_buckets (writer, packed, error))
      return FALSE;
  }
  return !g_cancellable_set_error_if_cancelled (pen_store_writer_get_cancellable (writer), error);
}

gboolean
pen_bucket_book_write_rest (PenBucketBook *self, PenStoreWriter *writer, GError **error)
{
  guint n;

  if (!pen_bucket_book_find_functions (self, error))
    return FALSE;
  pen_bucket_table_get_buckets (self->table, &n);
  if (n > G_MAXUINT32 - pen_bucket_table_get_first (self->table)) {
    g_set_error_literal (
        error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
        _ ("The samples have more than 2³² different instructions: record a shorter time"));
    return FALSE;
  }

  pen_bucket_book_add_up (self);
  add_to_functions (self, 1);
  return write_generation (self, writer, error);
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
