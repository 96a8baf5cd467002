/* pen-find-private.h: what one search keeps while it runs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-find.h"

G_BEGIN_DECLS

/*
 * @tenures: (element-type PenTenure): of the kernel's space, by from
 * @by_name: name → (element-type guint): indexes of ksymbols
 * @spots: name → where text of that name began, once it was asked for
 * @n_listed: rows of the last group or place so far, but for the first
 */
typedef struct {
  PenQuery *query;
  PenFound *found;
  PenMoment moment;
  GArray *tenures;
  GHashTable *by_name;
  GHashTable *spots;
  guint n_listed;
} Find;

/* Returns: FALSE: no more rows of that group or place are listed */
gboolean pen_find_add_row (Find *find, const PenFoundRow *row);
PenFoundWhen pen_find_get_when (const Find *find, PenMoment from, PenMoment to);
void pen_find_tell_function (PenFoundRow *row, const PenFunction *function);

G_END_DECLS
