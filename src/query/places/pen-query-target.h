/* pen-query-target.h: what a person wrote of a place, taken apart
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query.h"

G_BEGIN_DECLS

/* "“vfs_reed” has neither samples nor changes …", with what is near. */
void pen_query_set_unknown_symbol (PenQuery *self, const char *name, GError **error);
/* SYMBOL+OFFSET taken apart. */
gboolean pen_query_split_offset (const char *target, char **symbol, guint64 *offset,
                                 GError **error);
/* Is it “0x…”? FALSE with @error: it begins like one. */
gboolean pen_query_parse_address (const char *target, guint64 *address, GError **error);

G_END_DECLS
