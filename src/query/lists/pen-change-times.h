/* pen-change-times.h: when the text of a byte changed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-private.h"

G_BEGIN_DECLS

/* PenChangeTimes: of bytes of the kernel space: pokes that changed them, and comings and goings of
 * who held them, but for the initial state. The times found for an address are kept. */
typedef struct _PenChangeTimes PenChangeTimes;

/* Cost: all pokes, and the tenures of the kernel space. */
PenChangeTimes *pen_change_times_new (PenQuery *query, GError **error);
void pen_change_times_free (PenChangeTimes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenChangeTimes, pen_change_times_free)

/*
 * pen_change_times_find:
 * @times: (out) (element-type guint64) (nullable): ns, rising; NULL: none. Owned by @self
 */
gboolean pen_change_times_find (PenChangeTimes *self, guint64 address, const GArray **times,
                                GError **error);

/* How far it is to the last change that is not after @time, and to the first after it.
 * Returns: FALSE where there is none on that side */
gboolean pen_change_times_get_since (const GArray *times, guint64 time, guint64 *since);
gboolean pen_change_times_get_until (const GArray *times, guint64 time, guint64 *until);

G_END_DECLS
