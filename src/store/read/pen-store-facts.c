/* pen-store-facts.c: facts, events, and what was counted of the records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-store-private.h"

/* What is said of samples is said of waits. */
static void
swap_facts (PenStore *self)
{
  static const struct {
    const char *fact;
    const char *of_waits;
  } pairs[] = {
    { "samples", "waits" },
    { "timeless_samples", "timeless_waits" },
    { "timeless_unknown", "timeless_waits_unknown" },
    { "callchains_dropped", "wait_callchains_dropped" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    const char *value = pen_store_get_fact (self, pairs[i].of_waits);

    g_hash_table_insert (self->facts, (gpointer) pairs[i].fact, (gpointer) (value ? value : "0"));
  }
}

gboolean
pen_store_load_facts (PenStore *self, GError **error)
{
  g_autoptr (GArray) facts = pen_store_load_table (self, PEN_TABLE_CAPTURE, "", error);

  for (guint i = 0; facts && i < facts->len; i++) {
    const PenFactRow *fact = &g_array_index (facts, PenFactRow, i);

    g_hash_table_insert (self->facts, (gpointer) fact->key, (gpointer) fact->value);
  }
  if (self->population == PEN_POPULATION_WAITS)
    swap_facts (self);
  return facts != NULL;
}

/* Takes @rows: as pointers to copies of them. */
static GPtrArray *
take_pointers (GArray *rows)
{
  GPtrArray *pointers = g_ptr_array_new_with_free_func (g_free);
  guint size = g_array_get_element_size (rows);

  for (guint i = 0; i < rows->len; i++)
    g_ptr_array_add (pointers, g_memdup2 (rows->data + (gsize) i * size, size));
  g_array_unref (rows);
  return pointers;
}

gboolean
pen_store_load_events (PenStore *self, GError **error)
{
  GArray *events = pen_store_load_numbered (self, PEN_TABLE_EVENT, 0, error);
  g_autoptr (GArray) tracepoints = NULL;

  if (!events)
    return FALSE;
  g_ptr_array_unref (self->events);
  self->events = take_pointers (events);

  tracepoints = pen_store_load_table (self, PEN_TABLE_TRACEPOINT, "", error);
  for (guint i = 0; tracepoints && i < tracepoints->len; i++) {
    const PenStoreEvent *tracepoint = &g_array_index (tracepoints, PenStoreEvent, i);

    if (tracepoint->id < self->events->len) {
      PenStoreEvent *event = self->events->pdata[tracepoint->id];

      event->system = tracepoint->system;
      event->format = tracepoint->format;
    }
  }
  return tracepoints != NULL;
}

const char *
pen_store_get_fact (PenStore *self, const char *key)
{
  return g_hash_table_lookup (self->facts, key);
}

gint64
pen_store_get_fact_int (PenStore *self, const char *key, gint64 fallback)
{
  const char *value = pen_store_get_fact (self, key);
  char *end;
  gint64 number;

  if (!value || *value == '\0')
    return fallback;

  number = *value == '-' ? g_ascii_strtoll (value, &end, 10)
                         : (gint64) g_ascii_strtoull (value, &end, 10);
  return *end == '\0' ? number : fallback;
}

GPtrArray *
pen_store_get_events (PenStore *self)
{
  return self->events;
}

GPtrArray *
pen_store_load_record_counts (PenStore *self, GError **error)
{
  GArray *counts = pen_store_load_table (self, PEN_TABLE_RECORD_COUNT, "ORDER BY type", error);

  return counts ? take_pointers (counts) : NULL;
}

GPtrArray *
pen_store_load_problems (PenStore *self, GError **error)
{
  g_autoptr (GArray) files = pen_store_load_table (self, PEN_TABLE_FILE, "", error);
  GArray *problems = NULL;

  if (files)
    problems = pen_store_load_table (self, PEN_TABLE_PROBLEM, "ORDER BY id", error);
  if (!problems)
    return NULL;

  for (guint i = 0; i < problems->len; i++) {
    PenStoreProblem *problem = &g_array_index (problems, PenStoreProblem, i);

    problem->file = "";
    for (guint k = 0; k < files->len; k++)
      if (g_array_index (files, PenStringRow, k).id == problem->file_id)
        problem->file = g_array_index (files, PenStringRow, k).string;
  }
  return take_pointers (problems);
}

GArray *
pen_store_load_losses (PenStore *self, GError **error)
{
  g_autoptr (GArray) losses = pen_store_load_table (self, PEN_TABLE_LOSS, "ORDER BY id", error);

  for (guint i = 0; losses && i < losses->len; i++) {
    const PenLoss *loss = &g_array_index (losses, PenLoss, i);

    if (loss->has_event && loss->event >= self->events->len) {
      pen_store_set_damaged (self, "a loss names an event that is not there", error);
      return NULL;
    }
  }
  return g_steal_pointer (&losses);
}
