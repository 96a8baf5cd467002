/* pen-query-cost.c: samples of each detour, and of each BPF program
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-cost.h"

#include <math.h>
#include <string.h>

#include "pen-detour-counts.h"
#include "pen-program-cost.h"

static const char *const grouping_words[PEN_COST_GROUPINGS] = { "site", "cause", "program" };

const char *
pen_cost_grouping_to_string (PenCostGrouping grouping)
{
  g_return_val_if_fail (grouping < PEN_COST_GROUPINGS, NULL);
  return grouping_words[grouping];
}

gboolean
pen_cost_grouping_from_string (const char *word, PenCostGrouping *grouping)
{
  for (guint i = 0; i < PEN_COST_GROUPINGS; i++) {
    if (g_strcmp0 (word, grouping_words[i]) == 0) {
      *grouping = i;
      return TRUE;
    }
  }
  return FALSE;
}

static void
clear_row (gpointer data)
{
  g_free (((PenCostRow *) data)->metadata);
}

PenCostTable *
pen_cost_table_new (void)
{
  PenCostTable *self = g_new0 (PenCostTable, 1);

  self->rows = g_array_new (FALSE, TRUE, sizeof (PenCostRow));
  g_array_set_clear_func (self->rows, clear_row);
  return self;
}

void
pen_cost_table_free (PenCostTable *self)
{
  g_array_unref (self->rows);
  g_free (self);
}

/* ---- counting ---- */

/* @rows: of the table, plus one: of each site and cause, in turn; then of each cause alone */
typedef struct {
  PenCostTable *table;
  PenQuery *query;
  const PenPokeSites *sites;
  gboolean has_sites;
  guint32 *rows;
} Counting;

/* @poke: G_MAXUINT: not known */
static guint
get_slot (const Counting *counting, guint poke, PenCause cause)
{
  guint site = counting->has_sites && poke != G_MAXUINT ? counting->sites->site_of[poke]
                                                        : counting->sites->n_sites;

  return site * PEN_CAUSES + cause;
}

static PenCostRow *
add_row (Counting *counting, guint index, PenCause cause)
{
  GArray *rows = counting->table->rows;
  PenCostRow *row;

  g_array_set_size (rows, rows->len + 1);
  row = &g_array_index (rows, PenCostRow, rows->len - 1);
  row->cause = cause;
  row->function = G_MAXUINT32;
  row->previous = G_MAXUINT;
  row->seconds = row->rate = row->low = row->high = NAN;
  if (counting->has_sites && index != G_MAXUINT) {
    const PenPoke *poke = pen_poke_sites_get (counting->sites, index);
    const PenFunction *function = pen_query_get_function (counting->query, poke->function);

    row->has_site = TRUE;
    row->address = poke->address;
    row->tenure = poke->tenure;
    if (function && function->symbol) {
      row->function = function->id;
      row->symbol = function->symbol;
      row->offset = poke->address - function->start;
    }
  }
  return row;
}

static void
add_count (Counting *counting, guint poke, PenCause cause, const PenDetourCount *found)
{
  PenCostTable *table = counting->table;
  guint slot = get_slot (counting, poke, cause);
  PenCostRow *row;

  if (!found || found->count.samples == 0)
    return;
  if (counting->rows[slot] == 0) {
    add_row (counting, poke, cause);
    counting->rows[slot] = table->rows->len;
  }
  row = &g_array_index (table->rows, PenCostRow, counting->rows[slot] - 1);
  row->count.samples += found->count.samples;
  row->count.period += found->count.period;
  for (guint i = 0; i < PEN_COST_PARTS; i++)
    row->parts[i] += found->parts[i];
  row->own += found->parts[PEN_COST_TRAMPOLINE];
  table->detours.samples += found->count.samples;
  table->detours.period += found->count.period;
}

static void
add_counts (Counting *counting, const PenDetourCounts *counts)
{
  counting->table->total = counts->total;
  for (guint i = 0; i < counting->sites->pokes->len; i++)
    add_count (counting, i, pen_poke_sites_get (counting->sites, i)->cause,
               pen_detour_counts_get (counts, i));
  for (guint i = 0; i < PEN_CAUSES; i++)
    add_count (counting, G_MAXUINT, i, &counts->without_site[i]);
}

/* ---- how long a site led there ---- */

/* From each patch of the cause to the next patch of that site, within [@from, @to]; a site that led
 * there before its first patch did so from the beginning. */
static void
find_seconds (const PenPokeSites *sites, guint site, PenCostRow *row, guint64 from, guint64 to)
{
  guint64 sum = 0;

  for (guint i = sites->starts[site]; i < sites->starts[site + 1]; i++) {
    const PenPoke *poke = pen_poke_sites_get (sites, sites->order[i]);
    guint64 end = to;

    if (poke->cause != row->cause)
      continue;
    if (i == sites->starts[site] && pen_poke_ends_detour (poke) && poke->time > from)
      sum += MIN (poke->time, to) - from;
    if (!pen_poke_is_detour (poke))
      continue;
    if (i + 1 < sites->starts[site + 1])
      end = MIN (end, pen_poke_sites_get (sites, sites->order[i + 1])->time);
    row->user = poke->after.user ? poke->after.user : poke->key;
    if (end > MAX (poke->time, from))
      sum += end - MAX (poke->time, from);
  }
  row->seconds = (double) sum / 1e9;
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const PenCostRow *x = a;
  const PenCostRow *y = b;

  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  if (x->cause != y->cause)
    return x->cause < y->cause ? -1 : 1;
  return x->address < y->address ? -1 : x->address > y->address;
}

/* Sites that led to a detour in the stretch and have no samples there cost nothing that was seen:
 * they are rows, too. */
static void
add_idle_sites (Counting *counting, guint64 from, guint64 to)
{
  const PenPokeSites *sites = counting->sites;

  for (guint site = 0; site < sites->n_sites; site++) {
    for (guint i = sites->starts[site]; i < sites->starts[site + 1]; i++) {
      const PenPoke *poke = pen_poke_sites_get (sites, sites->order[i]);
      guint slot = get_slot (counting, sites->order[i], poke->cause);
      PenCostRow row = { .cause = poke->cause };

      if (!pen_poke_is_detour (poke) || counting->rows[slot] != 0)
        continue;
      find_seconds (sites, site, &row, from, to);
      if (row.seconds > 0) {
        add_row (counting, sites->order[i], poke->cause);
        counting->rows[slot] = counting->table->rows->len;
      }
    }
  }
}

static void
finish_rows (Counting *counting, guint64 from, guint64 to)
{
  PenCostTable *table = counting->table;

  if (counting->has_sites)
    add_idle_sites (counting, from, to);
  for (guint slot = 0; slot < (counting->sites->n_sites + 1) * PEN_CAUSES; slot++) {
    PenCostRow *row;

    if (counting->rows[slot] == 0)
      continue;
    row = &g_array_index (table->rows, PenCostRow, counting->rows[slot] - 1);
    if (row->has_site)
      find_seconds (counting->sites, slot / PEN_CAUSES, row, from, to);
    pen_cost_row_weigh (row, table, counting->query);
  }
  g_array_sort (table->rows, compare_rows);
}

static PenCostTable *
count_detours (PenStackIndex *index, const PenMatcher *matcher, gboolean has_sites, guint64 from,
               guint64 to, GError **error)
{
  g_autoptr (PenCostTable) table = pen_cost_table_new ();
  g_autoptr (PenPokeSites) sites = pen_poke_sites_new (index->query, error);
  g_autoptr (PenDetourCounts) counts
      = sites ? pen_detour_counts_new (index, sites, matcher, from, to, error) : NULL;
  g_autofree guint32 *rows = NULL;
  Counting counting
      = { .table = table, .query = index->query, .sites = sites, .has_sites = has_sites };
  guint64 first, last;

  if (!counts)
    return NULL;
  counting.rows = rows = g_new0 (guint32, ((gsize) sites->n_sites + 1) * PEN_CAUSES);
  add_counts (&counting, counts);
  /* No time is asked for: that of the samples. */
  if (pen_query_get_sample_time_range (index->query, &first, &last)) {
    from = MAX (from, first);
    to = MAX (MIN (to, last), from);
  }
  finish_rows (&counting, from, to);
  return g_steal_pointer (&table);
}

PenCostTable *
pen_query_cost (PenQuery *self, const PenFilter *filter, PenCostGrouping grouping, GError **error)
{
  g_autoptr (PenMatcher) matcher = pen_matcher_new (self, filter, error);
  guint64 from = matcher && matcher->asks_time ? matcher->filter->from : 0;
  guint64 to = matcher && matcher->asks_time ? matcher->filter->to : G_MAXUINT64;
  PenStackIndex *index;

  if (!matcher)
    return NULL;
  index = pen_stack_index_get (self, PEN_STACK_BY_FUNCTION, error);
  if (!index)
    return NULL;
  if (grouping == PEN_COST_BY_PROGRAM)
    return pen_program_cost_count (index, matcher, from, to, error);
  return count_detours (index, matcher, grouping == PEN_COST_BY_SITE, from, to, error);
}
