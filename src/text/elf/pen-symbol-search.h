/* pen-symbol-search.h: the symbol that holds an address
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-kallsyms.h"

G_BEGIN_DECLS

/*
 * pen_symbol_search:
 * @symbols: (element-type PenSymbol): by start, of each start one; they may lie within others
 * @found: (out): the innermost, unless many begin between it and @address
 */
gboolean pen_symbol_search (GArray *symbols, guint64 address, PenSymbol *found);

G_END_DECLS
