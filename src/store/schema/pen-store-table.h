/* pen-store-table.h: the tables of a store: which columns each has, and which fields of a struct
 * are kept in them
 *
 * One description gives the schema, the rows that are written, the rows that are read, and what
 * docs/store.md is checked against.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

#include "pen-store.h"

G_BEGIN_DECLS

/* The type of a field in the struct. Numbers are kept as SQLite's signed ones, two's complement. */
typedef enum {
  PEN_FIELD_NONE, /* SQLite numbers the rows: nothing is written or read */
  PEN_FIELD_U8,
  PEN_FIELD_U16,
  PEN_FIELD_U32, /* also an enumeration, as its number or its word */
  PEN_FIELD_I32,
  PEN_FIELD_U64,
  PEN_FIELD_STRING,
  PEN_FIELD_BYTES, /* a pointer to them */
  PEN_FIELD_ARRAY, /* bytes in the struct itself */
} PenFieldType;

/* When a column is NULL. */
typedef enum {
  PEN_NULL_NEVER, /* no string is "" */
  PEN_NULL_STRING,
  PEN_NULL_VALUE,  /* the number is @null */
  PEN_NULL_EMPTY,  /* "", or no bytes */
  PEN_NULL_UNLESS, /* the 32-bit field at @other is 0 */
} PenNullRule;

typedef const char *(*PenWordFunc) (guint value);

/*
 * PenStoreColumn:
 * @type: as SQL
 * @offset, @field: of the field; of an array, @size
 * @length, @length_field: of the field with the number of bytes; PEN_FIELD_NONE: always @size
 * @to_word, @n_words: of an enumeration that is kept as a word
 * @is_shared: the column has the number of a row of `shared`, which has the value
 */
typedef struct {
  const char *name;
  const char *type;
  guint8 field;
  guint8 length_field;
  guint8 null_rule;
  guint8 is_shared;
  guint16 offset;
  guint16 length;
  guint16 other;
  guint16 size;
  guint16 n_words;
  guint64 null;
  PenWordFunc to_word;
} PenStoreColumn;

/*
 * PenStoreTable:
 * @size: of the struct
 * @rest: what comes after the columns in its definition, or NULL
 * @rows: the table that has its rows, with numbers in shared columns: @name is a view, which has
 * the values. NULL: @name has them
 */
typedef struct {
  const char *name;
  const PenStoreColumn *columns;
  guint n_columns;
  gsize size;
  const char *rest;
  const char *rows;
} PenStoreTable;

typedef enum {
  PEN_TABLE_CAPTURE,
  PEN_TABLE_FILE,
  PEN_TABLE_EVENT,
  PEN_TABLE_RECORD_COUNT,
  PEN_TABLE_PROBLEM,
  PEN_TABLE_LOSS,
  PEN_TABLE_MAP,
  PEN_TABLE_KSYMBOL,
  PEN_TABLE_TEXT_POKE,
  PEN_TABLE_BATCH,
  PEN_TABLE_BPF_EVENT,
  PEN_TABLE_BPF_PROGRAM,
  PEN_TABLE_BPF_FUNCTION,
  PEN_TABLE_TASK,
  PEN_TABLE_SPACE,
  PEN_TABLE_TENURE,
  PEN_TABLE_PART,
  PEN_TABLE_TEXT,
  PEN_TABLE_SYMBOL_BLOCK,
  PEN_TABLE_THREAD,
  PEN_TABLE_NAME_FILE,
  PEN_TABLE_SOURCE,
  PEN_TABLE_FOUND_FILE,
  PEN_TABLE_ABSENT_FILE,
  PEN_TABLE_NAMED_TENURE,
  PEN_TABLE_FILE_TEXT_BLOCK,
  PEN_TABLE_FUNCTION,
  PEN_TABLE_SOURCE_FILE,
  PEN_TABLE_INLINED_FUNCTION,
  PEN_TABLE_SOURCE_LINES,
  PEN_TABLE_BUCKET_BLOCK,
  PEN_TABLE_SAMPLE_BLOCK,
  PEN_TABLE_SPAN,
  PEN_TABLE_SPAN_PIECE,
  PEN_TABLE_FRAME_BLOCK,
  PEN_TABLE_CHAIN_BLOCK,
  PEN_TABLE_STACK_BLOCK,
  PEN_TABLE_STACK_SPAN,
  PEN_TABLE_PAYLOAD_BLOCK,
  PEN_TABLE_TRACEPOINT,
  PEN_TABLE_BPF_LINE,
  PEN_TABLE_BTF,
  PEN_TABLE_NOTE,
  PEN_TABLE_BUILD_ID,
  PEN_TABLE_BPF_METADATA,
  PEN_TABLE_MODULE_EVENT,
  PEN_TABLE_WAIT_BUCKET_BLOCK,
  PEN_TABLE_WAIT_BLOCK,
  PEN_TABLE_WAIT_SPAN,
  PEN_TABLE_WAIT_SPAN_PIECE,
  PEN_TABLE_WAIT_CHAIN_BLOCK,
  PEN_TABLE_OUTPUT,
  PEN_TABLE_READING,
  PEN_TABLE_SHARED,
  PEN_TABLES,
} PenTableId;

extern const PenStoreTable pen_store_tables[PEN_TABLES];

/* The table that has of waits what @table has of samples; @table itself where both are in it. */
PenTableId pen_store_table_of (PenTableId table, PenPopulation population);

/* The view `change`, whose rows are no table's own. */
extern const PenStoreTable pen_store_change_view;
/* Some columns of pokes and their batches. */
extern const PenStoreTable pen_store_tick_view;

/* Its name, or that of the table with its rows. */
const char *pen_store_table_get_rows (const PenStoreTable *self);
/* "CREATE TABLE …;". Returns: (transfer full) */
char *pen_store_table_get_schema (const PenStoreTable *self);
/* "CREATE VIEW …", which has the values of shared columns. Returns: (transfer full) (nullable) */
char *pen_store_table_get_view (const PenStoreTable *self);
/* "INSERT INTO … VALUES (?,…)". Returns: (transfer full) */
char *pen_store_table_get_insert (const PenStoreTable *self, gboolean replaces);
/* "SELECT …, … FROM … @rest": its columns, in order; of shared ones the numbers.
 * Returns: (transfer full) */
char *pen_store_table_get_select (const PenStoreTable *self, const char *rest);

/* ---- rows on their way to the store ---- */

#define PEN_STORE_MAX_COLUMNS 64u

/* The last row of what the next is appended to: where the value of each column is. */
typedef struct {
  gboolean is_there;
  PenTableId table;
  guint columns[PEN_STORE_MAX_COLUMNS];
} PenRowBefore;

/* Appends what @row, a struct of the table, has: strings and bytes are copied. @before: of @bytes,
 * zero where they are empty */
void pen_store_row_append (GByteArray *bytes, PenTableId table, gconstpointer row,
                           PenRowBefore *before);
/* The table of the row that begins at @at. */
PenTableId pen_store_row_get_table (const GByteArray *bytes, gsize at);
/* The number in `shared` of a string or bytes. 0: a failure, which @user_data knows of */
typedef gint64 (*PenShareFunc) (const guint8 *bytes, gsize n, gboolean is_text, gpointer user_data);

/* Binds the columns of that row to @statement, after all before it in @bytes; strings and bytes
 * stay where they are. @share: asked for numbers of shared columns. @bound: a bit for each column,
 * which are not NULL in the statement; 0 for a new one. Returns: where the next row begins */
gsize pen_store_row_bind (const GByteArray *bytes, gsize at, sqlite3_stmt *statement,
                          PenShareFunc share, gpointer user_data, guint64 *bound);

/* ---- rows that are read ---- */

/* Keeps a string, or @length bytes, for longer than a step. */
typedef gconstpointer (*PenKeepFunc) (gconstpointer bytes, gsize length, gboolean is_string,
                                      gpointer user_data);

/* A row of `shared`. @bytes: of a string they end with a NUL, which @n does not count */
typedef struct {
  const guint8 *bytes;
  gsize n;
  gboolean is_text;
} PenSharedValue;

/* Returns: (nullable): there is no such row */
typedef const PenSharedValue *(*PenSharedFunc) (gint64 number, gpointer user_data);

/* What outlives a row: its strings and bytes, and the values that it shares with others. */
typedef struct {
  PenKeepFunc keep;
  PenSharedFunc get_shared;
  gpointer user_data;
} PenRowKeeper;

/*
 * pen_store_row_read:
 * @statement: of pen_store_table_get_select(), at a row
 * @keeper: (nullable): without it, strings and bytes are valid until the next step; a table with
 *   shared columns needs one
 * @row: the struct of the table, which is filled
 *
 * Returns: FALSE: a field has no room for what is there, or a shared value is not there
 */
gboolean pen_store_row_read (const PenStoreTable *table, sqlite3_stmt *statement,
                             const PenRowKeeper *keeper, gpointer row);

G_END_DECLS
