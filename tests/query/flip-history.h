/* flip-history.h: random patches of a few places, with samples, waits and losses between them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "query-fixture.h"

G_BEGIN_DECLS

#define N_FUNCTIONS 5u
#define N_PLACES 3u /* in each function: two of static keys, and one of a probe */
#define N_SITES (N_FUNCTIONS * N_PLACES)
#define MS 1000000ull

/* As recorded. @breaks: a poke before it was not */
typedef struct {
  guint64 time;
  guint site;
  gint32 pid;
  gboolean is_on;
  gboolean was_on;
  gboolean breaks;
} Flip;

/* A sample; or a wait that began then, and lasted for @period */
typedef struct {
  guint64 time;
  guint function;
  gint32 pid;
  guint64 period;
} Hit;

typedef struct {
  QueryFixture fixture;
  GRand *rand;
  GArray *flips; /* Flip, by time */
  GArray *hits;  /* Hit: samples */
  GArray *waits; /* Hit */
  GArray *losses;
  guint n_tasks; /* their pids are 7 and up */
  guint64 first;
  guint64 last;
} FlipHistory;

/* @n_tasks: which patch and have samples; @with_losses: some patches and other records are missing
 */
void flip_history_init (FlipHistory *self, guint32 seed, guint n_tasks, gboolean with_losses);
void flip_history_clear (FlipHistory *self);

/* A number below @n. */
guint flip_history_draw (FlipHistory *self, guint n);
guint64 flip_history_get_address (guint site);

/* How many tasks patched a site: as many rows share it, by task. */
guint flip_history_count_tasks (const FlipHistory *self, guint site);

G_END_DECLS
