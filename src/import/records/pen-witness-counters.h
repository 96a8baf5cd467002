/* pen-witness-counters.h: counters of a witness that pentimento-cli record wrote
 * (docs/recording.md)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * PenWitnessCounters:
 * @is_missing: the recorder keeps counters, and these are not there: it was killed
 * @lost: readings that the kernel could not write
 */
typedef struct {
  gboolean is_missing;
  guint64 lost;
} PenWitnessCounters;

/* @record_dir: (nullable): of the recording; NULL: its recorder keeps none */
PenWitnessCounters pen_witness_counters_read (const char *record_dir);

G_END_DECLS
