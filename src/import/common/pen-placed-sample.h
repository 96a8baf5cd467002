/* pen-placed-sample.h: a sample with what held its instruction
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-tenure.h"

G_BEGIN_DECLS

/*
 * PenPlacedSample: from the thread that asks the history to the one that counts and writes
 * @time: of its moment
 * @tenure: 0: nothing is known there
 * @event: as PenBucket has it
 * @chain: of the store; @payload: see PenPayloads
 * @has: PEN_SAMPLE_HAS_…, as the store keeps them; and PEN_PLACED_IS_OUTPUT
 */
typedef struct {
  guint64 time;
  guint64 address;
  guint64 period;
  guint32 tenure;
  guint32 revision;
  guint32 thread;
  guint32 cpu;
  guint32 chain;
  guint32 payload;
  guint32 event;
  guint8 kind;
  guint8 has;
  guint8 has_address;
  guint8 time_is_max;
} PenPlacedSample;

/* What a BPF program wrote: no sample of the profile (W1). */
#define PEN_PLACED_IS_OUTPUT 64

G_END_DECLS
