/* pen-profile-events.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-profile-events.h"

#include "pen-store-records.h"

#define PERF_TYPE_SOFTWARE 1u
#define PERF_COUNT_SW_CPU_CLOCK 0u
#define PERF_COUNT_SW_TASK_CLOCK 1u

#define SECOND G_GUINT64_CONSTANT (1000000000)

static gboolean
is_clock (const PenStoreEvent *event)
{
  return event->type == PERF_TYPE_SOFTWARE
         && (event->config == PERF_COUNT_SW_CPU_CLOCK || event->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* Of events with samples, which the filter admits. */
static void
add_event (PenProfileUnits *units, const PenStoreEvent *event, gboolean is_first)
{
  gboolean is_frequency = (event->flags & PEN_STORE_EVENT_FREQUENCY) != 0;
  guint64 period = is_frequency ? 0 : event->period_or_frequency;
  guint64 interval = 0;

  if (is_frequency && event->period_or_frequency > 0)
    interval = SECOND / event->period_or_frequency;
  else if (is_clock (event))
    interval = period;
  units->is_time = is_clock (event) && (is_first || units->is_time);
  units->period = is_first || units->period == period ? period : 0;
  units->interval = is_first || units->interval == interval ? interval : 0;
}

PenProfileUnits
pen_profile_units_find (PenQuery *query, const PenFilter *filter)
{
  GPtrArray *events = pen_store_get_events (pen_query_get_store (query));
  PenProfileUnits units = { .count = "samples", .amount = "period" };
  gboolean is_first = TRUE;

  if (pen_query_is_of_waits (query))
    return (PenProfileUnits){ .count = "waits", .amount = "off_cpu", .is_time = TRUE };
  for (guint i = 0; i < events->len; i++) {
    const PenStoreEvent *event = events->pdata[i];

    if (event->samples == 0
        || (filter && !pen_filter_admits_word (filter, PEN_FILTER_EVENT, event->name)))
      continue;
    add_event (&units, event, is_first);
    is_first = FALSE;
  }
  return units;
}
