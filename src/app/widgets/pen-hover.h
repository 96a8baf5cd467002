/* pen-hover.h: what is pointed at, in any view
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A moment, and addresses [@address_from, @address_to), each if it has any; and what was patched
 * together, 0 if that is nothing. */
typedef struct {
  gboolean has_time;
  guint64 time;
  gboolean has_address;
  guint64 address_from;
  guint64 address_to;
  guint32 batch;
} PenHover;

static inline gboolean
pen_hover_equal (const PenHover *a, const PenHover *b)
{
  if (a->has_time != b->has_time || a->has_address != b->has_address || a->batch != b->batch)
    return FALSE;
  return (!a->has_time || a->time == b->time)
         && (!a->has_address
             || (a->address_from == b->address_from && a->address_to == b->address_to));
}

/* Whether one of its addresses is in [@from, @to). */
static inline gboolean
pen_hover_has_range (const PenHover *self, guint64 from, guint64 to)
{
  return self->has_address && self->address_from < to && self->address_to > from;
}

G_END_DECLS
