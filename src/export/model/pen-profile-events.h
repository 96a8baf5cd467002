/* pen-profile-events.h: what samples and their periods are counted in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-stacks.h"

G_BEGIN_DECLS

/*
 * PenProfileUnits:
 * @count, @amount: names of the columns, as the command line has them: "samples" and "period", or
 *   "waits" and "off_cpu"
 * @is_time: periods are ns: waits, and clocks of software (perf_event.h: PERF_COUNT_SW_CPU_CLOCK
 *   and TASK_CLOCK) if no sample is of another event
 * @period: of the events, where it is one fixed number; 0: it is not
 * @interval: ns between samples of a task that runs, as the recorder asked for; 0: not known
 */
typedef struct {
  const char *count;
  const char *amount;
  gboolean is_time;
  guint64 period;
  guint64 interval;
} PenProfileUnits;

PenProfileUnits pen_profile_units_find (PenQuery *query, const PenFilter *filter);

G_END_DECLS
