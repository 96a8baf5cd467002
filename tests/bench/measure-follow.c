/* measure-follow.c: how far a view of a recording is behind it, and what that costs
 *
 *   perf record -a -g -F 4000 -k CLOCK_MONOTONIC -o DIRECTORY/perf.data & measure-follow …
 *
 * Follows the recording (pen-follow.h) as the window does, and asks for its functions. Prints the
 * age of the newest record of each part, median and longest in each stretch of ten seconds, and the
 * share of one CPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "pen-compare.h"
#include "pen-follow.h"
#include "pen-store-functions.h"

#define STRETCH 10.0

static double
get_time (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static int
compare_ages (gconstpointer a, gconstpointer b)
{
  return PEN_COMPARE (*(const double *) a, *(const double *) b);
}

static void
print_stretch (double begin, GArray *ages, double cpu)
{
  double now = get_time (CLOCK_MONOTONIC);

  if (ages->len == 0)
    return;
  g_array_sort (ages, compare_ages);
  printf ("%3u parts, age %.2f s, longest %.2f, CPU %.1f %%\n", ages->len,
          g_array_index (ages, double, ages->len / 2), g_array_index (ages, double, ages->len - 1),
          100 * (get_time (CLOCK_PROCESS_CPUTIME_ID) - cpu) / (now - begin));
  fflush (stdout);
  g_array_set_size (ages, 0);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (PenFollow) follow = argc == 2 ? pen_follow_new (argv[1], NULL, &error) : NULL;
  g_autoptr (GArray) ages = g_array_new (FALSE, FALSE, sizeof (double));
  double begin = get_time (CLOCK_MONOTONIC);
  double cpu = 0;
  gboolean is_last = FALSE;

  if (!follow) {
    g_printerr ("measure-follow RECORDING: %s\n", error ? error->message : "which?");
    return 2;
  }
  while (!is_last) {
    g_autoptr (PenStore) store = pen_follow_next (follow, NULL, NULL, &is_last, NULL, &error);
    double age;
    guint n;

    if (!store || is_last)
      break;
    pen_store_get_functions (store, &n, NULL);
    age = get_time (CLOCK_MONOTONIC)
          - (double) pen_store_get_fact_int (store, "last_time", 0) / 1e9;
    g_array_append_val (ages, age);
    if (get_time (CLOCK_MONOTONIC) - begin < STRETCH)
      continue;
    print_stretch (begin, ages, cpu);
    begin = get_time (CLOCK_MONOTONIC);
    cpu = get_time (CLOCK_PROCESS_CPUTIME_ID);
  }
  if (error)
    g_printerr ("%s\n", error->message);
  return error != NULL;
}
