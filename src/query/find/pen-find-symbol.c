/* pen-find-symbol.c: a place that is written as a name, with or without an offset
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-find-private.h"

#include <string.h>

#include "pen-query-private.h"
#include "pen-store-symbols.h"

/* A name that stood at more addresses than that is looked for at the first of them. */
#define SPOTS_MAX 1000u

/* ---- where text of a name began ---- */

/* Where text of a name began. @end: of the longest */
typedef struct {
  guint64 start;
  guint64 end;
} Spot;

static int
compare_spots (gconstpointer a, gconstpointer b)
{
  const Spot *x = a;
  const Spot *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->end > y->end ? -1 : x->end < y->end;
}

/* One for each start. */
static void
sort_spots (GArray *spots)
{
  guint n = 0;

  g_array_sort (spots, compare_spots);
  for (guint i = 0; i < spots->len; i++) {
    Spot spot = g_array_index (spots, Spot, i);

    if (n == 0 || g_array_index (spots, Spot, n - 1).start != spot.start)
      g_array_index (spots, Spot, n++) = spot;
  }
  g_array_set_size (spots, n);
}

/* Returns: (transfer none) (element-type Spot) */
static const GArray *
find_spots (Find *find, const char *name, GError **error)
{
  GArray *spots = g_hash_table_lookup (find->spots, name);
  const GArray *indexes = g_hash_table_lookup (find->by_name, name);
  g_autoptr (GArray) symbols = NULL;

  if (spots)
    return spots;
  symbols = pen_store_find_symbols_named (find->query->store, name, error);
  if (!symbols)
    return NULL;
  spots = g_array_new (FALSE, FALSE, sizeof (Spot));
  for (guint i = 0; i < symbols->len; i++) {
    const PenStoredSymbol *symbol = &g_array_index (symbols, PenStoredSymbol, i);

    g_array_append_val (spots, ((Spot){ symbol->start, symbol->end }));
  }
  for (guint i = 0; indexes && i < indexes->len; i++) {
    const PenTenure *tenure
        = &g_array_index (find->tenures, PenTenure, g_array_index (indexes, guint, i));

    g_array_append_val (spots, ((Spot){ tenure->start, tenure->end }));
  }
  sort_spots (spots);
  g_hash_table_insert (find->spots, g_strdup (name), spots);
  return spots;
}

/* ---- who was there ---- */

/* A place that text of the name had: who ever held it. @then: who does then, if it is text of that
 * name */
typedef struct {
  FindProbe probe;
  GArray *holdings;
  gboolean is_then;
  gboolean is_right; /* of the length and owner that are written */
  gboolean has_right_length;
  gboolean has_right_owner;
} Site;

static void
clear_site (gpointer data)
{
  g_array_unref (((Site *) data)->holdings);
}

static gboolean
is_owner (const char *occupant, const char *owner)
{
  gsize n = strlen (owner);

  if (strcmp (occupant, owner) == 0)
    return TRUE;
  return occupant[0] == '[' && strncmp (occupant + 1, owner, n) == 0
         && strcmp (occupant + 1 + n, "]") == 0;
}

static void
judge_site (Find *find, const PenPastedPlace *written, Site *site)
{
  const PenHolding *then = pen_find_get_then (find, site->holdings);
  PenFoundRow row;

  if (!then)
    return;
  row = pen_find_make_holding_row (find, 0, site->probe, then);
  site->is_then = pen_find_row_is (&row, written);
  site->has_right_length = !written->has_size || row.length == written->size;
  site->has_right_owner = !written->owner || is_owner (row.occupant, written->owner);
}

/* Prefers, among those there then, the ones whose length and owner are as written. */
static guint
choose_sites (GArray *sites)
{
  gboolean any_length = FALSE;
  gboolean any_owner = FALSE;
  guint n = 0;

  for (guint i = 0; i < sites->len; i++) {
    const Site *site = &g_array_index (sites, Site, i);

    any_length |= site->is_then && site->has_right_length;
    any_owner |= site->is_then && site->has_right_owner;
  }
  for (guint i = 0; i < sites->len; i++) {
    Site *site = &g_array_index (sites, Site, i);

    site->is_right = site->is_then && (site->has_right_length || !any_length)
                     && (site->has_right_owner || !any_owner);
    n += site->is_right;
  }
  return n;
}

static GArray *
list_sites (Find *find, const PenPastedPlace *written, const GArray *spots, gboolean *is_past_end,
            GError **error)
{
  g_autoptr (GArray) sites = g_array_new (FALSE, TRUE, sizeof (Site));

  g_array_set_clear_func (sites, clear_site);
  *is_past_end = FALSE;
  for (guint i = 0; i < MIN (spots->len, SPOTS_MAX); i++) {
    const Spot *spot = &g_array_index (spots, Spot, i);
    guint64 length = spot->end - spot->start;
    gboolean is_end = written->offset > 0 && written->offset == length;
    Site site
        = { .probe = { spot->start + written->offset, spot->start + written->offset - is_end } };

    if (written->offset > length) {
      *is_past_end = TRUE;
      continue;
    }
    site.holdings = pen_query_find_holdings (find->query, site.probe.byte, error);
    if (!site.holdings)
      return NULL;
    judge_site (find, written, &site);
    g_array_append_val (sites, site);
  }
  return g_steal_pointer (&sites);
}

/* When the name was elsewhere, or at another time. */
static gboolean
add_elsewhere (Find *find, guint place, const PenPastedPlace *written, const Site *site)
{
  gboolean any = FALSE;

  for (guint i = 0; i < site->holdings->len; i++) {
    PenFoundRow row = pen_find_make_holding_row (find, place, site->probe,
                                                 &g_array_index (site->holdings, PenHolding, i));

    if (!pen_cancel_check_steps (&find->check, 32))
      break;
    if (!pen_find_row_is (&row, written))
      continue;
    any = TRUE;
    if (!pen_find_add_holding_row (find, &row))
      break;
  }
  return any;
}

static gboolean
add_user_functions (Find *find, guint place, const PenPastedPlace *written)
{
  PenQuery *query = find->query;
  gboolean any = FALSE;

  for (guint i = 0; i < query->n_functions && pen_cancel_check_step (&find->check); i++) {
    const PenFunction *function = &query->functions[i];
    PenFoundRow row = pen_find_make_row (PEN_FOUND_ADDRESS, place);

    if (function->name_file == 0
        || (g_strcmp0 (function->symbol, written->symbol) != 0
            && g_strcmp0 (function->linkage_name, written->symbol) != 0))
      continue;
    pen_find_fill_function (&row, function);
    row.has_offset = TRUE;
    row.offset = written->offset;
    any = TRUE;
    if (!pen_find_add_row (find, &row))
      break;
  }
  return any;
}

/* Returns: FALSE: nothing of that name was anywhere at any time */
static gboolean
add_sites (Find *find, guint place, const PenPastedPlace *written, GArray *sites,
           gboolean is_past_end)
{
  guint n_right = choose_sites (sites);
  guint row = find->found->rows->len;
  gboolean any = n_right > 0;

  for (guint i = 0; i < sites->len; i++) {
    const Site *site = &g_array_index (sites, Site, i);

    if (site->is_right)
      pen_find_add_holdings (find, place, written, site->probe, site->holdings,
                             n_right > 1 ? PEN_REMARK_SEVERAL : PEN_REMARK_NONE);
  }
  if (n_right == 0)
    pen_find_add_unknown (find, place, written,
                          is_past_end ? PEN_REMARK_PAST_END : PEN_REMARK_NOT_THEN);
  for (guint i = 0; i < sites->len; i++) {
    const Site *site = &g_array_index (sites, Site, i);

    if (!site->is_right)
      any |= add_elsewhere (find, place, written, site);
  }
  any |= is_past_end;
  if (!any)
    g_array_set_size (find->found->rows, row);
  return any;
}

gboolean
pen_find_symbol (Find *find, guint place, const PenPastedPlace *written, GError **error)
{
  const GArray *spots = find_spots (find, written->symbol, error);
  g_autoptr (GArray) sites = NULL;
  gboolean is_past_end;

  if (!spots)
    return FALSE;
  sites = list_sites (find, written, spots, &is_past_end, error);
  if (!sites)
    return FALSE;
  if (!written->is_user && spots->len > 0 && add_sites (find, place, written, sites, is_past_end))
    return TRUE;
  if (!add_user_functions (find, place, written))
    pen_find_add_unknown (find, place, written,
                          written->is_user ? PEN_REMARK_USER_SPACE : PEN_REMARK_NO_NAME);
  return TRUE;
}
