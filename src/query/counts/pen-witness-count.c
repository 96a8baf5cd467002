/* pen-witness-count.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-witness-count.h"

static guint64
get_count (PenStore *store, const char *key)
{
  return (guint64) MAX (pen_store_get_fact_int (store, key, 0), 0);
}

PenWitnessCount
pen_witness_count_load (PenStore *store)
{
  guint64 unheld = get_count (store, "unannounced_unheld");
  guint64 unannounced = get_count (store, "unannounced");

  return (PenWitnessCount){
    .readings = get_count (store, "readings"),
    .agree = get_count (store, "witness_agree"),
    .differ = get_count (store, "witness_differ"),
    .told = get_count (store, "witness_told"),
    .unread = get_count (store, "witness_unread"),
    .lost = get_count (store, "witness_lost"),
    .are_counters_missing = get_count (store, "witness_counters_missing") != 0,
    .unannounced = unannounced - MIN (unheld, unannounced),
    .unheld = unheld,
  };
}
