/* pen-pair-timeline.h: one of two recordings over time, and a function in it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-pair-session.h"

G_BEGIN_DECLS

/*
 * PenPairTimeline: signals:
 *   chosen (const PenSpan *)   by a drag: a time of it is to be compared, both ends included; NULL,
 *                              by Escape: none more than another
 */
#define PEN_TYPE_PAIR_TIMELINE (pen_pair_timeline_get_type ())
G_DECLARE_FINAL_TYPE (PenPairTimeline, pen_pair_timeline, PEN, PAIR_TIMELINE, GtkWidget)

/* @list, @lines: (nullable); @lines: of the function that is chosen. Both sides have one scale, if
 * their rates can be compared. @times: how times are shown; not by the wall clock */
void pen_pair_timeline_show (PenPairTimeline *self, const PenPairList *list,
                             const PenPairLines *lines, guint side, PenTimes times);
/* As a drag from one place to the other does, in its pixels. */
void pen_pair_timeline_choose (PenPairTimeline *self, double from, double to);
/* What is at a point of it, or NULL. (transfer full) */
char *pen_pair_timeline_describe_point (PenPairTimeline *self, double x, double y);

G_END_DECLS
