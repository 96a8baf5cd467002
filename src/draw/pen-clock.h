/* pen-clock.h: the clocks on which times of a recording are shown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-span.h"
#include "pen-store.h"
#include "pen-words.h"

G_BEGIN_DECLS

typedef enum {
  PEN_TIMES_RECORDED, /* seconds of the recording's own clock, as perf prints them */
  PEN_TIMES_RELATIVE, /* seconds since the recording began */
  PEN_TIMES_WALL,     /* time of day, in the local time zone */
  PEN_TIMES,
} PenTimes;

/*
 * PenClock:
 * @span: of the capture
 * @has_wall: recorded with a clock of known offset to the wall clock (perf record -k)
 * @wall_offset: the difference to a recorded time, for ns since 1970
 */
typedef struct {
  PenTimes times;
  PenSpan span;
  gboolean has_wall;
  gint64 wall_offset;
} PenClock;

/* "recorded", "relative", "wall-clock": as in action targets */
const char *pen_times_to_string (PenTimes times);
gboolean pen_times_from_string (const char *word, PenTimes *times);
/* The unit of the ruler, translated: "seconds", "since start", "wall clock" */
const char *pen_times_get_unit (PenTimes times);

/* FALSE if @store has no wall-clock times (facts of docs/store.md). */
gboolean pen_clock_find_wall (PenStore *store, gint64 *offset);

/* On the selected clock, without a unit: "4.81", "+1.25", "14:03:22.81", with as many digits as
 * @resolution (ns) needs. */
char *pen_clock_format (const PenClock *self, guint64 time, guint64 resolution);
/* With a unit: "4.81 s", "+1.25 s", "14:03:22.81" */
char *pen_clock_format_long (const PenClock *self, guint64 time, guint64 resolution);
/* The moment on every clock, the selected one first: "4.810 s · 2026-11-20 14:03:22.810" */
char *pen_clock_format_all (const PenClock *self, guint64 time, guint64 resolution);

/* "4.81–7.29 s", with "start" and "end" for a bound outside of the capture */
char *pen_clock_format_tenancy (const PenClock *self, PenMoment from, PenMoment to);
/* The same on the clocks that are not selected. Returns: (nullable): there are none */
char *pen_clock_format_tenancy_elsewhere (const PenClock *self, PenMoment from, PenMoment to);

/* The first mark of a ruler: the last multiple of @step on the selected clock at or before @time.
 */
guint64 pen_clock_get_first_mark (const PenClock *self, guint64 time, guint64 step);

G_END_DECLS
