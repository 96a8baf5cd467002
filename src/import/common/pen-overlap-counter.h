/* pen-overlap-counter.h: how many of many ranges touch this one?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * PenOverlapCounter: counts without a visit of each range, of which a capture can lay as many over
 * each other as it likes. Cost: n log n to seal, log n for each question.
 */
typedef struct _PenOverlapCounter PenOverlapCounter;

PenOverlapCounter *pen_overlap_counter_new (void);
void pen_overlap_counter_free (PenOverlapCounter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenOverlapCounter, pen_overlap_counter_free)

/* [@start, @end); an empty one touches nothing. */
void pen_overlap_counter_add (PenOverlapCounter *self, guint64 start, guint64 end);
/* After the last, before the first question. */
void pen_overlap_counter_seal (PenOverlapCounter *self);

/* Returns: how many ranges share a byte with [@start, @end) */
guint pen_overlap_counter_get (PenOverlapCounter *self, guint64 start, guint64 end);

G_END_DECLS
