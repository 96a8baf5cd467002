/* pen-sample-pass.h: each sample to its tenure, in time order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-bucket-table.h"
#include "pen-chain-resolver.h"
#include "pen-history.h"
#include "pen-payloads.h"
#include "pen-progress.h"
#include "pen-sample-sorter.h"
#include "pen-store-writer.h"
#include "pen-thread-table.h"

G_BEGIN_DECLS

/*
 * pen_sample_pass_run:
 * @sorter: sorted
 * @chains: resolves their callchains
 * @no_event: the number under which samples of no known event are counted
 *
 * Writes the sample blocks; counts into @buckets and @threads.
 */
gboolean pen_sample_pass_run (PenSampleSorter *sorter, PenHistory *history, guint no_event,
                              PenBucketTable *buckets, PenThreadTable *threads,
                              PenChainResolver *chains, PenPayloads *payloads,
                              PenStoreWriter *writer, PenProgress *progress, GError **error);

G_END_DECLS
