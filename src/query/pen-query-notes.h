/* pen-query-notes.h: notes with what they are about, in words
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-notes.h"
#include "pen-query.h"
#include "pen-table.h"

G_BEGIN_DECLS

/*
 * PenNoteRow:
 * @symbol: (nullable): of the kernel's function that has the address; with more than one, that with
 *   most samples
 * @has_function, @function: its id
 */
typedef struct {
  PenNote *note;
  char *symbol;
  guint64 offset;
  gboolean has_function;
  guint32 function;
} PenNoteRow;

void pen_note_row_free (PenNoteRow *row);

/* Loads the file of notes @path. Returns: (transfer full) (element-type PenNoteRow) */
GPtrArray *pen_query_notes (PenQuery *self, const char *path, GError **error);
/* id, time, address, symbol, offset, text, written */
gboolean pen_query_write_notes (PenQuery *self, const char *path, PenTableWriter *writer,
                                GError **error);

G_END_DECLS
