/* pen-placed-probes.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-placed-probes.h"

#include "pen-kernel-lists.h"
#include "pen-table-hash.h"

/* endbr64, before the place where probes patch. */
#define ENDBR 4u
/* Whoever wrote the lists may have made all of them fit one another. */
#define MAX_STEPS (1u << 22)

/* Of either list; its strings are kept. */
typedef PenListedProbe Probe;

/*
 * PenPlacedProbes:
 * @probes: symbol → (element-type Probe): of the last `kprobes`; @events: of the last
 * `kprobe_events`
 * @has_new_probes: @events have no places of them yet
 * @begun: of the list of probes that goes with the next list of events; G_MAXUINT64: none
 * @left: steps
 */
struct _PenPlacedProbes {
  PenNames *names;
  GHashTable *probes;
  GArray *events;
  gboolean has_new_probes;
  guint64 begun;
  guint left;
  PenSightings *placed;
};

PenPlacedProbes *
pen_placed_probes_new (PenNames *names)
{
  PenPlacedProbes *self = g_new0 (PenPlacedProbes, 1);

  self->names = names;
  self->probes
      = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref);
  self->events = g_array_new (FALSE, FALSE, sizeof (Probe));
  self->begun = G_MAXUINT64;
  self->left = MAX_STEPS;
  self->placed = pen_sightings_new (names);
  return self;
}

void
pen_placed_probes_free (PenPlacedProbes *self)
{
  g_hash_table_unref (self->probes);
  g_array_unref (self->events);
  pen_sightings_free (self->placed);
  g_free (self);
}

/* ---- lines ---- */

static void
take_probe (const PenListedProbe *listed, gpointer user_data)
{
  PenPlacedProbes *self = user_data;
  Probe probe = *listed;
  GArray *probes;

  if (!listed->symbol || listed->address == 0)
    return;
  probe.symbol = pen_names_add (self->names, listed->symbol);
  probes = g_hash_table_lookup (self->probes, probe.symbol);
  if (!probes) {
    probes = g_array_new (FALSE, FALSE, sizeof (Probe));
    g_hash_table_insert (self->probes, (gpointer) probe.symbol, probes);
  }
  g_array_append_val (probes, probe);
}

static void
take_event (const PenListedProbe *listed, gpointer user_data)
{
  PenPlacedProbes *self = user_data;
  Probe event = *listed;

  event.symbol = listed->symbol ? pen_names_add (self->names, listed->symbol) : NULL;
  event.event = pen_names_add (self->names, listed->event);
  g_array_append_val (self->events, event);
}

/* ---- places ---- */

/* A probe at the beginning of a function is after its endbr64. */
static gboolean
is_of_event (const Probe *probe, const Probe *event)
{
  gboolean is_return = event->type == 'r';

  return (probe->type == 'r') == is_return
         && (probe->offset == event->offset || (event->offset == 0 && probe->offset == ENDBR));
}

static void
place_event (PenPlacedProbes *self, const Probe *event)
{
  g_autofree char *name = g_strdup_printf ("%s %s",
                                           event->type == 'f'   ? "fprobe"
                                           : event->type == 'r' ? "kretprobe"
                                                                : "kprobe",
                                           event->event);
  const GArray *probes = event->symbol ? g_hash_table_lookup (self->probes, event->symbol) : NULL;

  if (event->type == 'f' && event->symbol)
    pen_sightings_add_word (self->placed, event->symbol, name);
  else if (!event->symbol)
    pen_sightings_add_number (self->placed, event->address, name);
  for (guint i = 0; probes && i < probes->len && self->left > 0; i++, self->left--) {
    const Probe *probe = &g_array_index (probes, Probe, i);

    if (is_of_event (probe, event))
      pen_sightings_add_number (self->placed, probe->address, name);
  }
}

static void
place_events (PenPlacedProbes *self, guint64 begun, guint64 ended)
{
  pen_sightings_begin (self->placed, begun, ended);
  for (guint i = 0; i < self->events->len && self->left > 0; i++, self->left--)
    place_event (self, &g_array_index (self->events, Probe, i));
  self->has_new_probes = FALSE;
}

/* Both lists were read from when the first of them was begun. */
static guint64
get_begun (PenPlacedProbes *self, guint64 begun)
{
  guint64 first = MIN (self->begun, begun);

  self->begun = G_MAXUINT64;
  return first;
}

guint
pen_placed_probes_read (PenPlacedProbes *self, guint64 begun, PenLineReader *lines, guint n)
{
  g_hash_table_remove_all (self->probes);
  self->has_new_probes = TRUE;
  self->begun = begun;
  return pen_kernel_list_probes (lines, n, take_probe, self);
}

guint
pen_placed_probes_read_events (PenPlacedProbes *self, guint64 begun, guint64 ended,
                               PenLineReader *lines, guint n)
{
  guint skipped;

  g_array_set_size (self->events, 0);
  skipped = pen_kernel_list_probe_events (lines, n, take_event, self);
  place_events (self, get_begun (self, begun), ended);
  return skipped;
}

void
pen_placed_probes_repeat (PenPlacedProbes *self, guint64 begun)
{
  self->begun = begun;
}

void
pen_placed_probes_repeat_events (PenPlacedProbes *self, guint64 begun, guint64 ended)
{
  begun = get_begun (self, begun);
  if (self->has_new_probes)
    place_events (self, begun, ended);
  else
    pen_sightings_repeat (self->placed, begun, ended);
}

PenSightings *
pen_placed_probes_get (PenPlacedProbes *self)
{
  return self->placed;
}
