/* pen-change-times.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-change-times.h"

#include "pen-binary-search.h"
#include "pen-compare.h"
#include "pen-query-holdings.h"
#include "pen-store-occupants.h"
#include "pen-store-pokes.h"
#include "pen-table-hash.h"

typedef struct {
  guint64 start;
  guint64 end;
  guint64 max_end; /* of this one and those before it */
  guint64 time;
} Patch;

struct _PenChangeTimes {
  PenQuery *query;
  GArray *patches;  /* Patch, by start */
  GArray *tenures;  /* PenTenure, of the kernel space */
  GHashTable *kept; /* address → GArray of guint64, or NULL */
};

static gboolean
load_patches (PenChangeTimes *self, GError **error)
{
  g_autoptr (GArray) pokes = pen_store_load_pokes (self->query->store, 0, G_MAXUINT64, error);
  guint64 max_end = 0;

  if (!pokes)
    return FALSE;
  for (guint i = 0; i < pokes->len; i++) {
    const PenPoke *poke = &g_array_index (pokes, PenPoke, i);
    guint64 length = MIN (pen_poke_get_length (poke), G_MAXUINT64 - poke->address);
    Patch patch = { poke->address, poke->address + length, 0, poke->moment.time };

    if (poke->effect != PEN_POKE_SAME && poke->moment.time != 0)
      g_array_append_val (self->patches, patch);
  }
  g_array_sort (self->patches, pen_compare_u64);
  for (guint i = 0; i < self->patches->len; i++) {
    Patch *patch = &g_array_index (self->patches, Patch, i);

    max_end = MAX (max_end, patch->end);
    patch->max_end = max_end;
  }
  return TRUE;
}

static void
unref_times (gpointer times)
{
  if (times)
    g_array_unref (times);
}

PenChangeTimes *
pen_change_times_new (PenQuery *query, GError **error)
{
  g_autoptr (PenChangeTimes) self = g_new0 (PenChangeTimes, 1);

  self->query = query;
  self->patches = g_array_new (FALSE, FALSE, sizeof (Patch));
  self->kept = g_hash_table_new_full (pen_int64_hash, g_int64_equal, g_free, unref_times);
  self->tenures = pen_store_load_tenures (query->store, PEN_SPACE_KERNEL, 0, G_MAXUINT64, error);
  if (!self->tenures || !load_patches (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
pen_change_times_free (PenChangeTimes *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->patches, g_array_unref);
  g_clear_pointer (&self->tenures, g_array_unref);
  g_clear_pointer (&self->kept, g_hash_table_unref);
  g_free (self);
}

/* ---- one address ---- */

static void
add_patches (const PenChangeTimes *self, guint64 address, GArray *times)
{
  guint low = PEN_BINARY_SEARCH (i, 0, self->patches->len,
                                 g_array_index (self->patches, Patch, i).start <= address);

  for (guint i = low; i-- > 0;) {
    const Patch *patch = &g_array_index (self->patches, Patch, i);

    if (patch->max_end <= address)
      break;
    if (patch->end > address)
      g_array_append_val (times, patch->time);
  }
}

/* Nearly all addresses are the core kernel's, which is there all the time. */
static gboolean
has_holders (const PenChangeTimes *self, guint64 address)
{
  guint n = 0;

  for (guint i = 0; i < self->tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (self->tenures, PenTenure, i);

    if (tenure->start > address || tenure->end <= address)
      continue;
    n++;
    if (n > 1 || tenure->from.time != 0 || tenure->to.time != G_MAXUINT64)
      return TRUE;
  }
  return FALSE;
}

static gboolean
add_holders (PenChangeTimes *self, guint64 address, GArray *times, GError **error)
{
  g_autoptr (GArray) holdings = NULL;

  if (!has_holders (self, address))
    return TRUE;
  holdings = pen_query_find_holdings (self->query, address, error);
  if (!holdings)
    return FALSE;
  for (guint i = 0; i < holdings->len; i++) {
    const PenHolding *holding = &g_array_index (holdings, PenHolding, i);

    if (holding->from.time != 0)
      g_array_append_val (times, holding->from.time);
    if (holding->to.time != G_MAXUINT64)
      g_array_append_val (times, holding->to.time);
  }
  return TRUE;
}

gboolean
pen_change_times_find (PenChangeTimes *self, guint64 address, const GArray **times, GError **error)
{
  g_autoptr (GArray) found = NULL;
  gpointer kept;
  guint64 *key;

  if (g_hash_table_lookup_extended (self->kept, &address, NULL, &kept)) {
    *times = kept;
    return TRUE;
  }
  found = g_array_new (FALSE, FALSE, sizeof (guint64));
  add_patches (self, address, found);
  if (!add_holders (self, address, found, error))
    return FALSE;
  g_array_sort (found, pen_query_compare_times);
  key = g_new (guint64, 1);
  *key = address;
  *times = found->len > 0 ? found : NULL;
  g_hash_table_insert (self->kept, key, found->len > 0 ? g_array_ref (found) : NULL);
  return TRUE;
}

/* How many are not after @time. */
static guint
count_until (const GArray *times, guint64 time)
{
  return PEN_BINARY_SEARCH (i, 0, times ? times->len : 0,
                            g_array_index (times, guint64, i) <= time);
}

gboolean
pen_change_times_get_since (const GArray *times, guint64 time, guint64 *since)
{
  guint n = count_until (times, time);

  if (n > 0)
    *since = time - g_array_index (times, guint64, n - 1);
  return n > 0;
}

gboolean
pen_change_times_get_until (const GArray *times, guint64 time, guint64 *until)
{
  guint n = count_until (times, time);

  if (!times || n == times->len)
    return FALSE;
  *until = g_array_index (times, guint64, n) - time;
  return TRUE;
}
