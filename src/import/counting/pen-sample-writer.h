/* pen-sample-writer.h: placed samples, counted and written in a thread beside
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-bucket-book.h"
#include "pen-chain-resolver.h"
#include "pen-output-pass.h"
#include "pen-payloads.h"
#include "pen-placed-sample.h"
#include "pen-span-builder.h"

G_BEGIN_DECLS

#define PEN_CHUNK_SAMPLES 2048u

/* Nodes of callchains that the store does not have yet. */
typedef struct {
  guint32 first;
  guint n;
  PenChainNode *nodes; /* owned */
} PenNewChains;

/*
 * PenSampleChunk: what goes to the thread at a time
 * @has_chains: some of them have a callchain
 * @has_outputs: some of them are none of the profile
 * @places: where the callchains of those are that have one; of outputs, their positions, too
 * @chains: (element-type PenNewChains): callers that were found for these samples
 * @frames: (element-type PenTableFrame), @nodes: (element-type PenChainNode): those that came with
 *   these samples, where stacks are counted; @has_nodes: FALSE: they are not known
 */
typedef struct {
  guint n;
  gboolean has_chains;
  gboolean has_outputs;
  PenPlacedSample samples[PEN_CHUNK_SAMPLES];
  PenSampleChain places[PEN_CHUNK_SAMPLES];
  GArray *chains;
  GArray *frames;
  GArray *nodes;
  gboolean has_nodes;
} PenSampleChunk;

/*
 * PenSampleWriter: asking the history takes one thread, or two where there are callchains, counting
 * and packing two more; each takes the samples in their order, so that the result does not depend
 * on who was faster.
 */
typedef struct _PenSampleWriter PenSampleWriter;

/*
 * PenSampleRest: what the writer of the next part of a store goes on with (see
 * pen_store_writer_new_pages())
 * @block: samples that do not fill a block yet; @n_blocks: those before it
 */
typedef struct {
  PenSampleBlock *block;
  guint64 n_blocks;
  PenSpanBuilder *spans;
} PenSampleRest;

void pen_sample_rest_init (PenSampleRest *self, PenStoreWriter *writer);
void pen_sample_rest_clear (PenSampleRest *self);

/*
 * pen_sample_writer_new:
 * @n_samples: how many there will be
 *
 * Until pen_sample_writer_finish(), @table, @book, @payloads, @outputs and @writer are the
 * thread's alone.
 */
PenSampleWriter *pen_sample_writer_new (guint64 n_samples, PenBucketTable *table,
                                        PenBucketBook *book, PenPayloads *payloads,
                                        PenOutputPass *outputs, PenStoreWriter *writer);
/* To be called before the first chunk is taken: it goes on with @rest, which outlives it, and
 * leaves there what is not whole in the end; that is written, too: see
 * pen_store_writer_begin_rest(). */
void pen_sample_writer_go_on (PenSampleWriter *self, PenSampleRest *rest);
/* To be called before the first chunk is taken: samples are counted by their stacks, too, if there
 * are many. */
void pen_sample_writer_count_stacks (PenSampleWriter *self);
gboolean pen_sample_writer_counts_stacks (PenSampleWriter *self);
/* Ends the thread, at the next chunk. */
void pen_sample_writer_free (PenSampleWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSampleWriter, pen_sample_writer_free)

/* Waits for an empty chunk. Give it back, filled. Returns: NULL with @error if the thread failed */
PenSampleChunk *pen_sample_writer_take (PenSampleWriter *self, GError **error);
void pen_sample_writer_give (PenSampleWriter *self, PenSampleChunk *chunk);

/* After pen_sample_writer_finish(). Returns: (transfer full) (nullable) (element-type guint32):
 * functions of the first frames, where stacks were counted */
GArray *pen_sample_writer_take_functions (PenSampleWriter *self);

/* Waits until all is written, but for the last generation of buckets. */
gboolean pen_sample_writer_finish (PenSampleWriter *self, GError **error);

G_END_DECLS
