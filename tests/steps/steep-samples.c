/* steep-samples.c: samples and losses
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "steep.h"

#define KERNEL_SPAN 0xe00000u
#define CHAIN 20u

static void
lost (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    steep_at (self, 7);
    pen_test_capture_add_lost (self->capture, pen_test_capture_get_id (0, 0), i);
    if (i % 4 == 0)
      steep_sample (self, KERNEL + 0x10);
  }
}

static void
lost_samples (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    steep_at (self, 7);
    pen_test_capture_add_lost_samples (self->capture, 0, i);
  }
}

static void
throttles (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    steep_at (self, 7);
    pen_test_capture_add_throttle (self->capture, i % 2 == 1);
  }
}

/* As many CPUs, that end one after the other, from the last one on. */
static void
throttles_of_cpus (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    gboolean is_end = i >= n / 2;

    self->now += 10;
    pen_test_capture_at (self->capture, self->now, 7, 7, is_end ? n - 1 - i : i);
    pen_test_capture_add_throttle (self->capture, is_end);
  }
}

static void
rounds (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    if (i % 8 == 0)
      steep_sample (self, KERNEL + 0x10);
    pen_test_capture_add_finished_round (self->capture);
  }
}

static void
samples_at_one_place (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    steep_sample (self, KERNEL + 0x10);
}

static void
samples_apart (SteepMaker *self, guint n)
{
  for (guint i = 0; i < n; i++)
    steep_sample (self, KERNEL + 64 * (guint64) i);
}

static void
samples_backwards (SteepMaker *self, guint n)
{
  self->now += 20 * (guint64) n;
  for (guint i = 0; i < n; i++) {
    steep_sample (self, MEMORY + i);
    self->now -= 20;
  }
}

static void
samples_with_chains (SteepMaker *self, guint n)
{
  guint32 state = 1;

  steep_map (self, 7, MEMORY, 16 * PAGE, 0);
  pen_test_capture_from (self->capture, 2);
  for (guint i = 0; i < n / CHAIN; i++) {
    guint64 chain[CHAIN];

    for (guint k = 0; k < CHAIN; k++) {
      state = state * 1103515245 + 12345;
      chain[k] = (k < 10 ? KERNEL : MEMORY) + (state >> 8) % 0x10000;
    }
    chain[0] = (guint64) -128;
    chain[10] = (guint64) -512;
    steep_at (self, 7);
    pen_test_capture_add_sample_with_callchain (self->capture, PEN_TEST_KERNEL, chain[1], 1, chain,
                                                CHAIN);
  }
}

/* Each is the one before, and one more. */
static void
samples_with_deep_chains (SteepMaker *self, guint n)
{
  guint64 chain[1000] = { (guint64) -128 };

  for (guint k = 1; k < G_N_ELEMENTS (chain); k++)
    chain[k] = KERNEL + 16 * k;
  pen_test_capture_from (self->capture, 2);
  for (guint i = 0; i < n / 500; i++) {
    chain[500] = KERNEL + i;
    steep_at (self, 7);
    pen_test_capture_add_sample_with_callchain (self->capture, PEN_TEST_KERNEL, chain[1], 1, chain,
                                                G_N_ELEMENTS (chain));
  }
}

/* No two have much in common. */
static void
random_chains (SteepMaker *self, guint n)
{
  guint64 state = 1;

  pen_test_capture_from (self->capture, 2);
  for (guint i = 0; i < n; i++) {
    guint64 chain[CHAIN];

    for (guint k = 0; k < CHAIN; k++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      chain[k] = KERNEL + (state >> 33) % KERNEL_SPAN;
    }
    chain[0] = (guint64) -128;
    steep_at (self, 7);
    pen_test_capture_add_sample_with_callchain (self->capture, PEN_TEST_KERNEL, chain[1], 1, chain,
                                                CHAIN);
  }
}

/* Beside all that an import keeps of records. */
static void
random_chains_and_forks (SteepMaker *self, guint n)
{
  steep_map (self, 7, MEMORY, 16 * PAGE, 0);
  for (guint i = 0; i < n / 2; i++) {
    steep_at (self, 7);
    pen_test_capture_add_fork (self->capture, 0, (gint32) i + 8, 7, (gint32) i + 8, 7);
  }
  random_chains (self, n / 2);
}

static void
samples_of_tasks (SteepMaker *self, guint n)
{
  pen_test_capture_from (self->capture, 0);
  for (guint i = 0; i < n; i++) {
    steep_at (self, (gint32) i + 10);
    pen_test_capture_add_sample (self->capture, PEN_TEST_USER, MEMORY, 1);
  }
}

const SteepKind steep_samples[] = {
  STEEP_KIND (lost),
  STEEP_KIND (lost_samples),
  STEEP_KIND (throttles),
  STEEP_KIND (throttles_of_cpus),
  STEEP_KIND (rounds),
  STEEP_KIND (samples_at_one_place),
  STEEP_KIND (samples_apart),
  STEEP_KIND (samples_backwards),
  STEEP_KIND (samples_with_chains),
  STEEP_KIND (samples_with_deep_chains),
  STEEP_KIND (random_chains),
  STEEP_KIND (random_chains_and_forks),
  STEEP_KIND (samples_of_tasks),
  { 0 },
};
