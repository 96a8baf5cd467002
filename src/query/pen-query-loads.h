/* pen-query-loads.h: the loads of a program that had one name at one place
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-filter.h"
#include "pen-query-annotation.h"
#include "pen-query.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/* @amount: of @function in that tenure, under the filter. Strings are owned by the store. */
typedef struct {
  guint32 function;
  PenTenure tenure;
  PenAmount amount;
} PenLoad;

/*
 * PenLoads: who held the range of a function of the kernel's space, or those of several
 * @loads: (element-type PenLoad): the function's own tenures, by time
 * @n_others: programs and stubs that had bytes of it, or of one of them, and are not its load
 */
typedef struct {
  GArray *loads;
  guint n_others;
} PenLoads;

void pen_loads_free (PenLoads *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenLoads, pen_loads_free)

/* @function: id. Neither loads nor others for one of a process. Cost: the tenures in its range, and
 * its buckets. */
PenLoads *pen_query_list_loads (PenQuery *self, const PenFilter *filter, guint32 function,
                                GError **error);

/* The same of all loads of @functions, @n ids of what had one name, or one address, together. */
PenLoads *pen_query_list_loads_of (PenQuery *self, const PenFilter *filter,
                                   const guint32 *functions, guint n, GError **error);

/* @filter, for one load alone. Returns: (transfer full) */
PenFilter *pen_loads_dup_filter (const PenFilter *filter, guint32 tenure);

/* One load of a function alone; its samples are a share of those of the whole recording. */
PenAnnotated *pen_query_annotate_load (PenQuery *self, const PenFilter *filter, guint32 function,
                                       guint32 tenure, PenSyntax syntax, GError **error);

/* That with most samples, or most time off CPU, of those the earliest; where @at is given, of those
 * that were there just before it. NULL: there are none */
const PenLoad *pen_loads_find_busiest (const PenLoads *self, const PenMoment *at);

/* The load at @time; where none was there then, the first after it that has samples, or else the
 * last that has, or else the first of all. NULL: there are none */
const PenLoad *pen_loads_find (const PenLoads *self, guint64 time);
const PenLoad *pen_loads_find_tenure (const PenLoads *self, guint32 tenure);

G_END_DECLS
