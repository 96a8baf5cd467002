/* pen-query-loads.h: the loads of a program that had one name at one place
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-filter.h"
#include "pen-query.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/* @samples: of the function in that tenure, under the filter. Strings are owned by the store. */
typedef struct {
  PenTenure tenure;
  guint64 samples;
} PenLoad;

/*
 * PenLoads: who held the range of a function of the kernel's space
 * @loads: (element-type PenLoad): the function's own tenures, by time
 * @n_others: programs and stubs of other names that had bytes of it
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

/* The load at @time; where none was there then, the first after it that has samples, or else the
 * last that has, or else the first of all. NULL: there are none */
const PenLoad *pen_loads_find (const PenLoads *self, guint64 time);
const PenLoad *pen_loads_find_tenure (const PenLoads *self, guint32 tenure);

G_END_DECLS
