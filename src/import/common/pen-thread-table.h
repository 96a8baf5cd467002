/* pen-thread-table.h: (pid, tid, comm) → number, in the order of appearance
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-writer.h"

G_BEGIN_DECLS

typedef struct _PenThreadTable PenThreadTable;

PenThreadTable *pen_thread_table_new (void);
/* It outlives who gives it strings. Before the first thread. */
void pen_thread_table_keep_names (PenThreadTable *self);
void pen_thread_table_free (PenThreadTable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenThreadTable, pen_thread_table_free)

/* No more than @n are kept: later ones are the thread that is not known. */
void pen_thread_table_limit (PenThreadTable *self, guint n);
/* How often a thread was asked for that was not kept. */
guint64 pen_thread_table_get_dropped (PenThreadTable *self);

/* As PenThread has them; @comm must outlive the table. */
guint32 pen_thread_table_get (PenThreadTable *self, gboolean has_task, gint32 pid, gint32 tid,
                              const char *comm);
/* Those that were not written before. */
gboolean pen_thread_table_write (PenThreadTable *self, PenStoreWriter *writer, GError **error);

G_END_DECLS
