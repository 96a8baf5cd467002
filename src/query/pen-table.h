/* pen-table.h: rows of cells, written as a table for people, as CSV or as JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  PEN_FORMAT_TABLE,
  PEN_FORMAT_CSV,
  PEN_FORMAT_JSON, /* one array of objects */
} PenFormat;

gboolean pen_format_from_string (const char *word, PenFormat *format);

typedef enum {
  PEN_COLUMN_TEXT,
  PEN_COLUMN_NUMBER, /* right aligned in a table, bare in JSON */
  PEN_COLUMN_HEX,    /* "0x…", a string in JSON: larger than a double can hold */
  PEN_COLUMN_TIME,   /* ns: integer in csv and json, seconds in a table */
} PenColumnType;

typedef struct {
  const char *name;
  PenColumnType type;
} PenColumn;

/*
 * PenTableWriter: cells in the order of the columns, row after row.
 *
 * CSV is RFC 4180 with LF and UTF-8. A text cell that a spreadsheet would run (first character = + - @
 * or a tab or carriage return) gets an apostrophe in front; so does one that begins with an
 * apostrophe, so that taking one leading apostrophe off a text cell always gives the recorded text.
 * Bytes that are not UTF-8 are replaced (U+FFFD). In a table, control and bidi characters are shown
 * escaped.
 */
typedef struct _PenTableWriter PenTableWriter;

PenTableWriter *pen_table_writer_new (GOutputStream *stream, PenFormat format,
                                      const PenColumn *columns, guint n_columns);
/* For callers that choose stream and format and let a query choose the columns. */
PenTableWriter *pen_table_writer_new_open (GOutputStream *stream, PenFormat format);
void pen_table_writer_set_columns (PenTableWriter *self, const PenColumn *columns,
                                   guint n_columns);
void pen_table_writer_free (PenTableWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTableWriter, pen_table_writer_free)

void pen_table_writer_text (PenTableWriter *self, const char *text); /* NULL: empty */
void pen_table_writer_unsigned (PenTableWriter *self, guint64 value);
void pen_table_writer_signed (PenTableWriter *self, gint64 value);
void pen_table_writer_real (PenTableWriter *self, double value, int digits);
void pen_table_writer_hex (PenTableWriter *self, guint64 value);
void pen_table_writer_time (PenTableWriter *self, guint64 ns);
void pen_table_writer_bytes (PenTableWriter *self, const guint8 *bytes, gsize n); /* "0f 1f 44" */
void pen_table_writer_empty (PenTableWriter *self);

/* Ends the row. Returns: FALSE when the stream refused (a closed pipe: G_IO_ERROR_BROKEN_PIPE). */
gboolean pen_table_writer_end_row (PenTableWriter *self, GError **error);
gboolean pen_table_writer_finish (PenTableWriter *self, GError **error);

/* Shown text: control characters, bidi controls and invalid UTF-8 made visible. */
char *pen_display_text (const char *text);

G_END_DECLS
