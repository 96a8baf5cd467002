/* pen-pace.h: long work that looks up now and then whether to go on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"

G_BEGIN_DECLS

/* PenPace: once it has stopped, it stays so. */
typedef struct {
  PenHistoryFunc func; /* or NULL: never stops */
  gpointer user_data;
  guint steps;
  gboolean is_stopped;
} PenPace;

/* Steps between two calls: some milliseconds. */
#define PEN_PACE_STEPS 4096u

/* Returns: FALSE: stop. */
static inline gboolean
pen_pace_step (PenPace *self)
{
  if (++self->steps % PEN_PACE_STEPS == 0 && self->func && !self->is_stopped)
    self->is_stopped = !self->func (self->user_data);
  return !self->is_stopped;
}

/*
 * pen_pace_sort: as g_qsort_with_data(), in parts that take a few milliseconds each
 *
 * Returns: FALSE: stopped: the elements are all there, in some order
 */
gboolean pen_pace_sort (PenPace *self, gpointer base, guint n, gsize size, GCompareDataFunc compare,
                        gpointer user_data);

G_END_DECLS
