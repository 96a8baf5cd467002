/* pen-wait-finder.h: stretches in which tasks were off CPU, of what a recording has about them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-attr.h"
#include "pen-features.h"
#include "pen-record.h"
#include "pen-sample-sorter.h"
#include "pen-wait-counts.h"

G_BEGIN_DECLS

/* PenWaitFinder: keeps what records say of switches until all are read: 56 bytes each, and beyond
 * 8 MiB in a file. Tasks that wait at one time: 131,072 at most. */
typedef struct _PenWaitFinder PenWaitFinder;

/* @directory: for temporary files; @features: of the reader: looked at as they come */
PenWaitFinder *pen_wait_finder_new (const char *directory, const PenFeatures *features);
void pen_wait_finder_free (PenWaitFinder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenWaitFinder, pen_wait_finder_free)

/* Whether @record, of the event @attr (nullable), is about waits. Cost: for most a comparison. */
gboolean pen_wait_finder_wants (PenWaitFinder *self, const PenRecord *record, const PenAttr *attr);

/* TRUE: callchains of all that was added must be known before the next pen_wait_finder_add(). */
gboolean pen_wait_finder_ends_run (PenWaitFinder *self);

/*
 * pen_wait_finder_add:
 * @record: that it wants
 * @kept: (out) (nullable): where the record's callchain is to be noted; NULL: it needs none
 *
 * Returns: FALSE with @error
 */
gboolean pen_wait_finder_add (PenWaitFinder *self, const PenRecord *record, const PenAttr *attr,
                              PenSortedSample **kept, GError **error);

/*
 * pen_wait_finder_finish:
 * @losses: (element-type PenLoss)
 * @waits: (out) (nullable): as samples, sorted: of the time when they begin, with their length as
 *   the period; a wait whose end is unknown has no period. Owned by @self. NULL: there are none
 *
 * After the last record, when all callchains are known.
 */
gboolean pen_wait_finder_finish (PenWaitFinder *self, const GArray *losses, PenSampleSorter **waits,
                                 PenWaitCounts *counts, GError **error);

/* Gives up what it kept: the waits, too. */
void pen_wait_finder_clear (PenWaitFinder *self);

G_END_DECLS
