/* pen-table.h: rows of cells, written as a table for people, as CSV or as JSON
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-display.h"

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
 * CSV is RFC 4180 with LF and UTF-8. A text cell that a spreadsheet would run (first character = +
 * - @ or a tab or carriage return) gets an apostrophe in front; so does one that begins with an
 * apostrophe, so that taking one leading apostrophe off a text cell always gives the recorded text.
 * Bytes that are not UTF-8 are replaced (U+FFFD). In a table, control and bidi characters are shown
 * escaped; in CSV and JSON if they are written for a person to see (pen_table_writer_set_shown()).
 */
typedef struct _PenTableWriter PenTableWriter;

PenTableWriter *pen_table_writer_new (GOutputStream *stream, PenFormat format,
                                      const PenColumn *columns, guint n_columns);
/* For callers that choose stream and format and let a query choose the columns. */
PenTableWriter *pen_table_writer_new_open (GOutputStream *stream, PenFormat format);
void pen_table_writer_set_columns (PenTableWriter *self, const PenColumn *columns, guint n_columns);
/* A column that is called @name gets another name. Before the columns. */
void pen_table_writer_rename (PenTableWriter *self, const char *name, const char *other);
/* Writing stops with G_IO_ERROR_CANCELLED when @cancellable is cancelled. */
void pen_table_writer_set_cancellable (PenTableWriter *self, GCancellable *cancellable);
/* CSV and JSON go to a terminal: what would act on it is escaped, in CSV as in a table, in JSON by
 * JSON's own escapes. Off at first; before the columns. */
void pen_table_writer_set_shown (PenTableWriter *self, gboolean is_shown);
/* CSV goes to a program that loads it: text is as it is, and quoted where a database would take it
 * for something else. Before the columns. */
void pen_table_writer_set_bare (PenTableWriter *self);
/* Rows are read while others are still to come: JSON is an object a line, without an array around
 * them, and columns of a table get their width without looking at all rows. After the columns. */
void pen_table_writer_set_live (PenTableWriter *self);
/* Writes all rows that were ended. */
gboolean pen_table_writer_flush (PenTableWriter *self, GError **error);
PenFormat pen_table_writer_get_format (PenTableWriter *self);
void pen_table_writer_free (PenTableWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTableWriter, pen_table_writer_free)

void pen_table_writer_text (PenTableWriter *self, const char *text); /* NULL: empty */
void pen_table_writer_unsigned (PenTableWriter *self, guint64 value);
void pen_table_writer_signed (PenTableWriter *self, gint64 value);
void pen_table_writer_real (PenTableWriter *self, double value, int digits);
/* With as many digits as it takes to read the same number back. */
void pen_table_writer_double (PenTableWriter *self, double value);
void pen_table_writer_hex (PenTableWriter *self, guint64 value);
void pen_table_writer_time (PenTableWriter *self, guint64 ns);
/* "0f 1f 44"; in a table the first sixteen. */
void pen_table_writer_bytes (PenTableWriter *self, const guint8 *bytes, gsize n);
void pen_table_writer_empty (PenTableWriter *self);
/* Several texts in one cell: in JSON an array; in CSV with ; between, and a backslash before a ; or
 * backslash of a text's own; in a table with arrows between, from each text to the one before it.
 * None at all: empty. */
void pen_table_writer_list (PenTableWriter *self, const char *const *texts, guint n);
/* The same with the arrows of a table from each text to the one after it. */
void pen_table_writer_path (PenTableWriter *self, const char *const *texts, guint n);

/*
 * Cells encoded once and written many times. Between begin and end cells are kept, not written; a
 * fragment fits into rows of the same writer, at the column where it was made. Kept cells may have
 * fragments in them that are made and written meanwhile.
 */
typedef struct _PenTableFragment PenTableFragment;

typedef struct {
  gsize length;
  guint column;
} PenTableMark;

PenTableMark pen_table_writer_begin_fragment (PenTableWriter *self);
PenTableFragment *pen_table_writer_end_fragment (PenTableWriter *self, PenTableMark mark);
void pen_table_fragment_free (PenTableFragment *fragment);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenTableFragment, pen_table_fragment_free)

void pen_table_writer_fragment (PenTableWriter *self, const PenTableFragment *fragment);

/* How a row looks in a table that may use colour; nothing elsewhere. */
typedef enum {
  PEN_STYLE_PLAIN,
  PEN_STYLE_MARKED, /* a cue that does not only rest on colour comes with it, in a cell */
  PEN_STYLE_DIM,
} PenStyle;

/* Off at first; for a terminal. */
void pen_table_writer_set_colour (PenTableWriter *self, gboolean colour);
/* For one row; before its first cell. */
void pen_table_writer_style (PenTableWriter *self, PenStyle style);
/* Tables only: between rows, a line of its own (sanitised, in bold); the rows after it are aligned
 * anew, under column heads of their own. */
void pen_table_writer_heading (PenTableWriter *self, const char *text);

/* Tables only: between rows, a line of its own as above; the columns go on as they are. One without
 * rows is left out. */
void pen_table_writer_section (PenTableWriter *self, const char *text);

/* Ends the row. Returns: FALSE when the stream refused (a closed pipe: G_IO_ERROR_BROKEN_PIPE). */
gboolean pen_table_writer_end_row (PenTableWriter *self, GError **error);
/* Rows that were ended so far. */
guint64 pen_table_writer_get_n_rows (PenTableWriter *self);
gboolean pen_table_writer_finish (PenTableWriter *self, GError **error);

G_END_DECLS
