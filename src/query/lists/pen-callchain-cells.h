/* pen-callchain-cells.h: callchains as cells of a table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-private.h"
#include "pen-store-outputs.h"
#include "pen-table.h"

G_BEGIN_DECLS

/*
 * PenCallchainCells: a list of frames for each sample, the sample's own place first, then what
 * called it. A place is "symbol+0x1c [occupant]", as of the sample's time; its address stands for a
 * symbol that is not known.
 *
 * Cost: each distinct place is put into words once; then a pointer per frame of a sample.
 */
typedef struct _PenCallchainCells PenCallchainCells;

PenCallchainCells *pen_callchain_cells_new (PenQuery *query, GError **error);
void pen_callchain_cells_free (PenCallchainCells *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenCallchainCells, pen_callchain_cells_free)

/* The cell of an output. @bucket: its place */
gboolean pen_callchain_cells_write_output (PenCallchainCells *self, const PenBpfOutput *output,
                                           const PenBucket *bucket, PenTableWriter *writer,
                                           GError **error);
/* The cell of row @row: empty where no callchain was recorded. */
gboolean pen_callchain_cells_write (PenCallchainCells *self, const PenSampleBlock *block, guint row,
                                    PenTableWriter *writer, GError **error);

G_END_DECLS
