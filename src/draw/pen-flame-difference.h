/* pen-flame-difference.h: stacks before and after, as colours and words
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-clock.h"
#include "pen-poke.h"
#include "pen-query-flame-diff.h"

G_BEGIN_DECLS

/* 0xffRRGGBB: of frames with that verdict, at their strongest. Grey stands for all that did not
 * part. People who confuse red and green tell the two colours apart. */
guint32 pen_flame_difference_get_color (PenVerdict verdict, gboolean dark);
/* How strong the colour of a node is on the ground, 0–1: more with the ratio. */
double pen_flame_difference_get_strength (const PenFlameDiff *self, guint node);
/* Whether it has samples in but one of the stretches. */
gboolean pen_flame_difference_is_one_sided (const PenFlameDiff *self, guint node);
/* "More often after", "Less often after", "No significant difference": of a colour */
const char *pen_flame_difference_get_title (PenVerdict verdict);

/* "0.20× (0.10–0.38)"; "only after"; "" where it is not known */
char *pen_flame_difference_format_ratio (const PenFlameDifference *self);
/* A frame, for a tooltip: name, occupant, ratio with its interval, rates, samples, verdict. */
char *pen_flame_difference_describe (const PenFlameDiff *self, guint node);
/* In one line, for those who listen: "vfs_read, Kernel, level 5, 174 samples before, 35 after, less
 * often after" */
char *pen_flame_difference_speak (const PenFlameDiff *self, guint node);
/* "Before 5.601–6.576 s, after 6.578–7.553 s: Ftrace at vfs_read, by sh [131]". @batch: (nullable):
 * around which the stretches lie */
char *pen_flame_difference_name (const PenFlameDiff *self, const PenBatch *batch,
                                 const PenClock *clock);

G_END_DECLS
