/* pen-cancel-check.h: cancellation checks in long loops
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"

G_BEGIN_DECLS

/* PenCancelCheck: asks every so many steps whether to go on. Once stopped, it stays so. */
typedef struct {
  PenHistoryFunc func; /* or NULL: never stops */
  gpointer user_data;
  guint steps;
  gboolean is_stopped;
} PenCancelCheck;

/* Steps between two calls: some milliseconds. */
#define PEN_CANCEL_CHECK_STEPS 4096u

/* As so many steps. Returns: FALSE: stop. */
static inline gboolean
pen_cancel_check_steps (PenCancelCheck *self, guint n)
{
  guint left = PEN_CANCEL_CHECK_STEPS - self->steps % PEN_CANCEL_CHECK_STEPS;

  self->steps += n;
  if (n >= left && self->func && !self->is_stopped)
    self->is_stopped = !self->func (self->user_data);
  return !self->is_stopped;
}

static inline gboolean
pen_cancel_check_step (PenCancelCheck *self)
{
  return pen_cancel_check_steps (self, 1);
}

/*
 * pen_cancel_check_sort: as g_qsort_with_data(), in parts that take a few milliseconds each.
 * Elements that compare equal keep their order.
 *
 * Returns: FALSE: stopped: the elements are all there, in some order
 */
gboolean pen_cancel_check_sort (PenCancelCheck *self, gpointer base, guint n, gsize size,
                                GCompareDataFunc compare, gpointer user_data);

G_END_DECLS
