/* pen-import-speed.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-import-speed.h"

#include <math.h>

#define POINT_INTERVAL (G_USEC_PER_SEC / 4)
/* Before that, what was measured is how long it takes to begin. */
#define FIRST_RATE (G_USEC_PER_SEC / 2)
#define FIRST_ESTIMATE G_USEC_PER_SEC
#define FIRST_PART 0.02
/* An estimate by the last seconds and one by the whole stage that are further apart tell that
 * neither is of any use. */
#define MAX_DISAGREEMENT 2.0

static const PenImportSpeedPoint *
oldest_point (const PenImportSpeed *self)
{
  guint oldest = self->n > PEN_IMPORT_SPEED_POINTS ? self->n % PEN_IMPORT_SPEED_POINTS : 0;

  return &self->points[oldest];
}

static void
add_point (PenImportSpeed *self)
{
  guint newest = (self->n + PEN_IMPORT_SPEED_POINTS - 1) % PEN_IMPORT_SPEED_POINTS;

  if (self->n > 0 && self->last.time - self->points[newest].time < POINT_INTERVAL)
    return;

  self->points[self->n % PEN_IMPORT_SPEED_POINTS] = self->last;
  self->n++;
}

void
pen_import_speed_add (PenImportSpeed *self, const PenImportProgress *progress, gint64 now)
{
  gboolean is_new = !self->is_started || progress->stage != self->newest.stage
                    || progress->is_waiting != self->newest.is_waiting;

  self->newest = *progress;
  self->is_started = TRUE;
  self->last = (PenImportSpeedPoint){
    .time = now,
    .done = progress->done,
    .samples = progress->stage == PEN_IMPORT_SAMPLES ? progress->done : progress->samples,
  };

  if (is_new) {
    self->start = self->last;
    self->n = 0;
  }
  add_point (self);
}

static double
rate_since (const PenImportSpeed *self, const PenImportSpeedPoint *point, gboolean of_samples)
{
  double seconds = (double) (self->last.time - point->time) / G_USEC_PER_SEC;
  guint64 done = of_samples ? self->last.samples - point->samples : self->last.done - point->done;

  return seconds > 0 ? (double) done / seconds : 0;
}

double
pen_import_speed_get_samples_rate (const PenImportSpeed *self)
{
  if (!self->is_started || self->newest.is_waiting
      || (self->newest.stage != PEN_IMPORT_READ && self->newest.stage != PEN_IMPORT_SAMPLES)
      || self->last.time - self->start.time < FIRST_RATE)
    return 0;
  return rate_since (self, oldest_point (self), TRUE);
}

double
pen_import_speed_get_seconds_left (const PenImportSpeed *self)
{
  const PenImportProgress *newest = &self->newest;
  double overall = rate_since (self, &self->start, FALSE);
  double recent;

  if (!self->is_started || newest->is_waiting || newest->total == 0
      || self->last.time - self->start.time < FIRST_ESTIMATE
      || (double) newest->done < FIRST_PART * (double) newest->total)
    return -1;

  recent = rate_since (self, oldest_point (self), FALSE);
  if (recent <= 0 || overall <= 0 || recent > overall * MAX_DISAGREEMENT
      || overall > recent * MAX_DISAGREEMENT)
    return -1;
  return (double) (newest->total - MIN (newest->done, newest->total)) / recent;
}

char *
pen_import_speed_format_seconds (double seconds)
{
  guint whole = (guint) CLAMP (ceil (seconds), 1, G_MAXINT32);
  guint minutes = (whole + 30) / 60;

  if (whole < 10)
    return g_strdup_printf ("%u s", whole);
  if (whole < 90)
    return g_strdup_printf ("%u s", (whole + 4) / 5 * 5);
  if (minutes < 60)
    return g_strdup_printf ("%u min", minutes);
  return g_strdup_printf ("%u h %u min", minutes / 60, minutes % 60);
}
