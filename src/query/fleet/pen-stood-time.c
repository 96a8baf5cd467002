/* pen-stood-time.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stood-time.h"

PenStoodTime
pen_stood_time_make (PenQuery *query, const PenFilter *filter)
{
  PenStoodTime time = { 0, 0 };

  if (!pen_query_get_sample_time_range (query, &time.from, &time.to))
    return (PenStoodTime){ 0, 0 };
  if (filter && filter->has_time) {
    time.from = MAX (time.from, filter->from);
    time.to = MIN (time.to, filter->to);
  }
  time.to = MAX (time.from, time.to);
  return time;
}

double
pen_stood_span_add (PenStoodSpan *self, const PenStoodTime *time, guint64 from, guint64 to)
{
  from = MAX (from, time->from);
  to = MIN (to, time->to);
  if (self->has_any)
    from = MAX (from, self->end);
  if (to > from) {
    self->ns += to - from;
    self->end = to;
    self->has_any = TRUE;
  }
  return (double) self->ns / 1e9;
}
