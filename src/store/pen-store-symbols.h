/* pen-store-symbols.h: names of addresses that a store keeps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"

G_BEGIN_DECLS

/* The symbol that holds @address of the kernel space in @occupant, from the names kept in the
 * store. */
gboolean pen_store_find_symbol (PenStore *self, const char *occupant, guint64 address,
                                const char **name, guint64 *start, guint64 *end);

/* Where the first symbol of @occupant that begins above @address begins; G_MAXUINT64: none does. */
guint64 pen_store_find_symbol_above (PenStore *self, const char *occupant, guint64 address);

/* One of the names kept in the store. Strings are owned by it. */
typedef struct {
  const char *occupant;
  const char *name;
  guint64 start;
  guint64 end;
} PenStoredSymbol;

/* All symbols of that name, whoever's. Cost: all names are looked at.
 * Returns: (transfer full) (element-type PenStoredSymbol) */
GArray *pen_store_find_symbols_named (PenStore *self, const char *name, GError **error);

G_END_DECLS
