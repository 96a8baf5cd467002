/* pen-change-order.h: changes as a list that is sorted, searched and grouped as a whole
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"
#include "pen-words.h"

G_BEGIN_DECLS

typedef enum {
  PEN_CHANGE_SORT_TIME,
  PEN_CHANGE_SORT_CHANGE,
  PEN_CHANGE_SORT_PLACE, /* occupant, then symbol */
  PEN_CHANGE_SORT_ADDRESS,
  PEN_CHANGE_SORT_LENGTH,
  PEN_CHANGE_SORT_CAUSE,
  PEN_CHANGE_SORT_CPU,
  PEN_CHANGE_SORT_TASK, /* comm, then pid */
  PEN_CHANGE_SORTS,
} PenChangeSort;

typedef enum {
  PEN_CHANGE_SCOPE_ALL,
  PEN_CHANGE_SCOPE_TIMED,    /* without what was there from the start */
  PEN_CHANGE_SCOPE_TEXT,     /* pokes, and programs that came and went after the start */
  PEN_CHANGE_SCOPE_PATCHES,  /* pokes that replaced existing text */
  PEN_CHANGE_SCOPE_PROGRAMS, /* registers and unregisters */
  PEN_CHANGE_SCOPE_MAPS,
  PEN_CHANGE_SCOPES,
} PenChangeScope;

/*
 * PenChangeOrder: what is listed, and how
 * @is_grouped: pokes of one batch stand together, where the first of them is; only in order of time
 * @search: leaves changes of which a word, name or address holds it, case of ASCII ignored; NULL or
 *   "": all
 */
typedef struct {
  PenChangeSort sort;
  gboolean is_descending;
  PenChangeScope scope;
  gboolean is_grouped;
  const char *search;
} PenChangeOrder;

typedef struct {
  guint32 id;
  guint32 batch; /* 0: none */
} PenListedChange;

/* Is the change with that id to be listed? */
typedef gboolean (*PenChangeTest) (guint32 id, gpointer user_data);

/* @test: (nullable): what else leaves changes out. Equal changes are listed by time.
 * Returns: (transfer full) (element-type PenListedChange) */
GArray *pen_store_list_changes (PenStore *self, const PenChangeOrder *order, PenChangeTest test,
                                gpointer user_data, GError **error);
gboolean pen_store_count_changes (PenStore *self, guint64 *n, GError **error);

/* The change that happened at @moment. Cost: a few searches.
 * Returns: FALSE if there is none (@error set only on failure) */
gboolean pen_store_find_change (PenStore *self, PenMoment moment, guint32 *id, GError **error);

G_END_DECLS
