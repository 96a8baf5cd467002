/* pen-query-holdings.c: who held one byte, and when
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-holdings.h"

#include "pen-compare.h"
#include "pen-query-private.h"
#include "pen-store-occupants.h"
#include "pen-store-symbols.h"

static gboolean
may_go_on (gpointer user_data)
{
  return pen_store_goes_on (user_data, NULL);
}

static PenHistory *
make_history (PenQuery *self, const GArray *tenures, const GArray *parts, GError **error)
{
  PenHistory *history = pen_history_new_stored (tenures, parts, may_go_on, self->store);

  if (!history)
    pen_store_goes_on (self->store, error);
  return history;
}

PenHistory *
pen_query_load_history (PenQuery *self, guint64 start, guint64 end, GError **error)
{
  g_autoptr (GArray) tenures
      = pen_store_load_tenures (self->store, PEN_SPACE_KERNEL, start, end, error);
  g_autoptr (GArray) parts = NULL;

  if (!tenures)
    return NULL;
  parts = pen_store_load_parts (self->store, PEN_SPACE_KERNEL, start, end, error);
  return parts ? make_history (self, tenures, parts, error) : NULL;
}

static int
compare_moments (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  return pen_moment_compare (*(const PenMoment *) a, *(const PenMoment *) b);
}

/* When parts begin or end: between two of these nothing changes. In some order once @check has
 * stopped it. */
static GArray *
list_bounds (PenHistory *history, PenCancelCheck *check)
{
  GArray *bounds = g_array_new (FALSE, FALSE, sizeof (PenMoment));
  guint n;
  const PenPart *parts = pen_history_get_parts (history, &n);

  for (guint i = 0; i < n; i++) {
    g_array_append_val (bounds, parts[i].from);
    g_array_append_val (bounds, parts[i].to);
  }
  pen_cancel_check_sort (check, bounds->data, bounds->len, sizeof (PenMoment), compare_moments,
                         NULL);
  return bounds;
}

static void
add_holding (GArray *holdings, const PenTenure *tenure, PenMoment from, PenMoment to)
{
  PenHolding *latest
      = holdings->len > 0 ? &g_array_index (holdings, PenHolding, holdings->len - 1) : NULL;
  PenHolding holding = { *tenure, from, to };

  if (latest && latest->tenure.id == tenure->id && pen_moment_compare (latest->to, from) == 0)
    latest->to = to;
  else
    g_array_append_val (holdings, holding);
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const PenPart *x = a;
  const PenPart *y = b;
  int order = pen_moment_compare (x->from, y->from);

  return order != 0 ? order : PEN_COMPARE (x->tenure, y->tenure);
}

static GArray *
list_holdings (PenQuery *self, PenHistory *history, guint64 address, GError **error)
{
  PenCancelCheck check = pen_query_make_check (self);
  g_autoptr (PenSweep) sweep = pen_sweep_new (history);
  g_autoptr (GArray) bounds = list_bounds (history, &check);
  g_autoptr (GArray) holdings = g_array_new (FALSE, FALSE, sizeof (PenHolding));

  for (guint i = 0; i + 1 < bounds->len && pen_cancel_check_step (&check); i++) {
    PenMoment from = g_array_index (bounds, PenMoment, i);
    PenMoment to = g_array_index (bounds, PenMoment, i + 1);
    const PenTenure *tenure;

    if (pen_moment_compare (from, to) == 0)
      continue;
    pen_sweep_advance (sweep, to);
    tenure = pen_sweep_find_kernel (sweep, address, NULL);
    if (tenure)
      add_holding (holdings, tenure, from, to);
  }
  return pen_query_end_check (self, &check, error) ? g_steal_pointer (&holdings) : NULL;
}

GArray *
pen_query_find_holdings (PenQuery *self, guint64 address, GError **error)
{
  guint64 end = address < G_MAXUINT64 ? address + 1 : address;
  g_autoptr (PenHistory) history = pen_query_load_history (self, address, end, error);

  return history ? list_holdings (self, history, address, error) : NULL;
}

GArray *
pen_query_find_holdings_among (PenQuery *self, const GArray *tenures, guint64 address,
                               GError **error)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (PenPart));
  g_autoptr (PenHistory) history = NULL;

  for (guint i = 0; i < tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (tenures, PenTenure, i);
    PenPart whole
        = { tenure->id, tenure->start, tenure->end, tenure->file_offset, tenure->from, tenure->to };

    g_array_append_val (parts, whole);
  }
  g_array_sort (parts, compare_parts);
  history = make_history (self, tenures, parts, error);
  return history ? list_holdings (self, history, address, error) : NULL;
}

GArray *
pen_query_find_holders (PenQuery *self, guint64 start, guint64 end, PenMoment moment,
                        GError **error)
{
  g_autoptr (PenHistory) history = pen_query_load_history (self, start, end, error);
  g_autoptr (PenSweep) sweep = NULL;
  GArray *holders;

  if (!history)
    return NULL;
  sweep = pen_sweep_new (history);
  pen_sweep_set_func (sweep, may_go_on, self->store);
  pen_sweep_advance (sweep, moment);
  if (!pen_store_goes_on (self->store, error))
    return NULL;
  holders = g_array_new (FALSE, FALSE, sizeof (PenHolder));
  while (start < end) {
    PenHolder holder = { .start = start, .end = end, .tenure.occupant = "" };
    PenHolder *last
        = holders->len > 0 ? &g_array_index (holders, PenHolder, holders->len - 1) : NULL;
    const PenTenure *tenure = pen_sweep_find_kernel_run (sweep, start, &holder.end);

    if (tenure)
      holder.tenure = *tenure;
    if (last && last->tenure.id == holder.tenure.id)
      last->end = holder.end;
    else
      g_array_append_val (holders, holder);
    start = holder.end;
  }
  return holders;
}

PenEvidence
pen_query_get_evidence (PenQuery *self, const PenTenure *tenure, guint64 address, PenMoment from,
                        PenMoment to)
{
  PenEvidence evidence = pen_tenure_get_evidence (tenure, address, from, to);
  const char *name;
  guint64 start;
  guint64 end;

  if (tenure->kind != PEN_KIND_MODULE || evidence <= PEN_EVIDENCE_INFERRED
      || pen_query_find_symbol (self, tenure, address, &name, &start, &end)
      || pen_store_find_symbol_above (self->store, tenure->occupant, 0) == G_MAXUINT64)
    return evidence;
  return PEN_EVIDENCE_INFERRED;
}

const char *
pen_query_get_source (const PenTenure *tenure, guint64 address, PenEvidence evidence,
                      const char *bytes_source)
{
  return evidence == PEN_EVIDENCE_INFERRED && tenure && pen_tenure_is_beyond_code (tenure, address)
             ? pen_tenure_get_source (tenure, address)
             : bytes_source;
}

gboolean
pen_query_find_symbol (PenQuery *self, const PenTenure *tenure, guint64 address, const char **name,
                       guint64 *start, guint64 *end)
{
  if (tenure->layer == PEN_LAYER_KSYMBOL) {
    *name = tenure->occupant;
    *start = tenure->start;
    *end = tenure->end;
    return TRUE;
  }
  return (tenure->kind == PEN_KIND_KERNEL || tenure->kind == PEN_KIND_MODULE)
         && pen_store_find_symbol (self->store, tenure->occupant, address, name, start, end);
}
