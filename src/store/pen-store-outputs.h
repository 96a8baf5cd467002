/* pen-store-outputs.h: what BPF programs wrote into the recording, and readings of a witness
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"
#include "pen-words.h"

G_BEGIN_DECLS

#define PEN_OUTPUT_NO_EVENT G_MAXUINT32

/*
 * PenBpfOutput: a sample of an event `bpf-output`: none of the profile (W1)
 * @id: from 1, in the order of the sample table
 * @sample: how many samples stand before it in the sample table
 * @cpu: G_MAXUINT32: not recorded
 * @tenure: 0: nothing is known there
 * @has: PEN_SAMPLE_HAS_…: @chain is a callchain's id with PEN_SAMPLE_HAS_CHAIN
 * @is_witness: a witness wrote it: there is a reading, too
 */
typedef struct {
  guint32 id;
  guint64 sample;
  gboolean has_time;
  guint64 time;
  guint32 event;
  guint32 thread;
  guint32 cpu;
  gboolean has_address;
  guint64 address;
  PenKind kind;
  guint32 tenure;
  guint32 revision;
  guint32 function;
  gboolean has_period;
  guint64 period;
  guint32 has;
  guint32 chain;
  gboolean is_witness;
  const guint8 *payload;
  guint32 payload_length;
} PenBpfOutput;

/*
 * PenReading: what a witness read at a sampled address (W1 to W3)
 * @output: id of its output, which has address, CPU and task
 * @start: of @bytes; @length: 0: it could not be read
 * @flags: PEN_READING_…
 * @poke: the poke whose band or breakpoint it is, or the unannounced change; 0: none
 * @to_time: until then it holds (W2): the next of @start, or a loss; G_MAXUINT64: to the end
 */
typedef struct {
  guint32 output;
  PenMoment moment;
  guint64 start;
  guint16 flags;
  guint32 length;
  const guint8 *bytes;
  PenWitnessVerdict verdict;
  guint32 poke;
  guint64 to_time;
} PenReading;

#define PEN_READING_USER 1u
#define PEN_READING_FIRST 2u
#define PEN_READING_UNREADABLE 4u

/* Bytes are valid during the call. Returns: FALSE to stop */
typedef gboolean (*PenReadingFunc) (const PenReading *reading, const PenBpfOutput *output,
                                    gpointer user_data);

/* PenOutputCursor: outputs one after the other, in the order of the sample table. */
typedef struct _PenOutputCursor PenOutputCursor;

PenOutputCursor *pen_output_cursor_new (PenStore *store, GError **error);
void pen_output_cursor_free (PenOutputCursor *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenOutputCursor, pen_output_cursor_free)

/* @output: (out): valid until the next call. Returns: FALSE: the last one was read, or @error */
gboolean pen_output_cursor_next (PenOutputCursor *self, const PenBpfOutput **output,
                                 GError **error);

/* Readings with their outputs, in time order. */
gboolean pen_store_foreach_reading (PenStore *self, PenReadingFunc func, gpointer user_data,
                                    GError **error);

/* Readings of places that share a byte with [@start, @end), in time order: (transfer full)
 * (element-type PenReading), whose bytes are owned by the store. */
GArray *pen_store_load_readings (PenStore *self, guint64 start, guint64 end, GError **error);

G_END_DECLS
