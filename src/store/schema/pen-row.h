/* pen-row.h: a row being written, column by column
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

#include "pen-tenure.h"

G_BEGIN_DECLS

typedef struct _PenStoreThread PenStoreThread;

/* @bytes: what was put so far of this row, and rows before it: strings and bytes are copied there
 */
typedef struct {
  GByteArray *bytes;
  PenStoreThread *thread;
} PenRow;

/* @table: see pen_row_get_table() */
PenRow pen_row_start (GByteArray *bytes, guint8 table, PenStoreThread *thread);
/* What failed may be one of the rows before. */
gboolean pen_row_end (PenRow *row, GError **error);

void pen_row_u64 (PenRow *row, guint64 value);
void pen_row_i64 (PenRow *row, gint64 value);
void pen_row_null (PenRow *row);
void pen_row_id (PenRow *row, guint32 id); /* 0: NULL */
void pen_row_text (PenRow *row, const char *text);
void pen_row_blob (PenRow *row, const void *bytes, gsize n);
void pen_row_time (PenRow *row, gboolean has_time, guint64 time);
void pen_row_moment (PenRow *row, PenMoment moment);
/* The open end of time is NULL in both columns. */
void pen_row_end_moment (PenRow *row, PenMoment moment);
/* G_MAXUINT32: NULL */
void pen_row_cpu (PenRow *row, guint32 cpu);
void pen_row_task (PenRow *row, gboolean has_task, gint32 pid, gint32 tid);
void pen_row_comm (PenRow *row, const char *comm);

/* Of the row that begins at @at. */
guint8 pen_row_get_table (const GByteArray *bytes, gsize at);

/* Binds the columns of the row that begins at @at to @statement; strings and bytes stay where they
 * are. Returns: where the next row begins */
gsize pen_row_bind (const GByteArray *bytes, gsize at, sqlite3_stmt *statement);

G_END_DECLS
