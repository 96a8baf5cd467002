/* pen-change-index.h: all changes of a store, so that lists of them need not be read again
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-change-order.h"

G_BEGIN_DECLS

/* @poke: its id in `text_poke`; 0: it is none
 * @scopes: bit per PenChangeScope: lists that it is in */
typedef struct {
  guint32 id;
  guint32 batch; /* 0: none */
  guint32 poke;
  guint32 scopes;
} PenIndexedChange;

/*
 * PenChangeIndex:
 * @changes: (element-type PenIndexedChange): by id
 */
typedef struct _PenChangeIndex PenChangeIndex;

struct _PenChangeIndex {
  GArray *changes;
  /* The order that was asked for last: indexes in @changes. */
  PenChangeSort sort;
  gboolean is_descending;
  guint32 *order; /* NULL: none yet */
};

/* Cost: one look at the rows of three tables, and 16 bytes for each. */
PenChangeIndex *pen_change_index_new (PenStore *store, GError **error);
void pen_change_index_free (PenChangeIndex *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChangeIndex, pen_change_index_free)

/* Returns: (nullable) */
const PenIndexedChange *pen_change_index_find (const PenChangeIndex *self, guint32 id);

/*
 * pen_change_index_get_order:
 * @sort: not PEN_CHANGE_SORT_TIME, which is that of ids
 *
 * Equal changes come by id; those that have nothing to sort by come last, in either direction.
 *
 * Returns: (transfer none): indexes of all changes, until the next call. Cost: the first time, a
 * look at the columns that it sorts by
 */
const guint32 *pen_change_index_get_order (PenChangeIndex *self, PenStore *store,
                                           PenChangeSort sort, gboolean is_descending,
                                           GError **error);

G_END_DECLS
