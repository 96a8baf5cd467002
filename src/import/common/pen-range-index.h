/* pen-range-index.h: which of many ranges touch this one?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _PenRangeIndex PenRangeIndex;

PenRangeIndex *pen_range_index_new (void);
void pen_range_index_free (PenRangeIndex *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenRangeIndex, pen_range_index_free)

void pen_range_index_add (PenRangeIndex *self, guint64 start, guint64 end, guint32 id);
/* After the last, before the first question. */
void pen_range_index_seal (PenRangeIndex *self);

typedef void (*PenRangeIndexFunc) (guint32 id, gpointer user_data);

/* Calls @func for each range that shares a byte with [@start, @end). */
void pen_range_index_find (PenRangeIndex *self, guint64 start, guint64 end, PenRangeIndexFunc func,
                           gpointer user_data);

G_END_DECLS
