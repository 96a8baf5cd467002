/* pen-free-in-turns.c: long arrays, freed while a window has nothing else to do
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-free-in-turns.h"

/* Elements; the 30,000 lines of a long function take 100 ms at once, as nothing of them is in the
 * processor's cache any more. */
#define TURN 256

static void
free_array (gpointer data)
{
  g_ptr_array_unref (data);
}

static gboolean
free_some (gpointer data)
{
  GPtrArray *array = data;

  g_ptr_array_set_size (array, (int) (array->len - MIN (array->len, TURN)));
  return array->len > 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

void
pen_free_in_turns (GPtrArray *array)
{
  if (!array)
    return;
  if (array->len <= TURN)
    g_ptr_array_unref (array);
  else
    g_idle_add_full (G_PRIORITY_LOW, free_some, array, free_array);
}
