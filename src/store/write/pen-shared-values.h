/* pen-shared-values.h: rows of the table `shared`: a value that many rows have
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

G_BEGIN_DECLS

typedef struct _PenSharedValues PenSharedValues;

/* @db: whose schema is there; it is not closed before the values are freed */
PenSharedValues *pen_shared_values_new (sqlite3 *db);
void pen_shared_values_free (PenSharedValues *self);

/*
 * pen_shared_values_get:
 * @is_text: a string, or else bytes
 *
 * Values come in one order, and get the same numbers each time. What is more than a few MiB of them
 * is not remembered: then a value may have several rows.
 *
 * Returns: the number of its row, which is written if there is none; 0: with @error
 */
gint64 pen_shared_values_get (PenSharedValues *self, const guint8 *bytes, gsize n, gboolean is_text,
                              GError **error);

G_END_DECLS
