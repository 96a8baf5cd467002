/* pen-clock.h: what the times of a recording are told as
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-span.h"
#include "pen-store.h"

G_BEGIN_DECLS

typedef enum {
  PEN_TIMES_RECORDED, /* seconds of the recording's own clock, as perf prints them */
  PEN_TIMES_RELATIVE, /* seconds since the recording began */
  PEN_TIMES_WALL,     /* time of day, in the time zone of whoever looks */
  PEN_TIMES,
} PenTimes;

/*
 * PenClock:
 * @span: of the capture
 * @has_wall: two clocks were read at one moment when it was recorded (perf record -k)
 * @wall_offset: what to add to a recorded time, for ns since 1970
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
/* What the numbers on the ruler are: "seconds", "since start", "wall clock" */
const char *pen_times_get_unit (PenTimes times);

/* Whether @store tells wall-clock times, and how (facts of docs/store.md). */
gboolean pen_clock_find_wall (PenStore *store, gint64 *offset);

/* As chosen, without a unit: "4.81", "+1.25", "14:03:22.81", with as many digits as @resolution
 * (ns) needs. */
char *pen_clock_format (const PenClock *self, guint64 time, guint64 resolution);
/* With a unit: "4.81 s", "+1.25 s", "14:03:22.81" */
char *pen_clock_format_long (const PenClock *self, guint64 time, guint64 resolution);
/* The same moment on every clock: "4.810 s · 2026-11-20 14:03:22.810"; what was chosen first. */
char *pen_clock_format_all (const PenClock *self, guint64 time, guint64 resolution);

/* "4.81–7.29 s", with "start" and "end" where a bound lies outside of the capture */
char *pen_clock_format_tenancy (const PenClock *self, PenMoment from, PenMoment to);
/* The same on the clocks that were not chosen, or NULL where there is nothing more to tell. */
char *pen_clock_format_tenancy_elsewhere (const PenClock *self, PenMoment from, PenMoment to);

/* Where marks of a ruler begin: the first multiple of @step at or before @time, as counted by what
 * is chosen. */
guint64 pen_clock_get_first_mark (const PenClock *self, guint64 time, guint64 step);

G_END_DECLS
