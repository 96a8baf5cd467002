/* pen-late-close.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-late-close.h"

#include <unistd.h>

static GMutex lock;
static guint writers;
static GArray *waiting; /* of int; NULL: none */

void
pen_late_close_hold (void)
{
  g_mutex_lock (&lock);
  writers++;
  g_mutex_unlock (&lock);
}

void
pen_late_close_release (void)
{
  g_mutex_lock (&lock);
  writers--;
  for (guint i = 0; writers == 0 && waiting && i < waiting->len; i++)
    close (g_array_index (waiting, int, i));
  if (writers == 0)
    g_clear_pointer (&waiting, g_array_unref);
  g_mutex_unlock (&lock);
}

/* The lock is held meanwhile: a writer may not begin between the question and the closing. */
void
pen_late_close (int fd)
{
  g_mutex_lock (&lock);
  if (writers == 0) {
    close (fd);
  } else {
    if (!waiting)
      waiting = g_array_new (FALSE, FALSE, sizeof (int));
    g_array_append_val (waiting, fd);
  }
  g_mutex_unlock (&lock);
}
