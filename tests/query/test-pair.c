/* test-pair.c: functions of two recordings, against differences that are known
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-pair.h"

#include <math.h>
#include <string.h>

#include "pair-fixture.h"
#include "pen-query-functions.h"
#include "pen-test-bytes.h"

#define FREQUENCY (1ull << 10)
#define ENABLE_ON_EXEC (1ull << 12)

typedef struct {
  QueryFixture fixtures[2];
  PenFilter *filter;
  PenPairs *pairs;
} Pair;

static void
ask (Pair *pair)
{
  const PenPairSource sources[] = { { pair->fixtures[0].query, pair->filter, "a" },
                                    { pair->fixtures[1].query, pair->filter, "b" } };
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&pair->pairs, pen_pairs_free);
  pair->pairs = pen_query_pair (sources, &error);
  g_assert_no_error (error);
}

static void
set_up (Pair *pair, const PairRecording *a, const PairRecording *b)
{
  *pair = (Pair){ 0 };
  pair_recording_import (a, &pair->fixtures[0]);
  pair_recording_import (b, &pair->fixtures[1]);
  ask (pair);
}

static void
tear_down (Pair *pair)
{
  g_clear_pointer (&pair->pairs, pen_pairs_free);
  g_clear_pointer (&pair->filter, pen_filter_free);
  query_fixture_tear_down (&pair->fixtures[0], NULL);
  query_fixture_tear_down (&pair->fixtures[1], NULL);
}

static const PenPairRow *
find (const Pair *pair, const char *symbol, const char *occupant)
{
  const PenPairRow *found = NULL;

  for (guint i = 0; i < pair->pairs->rows->len; i++) {
    const PenPairRow *row = pair->pairs->rows->pdata[i];

    if (g_strcmp0 (row->symbol, symbol) != 0
        || (occupant && !g_str_equal (row->occupant, occupant)))
      continue;
    g_assert_null (found);
    found = row;
  }
  g_assert_nonnull (found);
  return found;
}

static void
check_verdict (const Pair *pair, const char *symbol, PenPairVerdict verdict)
{
  g_assert_cmpstr (pen_pair_verdict_to_string (find (pair, symbol, NULL)->rate.verdict), ==,
                   pen_pair_verdict_to_string (verdict));
}

static void
check_nothing_differs (const Pair *pair)
{
  for (guint i = 0; i < pair->pairs->rows->len; i++) {
    const PenPairRow *row = pair->pairs->rows->pdata[i];

    g_assert_cmpint (row->rate.verdict, ==, PEN_PAIR_UNSURE);
    g_assert_cmpfloat (row->rate.least, ==, 0);
  }
  g_assert_cmpuint (pair->pairs->n_different, ==, 0);
}

/* ---- how they were recorded ---- */

static const PairFunction usual[] = { { "alpha", NULL, 400, NULL, 0 },
                                      { "beta", NULL, 40, NULL, 0 },
                                      { "gamma", "m", 80, NULL, 0 } };
static const PairFunction usual_4[] = { { "alpha", NULL, 1600, NULL, 0 },
                                        { "beta", NULL, 160, NULL, 0 },
                                        { "gamma", "m", 320, NULL, 0 } };

static PenTestEvent
make_event (const char *name, guint32 type, guint64 number, guint64 flags)
{
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;

  event.name = name;
  event.type = type;
  event.period = number;
  event.flags |= flags;
  return event;
}

static void
test_duration (void)
{
  const PairRecording a = { .seconds = 2, .functions = usual, .n = 3 };
  const PairRecording b = { .seconds = 8, .functions = usual_4, .n = 3 };
  Pair pair;

  set_up (&pair, &a, &b);
  g_assert_cmpfloat (pair.pairs->factor, ==, 1);
  g_assert_cmpfloat_with_epsilon (pair.pairs->sides[1].seconds, 8, 1e-6);
  g_assert_cmpfloat_with_epsilon (find (&pair, "alpha", NULL)->rate.test.ratio, 1, 1e-6);
  check_nothing_differs (&pair);
  tear_down (&pair);
}

/* Four times as many samples each second, since four times as many are taken. */
static void
check_rates (const PenTestEvent *first, const PenTestEvent *second, double factor)
{
  const PairRecording a = { .seconds = 2, .functions = usual, .n = 3, .event = first };
  const PairRecording b = { .seconds = 2, .functions = usual_4, .n = 3, .event = second };
  Pair pair;

  set_up (&pair, &a, &b);
  g_assert_cmpint (pair.pairs->obstacle, ==, PEN_PAIR_COMPARABLE);
  g_assert_cmpfloat_with_epsilon (pair.pairs->factor, factor, 1e-9);
  if (factor == 4) {
    g_assert_cmpfloat_with_epsilon (find (&pair, "alpha", NULL)->rates[1].rate, 200, 1e-6);
    g_assert_cmpfloat_with_epsilon (find (&pair, "alpha", NULL)->rate.test.ratio, 1, 1e-6);
    check_nothing_differs (&pair);
  } else {
    check_verdict (&pair, "alpha", PEN_PAIR_SLOWER);
  }
  /* The edge has two samples in both: its share differs, but not by more than chance. */
  g_assert_cmpint (find (&pair, "alpha", NULL)->share.verdict, ==, PEN_PAIR_UNSURE);
  tear_down (&pair);
}

static void
test_sampling_rate (void)
{
  const PenTestEvent slow = make_event ("cycles", 0, 1000, FREQUENCY);
  const PenTestEvent fast = make_event ("cycles:P", 0, 4000, FREQUENCY);
  const PenTestEvent rare = make_event ("cycles", 0, 4000000, 0);
  const PenTestEvent often = make_event ("cycles", 0, 1000000, 0);
  const PenTestEvent clock = make_event ("cpu-clock", 1, 1000000, 0);
  const PenTestEvent fast_clock = make_event ("cpu-clock:ppp", 1, 4000, FREQUENCY);

  check_rates (&slow, &fast, 4);
  check_rates (&rare, &often, 4);
  /* A clock's period is a frequency. */
  check_rates (&clock, &fast_clock, 4);
  check_rates (&slow, &slow, 1);
  check_rates (&rare, &rare, 1);
}

static void
check_obstacle (const PenTestEvent *first, const PenTestEvent *second, gboolean all_cpus,
                PenPairObstacle obstacle)
{
  const PairRecording a = { .seconds = 2, .functions = usual, .n = 3, .event = first };
  const PairRecording b
      = { .seconds = 2, .functions = usual_4, .n = 3, .event = second, .all_cpus = all_cpus };
  Pair pair;

  set_up (&pair, &a, &b);
  g_assert_cmpint (pair.pairs->obstacle, ==, obstacle);
  g_assert_nonnull (pen_pair_obstacle_describe (obstacle));
  g_assert_true (isnan (pair.pairs->factor));
  for (guint i = 0; i < pair.pairs->rows->len; i++) {
    const PenPairRow *row = pair.pairs->rows->pdata[i];

    g_assert_cmpint (row->rate.verdict, ==, PEN_PAIR_UNSURE);
    g_assert_true (isnan (row->rate.test.ratio));
    g_assert_true (isnan (row->rates[0].rate) && isnan (row->rates[1].rate));
    g_assert_cmpfloat (row->rates[0].share, >, 0);
  }
  tear_down (&pair);
}

static void
test_incomparable (void)
{
  const PenTestEvent cycles = make_event ("cycles", 0, 1000, FREQUENCY);
  const PenTestEvent counted = make_event ("cycles", 0, 1000000, 0);
  const PenTestEvent clock = make_event ("cpu-clock", 1, 1000, FREQUENCY);
  const PenTestEvent user = make_event ("cycles:u", 0, 1000, FREQUENCY | 1 << 5);
  const PenTestEvent started = make_event ("cycles", 0, 1000, FREQUENCY | ENABLE_ON_EXEC);

  check_obstacle (&cycles, &counted, FALSE, PEN_PAIR_OTHER_MODES);
  check_obstacle (&cycles, &clock, FALSE, PEN_PAIR_OTHER_EVENTS);
  check_obstacle (&cycles, &user, FALSE, PEN_PAIR_OTHER_EVENTS);
  check_obstacle (&started, &cycles, TRUE, PEN_PAIR_OTHER_SCOPES);
}

static void
test_cpus (void)
{
  const PenTestEvent cycles = make_event ("cycles", 0, 1000, FREQUENCY);
  PairRecording a
      = { .seconds = 2, .functions = usual, .n = 3, .event = &cycles, .cpus = 1, .all_cpus = TRUE };
  PairRecording b = {
    .seconds = 2, .functions = usual_4, .n = 3, .event = &cycles, .cpus = 4, .all_cpus = TRUE
  };
  Pair pair;

  set_up (&pair, &a, &b);
  g_assert_cmpuint (pair.pairs->sides[0].n_cpus, ==, 1);
  g_assert_cmpuint (pair.pairs->sides[1].n_cpus, ==, 4);
  g_assert_cmpfloat (pair.pairs->factor_of_cpus, ==, 4);
  check_nothing_differs (&pair);

  /* One of four CPUs: a quarter of the samples, and as fast. */
  pair.filter = pen_filter_new ();
  pair.filter->only.cpus = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_vals (pair.filter->only.cpus, (const guint32[]){ 0 }, 1);
  ask (&pair);
  g_assert_cmpuint (pair.pairs->sides[1].n_cpus, ==, 1);
  g_assert_cmpfloat (pair.pairs->factor, ==, 1);
  g_assert_cmpuint (find (&pair, "alpha", NULL)->rates[1].samples, <, 500);
  check_nothing_differs (&pair);
  tear_down (&pair);

  /* Some tasks use as many CPUs as they use. */
  a.all_cpus = b.all_cpus = FALSE;
  set_up (&pair, &a, &b);
  g_assert_cmpfloat (pair.pairs->factor, ==, 1);
  check_verdict (&pair, "alpha", PEN_PAIR_SLOWER);
  tear_down (&pair);
}

/* A clock of all CPUs goes on when they are idle: what it lacks it was not given. If it lacks
 * nearly all, samples were left out, of some functions more than of others. */
static void
test_measured_clock (void)
{
  PenTestEvent clock = make_event ("cpu-clock", 1, 1000, FREQUENCY);
  const PairRecording a
      = { .seconds = 2, .functions = usual, .n = 3, .event = &clock, .cpus = 1, .all_cpus = TRUE };
  const PairRecording b = {
    .seconds = 2, .functions = usual_4, .n = 3, .event = &clock, .cpus = 1, .all_cpus = TRUE
  };
  Pair pair;

  set_up (&pair, &a, &b);
  g_assert_cmpfloat_with_epsilon (pair.pairs->factor, 2082.0 / 522, 1e-6);
  g_assert_nonnull (strstr (pair.pairs->sides[0].sampling, "1000 Hz"));
  g_assert_nonnull (strstr (pair.pairs->sides[0].sampling, "261 Hz"));
  check_nothing_differs (&pair);
  tear_down (&pair);

  clock = make_event ("cpu-clock", 1, 4000, FREQUENCY);
  set_up (&pair, &a, &b);
  g_assert_cmpfloat (pair.pairs->factor, ==, 1);
  g_assert_null (strstr (pair.pairs->sides[0].sampling, "261 Hz"));
  check_verdict (&pair, "alpha", PEN_PAIR_SLOWER);
  tear_down (&pair);
}

/* ---- what differs ---- */

static void
test_verdicts (void)
{
  static const PairFunction before[] = {
    { "alike", NULL, 300, NULL, 0 }, { "slow", NULL, 100, NULL, 0 }, { "fast", NULL, 300, NULL, 0 },
    { "came", NULL, 0, NULL, 0 },    { "went", NULL, 60, NULL, 0 },  { "never", NULL, 0, NULL, 0 },
    { "one", NULL, 0, NULL, 0 },     { "three", NULL, 3, NULL, 0 },
  };
  static const PairFunction after[] = {
    { "alike", NULL, 310, NULL, 0 }, { "slow", NULL, 300, NULL, 0 }, { "fast", NULL, 90, NULL, 0 },
    { "came", NULL, 40, NULL, 0 },   { "went", NULL, 0, NULL, 0 },   { "never", NULL, 0, NULL, 0 },
    { "one", NULL, 1, NULL, 0 },     { "three", NULL, 0, NULL, 0 },
  };
  static const char *const order[] = { "fast", "slow", "went", "came", "alike" };
  const PairRecording a = { .seconds = 2, .functions = before, .n = G_N_ELEMENTS (before) };
  const PairRecording b = { .seconds = 2, .functions = after, .n = G_N_ELEMENTS (after) };
  const PenPairRow *row;
  Pair pair;

  set_up (&pair, &a, &b);
  check_verdict (&pair, "alike", PEN_PAIR_UNSURE);
  check_verdict (&pair, "slow", PEN_PAIR_SLOWER);
  check_verdict (&pair, "fast", PEN_PAIR_FASTER);
  check_verdict (&pair, "came", PEN_PAIR_NEW);
  check_verdict (&pair, "went", PEN_PAIR_GONE);
  check_verdict (&pair, "one", PEN_PAIR_UNSURE);
  check_verdict (&pair, "three", PEN_PAIR_UNSURE);
  g_assert_cmpuint (pair.pairs->n_different, ==, 4);

  /* Nothing, and one: not “infinitely more”. */
  row = find (&pair, "one", NULL);
  g_assert_cmpfloat (row->rates[0].rate, ==, 0);
  g_assert_cmpfloat (row->rates[0].high, >, 1);
  g_assert_cmpfloat (row->rate.test.low, <, 1);
  g_assert_true (isinf (row->rate.test.ratio));
  g_assert_false (isnan (row->rates[0].share));

  /* By what is sure: “came” has a ratio beyond all bounds, and is last. */
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    g_assert_cmpstr (((const PenPairRow *) pair.pairs->rows->pdata[i])->symbol, ==, order[i]);
  row = pair.pairs->rows->pdata[1];
  g_assert_cmpfloat (row->rate.least, <, 100);
  g_assert_cmpfloat (row->rate.least, >, 50);
  tear_down (&pair);
}

static guint
draw_poisson (GRand *random, double mean)
{
  double least = exp (-mean);
  double product = g_rand_double (random);
  guint n = 0;

  while (product > least) {
    product *= g_rand_double (random);
    n++;
  }
  return n;
}

/* Among four thousand functions that are as fast as before, none differs; of ten that are four
 * times as slow, nearly all do. */
static void
test_many (void)
{
  enum { N = 4000, SLOWER = 10 };
  g_autoptr (GRand) random = g_rand_new_with_seed (20261123);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree PairFunction *before = g_new0 (PairFunction, N);
  g_autofree PairFunction *after = g_new0 (PairFunction, N);
  PairFunction *const functions[] = { before, after };
  PairRecording recordings[2];
  guint n_found = 0;
  Pair pair;

  for (guint i = 0; i < N; i++) {
    double rate = i < SLOWER ? 30 : i % 20 == 0 ? 40 : 1.5;

    g_ptr_array_add (names, g_strdup_printf ("f%u", i));
    for (guint side = 0; side < 2; side++) {
      double mean = rate * (side == 1 && i < SLOWER ? 4 : 1);

      functions[side][i].name = names->pdata[i];
      functions[side][i].samples = draw_poisson (random, mean);
    }
  }
  for (guint side = 0; side < 2; side++)
    recordings[side] = (PairRecording){ .seconds = 2, .functions = functions[side], .n = N };
  set_up (&pair, &recordings[0], &recordings[1]);
  g_assert_cmpfloat (pair.pairs->alpha, <, 0.05 / 3000);
  for (guint i = 0; i < pair.pairs->rows->len; i++) {
    const PenPairRow *row = pair.pairs->rows->pdata[i];
    gboolean is_slower
        = row->symbol[0] == 'f' && g_ascii_strtoull (row->symbol + 1, NULL, 10) < SLOWER;

    g_assert_true (is_slower || row->rate.verdict == PEN_PAIR_UNSURE);
    n_found += row->rate.verdict == PEN_PAIR_SLOWER;
  }
  g_assert_cmpuint (n_found, >=, 8);
  tear_down (&pair);
}

/* ---- which functions are the same ---- */

/* Another base, other functions before it, another order: KASLR and a new build. */
static void
test_moved (void)
{
  static const PairFunction other[] = {
    { "filler", NULL, 0, NULL, 0 },
    { "beta", NULL, 40, NULL, 0 },
    { "alpha", NULL, 400, NULL, 0 },
    { "gamma", "m", 80, NULL, 0 },
  };
  const PairRecording a = { .seconds = 2, .functions = usual, .n = 3 };
  const PairRecording b
      = { .seconds = 2, .functions = other, .n = 4, .base = 0xffffffff9a000000ull, .gap = 17 };
  Pair pair;

  set_up (&pair, &a, &b);
  g_assert_cmpuint (pair.pairs->rows->len, ==, 4);
  check_nothing_differs (&pair);
  for (guint i = 0; i < pair.pairs->rows->len; i++) {
    const PenPairRow *row = pair.pairs->rows->pdata[i];

    g_assert_cmpuint (row->functions[0]->len, ==, 1);
    g_assert_cmpuint (row->functions[1]->len, ==, 1);
  }
  tear_down (&pair);
}

/* Another function at the same address is another one; one name in two occupants is two. */
static void
test_names (void)
{
  static const PairFunction before[]
      = { { "probe", NULL, 100, NULL, 0 }, { "probe", "m", 50, NULL, 0 },
          { "probe", "n", 30, NULL, 0 },   { "twice", NULL, 20, NULL, 0 },
          { "twice", NULL, 25, NULL, 0 },  { "here", NULL, 90, NULL, 0 } };
  static const PairFunction after[]
      = { { "probe", NULL, 100, NULL, 0 }, { "probe", "m", 300, NULL, 0 },
          { "probe", "n", 30, NULL, 0 },   { "twice", NULL, 45, NULL, 0 },
          { "other", NULL, 0, NULL, 0 },   { "there", NULL, 90, NULL, 0 } };
  const PairRecording a = { .seconds = 2, .functions = before, .n = G_N_ELEMENTS (before) };
  const PairRecording b = { .seconds = 2, .functions = after, .n = G_N_ELEMENTS (after) };
  Pair pair;

  set_up (&pair, &a, &b);
  g_assert_cmpint (find (&pair, "probe", "[kernel.kallsyms]")->rate.verdict, ==, PEN_PAIR_UNSURE);
  g_assert_cmpint (find (&pair, "probe", "[m]")->rate.verdict, ==, PEN_PAIR_SLOWER);
  g_assert_cmpint (find (&pair, "probe", "[n]")->rate.verdict, ==, PEN_PAIR_UNSURE);
  g_assert_cmpuint (find (&pair, "twice", NULL)->functions[0]->len, ==, 2);
  g_assert_cmpuint (find (&pair, "twice", NULL)->rates[0].samples, ==, 45);
  check_verdict (&pair, "twice", PEN_PAIR_UNSURE);
  check_verdict (&pair, "here", PEN_PAIR_GONE);
  check_verdict (&pair, "there", PEN_PAIR_NEW);
  tear_down (&pair);
}

typedef struct {
  guint32 id;
  guint8 tag;
  const char *names[2];
  guint samples;
} Program;

static void
add_program (PenTestCapture *capture, const Program *program, guint64 address, guint64 *time)
{
  const guint8 tag[8] = { program->tag, 1, 2, 3, 4, 5, 6, 7 };

  pen_test_capture_from (capture, 1);
  for (guint i = 0; i < 2 && program->names[i]; i++) {
    g_autofree char *name
        = g_strdup_printf ("bpf_prog_%02x0%u020304050607_%s", program->tag, i, program->names[i]);

    pen_test_capture_at (capture, *time += 1000, 7, 7, 0);
    pen_test_capture_add_ksymbol (capture, address + i * 0x80, 0x40, 1, 0, name);
  }
  pen_test_capture_add_bpf_event (capture, 1, program->id, tag);
  if (program->names[1]) {
    const guint64 addresses[] = { address, address + 0x80 };
    const guint32 lengths[] = { 0x40, 0x40 };
    const guint8 image[0x80] = { 0xc3 };

    pen_test_capture_add_bpf_program (capture, program->id, program->names[0], tag, 0, addresses,
                                      lengths, 2, image, sizeof image);
  }
  pen_test_capture_from (capture, 0);
  for (guint i = 0; i < program->samples; i++) {
    pen_test_capture_at (capture, *time += 1000000, 7, 7, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, address + 4, 1000000);
  }
}

static void
import_programs (QueryFixture *fixture, const Program *programs, guint n, guint64 base)
{
  static const PairFunction nothing[] = { { "alpha", NULL, 1, NULL, 0 } };
  const PairRecording recording = { .seconds = 1, .functions = nothing, .n = 1 };
  g_autoptr (PenTestCapture) capture = pair_recording_new_capture (&recording);
  guint64 time = 2 * PAIR_START;

  for (guint i = 0; i < n; i++)
    add_program (capture, &programs[i], base + i * 0x100, &time);
  query_fixture_import (fixture, capture);
}

/* Neither number nor tag nor address: by name, and where that repeats, by the other functions. */
static void
test_programs (void)
{
  static const Program before[] = {
    { 10, 0xa0, { "lonely", NULL }, 100 },
    { 11, 0xa1, { "handler", "read_side" }, 60 },
    { 12, 0xa2, { "handler", "write_side" }, 90 },
  };
  static const Program after[] = {
    { 90, 0xb2, { "handler", "write_side" }, 90 },
    { 91, 0xb1, { "handler", "read_side" }, 60 },
    { 92, 0xb0, { "lonely", NULL }, 100 },
  };
  Pair pair = { 0 };

  import_programs (&pair.fixtures[0], before, G_N_ELEMENTS (before), 0xffffffffc0200000ull);
  import_programs (&pair.fixtures[1], after, G_N_ELEMENTS (after), 0xffffffffc0700000ull);
  ask (&pair);
  g_assert_cmpuint (find (&pair, "lonely", NULL)->rates[0].samples, ==, 100);
  g_assert_cmpuint (find (&pair, "lonely", NULL)->rates[1].samples, ==, 100);
  for (guint side = 0; side < 2; side++) {
    g_assert_cmpuint (find (&pair, "handler (read_side)", NULL)->rates[side].samples, ==, 60);
    g_assert_cmpuint (find (&pair, "handler (write_side)", NULL)->rates[side].samples, ==, 90);
  }
  tear_down (&pair);
}

/* A trampoline of number @number, called at the entry of function @attached, if there is one. */
static void
add_trampoline (PenTestCapture *capture, const PairRecording *recording, guint number,
                guint attached, guint64 address, guint samples, guint64 *time)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  gboolean is_attached = attached < recording->n;
  guint64 site = is_attached ? pair_recording_get_address (recording, attached) : 0;
  gint32 distance = (gint32) (address - site - 5);
  guint8 call[5] = { 0xe8 };
  g_autofree char *name = g_strdup_printf ("bpf_trampoline_64424%u", number);

  memcpy (call + 1, &distance, sizeof distance);
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, *time += 1000, 7, 7, 0);
  pen_test_capture_add_ksymbol (capture, address, 0x1000, 2, 0, name);
  if (is_attached) {
    pen_test_capture_at (capture, *time += 1000, 7, 7, 0);
    pen_test_capture_add_text_poke (capture, site, nop, 5, call, 5);
  }
  pen_test_capture_from (capture, 0);
  for (guint i = 0; i < samples; i++) {
    pen_test_capture_at (capture, *time += 1000000, 7, 7, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, address + 4, 1000000);
  }
}

/* By the function that it is attached to: its number is another one in each kernel. */
static void
test_trampolines (void)
{
  static const PairFunction functions[]
      = { { "alpha", NULL, 1, NULL, 0 }, { "beta", NULL, 1, NULL, 0 } };
  const PairRecording recording = { .seconds = 1, .functions = functions, .n = 2 };
  Pair pair;

  for (guint n = 1; n <= 3; n++) {
    pair = (Pair){ 0 };
    for (guint side = 0; side < 2; side++) {
      g_autoptr (PenTestCapture) capture = pair_recording_new_capture (&recording);
      guint64 base = side == 0 ? 0xffffffffc0200000ull : 0xffffffffc0700000ull;
      guint64 time = 2 * PAIR_START;

      /* The third is attached before the recording begins. */
      for (guint i = 0; i < n; i++)
        add_trampoline (capture, &recording, 10 + side * 10 + (side == 0 ? i : n - i), i,
                        base + i * 0x2000, 40 + 30 * i, &time);
      query_fixture_import (&pair.fixtures[side], capture);
    }
    ask (&pair);
    for (guint side = 0; side < 2; side++) {
      if (n == 1) {
        g_assert_cmpuint (find (&pair, "bpf_trampoline_*", NULL)->rates[side].samples, ==, 40);
        continue;
      }
      g_assert_cmpuint (find (&pair, "bpf_trampoline_* (alpha)", NULL)->rates[side].samples, ==,
                        40);
      g_assert_cmpuint (find (&pair, "bpf_trampoline_* (beta)", NULL)->rates[side].samples, ==, 70);
      if (n == 3)
        g_assert_cmpuint (find (&pair, "bpf_trampoline_*", NULL)->rates[side].samples, ==, 100);
    }
    tear_down (&pair);
  }
}

/* A file by its name: another directory, another build. */
static void
test_files (void)
{
  static const char *const paths[2][2]
      = { { "/usr/lib/libone.so", "/opt/old/tool" }, { "/mnt/new/libone.so", "/opt/new/tool" } };
  static const PairFunction nothing[] = { { "alpha", NULL, 1, NULL, 0 } };
  const PairRecording recording = { .seconds = 1, .functions = nothing, .n = 1 };
  Pair pair = { 0 };

  for (guint side = 0; side < 2; side++) {
    g_autoptr (PenTestCapture) capture = pair_recording_new_capture (&recording);
    guint64 time = 2 * PAIR_START;

    for (guint i = 0; i < 2; i++) {
      pen_test_capture_from (capture, 1);
      pen_test_capture_at (capture, time += 1000, 7, 7, 0);
      pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, 7, 7, 0x400000 * (i + 1 + side), 0x1000,
                                  0, 5, 2, NULL, paths[side][i]);
      pen_test_capture_from (capture, 0);
      for (guint k = 0; k < 50; k++) {
        pen_test_capture_at (capture, time += 1000000, 7, 7, 0);
        pen_test_capture_add_sample (capture, PEN_TEST_USER, 0x400000 * (i + 1 + side) + 8,
                                     1000000);
      }
    }
    query_fixture_import (&pair.fixtures[side], capture);
  }
  ask (&pair);
  for (guint side = 0; side < 2; side++) {
    g_assert_cmpuint (find (&pair, NULL, "libone.so")->rates[side].samples, ==, 50);
    g_assert_cmpuint (find (&pair, NULL, "tool")->rates[side].samples, ==, 50);
  }
  tear_down (&pair);
}

/* ---- totals ---- */

static void
test_totals (void)
{
  const PairRecording a = { .seconds = 2, .functions = usual, .n = 3 };
  const PairRecording b = { .seconds = 2, .functions = usual_4, .n = 3 };
  Pair pair;

  set_up (&pair, &a, &b);
  pair.filter = pen_filter_new ();
  for (guint round = 0; round < 3; round++) {
    if (round == 1)
      pair.filter->only.kinds = 1u << PEN_KIND_MODULE;
    if (round == 2) {
      pair.filter->has_time = TRUE;
      pair.filter->from = PAIR_START + 300000000;
      pair.filter->to = PAIR_START + 1300000000;
    }
    ask (&pair);
    for (guint side = 0; side < 2; side++) {
      guint64 sum = 0, matching, total;

      g_assert_true (
          pen_query_count (pair.fixtures[side].query, pair.filter, &matching, &total, NULL));
      for (guint i = 0; i < pair.pairs->rows->len; i++)
        sum += ((const PenPairRow *) pair.pairs->rows->pdata[i])->rates[side].samples;
      g_assert_cmpuint (sum, ==, matching);
      g_assert_cmpuint (pair.pairs->sides[side].samples, ==, matching);
      g_assert_cmpuint (sum, >, 0);
    }
  }
  g_assert_cmpfloat_with_epsilon (pair.pairs->sides[0].seconds, 1, 0.01);
  tear_down (&pair);
}

static void
test_cancel (void)
{
  const PairRecording recording = { .seconds = 2, .functions = usual, .n = 3 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Pair pair;

  set_up (&pair, &recording, &recording);
  for (guint side = 0; side < 2; side++) {
    const PenPairSource sources[]
        = { { pair.fixtures[0].query, NULL, NULL }, { pair.fixtures[1].query, NULL, NULL } };

    g_cancellable_cancel (cancellable);
    pen_store_set_cancellable (pair.fixtures[side].store, cancellable);
    g_assert_null (pen_query_pair (sources, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    g_clear_error (&error);
    pen_store_set_cancellable (pair.fixtures[side].store, NULL);
  }
  tear_down (&pair);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pair/duration", test_duration);
  g_test_add_func ("/pair/sampling-rate", test_sampling_rate);
  g_test_add_func ("/pair/incomparable", test_incomparable);
  g_test_add_func ("/pair/cpus", test_cpus);
  g_test_add_func ("/pair/measured-clock", test_measured_clock);
  g_test_add_func ("/pair/verdicts", test_verdicts);
  g_test_add_func ("/pair/many", test_many);
  g_test_add_func ("/pair/moved", test_moved);
  g_test_add_func ("/pair/names", test_names);
  g_test_add_func ("/pair/programs", test_programs);
  g_test_add_func ("/pair/trampolines", test_trampolines);
  g_test_add_func ("/pair/files", test_files);
  g_test_add_func ("/pair/totals", test_totals);
  g_test_add_func ("/pair/cancel", test_cancel);
  return g_test_run ();
}
