/* pen-events.c: the events of a history, before they are put in order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-events.h"

void
pen_events_init (PenEvents *self)
{
  self->order = g_array_new (FALSE, FALSE, sizeof (PenEvent));
  self->process_maps = g_array_new (FALSE, FALSE, sizeof (PenProcessMapItem));
  self->maps = g_array_new (FALSE, FALSE, sizeof (PenMapItem));
  self->ksymbols = g_array_new (FALSE, FALSE, sizeof (PenKsymbolEvent));
  self->listed = g_array_new (FALSE, FALSE, sizeof (PenListedItem));
  self->tasks = g_array_new (FALSE, FALSE, sizeof (PenTaskItem));
  self->bpf_loads = g_array_new (FALSE, FALSE, sizeof (PenBpfLoadItem));
  self->addresses = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->pokes = g_array_new (FALSE, FALSE, sizeof (PenPoke));
  self->modules = g_array_new (FALSE, FALSE, sizeof (PenModuleItem));
  self->sightings = g_array_new (FALSE, FALSE, sizeof (PenSighting));
  self->sighting_lists = g_array_new (FALSE, FALSE, sizeof (PenSightingList));
  self->allocations = g_array_new (FALSE, FALSE, sizeof (PenAllocationItem));
}

void
pen_events_clear (PenEvents *self)
{
  g_clear_pointer (&self->order, g_array_unref);
  g_clear_pointer (&self->process_maps, g_array_unref);
  g_clear_pointer (&self->maps, g_array_unref);
  g_clear_pointer (&self->ksymbols, g_array_unref);
  g_clear_pointer (&self->listed, g_array_unref);
  g_clear_pointer (&self->tasks, g_array_unref);
  g_clear_pointer (&self->bpf_loads, g_array_unref);
  g_clear_pointer (&self->addresses, g_array_unref);
  g_clear_pointer (&self->pokes, g_array_unref);
  g_clear_pointer (&self->modules, g_array_unref);
  g_clear_pointer (&self->sightings, g_array_unref);
  g_clear_pointer (&self->sighting_lists, g_array_unref);
  g_clear_pointer (&self->allocations, g_array_unref);
}

void
pen_events_add (PenEvents *self, PenMoment moment, PenEventKind kind, GArray *items,
                gconstpointer item)
{
  PenEvent event = { .moment = moment, .kind = kind, .index = items->len };

  g_array_append_vals (items, item, 1);
  g_array_append_val (self->order, event);
}

static int
compare_events (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const PenEvent *first = a;
  const PenEvent *second = b;
  int order = pen_moment_compare (first->moment, second->moment);

  if (order)
    return order;
  if (first->kind != second->kind)
    return first->kind < second->kind ? -1 : 1;
  return first->index < second->index ? -1 : first->index > second->index;
}

gboolean
pen_events_sort (PenEvents *self, PenCancelCheck *check)
{
  return pen_cancel_check_sort (check, self->order->data, self->order->len, sizeof (PenEvent),
                                compare_events, NULL);
}
