/* pen-wait-counts.h: how many waits a recording has, and where they are from
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Where waits are from: see semantics.md, "Time off CPU". */
typedef enum {
  PEN_WAITS_NONE,
  PEN_WAITS_TRACEPOINT,
  PEN_WAITS_OFF_CPU,
  PEN_WAITS_SWITCHES,
} PenWaitSource;

/*
 * PenWaitCounts:
 * @waits: all
 * @time: ns: of those whose end is known
 * @open: whose end was not recorded
 * @cut: whose end is unknown, since something was lost in between
 * @preempted, @preempted_time: of tasks that could run, and are no waits
 * @left_out: switches of more tasks than there is memory for
 * @without_event: waits that belong to no event
 */
typedef struct {
  PenWaitSource source;
  guint64 waits;
  guint64 time;
  guint64 open;
  guint64 cut;
  guint64 preempted;
  guint64 preempted_time;
  guint64 left_out;
  guint64 without_event;
} PenWaitCounts;

G_END_DECLS
