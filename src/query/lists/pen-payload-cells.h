/* pen-payload-cells.h: what tracepoints and BPF programs put into samples, as cells of a table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-private.h"
#include "pen-table.h"

G_BEGIN_DECLS

/*
 * PenPayloadCells: a tracepoint's fields in words ("field=value field=value") where the capture has
 * its format, else the bytes.
 */
typedef struct _PenPayloadCells PenPayloadCells;

PenPayloadCells *pen_payload_cells_new (PenQuery *query);
void pen_payload_cells_free (PenPayloadCells *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPayloadCells, pen_payload_cells_free)

/* The cell of row @row of block @number: empty where there was no payload. */
gboolean pen_payload_cells_write (PenPayloadCells *self, guint number, const PenSampleBlock *block,
                                  guint row, PenTableWriter *writer, GError **error);

G_END_DECLS
