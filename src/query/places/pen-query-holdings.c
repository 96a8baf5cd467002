/* pen-query-holdings.c: who held one byte, and when
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-private.h"

#include "pen-query-holdings.h"

/* One part of a tenure that covers the byte. */
typedef struct {
  const PenTenure *tenure;
  PenMoment from;
  PenMoment to;
} Claim;

static int
compare_claims (gconstpointer a, gconstpointer b)
{
  const Claim *x = a;
  const Claim *y = b;
  int order = pen_moment_compare (x->from, y->from);

  if (order != 0)
    return order;
  return x->tenure->id < y->tenure->id ? -1 : x->tenure->id > y->tenure->id;
}

static int
compare_moments (gconstpointer a, gconstpointer b)
{
  return pen_moment_compare (*(const PenMoment *) a, *(const PenMoment *) b);
}

/* Ksymbols lie over maps; among them the one that starts nearest below wins (K3). */
static gboolean
beats (const Claim *a, const Claim *b)
{
  if (a->tenure->layer != b->tenure->layer)
    return a->tenure->layer == PEN_LAYER_KSYMBOL;
  if (a->tenure->layer == PEN_LAYER_KSYMBOL && a->tenure->start != b->tenure->start)
    return a->tenure->start > b->tenure->start;
  return pen_moment_compare (a->from, b->from) > 0;
}

static GArray *
collect_claims (const GArray *tenures, const GArray *parts, guint64 address)
{
  GArray *claims = g_array_new (FALSE, FALSE, sizeof (Claim));
  g_autoptr (GHashTable) by_id = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (tenures, PenTenure, i);

    g_hash_table_insert (by_id, GUINT_TO_POINTER (tenure->id), (gpointer) tenure);
  }
  for (guint i = 0; i < parts->len; i++) {
    const PenPart *part = &g_array_index (parts, PenPart, i);
    Claim claim
        = { g_hash_table_lookup (by_id, GUINT_TO_POINTER (part->tenure)), part->from, part->to };

    if (claim.tenure != NULL && part->start <= address && address < part->end
        && pen_moment_compare (part->from, part->to) < 0)
      g_array_append_val (claims, claim);
  }
  g_array_sort (claims, compare_claims);
  return claims;
}

static void
add_holding (GArray *holdings, const Claim *claim, PenMoment from, PenMoment to)
{
  PenHolding *latest
      = holdings->len > 0 ? &g_array_index (holdings, PenHolding, holdings->len - 1) : NULL;
  PenHolding holding = { *claim->tenure, from, to };

  if (latest != NULL && latest->tenure.id == claim->tenure->id
      && pen_moment_compare (latest->to, from) == 0)
    latest->to = to;
  else
    g_array_append_val (holdings, holding);
}

/* Between two boundaries nothing changes: the strongest of the live claims has it. */
static GArray *
sweep (const GArray *claims)
{
  GArray *holdings = g_array_new (FALSE, FALSE, sizeof (PenHolding));
  g_autoptr (GArray) bounds = g_array_new (FALSE, FALSE, sizeof (PenMoment));
  g_autoptr (GPtrArray) live = g_ptr_array_new ();
  guint next = 0;

  for (guint i = 0; i < claims->len; i++) {
    const Claim *claim = &g_array_index (claims, Claim, i);

    g_array_append_val (bounds, claim->from);
    g_array_append_val (bounds, claim->to);
  }
  g_array_sort (bounds, compare_moments);

  for (guint i = 0; i + 1 < bounds->len; i++) {
    PenMoment from = g_array_index (bounds, PenMoment, i);
    PenMoment to = g_array_index (bounds, PenMoment, i + 1);
    const Claim *best = NULL;

    if (pen_moment_compare (from, to) == 0)
      continue;
    for (guint j = live->len; j > 0; j--) {
      if (pen_moment_compare (((const Claim *) live->pdata[j - 1])->to, from) <= 0)
        g_ptr_array_remove_index_fast (live, j - 1);
    }
    for (; next < claims->len; next++) {
      Claim *claim = &g_array_index (claims, Claim, next);

      if (pen_moment_compare (claim->from, from) > 0)
        break;
      if (pen_moment_compare (claim->to, from) > 0)
        g_ptr_array_add (live, claim);
    }
    for (guint j = 0; j < live->len; j++) {
      const Claim *claim = live->pdata[j];

      if (best == NULL || beats (claim, best))
        best = claim;
    }
    if (best != NULL)
      add_holding (holdings, best, from, to);
  }
  return holdings;
}

GArray *
pen_query_find_holdings (PenQuery *self, guint32 space, guint64 address, GError **error)
{
  guint64 end = address < G_MAXUINT64 ? address + 1 : address;
  g_autoptr (GArray) tenures = pen_store_load_tenures (self->store, space, address, end, error);
  g_autoptr (GArray) parts = NULL;
  g_autoptr (GArray) claims = NULL;

  if (tenures == NULL)
    return NULL;
  parts = pen_store_load_parts (self->store, space, address, end, error);
  if (parts == NULL)
    return NULL;
  claims = collect_claims (tenures, parts, address);
  return sweep (claims);
}

/* ---- a range at one moment ---- */

static GArray *
collect_live (const GArray *tenures, const GArray *parts, guint64 start, guint64 end,
              PenMoment moment)
{
  GArray *live = g_array_new (FALSE, FALSE, sizeof (PenHolder));
  g_autoptr (GHashTable) by_id = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < tenures->len; i++) {
    const PenTenure *tenure = &g_array_index (tenures, PenTenure, i);

    g_hash_table_insert (by_id, GUINT_TO_POINTER (tenure->id), (gpointer) tenure);
  }
  for (guint i = 0; i < parts->len; i++) {
    const PenPart *part = &g_array_index (parts, PenPart, i);
    const PenTenure *tenure = g_hash_table_lookup (by_id, GUINT_TO_POINTER (part->tenure));
    PenHolder holder = { MAX (start, part->start), MIN (end, part->end), { 0 } };

    if (tenure == NULL || holder.start >= holder.end || pen_moment_compare (part->from, moment) >= 0
        || pen_moment_compare (moment, part->to) > 0)
      continue;
    holder.tenure = *tenure;
    g_array_append_val (live, holder);
  }
  return live;
}

static int
compare_addresses (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a;
  guint64 y = *(const guint64 *) b;

  return x < y ? -1 : x > y;
}

/* Where one of the live ones begins or ends, and the ends of the range. */
static GArray *
list_bounds (const GArray *live, guint64 start, guint64 end)
{
  GArray *bounds = g_array_new (FALSE, FALSE, sizeof (guint64));

  g_array_append_val (bounds, start);
  g_array_append_val (bounds, end);
  for (guint i = 0; i < live->len; i++) {
    const PenHolder *holder = &g_array_index (live, PenHolder, i);

    g_array_append_val (bounds, holder->start);
    g_array_append_val (bounds, holder->end);
  }
  g_array_sort (bounds, compare_addresses);
  return bounds;
}

static int
compare_holders (gconstpointer a, gconstpointer b)
{
  const PenHolder *x = a;
  const PenHolder *y = b;
  guint64 x_start = x->tenure.start;
  guint64 y_start = y->tenure.start;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x_start != y_start)
    return x_start < y_start ? -1 : 1;
  return pen_moment_compare (x->tenure.from, y->tenure.from);
}

/* As addresses ascend: those of each layer that began, the one that began last on top. Below it
 * some may have ended; they are thrown away when they come up. */
typedef struct {
  GArray *live; /* PenHolder, sorted */
  guint next;
  GPtrArray *layers[2];
} Climb;

static const PenHolder *
get_top (GPtrArray *layer, guint64 address)
{
  while (layer->len > 0) {
    const PenHolder *top = layer->pdata[layer->len - 1];

    if (top->end > address)
      return top;
    g_ptr_array_set_size (layer, (int) layer->len - 1);
  }
  return NULL;
}

/* Ksymbols lie over maps; among them the one that starts nearest below wins (K3). */
static PenTenure
climb_to (Climb *climb, guint64 address)
{
  const PenHolder *top;

  for (; climb->next < climb->live->len; climb->next++) {
    PenHolder *holder = &g_array_index (climb->live, PenHolder, climb->next);

    if (holder->start > address)
      break;
    g_ptr_array_add (climb->layers[holder->tenure.layer == PEN_LAYER_KSYMBOL], holder);
  }
  top = get_top (climb->layers[1], address);
  if (top == NULL)
    top = get_top (climb->layers[0], address);
  return top != NULL ? top->tenure : (PenTenure){ .occupant = "" };
}

GArray *
pen_query_find_holders (PenQuery *self, guint32 space, guint64 start, guint64 end, PenMoment moment,
                        GError **error)
{
  g_autoptr (GArray) tenures = pen_store_load_tenures (self->store, space, start, end, error);
  g_autoptr (GArray) parts = NULL;
  g_autoptr (GArray) live = NULL;
  g_autoptr (GArray) bounds = NULL;
  GArray *holders;
  Climb climb;

  if (tenures == NULL)
    return NULL;
  parts = pen_store_load_parts (self->store, space, start, end, error);
  if (parts == NULL)
    return NULL;
  live = collect_live (tenures, parts, start, end, moment);
  g_array_sort (live, compare_holders);
  bounds = list_bounds (live, start, end);
  climb = (Climb){ live, 0, { g_ptr_array_new (), g_ptr_array_new () } };
  holders = g_array_new (FALSE, FALSE, sizeof (PenHolder));
  for (guint i = 0; i + 1 < bounds->len; i++) {
    guint64 from = g_array_index (bounds, guint64, i);
    PenHolder holder = { from, g_array_index (bounds, guint64, i + 1), climb_to (&climb, from) };
    PenHolder *last
        = holders->len > 0 ? &g_array_index (holders, PenHolder, holders->len - 1) : NULL;

    if (holder.start == holder.end)
      continue;
    if (last != NULL && last->tenure.id == holder.tenure.id)
      last->end = holder.end;
    else
      g_array_append_val (holders, holder);
  }
  g_ptr_array_unref (climb.layers[0]);
  g_ptr_array_unref (climb.layers[1]);
  return holders;
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
