/* pen-symbol-search.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-symbol-search.h"

#include "pen-binary-search.h"

/* How far back a symbol is looked for that others begin within. */
#define MAX_NESTED 16

gboolean
pen_symbol_search (GArray *symbols, guint64 address, PenSymbol *found)
{
  guint n = PEN_BINARY_SEARCH (i, 0, symbols->len,
                               g_array_index (symbols, PenSymbol, i).start <= address);

  for (guint i = n; i > 0 && n - i < MAX_NESTED; i--) {
    const PenSymbol *symbol = &g_array_index (symbols, PenSymbol, i - 1);

    if (address < symbol->end) {
      *found = *symbol;
      return TRUE;
    }
  }
  return FALSE;
}
