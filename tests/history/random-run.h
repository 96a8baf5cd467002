/* random-run.h: random events of every kind, from a seed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "model.h"

G_BEGIN_DECLS

#define RUN_MAX_TIME 12
#define RUN_PIDS 5

typedef struct {
  guint32 seed;
  GRand *rand;
  guint64 hot;      /* where most of the pokes go */
  guint poke_share; /* of the kernel's events, in percent */
  GArray *stream;   /* RawEvent, as a recorder would have written them */
  GArray *sorted;
  Model model;
} Run;

/* Ranges overlap, starts and times are shared, symbols end that never began: there is little room.
 */
void run_init (Run *run, guint32 seed);
void run_clear (Run *run);

/* From 0 to @n - 1. */
guint run_pick (Run *run, guint n);
gboolean run_chance (Run *run, guint percent);

G_END_DECLS
