/* pen-sample-sorter.h: samples in the order of their moments, whatever their number
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-words.h"

G_BEGIN_DECLS

#define PEN_SORTED_NO_EVENT 0xfffffu

/*
 * PenSortedSample: the fields of a sample that the import needs, in 56 bytes, ordered to avoid
 * store-forwarding stalls
 * @time: of its moment: 0 where the recorded time is ~0
 * @chain: where its callchain is: see PenChainSpool; 0: it has none
 * @payload: where its raw payload is: see PenPayloadSpool; 0: it has none
 * @chain_is_whole: its callchain does not begin with @address
 * @has: PenHas, but for PEN_HAS_RAW; @time_is_max: the recorded time is ~0
 */
typedef struct {
  guint64 time;
  guint64 position;
  guint64 address;
  guint64 period;
  gint32 pid;
  guint32 cpu;
  gint32 tid;
  guint32 chain;
  guint32 payload;
  guint32 event : 20;
  guint32 has : 7;
  guint32 chain_is_whole : 1;
  guint32 cpumode : 3;
  guint32 time_is_max : 1;
} PenSortedSample;

#define PEN_SORTER_MEMORY (60u << 20)

typedef struct _PenSampleSorter PenSampleSorter;

/*
 * pen_sample_sorter_new:
 * @directory: where a temporary file goes if the samples need more than @memory bytes; it has no
 * name there and is gone when the sorter is, however the program ends
 *
 * Runs are sorted and packed in a thread beside; the order that comes out does not depend on
 * @memory.
 */
PenSampleSorter *pen_sample_sorter_new (const char *directory, gsize memory);
void pen_sample_sorter_free (PenSampleSorter *self);
/* Before the first: positions need not ascend. */
void pen_sample_sorter_mix_positions (PenSampleSorter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSampleSorter, pen_sample_sorter_free)

/* Returns: (transfer none): where the next sample goes: fill all of it before the next call;
 * positions must ascend. NULL with @error. It is filled in place to avoid store-forwarding stalls
 */
PenSortedSample *pen_sample_sorter_add (PenSampleSorter *self, GError **error);

/* TRUE: the next pen_sample_sorter_add() gives samples to the thread: they must be complete. */
gboolean pen_sample_sorter_ends_run (PenSampleSorter *self);

guint64 pen_sample_sorter_get_count (PenSampleSorter *self);

/* After the last sample, before the first is taken out. */
gboolean pen_sample_sorter_sort (PenSampleSorter *self, GError **error);

/* Returns: (transfer none): valid until the next call; NULL at the end, or with @error */
const PenSortedSample *pen_sample_sorter_next (PenSampleSorter *self, GError **error);

G_END_DECLS
