/* pen-pid-set.c: a sorted set of pids or tids
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-pid-set.h"

void
pen_pid_set_init (PenPidSet *self)
{
  self->values = g_array_new (FALSE, FALSE, sizeof (gint32));
}

void
pen_pid_set_clear (PenPidSet *self)
{
  g_clear_pointer (&self->values, g_array_unref);
}

void
pen_pid_set_add (PenPidSet *self, gint32 value)
{
  g_array_append_val (self->values, value);
}

static int
compare_values (gconstpointer a, gconstpointer b)
{
  gint32 first = *(const gint32 *) a;
  gint32 second = *(const gint32 *) b;

  return first < second ? -1 : first > second;
}

void
pen_pid_set_seal (PenPidSet *self)
{
  gint32 *values = (gint32 *) (gpointer) self->values->data;
  guint kept = 0;

  g_array_sort (self->values, compare_values);
  for (guint i = 0; i < self->values->len; i++) {
    if (kept == 0 || values[kept - 1] != values[i])
      values[kept++] = values[i];
  }
  g_array_set_size (self->values, kept);
}
