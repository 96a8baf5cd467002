/* pen-row.h: a row being written, column by column
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-sql.h"

G_BEGIN_DECLS

/* @statement: an INSERT; @column: bound so far. Strings and bytes must live until pen_row_end(). */
typedef struct {
  sqlite3_stmt *statement;
  int column;
} PenRow;

void pen_row_u64 (PenRow *row, guint64 value);
void pen_row_i64 (PenRow *row, gint64 value);
void pen_row_null (PenRow *row);
void pen_row_id (PenRow *row, guint32 id);
void pen_row_text (PenRow *row, const char *text);
void pen_row_blob (PenRow *row, const void *bytes, gsize n);
void pen_row_time (PenRow *row, gboolean has_time, guint64 time);
void pen_row_moment (PenRow *row, PenMoment moment);
void pen_row_end_moment (PenRow *row, PenMoment moment);
void pen_row_cpu (PenRow *row, guint32 cpu);
void pen_row_task (PenRow *row, gboolean has_task, gint32 pid, gint32 tid);
void pen_row_comm (PenRow *row, const char *comm);
gboolean pen_row_end (PenRow *row, GError **error);

G_END_DECLS
