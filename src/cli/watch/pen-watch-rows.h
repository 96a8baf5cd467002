/* pen-watch-rows.h: changes of text as rows of a table
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-table.h"
#include "pen-watcher.h"

G_BEGIN_DECLS

/* The columns of "changes", and more. */
void pen_watch_rows_begin (PenTableWriter *writer);

/*
 * pen_watch_rows_write:
 * @clock_offset: what is to be added to a time for one since 1970, ns
 */
gboolean pen_watch_rows_write (PenTableWriter *writer, const PenWatchChange *change,
                               gint64 clock_offset, GError **error);

G_END_DECLS
