/* random-filter.c: filters of a random store, and what they mean
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "random-store.h"

#include "pen-store-writer.h"

static gboolean
has_time (const PenFilter *filter, const RandomSample *sample)
{
  if (!filter->has_time || (filter->from == 0 && filter->to == G_MAXUINT64))
    return TRUE;
  return sample->has & PEN_SAMPLE_HAS_TIME && sample->time >= filter->from
         && sample->time <= filter->to;
}

static gboolean
has_cpu (const PenFilter *filter, const RandomSample *sample)
{
  gboolean known = sample->has & PEN_SAMPLE_HAS_CPU;

  if (filter->none.cpus)
    return !known || sample->cpu != g_array_index (filter->none.cpus, guint32, 0);
  if (!filter->only.cpus)
    return TRUE;
  return known && sample->cpu == g_array_index (filter->only.cpus, guint32, 0);
}

/* At most one word is drawn, to be asked for or to be excluded. */
static gboolean
has_word (const GPtrArray *only, const GPtrArray *none, const char *word)
{
  return (!only || g_strcmp0 (only->pdata[0], word) == 0)
         && (!none || g_strcmp0 (none->pdata[0], word) != 0);
}

/* @number: 0: there is none */
static gboolean
has_number (const GArray *only, const GArray *none, guint32 number)
{
  if (only && (guint32) g_array_index (only, gint32, 0) != number)
    return FALSE;
  return !none || number == 0 || (guint32) g_array_index (none, gint32, 0) != number;
}

gboolean
random_store_has_sample (const RandomStore *self, const PenFilter *filter,
                         const RandomSample *sample)
{
  const PenBucket *bucket = &g_array_index (self->buckets, PenBucket, sample->bucket);
  const PenFilterValues *only = &filter->only;
  const PenFilterValues *none = &filter->none;

  if (!has_time (filter, sample) || !has_cpu (filter, sample))
    return FALSE;
  if (only->kinds != 0 && !(only->kinds >> bucket->kind & 1))
    return FALSE;
  if (none->kinds >> bucket->kind & 1)
    return FALSE;
  if (filter->has_address
      && (bucket->address < filter->address_from || bucket->address > filter->address_to))
    return FALSE;
  if (filter->changed && bucket->function % 3 == 0)
    return FALSE;
  if (!has_number (only->tenures, none->tenures, bucket->tenure)
      || !has_number (only->bpf_ids, none->bpf_ids, random_store_get_bpf_id (bucket->tenure)))
    return FALSE;
  return has_word (only->events, none->events, random_store_events[bucket->event])
         && has_word (only->comms, none->comms, random_store_comms[sample->thread])
         && has_word (only->symbols, none->symbols, random_store_get_symbol (bucket->function))
         && has_word (only->occupants, none->occupants,
                      random_store_get_occupant (bucket->function));
}

static GPtrArray *
one_word (const char *word)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (words, g_strdup (word));
  return words;
}

static GArray *
one_number (gint32 number)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof number);

  g_array_append_val (numbers, number);
  return numbers;
}

static void
ask_more (RandomStore *self, PenFilter *filter)
{
  guint32 cpu = random_store_draw (self, RANDOM_CPUS);
  PenFilterValues *values = random_store_draw (self, 2) > 0 ? &filter->only : &filter->none;

  /* Now and then kinds are left out besides. */
  if (random_store_draw (self, 6) == 0)
    filter->none.kinds = 1u << PEN_KIND_DSO;
  switch (random_store_draw (self, 16)) {
  case 0:
    values->kinds = 1u << PEN_KIND_KERNEL;
    break;
  case 1:
    values->kinds = 1u << PEN_KIND_DSO | 1u << PEN_KIND_UNKNOWN;
    break;
  case 2:
    values->events = one_word (random_store_events[random_store_draw (self, RANDOM_EVENTS)]);
    break;
  case 3:
    filter->has_address = TRUE;
    filter->address_from = TEXT + random_store_draw (self, N_KERNEL * FUNCTION_LENGTH);
    filter->address_to = filter->address_from + random_store_draw (self, 300);
    break;
  case 4:
    values->symbols
        = one_word (random_store_get_symbol (random_store_draw (self, N_KERNEL + N_PROGRAMS)));
    break;
  case 5:
    values->occupants
        = one_word (random_store_get_occupant (random_store_draw (self, N_FUNCTIONS)));
    break;
  case 6:
    filter->changed = TRUE;
    break;
  case 7:
    values->cpus = g_array_new (FALSE, FALSE, sizeof cpu);
    g_array_append_val (values->cpus, cpu);
    break;
  case 8:
    values->comms = one_word (random_store_comms[random_store_draw (self, RANDOM_THREADS)]);
    break;
  case 9:
    values->tenures = one_number (
        (gint32) (RANDOM_TENURE_KERNEL + random_store_draw (self, RANDOM_TENURE_FILE + 2)));
    break;
  case 10:
    values->bpf_ids = one_number ((gint32) (1 + random_store_draw (self, N_PROGRAMS)));
    break;
  default:
    break;
  }
}

/* Those without a time come first. */
static guint64
draw_time_of_sample (RandomStore *self)
{
  guint n = self->samples->len;

  return g_array_index (self->samples, RandomSample, n / 2 + random_store_draw (self, n / 2)).time;
}

PenFilter *
random_store_make_filter (RandomStore *self)
{
  PenFilter *filter = pen_filter_new ();
  gint32 length = (gint32) (self->last - self->first + 200);
  guint64 a = self->first - 100 + random_store_draw (self, (guint) length);
  guint64 b = self->first - 100 + random_store_draw (self, (guint) length);

  filter->has_time = random_store_draw (self, 10) > 0;
  filter->from = MIN (a, b);
  filter->to = MAX (a, b);
  switch (random_store_draw (self, 12)) {
  case 0:
    filter->from = 0;
    break;
  case 1:
    filter->to = G_MAXUINT64;
    break;
  case 2:
    filter->from = 0;
    filter->to = G_MAXUINT64;
    break;
  case 3:
    /* an end at a sample */
    filter->to = draw_time_of_sample (self);
    filter->from = MIN (filter->from, filter->to);
    break;
  case 4:
    filter->from = filter->to = self->first + random_store_draw (self, (guint) length - 200);
    break;
  case 5:
    filter->from = draw_time_of_sample (self);
    filter->to = MAX (filter->from, filter->to);
    break;
  default:
    break;
  }
  ask_more (self, filter);
  return filter;
}

void
random_store_draw_view (RandomStore *self, guint64 *from, guint64 *to)
{
  guint64 length = self->last + 1 - self->first;

  length >>= g_rand_int_range (self->rand, 0, g_rand_int_range (self->rand, 1, 20));
  length = MAX (length, 50);
  *from = self->first
          + (guint64) (g_rand_double (self->rand)
                       * (double) (self->last + 1 - self->first - length / 2));
  *to = *from + length;
}
