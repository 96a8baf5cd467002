/* pen-query-find.c: places and names that a person looks for, against what the store knows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-find.h"

#include <string.h>

#include "pen-find-names.h"
#include "pen-find-private.h"
#include "pen-pasted-trace.h"
#include "pen-query-holdings.h"
#include "pen-query-private.h"
#include "pen-query-resolve.h"
#include "pen-query-cells.h"
#include "pen-store-occupants.h"
#include "pen-store-symbols.h"
#include "pen-table-hash.h"

/* A name that stood at more addresses than that is looked for at the first of them. */
#define SPOTS_MAX 1000u
#define USER_HALF 0x8000000000000000ull

/* ---- words ---- */

static const char *const found_words[PEN_FOUNDS] = {
  [PEN_FOUND_ADDRESS] = "address", [PEN_FOUND_FUNCTION] = "function",
  [PEN_FOUND_TASK] = "task",       [PEN_FOUND_KEY] = "key",
  [PEN_FOUND_TIME] = "time",       [PEN_FOUND_OCCUPANT] = "occupant",
};

static const char *const when_words[] = {
  [PEN_FOUND_ALWAYS] = "",
  [PEN_FOUND_THEN] = "then",
  [PEN_FOUND_BEFORE] = "before",
  [PEN_FOUND_AFTER] = "after",
};

static const char *const remark_words[PEN_REMARKS] = {
  [PEN_REMARK_NONE] = "",
  [PEN_REMARK_LENGTH] = "other length",
  [PEN_REMARK_NAME] = "other name",
  [PEN_REMARK_SEVERAL] = "several of this name",
  [PEN_REMARK_NOT_THEN] = "not at that time",
  [PEN_REMARK_PAST_END] = "past the end",
  [PEN_REMARK_NO_NAME] = "name unknown",
  [PEN_REMARK_NO_ONE] = "occupant unknown",
  [PEN_REMARK_USER_SPACE] = "user space",
  [PEN_REMARK_MORE] = "more not listed",
};

const char *
pen_found_kind_to_string (PenFoundKind kind)
{
  g_return_val_if_fail (kind < PEN_FOUNDS, NULL);
  return found_words[kind];
}

const char *
pen_found_when_to_string (PenFoundWhen when)
{
  g_return_val_if_fail (when < G_N_ELEMENTS (when_words), NULL);
  return when_words[when];
}

const char *
pen_found_remark_to_string (PenFoundRemark remark)
{
  g_return_val_if_fail (remark < PEN_REMARKS, NULL);
  return remark_words[remark];
}

/* ---- life ---- */

static void
clear_place (gpointer data)
{
  g_free (((PenFoundPlace *) data)->text);
}

void
pen_found_free (PenFound *self)
{
  g_array_unref (self->places);
  g_array_unref (self->rows);
  g_free (self);
}

static void
clear_find (Find *find)
{
  g_clear_pointer (&find->tenures, g_array_unref);
  g_clear_pointer (&find->by_name, g_hash_table_unref);
  g_clear_pointer (&find->spots, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Find, clear_find)

/* ---- names of the kernel's space ---- */

static gboolean
add_tenure (const PenTenure *tenure, gpointer user_data)
{
  Find *find = user_data;
  GArray *indexes;

  g_array_append_val (find->tenures, *tenure);
  if (tenure->layer != PEN_LAYER_KSYMBOL)
    return TRUE;
  indexes = g_hash_table_lookup (find->by_name, tenure->occupant);
  if (!indexes) {
    indexes = g_array_new (FALSE, FALSE, sizeof (guint));
    g_hash_table_insert (find->by_name, (gpointer) tenure->occupant, indexes);
  }
  g_array_append_val (indexes, (guint){ find->tenures->len - 1 });
  return TRUE;
}

static gboolean
load_tenures (Find *find, GError **error)
{
  find->tenures = g_array_new (FALSE, FALSE, sizeof (PenTenure));
  find->by_name
      = g_hash_table_new_full (pen_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref);
  find->spots
      = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  return pen_store_foreach_tenure (find->query->store, FALSE, add_tenure, find, error);
}

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

/* ---- rows ---- */

PenFoundWhen
pen_find_get_when (const Find *find, PenMoment from, PenMoment to)
{
  if (pen_moment_compare (to, find->moment) < 0)
    return PEN_FOUND_BEFORE;
  return pen_moment_compare (from, find->moment) < 0 ? PEN_FOUND_THEN : PEN_FOUND_AFTER;
}

static PenFoundRow
make_empty_row (PenFoundKind found, guint place)
{
  return (PenFoundRow){ .found = found,
                        .place = place,
                        .from = PEN_MOMENT_START,
                        .to = PEN_MOMENT_END,
                        .function = G_MAXUINT32 };
}

/* Returns: FALSE: it is not listed, and one row says so */
gboolean
pen_find_add_row (Find *find, const PenFoundRow *row)
{
  GArray *rows = find->found->rows;
  const PenFoundRow *last
      = rows->len > 0 ? &g_array_index (rows, PenFoundRow, rows->len - 1) : NULL;
  gboolean is_same = last && last->found == row->found && last->place == row->place;
  PenFoundRow more = make_empty_row (row->found, row->place);

  find->n_listed = is_same ? find->n_listed + 1 : 0;
  if (find->n_listed > PEN_FOUND_ROWS_MAX)
    return FALSE;
  more.remark = PEN_REMARK_MORE;
  g_array_append_val (rows, *(find->n_listed < PEN_FOUND_ROWS_MAX ? row : &more));
  return find->n_listed < PEN_FOUND_ROWS_MAX;
}

typedef struct {
  PenFoundRow *row;
  guint64 start;
} FunctionMatch;

static void
match_function (const PenFunction *function, gpointer user_data)
{
  FunctionMatch *match = user_data;
  PenFoundRow *row = match->row;

  if (function->start != match->start || g_strcmp0 (function->symbol, row->name) != 0
      || g_strcmp0 (function->occupant, row->occupant) != 0)
    return;
  row->function = function->id;
  row->samples = function->samples;
  row->changes = function->changes;
}

/* An address, and the byte that says whose it is: a call at the very end of a function returns past
 * it. */
typedef struct {
  guint64 address;
  guint64 byte;
} Probe;

static PenFoundRow
make_holding_row (Find *find, guint place, Probe probe, const PenHolding *holding)
{
  PenFoundRow row = make_empty_row (PEN_FOUND_ADDRESS, place);
  const PenTenure *tenure = &holding->tenure;
  FunctionMatch match = { &row, 0 };
  guint64 end;

  row.when = pen_find_get_when (find, holding->from, holding->to);
  row.has_address = TRUE;
  row.address = probe.address;
  row.tenure = tenure->id;
  row.kind = tenure->kind;
  row.occupant = tenure->occupant;
  row.bpf_id = tenure->bpf_id;
  row.from = holding->from;
  row.to = holding->to;
  row.evidence = pen_tenure_get_evidence (tenure, probe.byte, holding->from, holding->to);
  row.source = pen_tenure_get_source (tenure, probe.byte);
  row.is_unverified = pen_query_is_unverified (tenure, holding->to);
  if (pen_query_find_symbol (find->query, tenure, probe.byte, &row.name, &match.start, &end)) {
    row.has_offset = TRUE;
    row.offset = probe.address - match.start;
    row.length = end - match.start;
    pen_query_foreach_function_in (find->query, match.start, match.start + 1, match_function,
                                   &match);
  }
  return row;
}

static gboolean
is_of (const PenFoundRow *row, const PenPastedPlace *written)
{
  return row->has_offset && strcmp (row->name, written->symbol) == 0
         && row->offset == (written->has_offset ? written->offset : 0);
}

static PenFoundRemark
judge (const PenFoundRow *row, const PenPastedPlace *written)
{
  if (row->when != PEN_FOUND_THEN || !written->symbol)
    return PEN_REMARK_NONE;
  if (!row->name || strcmp (row->name, written->symbol) != 0)
    return PEN_REMARK_NAME;
  return written->has_size && row->length != written->size ? PEN_REMARK_LENGTH : PEN_REMARK_NONE;
}

static void
add_unknown (Find *find, guint place, const PenPastedPlace *written, PenFoundRemark remark)
{
  PenFoundRow row = make_empty_row (PEN_FOUND_ADDRESS, place);

  row.when = PEN_FOUND_THEN;
  row.remark = remark;
  row.has_address = written->has_address;
  row.address = written->address;
  /* The name that was written belongs to the person, not to the store. */
  pen_find_add_row (find, &row);
}

/* All who ever held an address: first who did then.
 * @written: what they are compared with */
static void
add_holdings (Find *find, guint place, const PenPastedPlace *written, Probe probe,
              const GArray *holdings, PenFoundRemark remark)
{
  for (guint pass = 0; pass < 2; pass++) {
    for (guint i = 0; i < holdings->len; i++) {
      PenFoundRow row
          = make_holding_row (find, place, probe, &g_array_index (holdings, PenHolding, i));

      if ((row.when == PEN_FOUND_THEN) != (pass == 0))
        continue;
      row.remark = judge (&row, written);
      row.stated = written->size;
      if (row.when == PEN_FOUND_THEN && row.remark == PEN_REMARK_NONE)
        row.remark = remark;
      if (!pen_find_add_row (find, &row))
        return;
    }
  }
}

static const PenHolding *
find_then (const Find *find, const GArray *holdings)
{
  for (guint i = 0; i < holdings->len; i++) {
    const PenHolding *holding = &g_array_index (holdings, PenHolding, i);

    if (pen_find_get_when (find, holding->from, holding->to) == PEN_FOUND_THEN)
      return holding;
  }
  return NULL;
}

/* ---- addresses ---- */

static gboolean
find_address (Find *find, guint place, const PenPastedPlace *written, GError **error)
{
  /* As above: the name says that the call was the last of its function. */
  gboolean is_past = written->has_size && written->size > 0 && written->offset == written->size
                     && written->address > 0;
  Probe probe = { written->address, written->address - is_past };
  g_autoptr (GArray) holdings = pen_query_find_holdings (find->query, probe.byte, error);

  if (!holdings)
    return FALSE;
  if (!find_then (find, holdings))
    add_unknown (find, place, written,
                 holdings->len == 0 && (written->is_user || written->address < USER_HALF)
                     ? PEN_REMARK_USER_SPACE
                     : PEN_REMARK_NO_ONE);
  add_holdings (find, place, written, probe, holdings, PEN_REMARK_NONE);
  return TRUE;
}

/* ---- symbols ---- */

/* A place that text of the name had: who ever held it. @then: who does then, if it is text of that
 * name */
typedef struct {
  Probe probe;
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
  const PenHolding *then = find_then (find, site->holdings);
  PenFoundRow row;

  if (!then)
    return;
  row = make_holding_row (find, 0, site->probe, then);
  site->is_then = is_of (&row, written);
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
    PenFoundRow row = make_holding_row (find, place, site->probe,
                                        &g_array_index (site->holdings, PenHolding, i));

    if (!is_of (&row, written))
      continue;
    any = TRUE;
    if (!pen_find_add_row (find, &row))
      break;
  }
  return any;
}

static gboolean
add_user_functions (Find *find, guint place, const PenPastedPlace *written)
{
  PenQuery *query = find->query;
  gboolean any = FALSE;

  for (guint i = 0; i < query->n_functions; i++) {
    const PenFunction *function = &query->functions[i];
    PenFoundRow row = make_empty_row (PEN_FOUND_ADDRESS, place);

    if (function->name_file == 0
        || (g_strcmp0 (function->symbol, written->symbol) != 0
            && g_strcmp0 (function->linkage_name, written->symbol) != 0))
      continue;
    pen_find_tell_function (&row, function);
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
      add_holdings (find, place, written, site->probe, site->holdings,
                    n_right > 1 ? PEN_REMARK_SEVERAL : PEN_REMARK_NONE);
  }
  if (n_right == 0)
    add_unknown (find, place, written, is_past_end ? PEN_REMARK_PAST_END : PEN_REMARK_NOT_THEN);
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

static gboolean
find_symbol (Find *find, guint place, const PenPastedPlace *written, GError **error)
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
    add_unknown (find, place, written,
                 written->is_user ? PEN_REMARK_USER_SPACE : PEN_REMARK_NO_NAME);
  return TRUE;
}

static gboolean
find_place (Find *find, const PenPastedPlace *written, GError **error)
{
  PenFoundPlace place = { g_strdup (written->text), written->is_unreliable, written->line };
  guint index = find->found->places->len;

  g_array_append_val (find->found->places, place);
  if (written->has_address && (!written->symbol || written->address >= USER_HALF))
    return find_address (find, index, written, error);
  return find_symbol (find, index, written, error);
}

/* ---- one line, or many ---- */

static gboolean
find_trace (Find *find, const char *text, GError **error)
{
  g_autoptr (PenPastedTrace) trace = pen_pasted_trace_new (text);

  find->found->is_trace = TRUE;
  find->found->is_cut = trace->is_cut;
  find->found->has_time = trace->has_time;
  find->found->time = trace->time;
  for (guint i = 0; i < trace->places->len; i++) {
    if (!find_place (find, trace->places->pdata[i], error))
      return FALSE;
  }
  return TRUE;
}

/* An address of processes that samples fell on. */
static gboolean
add_functions_at (Find *find, const PenPastedPlace *written, GError **error)
{
  g_autofree char *target = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", written->address);
  g_autoptr (GError) failure = NULL;
  g_autoptr (GArray) functions = pen_query_find_functions (find->query, target, &failure);

  if (!functions && !g_error_matches (failure, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND)) {
    g_propagate_error (error, g_steal_pointer (&failure));
    return FALSE;
  }
  for (guint i = 0; functions && i < functions->len; i++) {
    PenFoundRow row = make_empty_row (PEN_FOUND_FUNCTION, G_MAXUINT);

    pen_find_tell_function (
        &row, pen_query_get_function (find->query, g_array_index (functions, guint32, i)));
    if (!pen_find_add_row (find, &row))
      break;
  }
  return TRUE;
}

/* Typed text may be a name of anything: that it is no place is only worth a row if it is nothing
 * else. */
static void
drop_unknown (Find *find)
{
  const PenFoundRow *row = (const PenFoundRow *) find->found->rows->data;
  guint n = find->found->rows->len;

  if (n < 2 || row[0].found != PEN_FOUND_ADDRESS || row[0].tenure != 0
      || row[0].remark == PEN_REMARK_NONE || row[1].found == PEN_FOUND_ADDRESS)
    return;
  g_array_remove_index (find->found->rows, 0);
  g_array_set_size (find->found->places, 0);
}

static gboolean
find_typed (Find *find, const char *text, GError **error)
{
  g_autoptr (PenPastedPlace) written = pen_pasted_place_new (text);

  if (written && !find_place (find, written, error))
    return FALSE;
  if (written && written->has_address && written->address < USER_HALF
      && !add_functions_at (find, written, error))
    return FALSE;
  if (!pen_find_names (find, text, error))
    return FALSE;
  drop_unknown (find);
  return TRUE;
}

PenFound *
pen_query_find (PenQuery *self, const char *text, PenMoment moment, GError **error)
{
  g_autoptr (PenFound) found = g_new0 (PenFound, 1);
  g_auto (Find) find = { .query = self, .found = found, .moment = moment };

  found->moment = moment;
  found->places = g_array_new (FALSE, FALSE, sizeof (PenFoundPlace));
  g_array_set_clear_func (found->places, clear_place);
  found->rows = g_array_new (FALSE, FALSE, sizeof (PenFoundRow));
  if (!pen_query_load (self, error) || !load_tenures (&find, error))
    return NULL;
  if (!(pen_find_is_trace (text) ? find_trace : find_typed) (&find, text, error))
    return NULL;
  return g_steal_pointer (&found);
}

/* The kernel's log and perf read the same clock, unless another was asked for. */
static gboolean
is_recorded (PenQuery *self, guint64 time)
{
  guint64 first;
  guint64 last;

  return pen_query_get_time_range (self, &first, &last) && time >= first && time <= last;
}

PenFound *
pen_query_find_at_own_time (PenQuery *self, const char *text, PenMoment moment, GError **error)
{
  g_autoptr (PenFound) found = pen_query_find (self, text, moment, error);

  if (!found || !found->has_time || !is_recorded (self, found->time))
    return g_steal_pointer (&found);
  return pen_query_find (self, text, pen_moment (found->time, G_MAXUINT64), error);
}
