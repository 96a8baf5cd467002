/* pen-table-private.h: what the files of the table writer share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-table.h"

G_BEGIN_DECLS

/* Beside those of PenStyle. */
#define ROW_IS_SECTION 0x40

typedef struct {
  char *name;
  PenColumnType type;
  char *json_key; /* ,"name": */
  gsize json_key_length;
  guint width;
} Column;

/*
 * CSV and JSON cells are written into @out as they come. A table's cells are kept in @cells, each
 * ended by a NUL, each row begun by its style, until the widths of the columns are known. A section
 * is a row of another style, with one cell.
 */
struct _PenTableWriter {
  GOutputStream *stream;
  GCancellable *cancellable;
  PenFormat format;
  gboolean is_shown; /* pen_table_writer_set_shown() */
  gboolean is_bare;  /* pen_table_writer_set_bare() */
  gboolean colour;
  gboolean is_live; /* pen_table_writer_set_live() */

  GHashTable *names; /* of columns → other ones; or NULL */
  Column *columns;
  guint n_columns;
  guint column;
  gboolean has_begun;
  guint64 n_rows;
  GError *failure; /* the stream refused: nothing more is written */

  GString *out;
  GString *cells;
  guint n_pending;
  gboolean is_aligned;
  PenStyle style;
  char *section; /* as it is shown; before the next row */
};

/* Rows that are kept go to the output, aligned. */
void pen_table_writer_write_pending (PenTableWriter *self);
/* A row of a table begins: a section that waits for it comes first. */
void pen_table_writer_begin_table_row (PenTableWriter *self);

G_END_DECLS
