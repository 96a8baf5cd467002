/* pen-part-records.h: the records that the next part of a growing recording needs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-reader.h"

G_BEGIN_DECLS

/*
 * PenPartRecords: a part is made of what is new, and of all records that tell of the kernel's text,
 * which are kept in memory: the limit on them is that of an import (pen-record-budget.h). Samples
 * and records of processes are not read again.
 *
 * A recorder empties the buffers of CPUs one after the other: what is in a buffer by then may be
 * older than what was read from the one before. A part ends at a time before which nothing can come
 * any more: that of the last record of the buffer that was emptied first in the last whole round
 * (FINISHED_ROUND), if the recorder marks them. Records after it wait for the next part.
 */
typedef struct _PenPartRecords PenPartRecords;

PenPartRecords *pen_part_records_new (void);
void pen_part_records_free (PenPartRecords *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPartRecords, pen_part_records_free)

/*
 * pen_part_records_look:
 * @reader: open, of the growing recording; nothing was read of it
 * @is_fit: (out): FALSE: it has what needs all samples at once: waits, samples without a time,
 *   callchains in two halves, compressed records, several files, or too many tracepoints; it stays
 *   so
 *
 * Looks at what was written since the last look; of much, at some of it. Returns: FALSE with @error
 */
gboolean pen_part_records_look (PenPartRecords *self, PenReader *reader, gboolean *is_fit,
                                GCancellable *cancellable, GError **error);

/* Whether a record came after a part that it belongs to: parts begin anew, with another object. */
gboolean pen_part_records_is_late (PenPartRecords *self);

/* Whether the last look ended before all that is there. */
gboolean pen_part_records_has_more (PenPartRecords *self);

/* How many samples the next part would have that the last one had not. */
guint64 pen_part_records_count_new (PenPartRecords *self);

/*
 * pen_part_records_take: the next part
 *
 * Returns: (transfer none): for pen_reader_choose(): valid until the next look
 */
const PenRecordRange *pen_part_records_take (PenPartRecords *self, guint *n);

G_END_DECLS
