/* pen-clock.c: the clocks on which times of a recording are shown
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-clock.h"

#include <glib/gi18n-lib.h>

#include "pen-format.h"

#define NS_PER_S 1000000000

static const struct {
  const char *word;
  const char *unit;
} looks[PEN_TIMES] = {
  [PEN_TIMES_RECORDED] = { "recorded", N_ ("seconds") },
  [PEN_TIMES_RELATIVE] = { "relative", N_ ("since start") },
  [PEN_TIMES_WALL] = { "wall-clock", N_ ("wall clock") },
};

const char *
pen_times_to_string (PenTimes times)
{
  g_return_val_if_fail (times < PEN_TIMES, NULL);
  return looks[times].word;
}

gboolean
pen_times_from_string (const char *word, PenTimes *times)
{
  for (guint i = 0; i < PEN_TIMES; i++) {
    if (g_strcmp0 (word, looks[i].word) == 0) {
      *times = i;
      return TRUE;
    }
  }
  return FALSE;
}

const char *
pen_times_get_unit (PenTimes times)
{
  g_return_val_if_fail (times < PEN_TIMES, NULL);
  return _ (looks[times].unit);
}

gboolean
pen_clock_find_wall (PenStore *store, gint64 *offset)
{
  *offset = pen_store_get_fact_int (store, "wall_clock_offset_ns", G_MININT64);
  return *offset != G_MININT64;
}

/* ---- one moment ---- */

/* @format: of the seconds, for g_date_time_format(). NULL: no such time of day */
static char *
format_wall (const PenClock *self, guint64 time, guint64 resolution, const char *format)
{
  g_autoptr (GDateTime) date = NULL;
  g_autofree char *seconds = NULL;
  g_autofree char *fraction = NULL;
  gint64 moment;

  if (!self->has_wall || time > G_MAXINT64
      || __builtin_add_overflow (self->wall_offset, (gint64) time, &moment) || moment < 0)
    return NULL;
  date = g_date_time_new_from_unix_local (moment / NS_PER_S);
  if (!date)
    return NULL;
  seconds = g_date_time_format (date, format);
  fraction = pen_format_time ((guint64) moment % NS_PER_S, resolution);
  return g_strconcat (seconds, fraction + 1, NULL);
}

static char *
format_relative (const PenClock *self, guint64 time, guint64 resolution)
{
  gboolean before = time < self->span.from;
  guint64 distance = before ? self->span.from - time : time - self->span.from;
  g_autofree char *text = pen_format_time (distance, resolution);

  return g_strconcat (before ? "−" : "+", text, NULL);
}

static char *
format_as (const PenClock *self, PenTimes times, guint64 time, guint64 resolution)
{
  char *wall = NULL;

  if (times == PEN_TIMES_RELATIVE)
    return format_relative (self, time, resolution);
  if (times == PEN_TIMES_WALL)
    wall = format_wall (self, time, resolution, "%H:%M:%S");
  return wall ? wall : pen_format_time (time, resolution);
}

/* The selected clock, or the recorded one if the capture lacks it. */
static PenTimes
get_times (const PenClock *self)
{
  return self->times == PEN_TIMES_WALL && !self->has_wall ? PEN_TIMES_RECORDED : self->times;
}

char *
pen_clock_format (const PenClock *self, guint64 time, guint64 resolution)
{
  return format_as (self, get_times (self), time, resolution);
}

char *
pen_clock_format_long (const PenClock *self, guint64 time, guint64 resolution)
{
  g_autofree char *text = pen_clock_format (self, time, resolution);

  return g_strconcat (text, get_times (self) == PEN_TIMES_WALL ? "" : " s", NULL);
}

char *
pen_clock_format_all (const PenClock *self, guint64 time, guint64 resolution)
{
  g_autofree char *recorded = pen_format_time (time, resolution);
  g_autofree char *wall = format_wall (self, time, resolution, "%Y-%m-%d %H:%M:%S");
  g_autoptr (GString) text = g_string_new (NULL);

  if (get_times (self) == PEN_TIMES_RELATIVE) {
    g_autofree char *relative = format_relative (self, time, resolution);

    g_string_append_printf (text, "%s s · ", relative);
  }
  if (wall && get_times (self) == PEN_TIMES_WALL)
    g_string_append_printf (text, "%s · %s s", wall, recorded);
  else
    g_string_append_printf (text, "%s s%s%s", recorded, wall ? " · " : "", wall ? wall : "");
  return g_strdup (text->str);
}

/* ---- a tenancy ---- */

static char *
format_tenancy_as (const PenClock *self, PenTimes times, PenMoment from, PenMoment to)
{
  guint64 resolution = MIN (MAX (pen_span_length (self->span) / 10000, 1000), 10000000);
  const char *unit = times == PEN_TIMES_WALL ? "" : " s";
  gboolean starts = from.time > self->span.from;
  gboolean ends = to.time < self->span.to;
  g_autofree char *first = starts ? format_as (self, times, from.time, resolution) : NULL;
  g_autofree char *last = ends ? format_as (self, times, to.time, resolution) : NULL;

  if (starts && ends)
    return g_strdup_printf ("%s–%s%s", first, last, unit);
  if (starts)
    /* Translators: a time and its unit */
    return g_strdup_printf (_ ("%s%s – end"), first, unit);
  if (ends)
    /* Translators: a time and its unit */
    return g_strdup_printf (_ ("start – %s%s"), last, unit);
  return NULL;
}

char *
pen_clock_format_tenancy (const PenClock *self, PenMoment from, PenMoment to)
{
  char *text = format_tenancy_as (self, get_times (self), from, to);

  return text ? text : g_strdup (_ ("entire recording"));
}

char *
pen_clock_format_tenancy_elsewhere (const PenClock *self, PenMoment from, PenMoment to)
{
  PenTimes times = get_times (self);
  g_autofree char *recorded
      = times != PEN_TIMES_RECORDED ? format_tenancy_as (self, PEN_TIMES_RECORDED, from, to) : NULL;
  g_autofree char *wall = times != PEN_TIMES_WALL && self->has_wall
                              ? format_tenancy_as (self, PEN_TIMES_WALL, from, to)
                              : NULL;

  if (!recorded && !wall)
    return NULL;
  return g_strdup_printf ("%s%s%s%s", recorded ? C_ ("time", "recorded ") : "",
                          recorded ? recorded : "", recorded && wall ? " · " : "",
                          wall ? wall : "");
}

/* ---- ruler ---- */

guint64
pen_clock_get_first_mark (const PenClock *self, guint64 time, guint64 step)
{
  guint64 phase;

  switch (get_times (self)) {
  case PEN_TIMES_RELATIVE:
    phase = time >= self->span.from ? (time - self->span.from) % step : 0;
    break;
  case PEN_TIMES_WALL:
    /* Modulo 2^64 both; a time of day does not come near the edge. */
    phase = ((guint64) self->wall_offset + time) % step;
    break;
  case PEN_TIMES_RECORDED:
  case PEN_TIMES:
  default:
    phase = time % step;
    break;
  }
  return time >= phase ? time - phase : time;
}
