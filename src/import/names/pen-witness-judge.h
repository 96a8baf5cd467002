/* pen-witness-judge.h: what a witness read, against the text that was reconstructed (rules W1 to
 * W3)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-progress.h"
#include "pen-readings.h"
#include "pen-sources.h"
#include "pen-witness-text.h"

G_BEGIN_DECLS

/*
 * PenAgreement: samples of the profile in the kernel's space
 * @agree, @differ: by the 16 bytes from their address on, as far as they were read and are known
 * @told: nothing else knows any of these
 * @unread: no reading holds
 */
typedef struct {
  guint64 agree;
  guint64 differ;
  guint64 told;
  guint64 unread;
} PenAgreement;

typedef struct _PenWitnessJudge PenWitnessJudge;

/* @readings: sealed; @history, @sources: see pen_witness_text_new(). All outlive it. */
PenWitnessJudge *pen_witness_judge_new (PenReadings *readings, PenHistory *history,
                                        PenLoadedSources *sources);
void pen_witness_judge_free (PenWitnessJudge *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenWitnessJudge, pen_witness_judge_free)

/*
 * pen_witness_judge_run: gives every reading its verdict, and the history the changes that no
 * record tells of. Before anything else asks about pokes.
 *
 * Cost: O(n log n) in readings and pokes, and the text of each place that was read.
 */
gboolean pen_witness_judge_run (PenWitnessJudge *self, PenProgress *progress, GError **error);

/*
 * pen_witness_judge_count:
 * @sweep: at the sample's moment
 * @position: of its record
 *
 * Compares a sample of the kernel's space at @address, in the order of moments.
 */
void pen_witness_judge_count (PenWitnessJudge *self, PenSweep *sweep, guint64 address,
                              PenMoment moment, guint64 position);
PenAgreement pen_witness_judge_get_counts (PenWitnessJudge *self);

/* Bytes that nothing else knows. */
gboolean pen_witness_judge_write_text (PenWitnessJudge *self, PenStoreWriter *writer,
                                       GError **error);

G_END_DECLS
