/* pen-pair-side.c: how two recordings were sampled
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pair-side.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "pen-lost-count.h"
#include "pen-sample-count.h"
#include "pen-query-private.h"
#include "pen-store-records.h"
#include "pen-store-samples.h"

/* perf_event.h: PERF_TYPE_SOFTWARE, its clocks, the first type that a kernel numbers as it likes,
 * and of the flags: which privilege levels are left out, and that a program was started for it. */
#define TYPE_SOFTWARE 1u
#define CONFIG_CPU_CLOCK 0u
#define CONFIG_TASK_CLOCK 1u
#define TYPE_DYNAMIC 6u
#define FLAG_EXCLUDE_USER (1ull << 4)
#define FLAG_EXCLUDE_KERNEL (1ull << 5)
#define FLAG_EXCLUDE_IDLE (1ull << 7)
#define FLAG_EXCLUDE_CHAIN_KERNEL (1ull << 21)
#define FLAG_EXCLUDE_CHAIN_USER (1ull << 22)
#define SAMPLE_CALLCHAIN (1ull << 5)
#define FLAG_ENABLE_ON_EXEC (1ull << 12)
/* The least part of its samples that a clock takes on a machine that is busy, or shared. */
#define SLOWEST_CLOCK 0.25
#define FLAGS_LEVELS (FLAG_EXCLUDE_USER | FLAG_EXCLUDE_KERNEL | FLAG_EXCLUDE_IDLE)

static const char *const obstacle_words[PEN_PAIR_OBSTACLES] = {
  [PEN_PAIR_COMPARABLE] = "",
  [PEN_PAIR_NO_TIME] = "no time",
  [PEN_PAIR_OTHER_EVENTS] = "other events",
  [PEN_PAIR_SEVERAL_RATES] = "several rates",
  [PEN_PAIR_OTHER_MODES] = "other modes",
  [PEN_PAIR_OTHER_SCOPES] = "other scopes",
  [PEN_PAIR_OTHER_CHAINS] = "other callchains",
};

const char *
pen_pair_obstacle_to_string (PenPairObstacle obstacle)
{
  g_return_val_if_fail (obstacle < PEN_PAIR_OBSTACLES, NULL);
  return obstacle_words[obstacle];
}

const char *
pen_pair_obstacle_describe (PenPairObstacle obstacle)
{
  static const char *const sentences[PEN_PAIR_OBSTACLES] = {
    [PEN_PAIR_NO_TIME]
    = N_ ("Rates cannot be compared: a recording has no samples with a time. Shares are compared."),
    [PEN_PAIR_OTHER_EVENTS]
    = N_ ("Rates cannot be compared: samples are of other events. Shares are compared."),
    [PEN_PAIR_SEVERAL_RATES]
    = N_ ("Rates cannot be compared: samples are of several events whose sampling rates differ by "
          "different factors. Shares are compared; --event selects one."),
    [PEN_PAIR_OTHER_MODES]
    = N_ ("Rates cannot be compared: one recording is sampled by frequency, the other by period, "
          "or it is unknown. Shares are compared."),
    [PEN_PAIR_OTHER_SCOPES]
    = N_ ("Rates cannot be compared: one recording is of all CPUs, the other of some tasks. Shares "
          "are compared."),
    [PEN_PAIR_OTHER_CHAINS]
    = N_ ("Call paths cannot be compared: samples of one recording have callchains that samples of "
          "the other lack."),
  };

  g_return_val_if_fail (obstacle < PEN_PAIR_OBSTACLES, NULL);
  return sentences[obstacle] ? _ (sentences[obstacle]) : NULL;
}

/* @events: (element-type PenStoreEvent): with samples that the filter may leave, by name */
typedef struct {
  PenQuery *query;
  GPtrArray *events;
  PenPairScope scope;
} Sampling;

static void
sampling_clear (Sampling *self)
{
  g_clear_pointer (&self->events, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sampling, sampling_clear)

/* ---- events ---- */

/* The name without what it has of a PMU's slashes and of modifiers: "cycles:P". */
static gsize
get_base_length (const char *name)
{
  return strcspn (name, ":");
}

static int
compare_bases (const char *a, const char *b)
{
  gsize length_a = get_base_length (a), length_b = get_base_length (b);
  int order = strncmp (a, b, MIN (length_a, length_b));

  return order != 0 ? order : (length_a > length_b) - (length_a < length_b);
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const PenStoreEvent *x = *(const PenStoreEvent *const *) a;
  const PenStoreEvent *y = *(const PenStoreEvent *const *) b;

  return compare_bases (x->name, y->name);
}

/* Returns: (transfer container) (element-type PenStoreEvent): with samples, by name */
static GPtrArray *
find_events (const PenPairSource *source)
{
  GPtrArray *all = pen_store_get_events (pen_query_get_store (source->query));
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < all->len; i++) {
    const PenStoreEvent *event = all->pdata[i];

    if (event->samples > 0
        && (!source->filter
            || pen_filter_admits_word (source->filter, PEN_FILTER_EVENT, event->name)))
      g_ptr_array_add (found, all->pdata[i]);
  }
  g_ptr_array_sort (found, compare_events);
  return found;
}

static gboolean
is_same_event (const PenStoreEvent *a, const PenStoreEvent *b)
{
  if ((a->flags & FLAGS_LEVELS) != (b->flags & FLAGS_LEVELS))
    return FALSE;
  if (a->type < TYPE_DYNAMIC && b->type < TYPE_DYNAMIC && a->size > 0 && b->size > 0)
    return a->type == b->type && a->config == b->config;
  return compare_bases (a->name, b->name) == 0;
}

/* The event counts nanoseconds: a period of it is a frequency. */
static gboolean
is_clock (const PenStoreEvent *event)
{
  return event->type == TYPE_SOFTWARE
         && (event->config == CONFIG_CPU_CLOCK || event->config == CONFIG_TASK_CLOCK);
}

static gboolean
is_by_frequency (const PenStoreEvent *event)
{
  return (event->flags & PEN_STORE_EVENT_FREQUENCY) != 0;
}

/* An event of CPUs has an id on each. */
static guint64
count_recorded_cpus (PenQuery *query, const PenStoreEvent *event)
{
  gint64 n = pen_store_get_fact_int (pen_query_get_store (query), "cpus_online", 0);

  if (event->ids > 0 && (n <= 0 || event->ids < (guint64) n))
    return event->ids;
  return (guint64) MAX (n, 0);
}

/* Samples per second that the event asks for, or per event of a counter; 0: not known. */
static double
get_rate (const PenStoreEvent *event)
{
  double number = (double) event->period_or_frequency;

  if (event->size == 0 || number <= 0)
    return 0;
  if (is_by_frequency (event))
    return number;
  return (is_clock (event) ? 1e9 : 1) / number;
}

/*
 * Samples per second of a clock on a CPU, idle or not: where all CPUs were recorded, that is what
 * there really were. A guest or a busy machine may take less than half of those asked for; where it
 * is but a small part, it is not the clock that was slow: samples were left out.
 * Returns: 0: not known
 */
static double
measure_rate (PenQuery *query, const PenStoreEvent *event, PenPairScope scope)
{
  double seconds = pen_query_count_seconds (query, NULL);
  double measured;

  if (scope != PEN_PAIR_SCOPE_CPUS || event->size == 0 || event->ids == 0 || seconds <= 0
      || event->type != TYPE_SOFTWARE || event->config != CONFIG_CPU_CLOCK
      || (event->flags & FLAGS_LEVELS) != 0)
    return 0;
  measured = (double) event->samples / (seconds * (double) count_recorded_cpus (query, event));
  return measured >= SLOWEST_CLOCK * get_rate (event) ? measured : 0;
}

/* How many samples B takes where A takes one; NAN: that is not known. */
static double
get_rate_factor (const Sampling *a, const Sampling *b, guint i)
{
  const PenStoreEvent *x = a->events->pdata[i], *y = b->events->pdata[i];
  double measured_x = measure_rate (a->query, x, a->scope);
  double measured_y = measure_rate (b->query, y, b->scope);

  if (measured_x > 0 && measured_y > 0)
    return measured_y / measured_x;
  if (is_by_frequency (x) != is_by_frequency (y) && !is_clock (x))
    return NAN;
  return get_rate (x) > 0 && get_rate (y) > 0 ? get_rate (y) / get_rate (x) : NAN;
}

static PenPairObstacle
compare_sampling (const Sampling *a, const Sampling *b, double *factor)
{
  *factor = NAN;
  if (a->events->len != b->events->len || a->events->len == 0)
    return PEN_PAIR_OTHER_EVENTS;
  for (guint i = 0; i < a->events->len; i++) {
    double other;

    if (!is_same_event (a->events->pdata[i], b->events->pdata[i]))
      return PEN_PAIR_OTHER_EVENTS;
    other = get_rate_factor (a, b, i);
    if (isnan (other))
      return PEN_PAIR_OTHER_MODES;
    if (i > 0 && fabs (other - *factor) > 1e-9 * *factor)
      return PEN_PAIR_SEVERAL_RATES;
    *factor = other;
  }
  return PEN_PAIR_COMPARABLE;
}

/* Which callchains its samples have; 0: none */
static guint64
get_chains (const PenStoreEvent *event)
{
  if ((event->sample_type & SAMPLE_CALLCHAIN) == 0)
    return 0;
  return SAMPLE_CALLCHAIN | (event->flags & (FLAG_EXCLUDE_CHAIN_KERNEL | FLAG_EXCLUDE_CHAIN_USER));
}

/* Events are compared one by one where they are the same; of others, all must be alike. */
static gboolean
has_same_chains (const Sampling *a, const Sampling *b)
{
  gboolean are_same = a->events->len == b->events->len;

  for (guint i = 0; i < a->events->len && are_same; i++)
    are_same = is_same_event (a->events->pdata[i], b->events->pdata[i]);
  for (guint i = 0; i < a->events->len; i++)
    for (guint k = are_same ? i : 0; k < (are_same ? i + 1 : b->events->len); k++)
      if (get_chains (a->events->pdata[i]) != get_chains (b->events->pdata[k]))
        return FALSE;
  return TRUE;
}

static char *
describe_sampling (const Sampling *self)
{
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < self->events->len; i++) {
    const PenStoreEvent *event = self->events->pdata[i];
    double measured = measure_rate (self->query, event, self->scope);

    g_string_append_printf (words, "%s%s", i > 0 ? "; " : "", event->name);
    if (event->size == 0)
      continue;
    g_string_append (words, ", ");
    if (is_by_frequency (event))
      g_string_append_printf (words, "%" PRIu64 " Hz", event->period_or_frequency);
    else
      g_string_append_printf (words, _ ("every %" PRIu64), event->period_or_frequency);
    if (measured > 0)
      g_string_append_printf (words, _ (" (measured: %.0f Hz)"), measured);
  }
  return g_string_free (words, FALSE);
}

/* ---- CPUs ---- */

static gboolean
names_all_cpus (const char *command_line)
{
  g_auto (GStrv) words = g_strsplit (command_line, " ", -1);

  for (char **word = words; *word && !g_str_equal (*word, "--"); word++)
    if (g_str_equal (*word, "-a") || g_str_equal (*word, "--all-cpus"))
      return TRUE;
  return FALSE;
}

/* Only a recording of CPUs has samples of what runs where no task does. */
static gboolean
find_scope (PenStore *store, const GPtrArray *events, PenPairScope *scope, GError **error)
{
  const char *command_line = pen_store_get_fact (store, "command_line");
  guint n;
  const PenThread *threads = pen_store_get_threads (store, &n, error);

  *scope = PEN_PAIR_SCOPE_UNKNOWN;
  if (!threads)
    return FALSE;
  if (command_line && names_all_cpus (command_line))
    *scope = PEN_PAIR_SCOPE_CPUS;
  for (guint i = 0; i < events->len; i++)
    if ((((const PenStoreEvent *) events->pdata[i])->flags & FLAG_ENABLE_ON_EXEC) != 0)
      *scope = PEN_PAIR_SCOPE_TASKS;
  for (guint i = 0; i < n && *scope == PEN_PAIR_SCOPE_UNKNOWN; i++) {
    if (threads[i].has_task && threads[i].pid == 0 && threads[i].tid == 0)
      *scope = PEN_PAIR_SCOPE_CPUS;
    if (!pen_store_steps_on (store, i, error))
      return FALSE;
  }
  return TRUE;
}

static guint
count_cpus (const PenFilter *filter, const Sampling *self)
{
  guint64 n = (guint64) CLAMP (
      pen_store_get_fact_int (pen_query_get_store (self->query), "cpus_online", 0), 0, G_MAXUINT16);
  guint admitted = 0;

  if (self->scope == PEN_PAIR_SCOPE_CPUS && self->events->len > 0)
    n = MIN (count_recorded_cpus (self->query, self->events->pdata[0]), G_MAXUINT16);
  if (!filter || !pen_filter_asks (filter, PEN_FILTER_CPU))
    return (guint) n;
  for (gint32 cpu = 0; cpu < (gint32) n; cpu++)
    admitted += pen_filter_admits_number (filter, PEN_FILTER_CPU, TRUE, cpu);
  return admitted;
}

/* ---- both ---- */

static gboolean
load_sampling (Sampling *self, const PenPairSource *source, GError **error)
{
  if (!pen_query_load (source->query, error))
    return FALSE;
  self->query = source->query;
  self->events = find_events (source);
  return find_scope (pen_query_get_store (source->query), self->events, &self->scope, error);
}

static gboolean
measure_side (PenPairSide *side, const PenPairSource *source, const Sampling *sampling,
              GError **error)
{
  PenStore *store = pen_query_get_store (source->query);
  PenLostCount losses;
  guint64 total;

  if (!pen_lost_count_load (store, &losses, error)
      || !pen_query_count (source->query, source->filter, &side->samples, &total, error))
    return FALSE;
  side->lost = losses.lost;
  side->seconds = pen_query_count_seconds (source->query, source->filter);
  side->scope = sampling->scope;
  side->n_cpus = count_cpus (source->filter, sampling);
  side->sampling = describe_sampling (sampling);
  side->release = g_strdup (pen_store_get_fact (store, "osrelease"));
  return TRUE;
}

/* Two recordings of CPUs have more samples the more CPUs there are. */
static void
compare_cpus (PenPairs *self)
{
  const PenPairSide *a = &self->sides[0], *b = &self->sides[1];

  self->factor_of_cpus = 1;
  if (a->scope != b->scope && a->scope != PEN_PAIR_SCOPE_UNKNOWN
      && b->scope != PEN_PAIR_SCOPE_UNKNOWN && self->obstacle == PEN_PAIR_COMPARABLE)
    self->obstacle = PEN_PAIR_OTHER_SCOPES;
  if ((a->scope == PEN_PAIR_SCOPE_CPUS || b->scope == PEN_PAIR_SCOPE_CPUS) && a->n_cpus > 0
      && b->n_cpus > 0)
    self->factor_of_cpus = (double) b->n_cpus / (double) a->n_cpus;
}

gboolean
pen_pair_measure_sides (PenPairs *self, const PenPairSource sources[2], GError **error)
{
  g_auto (Sampling) a = { 0 };
  g_auto (Sampling) b = { 0 };

  if (!load_sampling (&a, &sources[0], error) || !load_sampling (&b, &sources[1], error)
      || !measure_side (&self->sides[0], &sources[0], &a, error)
      || !measure_side (&self->sides[1], &sources[1], &b, error))
    return FALSE;
  self->obstacle = compare_sampling (&a, &b, &self->factor_of_rate);
  if (self->obstacle == PEN_PAIR_COMPARABLE
      && (self->sides[0].seconds <= 0 || self->sides[1].seconds <= 0))
    self->obstacle = PEN_PAIR_NO_TIME;
  self->has_same_chains = has_same_chains (&a, &b);
  compare_cpus (self);
  self->factor
      = self->obstacle == PEN_PAIR_COMPARABLE ? self->factor_of_rate * self->factor_of_cpus : NAN;
  return TRUE;
}

gboolean
pen_pair_begin_reading (const PenPairSource sources[2], GError **error)
{
  PenStore *a = pen_query_get_store (sources[0].query);

  if (!pen_store_begin_reading (a, error))
    return FALSE;
  if (pen_store_begin_reading (pen_query_get_store (sources[1].query), error))
    return TRUE;
  pen_store_end_reading (a);
  return FALSE;
}

void
pen_pair_end_reading (const PenPairSource sources[2])
{
  for (guint i = 0; i < 2; i++)
    pen_store_end_reading (pen_query_get_store (sources[i].query));
}
