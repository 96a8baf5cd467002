/* pen-output-pass.h: what BPF programs wrote, beside the samples, from the records to the store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-bucket-book.h"
#include "pen-payloads.h"
#include "pen-placed-sample.h"
#include "pen-readings.h"

G_BEGIN_DECLS

/* PenOutputPass: kept as they are placed, written when functions are known. */
typedef struct _PenOutputPass PenOutputPass;

/* @memory: what needs more goes to a file in @directory */
PenOutputPass *pen_output_pass_new (const char *directory, gsize memory);
void pen_output_pass_free (PenOutputPass *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenOutputPass, pen_output_pass_free)

/* @sample: how many samples of the profile come before it. @position: of its record */
gboolean pen_output_pass_add (PenOutputPass *self, const PenPlacedSample *placed, guint64 sample,
                              guint64 position, GError **error);

/*
 * pen_output_pass_write: with their readings
 * @no_event: stands for an event that is not known
 *
 * Functions that they are in are made. Before these are written.
 */
gboolean pen_output_pass_write (PenOutputPass *self, PenHistory *history, PenBucketBook *book,
                                PenPayloads *payloads, PenReadings *readings, guint32 no_event,
                                PenStoreWriter *writer, GError **error);

G_END_DECLS
