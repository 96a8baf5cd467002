/* pen-witness-count.h: how the text that is known stands up to a witness
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"

G_BEGIN_DECLS

/*
 * PenWitnessCount:
 * @readings: 0: the recording has no witness, and all is 0
 * @agree, @differ, @told, @unread: samples of the kernel's space, as docs/store.md has them
 * @lost: readings that the kernel could not write
 * @are_counters_missing: then, and where some were lost, a reading holds at its own time only
 * @unannounced: changes of text that no record shows, and whose holder is known: an alarm
 * @unheld: those of text that nobody is known to hold, which may be another module's then
 */
typedef struct {
  guint64 readings;
  guint64 agree;
  guint64 differ;
  guint64 told;
  guint64 unread;
  guint64 lost;
  gboolean are_counters_missing;
  guint64 unannounced;
  guint64 unheld;
} PenWitnessCount;

PenWitnessCount pen_witness_count_load (PenStore *store);

G_END_DECLS
