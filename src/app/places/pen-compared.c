/* pen-compared.c: what the open recording is compared with
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-compared.h"

PenCompared *
pen_compared_new (const char *path, const PenSpan *time)
{
  PenCompared *self = g_rc_box_new0 (PenCompared);

  self->path = g_strdup (path);
  self->has_time = time != NULL;
  if (time)
    self->time = *time;
  return self;
}

PenCompared *
pen_compared_ref (PenCompared *self)
{
  return g_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  g_free (((PenCompared *) data)->path);
}

void
pen_compared_unref (PenCompared *self)
{
  g_rc_box_release_full (self, clear);
}

gboolean
pen_compared_is_same_recording (const PenCompared *a, const PenCompared *b)
{
  return a && b ? g_str_equal (a->path, b->path) : a == b;
}

gboolean
pen_compared_equal (const PenCompared *a, const PenCompared *b)
{
  return pen_compared_is_same_recording (a, b)
         && (!a || (a->has_time == b->has_time && pen_span_equal (a->time, b->time)));
}
