/* pen-import-speed.h: the speed of an import and the time left
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-import.h"

G_BEGIN_DECLS

/* About four seconds, at one value every 50 ms. */
#define PEN_IMPORT_SPEED_POINTS 16

typedef struct {
  gint64 time; /* monotonic, µs */
  guint64 done;
  guint64 samples;
} PenImportSpeedPoint;

/*
 * PenImportSpeed: the progress of the last seconds. One that is filled with zeros is
 * ready for use.
 */
typedef struct {
  PenImportProgress newest;
  gboolean is_started;
  PenImportSpeedPoint start; /* of the stage */
  PenImportSpeedPoint last;
  PenImportSpeedPoint points[PEN_IMPORT_SPEED_POINTS]; /* a ring */
  guint n;                                             /* points there ever were in this stage */
} PenImportSpeed;

/* @now: as g_get_monotonic_time() says */
void pen_import_speed_add (PenImportSpeed *self, const PenImportProgress *progress, gint64 now);

/* Per second, over the last seconds of the stage. Samples as they are read, or placed; 0 in other
 * stages, and where it cannot be known yet. */
double pen_import_speed_get_samples_rate (const PenImportSpeed *self);

/*
 * pen_import_speed_get_seconds_left:
 *
 * Until the end of the stage: the time of later stages depends on what this one finds.
 *
 * Returns: a negative number where it cannot be known: how much there is to do is not known, or
 *   little of it is done, or it is not done evenly
 */
double pen_import_speed_get_seconds_left (const PenImportSpeed *self);

/* "3 s", "2 min", "1 h 20 min": no finer than such an estimate can be. */
char *pen_import_speed_format_seconds (double seconds);

G_END_DECLS
