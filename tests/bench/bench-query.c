/* bench-query.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "bench-query.h"

#include <stdlib.h>

void
bench_stop (GError *error)
{
  g_printerr ("%s: %s\n", g_get_prgname (), error->message);
  exit (EXIT_FAILURE);
}

PenQuery *
bench_open_query (const char *path)
{
  GError *error = NULL;
  g_autoptr (PenStore) store = pen_store_open (path, &error);

  if (!store)
    bench_stop (error);
  return pen_query_new (store);
}
