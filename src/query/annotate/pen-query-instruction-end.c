/* pen-query-instruction-end.c: how long the instruction at an address is
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include "pen-annotator.h"
#include "pen-query-holdings.h"
#include "pen-query-text.h"
#include "pen-table-hash.h"

static gboolean
widen (PenAnnotator *annotator, const PenTenure *tenure, guint64 address, guint64 *end,
       GError **error)
{
  g_autoptr (GPtrArray) lines = pen_annotator_build_byte (annotator, tenure, address, error);

  for (guint i = 0; lines && i < lines->len; i++) {
    const PenAnnotationLine *line = lines->pdata[i];

    if (line->address == address)
      *end = MAX (*end, address + line->n_bytes);
  }
  return lines != NULL;
}

gboolean
pen_query_find_instruction_end (PenQuery *self, guint64 address, guint64 *end, GError **error)
{
  g_autoptr (GArray) holdings = pen_query_find_holdings (self, address, error);
  g_autoptr (GHashTable) seen = g_hash_table_new (pen_direct_hash, NULL);
  g_autoptr (PenAnnotator) annotator = NULL;

  if (!holdings)
    return FALSE;
  *end = address + 1;
  /* A machine whose instructions cannot be read still has bytes. */
  annotator = holdings->len > 0 ? pen_annotator_new (self, PEN_SYNTAX_ATT, NULL) : NULL;
  for (guint i = 0; annotator && i < holdings->len; i++) {
    const PenTenure *tenure = &g_array_index (holdings, PenHolding, i).tenure;

    if (g_hash_table_add (seen, GUINT_TO_POINTER (tenure->id))
        && !widen (annotator, tenure, address, end, error))
      return FALSE;
  }
  return TRUE;
}
