/* pen-sample-run.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-sample-run.h"

#include "pen-key-sort.h"

static gboolean
is_sorted (const PenSortedSample *samples, guint n)
{
  for (guint i = 1; i < n; i++)
    if (samples[i - 1].time > samples[i].time)
      return FALSE;

  return TRUE;
}

gboolean
pen_sample_run_sort (const PenSortedSample *samples, PenSortedSample *spare, guint n)
{
  g_autofree PenSortKey *keys = NULL;

  if (is_sorted (samples, n))
    return FALSE;

  /* Samples of one time stay in stream order. */
  keys = g_new (PenSortKey, n);
  for (guint i = 0; i < n; i++)
    keys[i] = (PenSortKey){ samples[i].time, i };
  pen_key_sort (&keys, n);

  for (guint i = 0; i < n; i++)
    spare[i] = samples[keys[i].index];

  return TRUE;
}
