/* pen-import-facts.h: what the capture says of itself, into the store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-history.h"
#include "pen-reader.h"
#include "pen-sources.h"
#include "pen-store-writer.h"
#include "pen-witness-judge.h"
#include "pen-tracing-data.h"
#include "pen-wait-counts.h"

G_BEGIN_DECLS

/*
 * PenImportCounts: what the pass over the records counted
 * @types: records per type below PEN_RECORD_TYPES
 * @others: type → count (guint64), of types without a name
 */
typedef struct {
  guint64 records;
  guint64 types[PEN_RECORD_TYPES];
  GTree *others;
  guint64 module_build_ids_dropped;
  guint64 losses_joined; /* with others, since there is no memory for more */
  guint64 tasks_dropped; /* samples without their task, for the same reason */
  guint64 module_events_dropped;
  guint64 chains_dropped;  /* samples whose callchain was not kept: too many different frames */
  guint64 chains_unjoined; /* samples whose callchain's user half never came */
  guint64 inflated;        /* records whose size had to be repaired */
  guint64 first;           /* ns: of all records with a time */
  guint64 last;
  guint64 module_space_samples; /* of unknown occupants */
  guint64 timeless_samples;     /* without a time */
  guint64 timeless_unknown;     /* of these: more than one occupant or revision is possible */
  guint64 timeless_waits;       /* the same of waits */
  guint64 timeless_waits_unknown;
  guint64 wait_chains_dropped;
  PenWaitCounts waits;
  guint64 outputs; /* samples that BPF programs wrote: of no profile */
  guint readings;  /* of these: a witness's */
  PenAgreement witness;
  PenWitnessCounters counters;
  guint64 unannounced;        /* changes that only it shows */
  guint64 unannounced_unheld; /* those of text that nobody is known to hold */
} PenImportCounts;

/* @tracing: (nullable)
 * @events: (element-type guint64): samples per event; one more than there are events: of none */
gboolean pen_import_facts_write (PenStoreWriter *writer, const char *capture, PenReader *reader,
                                 PenHistory *history, PenLoadedSources *sources,
                                 PenTracingData *tracing, const PenImportCounts *counts,
                                 const guint64 *samples_of_event, guint64 chain_breaks,
                                 guint64 explained_breaks, guint64 changed_early,
                                 guint64 snapshot_modules, GError **error);

G_END_DECLS
