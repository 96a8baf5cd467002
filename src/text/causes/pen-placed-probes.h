/* pen-placed-probes.h: names of probes by their places, from two lists of the kernel's
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-regular-file.h"
#include "pen-sightings.h"

G_BEGIN_DECLS

/* PenPlacedProbes: `kprobes` has addresses, `kprobe_events` names. Those of one time are read in
 * this order. */
typedef struct _PenPlacedProbes PenPlacedProbes;

/* @names: keeps the strings, and outlives it */
PenPlacedProbes *pen_placed_probes_new (PenNames *names);
void pen_placed_probes_free (PenPlacedProbes *self);

/* See pen_listed_users_read(), pen_listed_users_repeat(). */
guint pen_placed_probes_read (PenPlacedProbes *self, guint64 begun, PenLineReader *lines, guint n);
guint pen_placed_probes_read_events (PenPlacedProbes *self, guint64 begun, guint64 ended,
                                     PenLineReader *lines, guint n);
void pen_placed_probes_repeat (PenPlacedProbes *self, guint64 begun);
void pen_placed_probes_repeat_events (PenPlacedProbes *self, guint64 begun, guint64 ended);

/* "kprobe probes/open": by address, and those of ftrace (fprobes) by function. Returns: (transfer
 * none) */
PenSightings *pen_placed_probes_get (PenPlacedProbes *self);

G_END_DECLS
