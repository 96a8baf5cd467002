/* pen-store-occupants.h: spaces, tenures and parts of a store
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"
#include "pen-tenure.h"

G_BEGIN_DECLS

/* Returns: (transfer full) (element-type PenSpace): element i has id i */
GArray *pen_store_load_spaces (PenStore *self, GError **error);

/* Tenures of @space that ever held a byte of [@start, @end), by from.
 * Returns: (transfer full) (element-type PenTenure): strings owned by the store */
GArray *pen_store_load_tenures (PenStore *self, guint32 space, guint64 start, guint64 end,
                                GError **error);
/* One by its id. Returns: FALSE if there is none (@error set only on failure). */
gboolean pen_store_load_tenure (PenStore *self, guint32 id, PenTenure *tenure, GError **error);

/* All parts of the tenures that pen_store_load_tenures() gives for the same range, by from.
 * Returns: (transfer full) (element-type PenPart) */
GArray *pen_store_load_parts (PenStore *self, guint32 space, guint64 start, guint64 end,
                              GError **error);

/* Tenures for lanes and lists: all of the kernel space (and, if @processes, of the others too), by
 * from. Return FALSE from @func to stop. */
typedef gboolean (*PenTenureFunc) (const PenTenure *tenure, gpointer user_data);
gboolean pen_store_foreach_tenure (PenStore *self, gboolean processes, PenTenureFunc func,
                                   gpointer user_data, GError **error);

G_END_DECLS
