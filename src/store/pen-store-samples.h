/* pen-store-samples.h: samples of a store: columns in blocks, in the order of the sample table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"

G_BEGIN_DECLS

typedef struct {
  gboolean has_task;
  gint32 pid;
  gint32 tid;
  const char *comm; /* "" where not known */
} PenThread;

/* All (pid, tid, comm) that samples name. Owned by the store, kept after the first call. */
const PenThread *pen_store_get_threads (PenStore *self, guint *n, GError **error);

#define PEN_BLOCK_SAMPLES 65536

typedef struct {
  guint n;
  guint64 *time;   /* as recorded */
  guint8 *has;     /* PEN_SAMPLE_… */
  guint32 *bucket; /* id, less than pen_store_count_buckets() */
  guint32 *thread; /* index of pen_store_get_threads() */
  guint32 *cpu;
  guint64 *period;
  guint32 *chain; /* id for pen_store_load_callchain(); 0: nothing called it */
} PenSampleBlock;

#define PEN_SAMPLE_HAS_TIME 1
#define PEN_SAMPLE_HAS_PERIOD 2
#define PEN_SAMPLE_HAS_CPU 4
#define PEN_SAMPLE_HAS_CHAIN 8       /* a callchain was recorded */
#define PEN_SAMPLE_HAS_PAYLOAD 32    /* for pen_store_read_payload() */
#define PEN_SAMPLE_CHAIN_IS_WHOLE 16 /* it did not begin with the sample's own address */

typedef struct {
  guint n;
  guint64 first; /* ns: smallest and largest time in it */
  guint64 last;
} PenBlockInfo;

/* Owned by the store. */
const PenBlockInfo *pen_store_get_blocks (PenStore *self, guint *n);

PenSampleBlock *pen_sample_block_new (void);
void pen_sample_block_free (PenSampleBlock *block);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSampleBlock, pen_sample_block_free)
void pen_sample_block_copy (const PenSampleBlock *from, PenSampleBlock *to);

/* Decodes block @index into @block, whose arrays are reused from call to call. */
gboolean pen_store_read_block (PenStore *self, guint index, PenSampleBlock *block, GError **error);
/* Columns that not every question needs. */
#define PEN_SAMPLE_COLUMN_TIME 1u
#define PEN_SAMPLE_COLUMN_THREAD 2u
#define PEN_SAMPLE_COLUMN_CPU 4u
#define PEN_SAMPLE_COLUMNS_ALL 7u
/* The same without those of these columns that are not in @columns; they are left as they were. */
gboolean pen_store_read_block_some (PenStore *self, guint index, guint columns,
                                    PenSampleBlock *block, GError **error);
/* The columns has, time and bucket alone: half the cost. The others are left as they were. */
gboolean pen_store_read_block_places (PenStore *self, guint index, PenSampleBlock *block,
                                      GError **error);

/*
 * pen_store_read_payload:
 * @block, @index: of the sample, as in pen_store_read_block()
 * @bytes: (out) (transfer none): valid until the next call; NULL: the sample has none
 *
 * The data that a tracepoint or a BPF program (event bpf-output) put into the sample, as recorded:
 * numbers in it are in the recording machine's byte order (fact `byte_order`). A tracepoint's
 * format is in its event. Cost: a piece of 256 KiB unpacked, for all samples that it holds.
 */
gboolean pen_store_read_payload (PenStore *self, guint block, guint index, const guint8 **bytes,
                                 gsize *length, GError **error);

G_END_DECLS
