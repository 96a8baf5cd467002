/* pen-readings.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-readings.h"

#include <string.h>

#include "pen-binary-search.h"
#include "pen-compare.h"
#include "pen-table-hash.h"

#define DUMMY 9
#define NO_CPU G_MAXUINT32
/* A damaged file can name as many CPUs as there are numbers. */
#define MAX_CPUS 65536u

/* The last records in the ring of a CPU.
 * @open: a reading whose sample has not come yet, or PEN_READINGS_NONE
 * @before: position of the sample just before it; 0: none; else of the last sample
 * @address: of that sample */
typedef struct {
  guint open;
  guint64 before;
  guint64 address;
} Ring;

/* A loss that may have swallowed readings. @max_to: of this one and those before it */
typedef struct {
  guint64 from;
  guint64 max_to;
} Gap;

struct _PenReadings {
  GArray *seen;      /* PenSeen */
  GHashTable *rings; /* CPU → Ring */
  guint64 *samples;  /* by event */
  guint n_events;
  gboolean is_apart;
  GHashTable *by_position; /* guint64 * → index + 1; after sealing */
  GHashTable *by_mate;
};

PenReadings *
pen_readings_new (void)
{
  PenReadings *self = g_new0 (PenReadings, 1);

  self->seen = g_array_new (FALSE, FALSE, sizeof (PenSeen));
  self->rings = g_hash_table_new_full (pen_direct_hash, NULL, NULL, g_free);
  self->by_position = g_hash_table_new (pen_int64_hash, g_int64_equal);
  self->by_mate = g_hash_table_new (pen_int64_hash, g_int64_equal);
  return self;
}

void
pen_readings_free (PenReadings *self)
{
  if (!self)
    return;
  g_hash_table_unref (self->by_position);
  g_hash_table_unref (self->by_mate);
  g_hash_table_unref (self->rings);
  g_array_unref (self->seen);
  g_free (self->samples);
  g_free (self);
}

/* ---- records ---- */

static Ring *
get_ring (PenReadings *self, const PenRecord *record)
{
  guint32 cpu = (record->has & PEN_HAS_CPU) != 0 ? record->cpu : NO_CPU;
  Ring *ring = g_hash_table_lookup (self->rings, GUINT_TO_POINTER (cpu));

  if (ring || g_hash_table_size (self->rings) >= MAX_CPUS)
    return ring;
  ring = g_new0 (Ring, 1);
  ring->open = PEN_READINGS_NONE;
  g_hash_table_insert (self->rings, GUINT_TO_POINTER (cpu), ring);
  return ring;
}

/* The sample just before the reading is its own where the one after it is not. */
static void
close_ring (PenReadings *self, Ring *ring)
{
  PenSeen *seen;

  if (ring->open == PEN_READINGS_NONE)
    return;
  seen = &g_array_index (self->seen, PenSeen, ring->open);
  if (seen->mate == 0 && ring->before != 0 && ring->address == seen->record.address)
    seen->mate = ring->before;
  ring->open = PEN_READINGS_NONE;
  ring->before = 0;
}

static void
add_reading (PenReadings *self, const PenRecord *record, const PenWitnessedPlace *read)
{
  guint64 time = (record->has & PEN_HAS_TIME) != 0 ? record->time : 0;
  Ring *ring = get_ring (self, record);
  PenSeen seen = {
    .moment = pen_moment (time, record->position),
    .record = *read,
    .to_time = G_MAXUINT64,
    .event = (guint32) record->event,
  };

  if (ring) {
    close_ring (self, ring);
    ring->open = self->seen->len;
  }
  g_array_append_val (self->seen, seen);
}

static void
add_sample (PenReadings *self, const PenRecord *record)
{
  Ring *ring = get_ring (self, record);
  gboolean has_address = (record->has & PEN_HAS_ADDRESS) != 0;

  if (!ring)
    return;
  if (ring->open != PEN_READINGS_NONE) {
    PenSeen *seen = &g_array_index (self->seen, PenSeen, ring->open);

    if (has_address && seen->record.address == record->sample.address) {
      seen->mate = record->position;
      ring->before = 0;
      ring->open = PEN_READINGS_NONE;
      return; /* it is no other reading's */
    }
    close_ring (self, ring);
  }
  ring->before = has_address ? record->position : 0;
  ring->address = record->sample.address;
}

static void
count_sample (PenReadings *self, int event)
{
  guint n = event >= 0 ? (guint) event + 1 : 0;

  if (n > self->n_events) {
    self->samples = g_renew (guint64, self->samples, n);
    memset (self->samples + self->n_events, 0, (n - self->n_events) * sizeof *self->samples);
    self->n_events = n;
  }
  if (event >= 0)
    self->samples[event]++;
}

void
pen_readings_add (PenReadings *self, const PenRecord *record, const PenAttr *attr,
                  gboolean big_endian, PenRecordBudget *budget)
{
  PenWitnessedPlace read;

  if (!attr || !pen_attr_is_bpf_output (attr)) {
    count_sample (self, record->event);
    add_sample (self, record);
  } else if ((record->has & PEN_HAS_RAW) != 0
             && pen_witnessed_place_parse (&record->sample, big_endian, &read)
             && pen_record_budget_take_reading (budget)) {
    add_reading (self, record, &read);
  }
}

/* ---- whose they are ---- */

static gboolean
samples_by_itself (const PenAttr *attr)
{
  return attr->type != PEN_ATTR_TYPE_TRACEPOINT && !pen_attr_is_bpf_output (attr)
         && !(attr->type == PEN_ATTR_TYPE_SOFTWARE && attr->config == DUMMY);
}

static guint64
get_samples (const PenReadings *self, guint event)
{
  return event < self->n_events ? self->samples[event] : 0;
}

/* The events that have samples, by configuration; of one configuration, one type. */
static GHashTable *
list_sampled (const PenReadings *self, const GPtrArray *attrs)
{
  GHashTable *sampled = g_hash_table_new (pen_int64_hash, g_int64_equal);

  for (guint i = 0; i < attrs->len; i++) {
    PenAttr *attr = attrs->pdata[i];

    if (samples_by_itself (attr) && get_samples (self, i) > 0)
      g_hash_table_insert (sampled, &attr->config, attr);
  }
  return sampled;
}

/* Does the witness stand on an event of its own? The program there answers 0, so that it has no
 * samples: beside another one like it that has some, or where most readings have no neighbour. */
static gboolean
is_apart (const PenReadings *self, const GPtrArray *attrs)
{
  g_autoptr (GHashTable) sampled = list_sampled (self, attrs);
  guint n_mates = 0;

  for (guint i = 0; i < self->seen->len; i++)
    n_mates += g_array_index (self->seen, PenSeen, i).mate != 0;
  for (guint i = 0; i < attrs->len; i++) {
    const PenAttr *own = attrs->pdata[i];
    const PenAttr *other;

    if (!samples_by_itself (own) || get_samples (self, i) > 0)
      continue;
    other = g_hash_table_lookup (sampled, &own->config);
    if (n_mates < self->seen->len / 2 || (other && other->type == own->type))
      return TRUE;
  }
  return FALSE;
}

/* ---- how long they hold ---- */

static int
compare_gaps (gconstpointer a, gconstpointer b)
{
  return PEN_COMPARE (((const Gap *) a)->from, ((const Gap *) b)->from);
}

/* LOST says which event wrote it, and counts whatever did not fit into the ring; LOST_SAMPLES, of
 * which event samples are missing. */
static gboolean
may_lose_readings (const PenLoss *loss, const GPtrArray *attrs)
{
  switch (loss->kind) {
  case PEN_LOSS_RECORDS:
  case PEN_LOSS_SET_ASIDE:
  case PEN_LOSS_TRUNCATED:
    return TRUE;
  case PEN_LOSS_SAMPLES:
    return loss->count > loss->repeated
           && (!loss->has_event || loss->event >= attrs->len
               || pen_attr_is_bpf_output (attrs->pdata[loss->event]));
  case PEN_LOSS_UNWANTED:
  case PEN_LOSS_THROTTLED:
  case PEN_LOSSES:
  default:
    return FALSE;
  }
}

static GArray *
list_gaps (const GPtrArray *attrs, const PenLoss *losses, guint n)
{
  GArray *gaps = g_array_new (FALSE, FALSE, sizeof (Gap));
  guint64 max_to = 0;

  for (guint i = 0; i < n; i++) {
    Gap gap = { losses[i].from, losses[i].to };

    if (may_lose_readings (&losses[i], attrs))
      g_array_append_val (gaps, gap);
  }
  g_array_sort (gaps, compare_gaps);
  for (guint i = 0; i < gaps->len; i++) {
    Gap *gap = &g_array_index (gaps, Gap, i);

    max_to = MAX (max_to, gap->max_to);
    gap->max_to = max_to;
  }
  return gaps;
}

/* The first time from @time on at which a reading may be missing. */
static guint64
find_gap (const GArray *gaps, guint64 time)
{
  guint n = PEN_BINARY_SEARCH (i, 0, gaps->len, g_array_index (gaps, Gap, i).from <= time);

  if (n > 0 && g_array_index (gaps, Gap, n - 1).max_to > time)
    return time;
  return n < gaps->len ? g_array_index (gaps, Gap, n).from : G_MAXUINT64;
}

static int
compare_seen (gconstpointer a, gconstpointer b)
{
  return pen_moment_compare (((const PenSeen *) a)->moment, ((const PenSeen *) b)->moment);
}

static void
find_ends (PenReadings *self, const GArray *gaps, gboolean are_kept)
{
  g_autoptr (GHashTable) next = g_hash_table_new (pen_int64_hash, g_int64_equal);

  for (guint i = self->seen->len; i-- > 0;) {
    PenSeen *seen = &g_array_index (self->seen, PenSeen, i);
    const PenSeen *later;

    /* Memory of processes is of no use without knowing whose. */
    if (!are_kept || (seen->record.flags & PEN_WITNESSED_USER) != 0) {
      seen->to_time = seen->moment.time;
      continue;
    }
    later = g_hash_table_lookup (next, &seen->record.start);
    seen->to_time
        = MIN (find_gap (gaps, seen->moment.time), later ? later->moment.time : G_MAXUINT64);
    g_hash_table_replace (next, &seen->record.start, seen);
  }
}

void
pen_readings_seal (PenReadings *self, const GPtrArray *attrs, const PenLoss *losses, guint n_losses,
                   const PenWitnessCounters *counters)
{
  g_autoptr (GArray) gaps = list_gaps (attrs, losses, n_losses);
  GHashTableIter iter;
  gpointer ring;

  g_hash_table_iter_init (&iter, self->rings);
  while (g_hash_table_iter_next (&iter, NULL, &ring))
    close_ring (self, ring);
  g_hash_table_remove_all (self->rings);

  self->is_apart = self->seen->len > 0 && is_apart (self, attrs);
  g_array_sort (self->seen, compare_seen);
  for (guint i = 0; i < self->seen->len; i++) {
    PenSeen *seen = &g_array_index (self->seen, PenSeen, i);

    g_hash_table_insert (self->by_position, &seen->moment.position, GUINT_TO_POINTER (i + 1));
    if (seen->mate != 0)
      g_hash_table_insert (self->by_mate, &seen->mate, GUINT_TO_POINTER (i + 1));
  }
  find_ends (self, gaps, !counters->is_missing && counters->lost == 0);
}

PenSeen *
pen_readings_get (PenReadings *self, guint *n)
{
  *n = self->seen->len;
  return (PenSeen *) (gpointer) self->seen->data;
}

gboolean
pen_readings_are_apart (PenReadings *self)
{
  return self->is_apart;
}

guint
pen_readings_find (PenReadings *self, guint64 position)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->by_position, &position)) - 1;
}

guint
pen_readings_find_mate (PenReadings *self, guint64 position)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->by_mate, &position)) - 1;
}
