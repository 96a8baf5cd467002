/* test-verdict.c: pooled phases against a second making; how often a difference is claimed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>
#include <string.h>

#include "pen-query-resolve.h"
#include "pen-query-verdict.h"
#include "pen-store-records.h"
#include "pen-tenure.h"
#include "query-fixture.h"

/* ---- captures: functions side by side in the kernel's text, each with a probe on its entry ----
 */

#define TEXT G_GUINT64_CONSTANT (0xffffffff81000000)
#define STEP 0x40u
#define FUNCTIONS_MAX 400
#define SECOND G_GUINT64_CONSTANT (1000000000)

/*
 * @rate, @on_rate: samples per second of a function while its probe is off, and on
 * @others, @on_others: of everything else, in the same times
 */
typedef struct {
  guint n_functions;
  guint n_flips;
  double seconds;
  double rate;
  double on_rate;
  double others;
  double on_others;
} Plan;

/* Events, sorted before they are written. */
typedef enum { SAMPLE, POKE, LOST } EventKind;

typedef struct {
  guint64 time;
  EventKind kind;
  guint function; /* FUNCTIONS_MAX: somewhere else */
  gint32 pid;
  gboolean on;
} Event;

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const Event *x = a, *y = b;

  return x->time < y->time ? -1 : x->time > y->time;
}

static void
add_event (GArray *events, guint64 time, EventKind kind, guint function, gint32 pid, gboolean on)
{
  Event event = { time, kind, function, pid, on };

  g_array_append_val (events, event);
}

/* Samples of a Poisson process in [@from, @to). */
static void
add_samples (GArray *events, GRand *rand, double rate, guint64 from, guint64 to, guint function,
             gint32 pid)
{
  double at = (double) from;

  while (rate > 0) {
    at -= log (1 - g_rand_double (rand)) / rate * 1e9;
    if (at >= (double) to)
      return;
    add_event (events, (guint64) at, SAMPLE, function, pid, FALSE);
  }
}

/* As where the kernel keeps to a frequency. */
static gboolean has_varying_periods;
/* In every second turn of that length, they are longer by a third. */
static guint64 turn_length;

static void
write_event (PenTestCapture *capture, const Event *event)
{
  guint64 period = (has_varying_periods ? 1000 + event->time % 7 : 1000)
                   + (turn_length > 0 && event->time / turn_length % 2 == 0 ? 333 : 0);

  static const guint8 push[] = { 0x55 };
  static const guint8 breakpoint[] = { 0xcc };
  guint64 address = TEXT + (guint64) event->function * STEP;

  pen_test_capture_at (capture, event->time, event->pid, event->pid, 0);
  pen_test_capture_from (capture, event->kind == SAMPLE ? 0 : 1);
  if (event->kind == SAMPLE)
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, address + 1, period);
  else if (event->kind == POKE)
    pen_test_capture_add_text_poke (capture, address, event->on ? push : breakpoint, 1,
                                    event->on ? breakpoint : push, 1);
  else
    pen_test_capture_add_lost (capture, pen_test_capture_get_id (1, 0), 5);
}

static void
import_events (QueryFixture *fixture, GArray *events)
{
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  g_autoptr (GString) kallsyms = g_string_new (NULL);
  g_autofree guint8 *text = g_malloc ((FUNCTIONS_MAX + 1) * STEP);

  for (guint i = 0; i <= FUNCTIONS_MAX; i++) {
    memset (text + i * STEP, 0x90, STEP);
    text[i * STEP] = 0x55;
    text[i * STEP + STEP - 1] = 0xc3;
    g_string_append_printf (kallsyms, "%" G_GINT64_MODIFIER "x T f%u\n", TEXT + i * STEP, i);
  }
  g_string_append_printf (kallsyms, "%" G_GINT64_MODIFIER "x T _etext\n",
                          TEXT + (FUNCTIONS_MAX + 1) * STEP);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_add_kcore_file (capture, "kallsyms", kallsyms->str, kallsyms->len);
  pen_test_capture_add_kcore_segment (capture, TEXT, text, (FUNCTIONS_MAX + 1) * STEP);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_as_recorder (capture);
  pen_test_capture_from (capture, 1);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, TEXT, 0x10000, TEXT,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_comm (capture, 7, 7, FALSE, "one");
  pen_test_capture_add_comm (capture, 8, 8, FALSE, "two");
  g_array_sort (events, compare_events);
  for (guint i = 0; i < events->len; i++)
    write_event (capture, &g_array_index (events, Event, i));
  query_fixture_import (fixture, capture);
}

/* Flips of a probe at random times: an even number of stretches on and off. */
static void
plan_function (GArray *events, GRand *rand, const Plan *plan, guint function)
{
  guint64 length = (guint64) (plan->seconds * 1e9) / (plan->n_flips + 1);
  guint64 from = SECOND;

  for (guint i = 0; i <= plan->n_flips; i++) {
    guint64 to = from + length;
    gboolean on = i % 2 == 1;

    if (i > 0)
      add_event (events, from, POKE, function, 7, on);
    add_samples (events, rand, on ? plan->on_rate : plan->rate, from + 1, to, function, 7);
    if (function == 0)
      add_samples (events, rand, on ? plan->on_others : plan->others, from + 1, to, FUNCTIONS_MAX,
                   8);
    from = to;
  }
}

static void
import_plan (QueryFixture *fixture, const Plan *plan, guint32 seed)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  for (guint i = 0; i < plan->n_functions; i++)
    plan_function (events, rand, plan, i);
  import_events (fixture, events);
}

static PenVerdictReport *
report_on (QueryFixture *fixture, guint function, const PenFilter *filter)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_strdup_printf ("f%u", function);
  g_autoptr (GArray) found = pen_query_find_functions (fixture->query, name, &error);
  PenVerdictReport *report;

  g_assert_no_error (error);
  report = pen_query_verdict_of_function (fixture->query, filter, g_array_index (found, guint32, 0),
                                          &error);
  g_assert_no_error (error);
  return report;
}

static const PenVerdictCause *
get_cause (const PenVerdictReport *report)
{
  const PenVerdictCause *cause;

  g_assert_cmpuint (report->causes->len, ==, 1);
  cause = report->causes->pdata[0];
  g_assert_cmpint (cause->cause, ==, PEN_CAUSE_KPROBE);
  g_assert_true (cause->is_switch);
  return cause;
}

static gboolean
claims (PenVerdict verdict)
{
  return verdict == PEN_VERDICT_MORE || verdict == PEN_VERDICT_LESS;
}

/* ---- how often a difference is claimed ---- */

/* Equal rates: in no more than one of twenty. Fixed seeds: what holds once holds always. */
static void
test_equal_rates (void)
{
  const Plan plan = { .n_functions = FUNCTIONS_MAX,
                      .n_flips = 5,
                      .seconds = 6,
                      .rate = 8,
                      .on_rate = 8,
                      .others = 400,
                      .on_others = 400 };
  QueryFixture fixture = { 0 };
  guint n_rate = 0, n_share = 0, n_uneven = 0;

  import_plan (&fixture, &plan, 1);
  for (guint i = 0; i < FUNCTIONS_MAX; i++) {
    g_autoptr (PenVerdictReport) report = report_on (&fixture, i, NULL);
    const PenVerdictCause *cause = get_cause (report);

    n_rate += claims (cause->two.rate);
    n_share += claims (cause->two.share);
    n_uneven += cause->two.phases[PEN_TEXT_ON].is_uneven;
    g_assert_cmpuint (cause->two.phases[PEN_TEXT_ON].stretches, ==, 3);
    g_assert_cmpuint (cause->two.phases[PEN_TEXT_OFF].stretches, ==, 3);
    for (guint k = 0; k < cause->tasks->len; k++)
      g_assert_false (((const PenVerdictTask *) cause->tasks->pdata[k])->differs);
  }
  g_test_message ("of %u: rates differ in %u, shares in %u, stretches in %u", FUNCTIONS_MAX, n_rate,
                  n_share, n_uneven);
  g_assert_cmpuint (n_rate, <=, FUNCTIONS_MAX / 20);
  g_assert_cmpuint (n_share, <=, FUNCTIONS_MAX / 20);
  g_assert_cmpuint (n_uneven, <=, FUNCTIONS_MAX / 20);
  query_fixture_tear_down (&fixture, NULL);
}

/* A known ratio lies in the interval in 19 of 20 cases, and is found where there is enough. */
static void
test_known_ratio (void)
{
  const Plan plan = { .n_functions = FUNCTIONS_MAX,
                      .n_flips = 5,
                      .seconds = 6,
                      .rate = 10,
                      .on_rate = 25,
                      .others = 400,
                      .on_others = 400 };
  QueryFixture fixture = { 0 };
  guint n_covered = 0, n_found = 0;

  import_plan (&fixture, &plan, 2);
  for (guint i = 0; i < FUNCTIONS_MAX; i++) {
    g_autoptr (PenVerdictReport) report = report_on (&fixture, i, NULL);
    const PenTwoPhases *two = &get_cause (report)->two;

    n_covered += two->rate_test.low <= 2.5 && two->rate_test.high >= 2.5;
    n_found += two->rate == PEN_VERDICT_MORE;
    g_assert_cmpint (two->rate, !=, PEN_VERDICT_LESS);
  }
  g_test_message ("of %u: covered in %u, found in %u", FUNCTIONS_MAX, n_covered, n_found);
  g_assert_cmpuint (n_covered, >=, FUNCTIONS_MAX * 19 / 20);
  g_assert_cmpuint (n_found, >=, FUNCTIONS_MAX * 9 / 10);
  query_fixture_tear_down (&fixture, NULL);
}

/* Twice as much of everything: the rate is higher, the share is not, and that is said. */
static void
test_busier (void)
{
  const Plan plan = { .n_functions = 1,
                      .n_flips = 5,
                      .seconds = 60,
                      .rate = 20,
                      .on_rate = 50,
                      .others = 200,
                      .on_others = 500 };
  QueryFixture fixture = { 0 };
  g_autoptr (PenVerdictReport) report = NULL;
  g_autofree char *text = NULL;

  import_plan (&fixture, &plan, 3);
  report = report_on (&fixture, 0, NULL);
  g_assert_cmpint (get_cause (report)->two.rate, ==, PEN_VERDICT_MORE);
  g_assert_cmpint (get_cause (report)->two.share, ==, PEN_VERDICT_ALIKE);
  g_assert_cmpfloat_with_epsilon (report->traced / report->known, 0.5, 0.01);
  text = pen_verdict_report_describe (report);
  g_assert_true (g_str_has_prefix (text, "Traced 50 % of the time. 2."));
  g_assert_nonnull (strstr (text, "× samples per second while the kprobe was active ("));
  g_assert_nonnull (strstr (text, "no significant difference in share of samples. Rate and share "
                                  "disagree: the load differed."));
  g_assert_true (g_str_has_suffix (text, "Patched by one [7]."));
  query_fixture_tear_down (&fixture, NULL);
}

static guint
count_words (const char *text, const char *words)
{
  guint n = 0;

  for (const char *at = strstr (text, words); at; at = strstr (at + 1, words))
    n++;
  return n;
}

/* Two causes with a difference, each at an uneven rate: that is said once. */
static void
test_uneven (void)
{
  const Plan plan = { .n_functions = 1,
                      .n_flips = 5,
                      .seconds = 60,
                      .rate = 20,
                      .on_rate = 50,
                      .others = 200,
                      .on_others = 200 };
  QueryFixture fixture = { 0 };
  g_autoptr (PenVerdictReport) report = NULL;
  g_autoptr (GPtrArray) twice = g_ptr_array_new ();
  g_autofree char *before = NULL;
  g_autofree char *text = NULL;
  GPtrArray *once;
  PenVerdictCause *cause;

  import_plan (&fixture, &plan, 3);
  report = report_on (&fixture, 0, NULL);
  before = pen_verdict_report_describe (report);
  g_assert_cmpuint (count_words (before, "Rates vary"), ==, 0);
  cause = report->causes->pdata[0];
  cause->two.phases[PEN_TEXT_ON].is_uneven = TRUE;
  g_ptr_array_add (twice, cause);
  g_ptr_array_add (twice, cause);
  once = report->causes;
  report->causes = twice;
  text = pen_verdict_report_describe (report);
  report->causes = once;
  g_assert_cmpuint (count_words (text, "× samples per second while the kprobe was active"), ==, 2);
  g_assert_cmpuint (count_words (text, "Rates vary"), ==, 1);
  query_fixture_tear_down (&fixture, NULL);
}

/* One of two tasks is slower with the probe; the other is not. */
static void
test_tasks (void)
{
  QueryFixture fixture = { 0 };
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (PenVerdictReport) report = NULL;
  g_autofree char *more = NULL;
  guint n = 0;

  for (guint i = 0; i < 8; i++) {
    guint64 from = (i * 5 + 1) * SECOND, to = from + 5 * SECOND;

    if (i > 0)
      add_event (events, from, POKE, 0, 8, i % 2 == 1);
    add_samples (events, rand, i % 2 == 1 ? 60 : 20, from + 1, to, 0, 7);
    add_samples (events, rand, 40, from + 1, to, 0, 8);
    add_samples (events, rand, 100, from + 1, to, FUNCTIONS_MAX, 7);
    add_samples (events, rand, 100, from + 1, to, FUNCTIONS_MAX, 8);
  }
  import_events (&fixture, events);
  report = report_on (&fixture, 0, NULL);
  g_assert_cmpuint (get_cause (report)->tasks->len, ==, 2);
  for (guint i = 0; i < 2; i++) {
    const PenVerdictTask *task = get_cause (report)->tasks->pdata[i];

    g_assert_true (task->differs);
    if (g_str_equal (task->comm, "one"))
      g_assert_cmpint (task->two.rate, ==, PEN_VERDICT_MORE);
    else
      g_assert_cmpint (task->two.rate, ==, PEN_VERDICT_ALIKE);
    n += (guint) task->two.phases[PEN_TEXT_ON].rate.samples
         + (guint) task->two.phases[PEN_TEXT_OFF].rate.samples;
  }
  g_assert_cmpuint (n, ==,
                    get_cause (report)->two.phases[PEN_TEXT_ON].rate.samples
                        + get_cause (report)->two.phases[PEN_TEXT_OFF].rate.samples);
  more = pen_verdict_report_describe_more (report);
  g_assert_nonnull (strstr (more, "Tasks differ: one "));
  query_fixture_tear_down (&fixture, NULL);
}

/* Two stretches are too few for an interval; where all periods are alike, nothing is said. */
static void
test_periods (void)
{
  for (guint i = 0; i < 2; i++) {
    QueryFixture fixture = { 0 };
    g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
    g_autoptr (GRand) rand = g_rand_new_with_seed (6);
    g_autoptr (PenVerdictReport) report = NULL;
    g_autofree char *more = NULL;
    g_autofree char *text = NULL;

    add_samples (events, rand, 20, SECOND, 10 * SECOND, 0, 7);
    add_event (events, 10 * SECOND, POKE, 0, 8, TRUE);
    add_samples (events, rand, 20, 10 * SECOND + 1, 20 * SECOND, 0, 7);
    has_varying_periods = i == 1;
    import_events (&fixture, events);
    has_varying_periods = FALSE;
    report = report_on (&fixture, 0, NULL);
    more = pen_verdict_report_describe_more (report);
    g_assert_cmpint (strstr (more, " per sample: ") != NULL, ==, i == 1);
    g_assert_cmpint (strstr (more, "Too few time ranges for an interval") != NULL, ==, i == 1);
    text = pen_verdict_report_describe (report);
    g_assert_cmpint (strstr (text, " per sample (no interval).") != NULL, ==, i == 1);
    query_fixture_tear_down (&fixture, NULL);
  }
}

/* Many stretches have an interval; a hit that costs more is a difference, also where there are not
 * more of them. */
static void
test_period_interval (void)
{
  for (guint i = 0; i < 2; i++) {
    QueryFixture fixture = { 0 };
    g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
    g_autoptr (GRand) rand = g_rand_new_with_seed (8);
    g_autoptr (PenVerdictReport) report = NULL;
    g_autofree char *text = NULL;
    g_autofree char *more = NULL;

    for (guint k = 1; k <= 16; k++) {
      guint64 from = k * 5 * SECOND;

      if (k > 1)
        add_event (events, from, POKE, 0, 8, k % 2 == 0);
      add_samples (events, rand, 20, from + 1, from + 5 * SECOND, 0, 7);
    }
    has_varying_periods = TRUE;
    turn_length = i == 1 ? 5 * SECOND : 0;
    import_events (&fixture, events);
    has_varying_periods = FALSE;
    turn_length = 0;
    report = report_on (&fixture, 0, NULL);
    text = pen_verdict_report_describe (report);
    more = pen_verdict_report_describe_more (report);
    g_assert_null (strstr (more, "Too few"));
    g_assert_nonnull (strstr (text, "No significant difference in samples per second"));
    g_assert_cmpint (strstr (text, " per sample (1.3–1.3).") != NULL, ==, i == 1);
    g_assert_cmpint (strstr (text, ", no significant difference in ") != NULL, ==, i == 0);
    query_fixture_tear_down (&fixture, NULL);
  }
}

/* ---- a second making ---- */

typedef struct {
  guint64 samples[PEN_TEXT_STATES];
  guint64 all[PEN_TEXT_STATES];
  double seconds[PEN_TEXT_STATES];
} Twin;

/* Whether samples of @time count: from the first to the last, without what was lost. */
static gboolean
is_recorded (const GArray *losses, guint64 first, guint64 last, guint64 time)
{
  for (guint i = 0; i < losses->len; i++) {
    const PenLoss *loss = &g_array_index (losses, PenLoss, i);

    if (loss->from < loss->to && loss->from <= time && time <= loss->to
        && !(loss->from <= first && loss->to >= last))
      return FALSE;
  }
  return time >= first && time <= last;
}

/* The state of function 0 at @time, found by looking at everything. */
static PenTextState
find_state (const GArray *events, const GArray *losses, guint64 time)
{
  const Event *last = NULL, *next = NULL;

  for (guint i = 0; i < events->len; i++) {
    const Event *event = &g_array_index (events, Event, i);

    if (event->kind != POKE || event->function != 0)
      continue;
    if (event->time <= time)
      last = event;
    else if (!next)
      next = event;
  }
  if (next)
    return next->on ? PEN_TEXT_OFF : PEN_TEXT_ON;
  for (guint i = 0; i < losses->len; i++) {
    const PenLoss *loss = &g_array_index (losses, PenLoss, i);

    if (loss->kind == PEN_LOSS_RECORDS && loss->to > last->time && loss->from <= time)
      return PEN_TEXT_UNKNOWN;
  }
  return last->on ? PEN_TEXT_ON : PEN_TEXT_OFF;
}

/* Every sample by itself; time in pieces of a microsecond, on which everything falls. */
static void
make_twin (Twin *twin, const GArray *events, const GArray *losses)
{
  guint64 first = G_MAXUINT64, last = 0;

  for (guint i = 0; i < events->len; i++) {
    const Event *event = &g_array_index (events, Event, i);

    if (event->kind == SAMPLE) {
      first = MIN (first, event->time);
      last = MAX (last, event->time);
    }
  }
  for (guint i = 0; i < events->len; i++) {
    const Event *event = &g_array_index (events, Event, i);
    PenTextState state;

    if (event->kind != SAMPLE || !is_recorded (losses, first, last, event->time))
      continue;
    state = find_state (events, losses, event->time);
    twin->all[state]++;
    twin->samples[state] += event->function == 0;
  }
  for (guint64 time = first; time < last; time += 1000) {
    if (is_recorded (losses, first, last, time + 500))
      twin->seconds[find_state (events, losses, time + 500)] += 1e-6;
  }
}

/* Returns: samples while the text was unknown. */
static guint64
check_phases (QueryFixture *fixture, const GArray *events, guint seed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) losses = pen_store_load_losses (fixture->store, &error);
  g_autoptr (PenVerdictReport) report = report_on (fixture, 0, NULL);
  const PenVerdictCause *cause = get_cause (report);
  Twin twin = { 0 };

  g_assert_no_error (error);
  make_twin (&twin, events, losses);
  for (guint i = 0; i < PEN_TEXT_STATES; i++) {
    const PenPhase *phase = &cause->two.phases[i];

    g_test_message ("seed %u, %s: %" G_GUINT64_FORMAT " samples in %f s", seed,
                    pen_text_state_to_string (i), phase->rate.samples, phase->rate.seconds);
    g_assert_cmpuint (phase->rate.samples, ==, twin.samples[i]);
    g_assert_cmpuint (phase->all, ==, twin.all[i]);
    g_assert_cmpuint (phase->period, ==, 1000 * twin.samples[i]);
    /* Both ends of a piece are in it: a nanosecond each. */
    g_assert_cmpfloat_with_epsilon (phase->rate.seconds, twin.seconds[i], 3e-6);
  }
  return twin.samples[PEN_TEXT_UNKNOWN];
}

/* Random stretches, with lost records, some of them after the last flip. */
static void
test_twin (void)
{
  guint64 n_unknown = 0;

  for (guint seed = 0; seed < 40; seed++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
    g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (Event));
    QueryFixture fixture = { 0 };
    gboolean on = FALSE;
    guint n = (guint) g_rand_int_range (rand, 40, 90);

    add_event (events, 10000, POKE, 0, 7, on = !on);
    for (guint i = 0; i < n; i++) {
      guint64 time = 20000 + 1000 * (guint64) (i * 20 + (guint) g_rand_int_range (rand, 0, 19));
      guint32 what = (guint32) g_rand_int_range (rand, 0, 20);

      if (what < 4 && i < n * 3 / 4)
        add_event (events, time, POKE, 0, 8, on = !on);
      else if (what == 4 && seed % 2 == 1)
        add_event (events, time, LOST, 0, 7, FALSE);
      else
        add_event (events, time, SAMPLE, what < 12 ? 0 : FUNCTIONS_MAX, what % 2 ? 7 : 8, FALSE);
    }
    import_events (&fixture, events);
    n_unknown += check_phases (&fixture, events, seed);
    query_fixture_tear_down (&fixture, NULL);
  }
  g_assert_cmpuint (n_unknown, >, 20);
}

/* A filter's time cuts both phases; one by task counts that task's samples alone. */
static void
test_filter (void)
{
  const Plan plan = { .n_functions = 1,
                      .n_flips = 3,
                      .seconds = 40,
                      .rate = 20,
                      .on_rate = 20,
                      .others = 20,
                      .on_others = 20 };
  QueryFixture fixture = { 0 };
  g_autoptr (PenFilter) filter = query_fixture_time_filter (6 * SECOND, 16 * SECOND - 1);
  g_autoptr (PenFilter) task = pen_filter_new ();
  g_autoptr (PenVerdictReport) all = NULL;
  g_autoptr (PenVerdictReport) part = NULL;
  g_autoptr (PenVerdictReport) of_task = NULL;
  gint32 pid = 8;

  import_plan (&fixture, &plan, 5);
  all = report_on (&fixture, 0, NULL);
  part = report_on (&fixture, 0, filter);
  g_assert_cmpfloat_with_epsilon (get_cause (part)->two.phases[PEN_TEXT_OFF].rate.seconds, 5, 1e-6);
  g_assert_cmpfloat_with_epsilon (get_cause (part)->two.phases[PEN_TEXT_ON].rate.seconds, 5, 1e-6);
  g_assert_cmpfloat (all->known, >, 39);

  task->only.pids = g_array_new (FALSE, FALSE, sizeof pid);
  g_array_append_val (task->only.pids, pid);
  of_task = report_on (&fixture, 0, task);
  g_assert_cmpuint (get_cause (of_task)->two.phases[PEN_TEXT_ON].rate.samples, ==, 0);
  g_assert_cmpuint (get_cause (of_task)->two.phases[PEN_TEXT_ON].all, >, 100);
  g_assert_cmpint (get_cause (of_task)->two.rate, ==, PEN_VERDICT_ALIKE);
  query_fixture_tear_down (&fixture, NULL);
}

/* A function that was not patched has nothing to say. */
static void
test_unpatched (void)
{
  const Plan plan = { .n_functions = 1, .n_flips = 1, .seconds = 2, .others = 50, .on_others = 50 };
  QueryFixture fixture = { 0 };
  g_autoptr (PenVerdictReport) report = NULL;
  g_autofree char *text = NULL;

  import_plan (&fixture, &plan, 6);
  report = report_on (&fixture, FUNCTIONS_MAX, NULL);
  g_assert_cmpuint (report->causes->len, ==, 0);
  text = pen_verdict_report_describe (report);
  g_assert_cmpstr (text, ==, "");
  query_fixture_tear_down (&fixture, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/verdict/equal-rates", test_equal_rates);
  g_test_add_func ("/verdict/known-ratio", test_known_ratio);
  g_test_add_func ("/verdict/busier", test_busier);
  g_test_add_func ("/verdict/uneven", test_uneven);
  g_test_add_func ("/verdict/tasks", test_tasks);
  g_test_add_func ("/verdict/periods", test_periods);
  g_test_add_func ("/verdict/period-interval", test_period_interval);
  g_test_add_func ("/verdict/twin", test_twin);
  g_test_add_func ("/verdict/filter", test_filter);
  g_test_add_func ("/verdict/unpatched", test_unpatched);
  return g_test_run ();
}
