/* pen-payloads.h: raw payloads of samples, from the records to the store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store-writer.h"

G_BEGIN_DECLS

/* PenPayloads: kept as records bring them, written as samples are placed. */
typedef struct _PenPayloads PenPayloads;

PenPayloads *pen_payloads_new (const char *directory, gsize memory);
void pen_payloads_free (PenPayloads *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPayloads, pen_payloads_free)

/* @place: (out): to find it again; 0: there is no more room */
gboolean pen_payloads_add (PenPayloads *self, const guint8 *bytes, guint32 n, guint32 *place,
                           GError **error);

/* The payload at @place belongs to sample @index of @block; ascending. 0: it has none. */
gboolean pen_payloads_put (PenPayloads *self, guint32 place, guint64 block, guint index,
                           PenStoreWriter *writer, GError **error);

/* The payload at @place; 0: none. @bytes: (out): valid until the next call */
gboolean pen_payloads_get (PenPayloads *self, guint32 place, const guint8 **bytes, guint32 *n,
                           GError **error);

/* Writes what is left of a block, or of all. */
gboolean pen_payloads_flush (PenPayloads *self, PenStoreWriter *writer, GError **error);

G_END_DECLS
