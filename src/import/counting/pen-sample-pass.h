/* pen-sample-pass.h: each sample to its tenure, in time order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-chain-resolver.h"
#include "pen-history.h"
#include "pen-progress.h"
#include "pen-sample-sorter.h"
#include "pen-sample-writer.h"
#include "pen-sketcher.h"
#include "pen-thread-table.h"
#include "pen-witness-judge.h"

G_BEGIN_DECLS

/* Samples without a time; and those of them that are unknown because they have none (Order 0). */
typedef struct {
  guint64 samples;
  guint64 unknown;
} PenTimelessCounts;

/*
 * pen_sample_pass_run:
 * @sorter: sorted
 * @chains: resolves their callchains, and @callers: gives them nodes
 * @sketcher: (nullable): is shown where they are
 * @counts: (out)
 * @attrs: (element-type PenAttr): events; samples of none are counted under how many there are
 * @are_waits: samples of bpf-output events are waits, too; else they are set apart (W1)
 * @witness: (nullable): what it read is compared with the samples
 *
 * Asks the history who held each sample's instruction, and hands the samples to @writer.
 */
gboolean pen_sample_pass_run (PenSampleSorter *sorter, PenHistory *history, const GPtrArray *attrs,
                              gboolean are_waits, PenWitnessJudge *witness, PenThreadTable *threads,
                              PenChainResolver *chains, PenChainCallers *callers,
                              PenSampleWriter *writer, PenSketcher *sketcher,
                              PenTimelessCounts *counts, PenProgress *progress, GError **error);

G_END_DECLS
