/* pen-query-pair-causes.c: what stands differently in two recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-pair-causes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "pen-compare.h"
#include "pen-pair-side.h"
#include "pen-pair-silent.h"
#include "pen-pair-standing.h"
#include "pen-pair-test.h"
#include "pen-query-private.h"
#include "pen-store-pokes.h"
#include "pen-table-hash.h"

static const char *const state_words[PEN_PAIR_STAND_STATES] = {
  [PEN_PAIR_STAND_IS_UNKNOWN] = "unknown", [PEN_PAIR_STAND_IS_ABSENT] = "absent",
  [PEN_PAIR_STAND_IS_OFF] = "off",         [PEN_PAIR_STAND_IS_ON] = "on",
  [PEN_PAIR_STAND_IS_BOTH] = "both",
};

static const char *const stand_words[PEN_PAIR_STANDS] = {
  [PEN_PAIR_STAND_SAME] = "",     [PEN_PAIR_STAND_UNKNOWN] = "unknown",
  [PEN_PAIR_STAND_NEW] = "new",   [PEN_PAIR_STAND_GONE] = "gone",
  [PEN_PAIR_STAND_MORE] = "more", [PEN_PAIR_STAND_LESS] = "less",
};

const char *
pen_pair_stand_state_to_string (PenPairStandState state)
{
  g_return_val_if_fail (state < PEN_PAIR_STAND_STATES, NULL);
  return state_words[state];
}

const char *
pen_pair_stand_to_string (PenPairStandVerdict verdict)
{
  g_return_val_if_fail (verdict < PEN_PAIR_STANDS, NULL);
  return stand_words[verdict];
}

const char *
pen_pair_cause_get_word (const PenPairCause *self)
{
  return self->is_program ? "program" : pen_cause_to_string (self->cause);
}

void
pen_pair_causes_free (PenPairCauses *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->rows);
  pen_names_free (self->strings);
  g_free (self);
}

/*
 * @rows: of each side: function id → PenPairRow
 * @functions: PenPairRow that the row's samples are of: a set
 */
typedef struct {
  PenPairCauses *self;
  const PenPairSource *sources;
  const PenPairs *pairs;
  PenPairPrograms *programs[2];
  PenPairThings *things[2];
  PenPairReader *readers[2];
  PenPairStanding standings[2];
  GHashTable *rows[2];
  GHashTable *functions;
} Pairing;

static void
pairing_clear (Pairing *self)
{
  for (guint i = 0; i < 2; i++) {
    pen_pair_standing_clear (&self->standings[i]);
    g_clear_pointer (&self->programs[i], pen_pair_programs_free);
    g_clear_pointer (&self->things[i], pen_pair_things_free);
    g_clear_pointer (&self->readers[i], pen_pair_reader_free);
    g_clear_pointer (&self->rows[i], g_hash_table_unref);
  }
  g_clear_pointer (&self->functions, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pairing, pairing_clear)

static void
list_rows (Pairing *self)
{
  for (guint side = 0; side < 2; side++) {
    self->rows[side] = g_hash_table_new (pen_direct_hash, NULL);
    for (guint i = 0; i < self->pairs->rows->len; i++) {
      PenPairRow *row = self->pairs->rows->pdata[i];

      for (guint k = 0; k < row->functions[side]->len; k++)
        g_hash_table_insert (self->rows[side],
                             GUINT_TO_POINTER (g_array_index (row->functions[side], guint32, k)),
                             row);
    }
  }
  self->functions = g_hash_table_new (pen_direct_hash, NULL);
}

static gboolean
pairing_init (Pairing *self, GError **error)
{
  PenNames *names = self->self->strings;

  if (!pen_pair_programs_load_both (self->sources, self->programs, error))
    return FALSE;
  for (guint i = 0; i < 2; i++) {
    self->things[i] = pen_pair_things_new (&self->sources[i], self->programs[i], names, error);
    self->readers[i]
        = self->things[i] ? pen_pair_reader_new (&self->sources[i], names, error) : NULL;
    if (!self->readers[i])
      return FALSE;
  }
  list_rows (self);
  for (guint i = 0; i < 2; i++)
    if (!pen_pair_standing_init (&self->standings[i], self->things[i], self->things[!i],
                                 self->readers[i], error))
      return FALSE;
  return TRUE;
}

/* ---- samples ---- */

/* @row: whose functions are in @self->functions */
static void
count_samples (Pairing *self, PenPairCause *row)
{
  GHashTableIter iter;
  gpointer function;

  g_hash_table_iter_init (&iter, self->functions);
  while (g_hash_table_iter_next (&iter, &function, NULL)) {
    const PenPairRow *own = function;
    guint64 samples = own->rates[0].samples + own->rates[1].samples;

    for (guint i = 0; i < 2; i++)
      row->rates[i].samples += own->rates[i].samples;
    if (!row->function
        || samples > row->function->rates[0].samples + row->function->rates[1].samples)
      row->function = own;
  }
  g_hash_table_remove_all (self->functions);
}

static void
note_functions (Pairing *self, const PenPairThing *thing, guint side)
{
  for (guint i = 0; i < thing->functions->len; i++) {
    guint32 id = g_array_index (thing->functions, guint32, i);
    gpointer row = g_hash_table_lookup (self->rows[side], GUINT_TO_POINTER (id));

    if (row)
      g_hash_table_add (self->functions, row);
  }
}

/* ---- what differs ---- */

static gboolean
is_ever_on (const PenPairStand *stand)
{
  return stand->state == PEN_PAIR_STAND_IS_ON || stand->state == PEN_PAIR_STAND_IS_BOTH;
}

static gboolean
is_never_on (const PenPairStand *stand)
{
  return !is_ever_on (stand) && !(stand->unknown > 0);
}

/* It may have been on for all of the time of which nothing is known. */
static PenPairStandVerdict
judge (const PenPairStand *a, const PenPairStand *b)
{
  if (a->state == PEN_PAIR_STAND_IS_UNKNOWN || b->state == PEN_PAIR_STAND_IS_UNKNOWN)
    return PEN_PAIR_STAND_UNKNOWN;
  if (is_never_on (a) && is_ever_on (b))
    return PEN_PAIR_STAND_NEW;
  if (is_ever_on (a) && is_never_on (b))
    return PEN_PAIR_STAND_GONE;
  if (b->on - (a->on + a->unknown) >= PEN_PAIR_STAND_LEAST)
    return PEN_PAIR_STAND_MORE;
  if (a->on - (b->on + b->unknown) >= PEN_PAIR_STAND_LEAST)
    return PEN_PAIR_STAND_LESS;
  return is_ever_on (a) == is_ever_on (b) ? PEN_PAIR_STAND_SAME : PEN_PAIR_STAND_UNKNOWN;
}

static PenPairCause *
add_row (Pairing *self, PenCause cause, const char *name)
{
  PenPairCause *row = g_new0 (PenPairCause, 1);

  row->cause = cause;
  row->name = name;
  g_ptr_array_add (self->self->rows, row);
  return row;
}

static void
set_place (PenPairCause *row, const PenPairThing *thing)
{
  const PenPairSpot *first = NULL;

  for (guint i = 0; i < thing->spots->len; i++) {
    const PenPairSpot *spot = &g_array_index (thing->spots, PenPairSpot, i);

    /* That of a trampoline is where it is called from. */
    if (!first || (!first->own_symbol && spot->own_symbol))
      first = spot;
  }
  if (!first)
    return;
  row->symbol = first->symbol;
  row->offset = first->offset;
  row->kind = first->kind;
  row->occupant = first->occupant;
}

/* @a, @b: (nullable): one of them is known */
static gboolean
add_things (Pairing *self, const PenPairThing *a, const PenPairThing *b, GError **error)
{
  const PenPairThing *things[] = { a, b };
  /* A name is better than a place. */
  const PenPairThing *own = a && (!b || !a->is_place || b->is_place) ? a : b;
  PenPairCause *row = add_row (self, own->cause, own->name);

  row->is_program = own->is_program;
  row->detail = a && a->detail ? a->detail : b ? b->detail : NULL;
  row->purpose = a && a->purpose ? a->purpose : b ? b->purpose : NULL;
  if (own->is_program)
    row->kind = PEN_KIND_BPF;
  set_place (row, own);
  for (guint i = 0; i < 2; i++) {
    if (things[i]) {
      row->stands[i] = things[i]->stand;
      note_functions (self, things[i], i);
    } else if (!pen_pair_standing_read (&self->standings[i], own, &row->stands[i], error)) {
      return FALSE;
    }
  }
  count_samples (self, row);
  row->verdict = judge (&row->stands[0], &row->stands[1]);
  return TRUE;
}

/* ---- which are the same ---- */

/* Keys and calls of which one recording has no name, by a place that is no other thing's. */
static PenPairThing *
find_by_place (Pairing *self, const PenPairThing *thing)
{
  if (thing->cause != PEN_CAUSE_STATIC_KEY && thing->cause != PEN_CAUSE_STATIC_CALL)
    return NULL;
  for (guint i = 0; i < thing->spots->len; i++) {
    const char *place = pen_pair_spot_get_place (&g_array_index (thing->spots, PenPairSpot, i),
                                                 thing->cause, self->self->strings);
    PenPairThing *other = place ? g_hash_table_lookup (self->things[1]->by_place, place) : NULL;

    if (other && (other->is_place || thing->is_place)
        && !g_hash_table_contains (self->things[0]->by_key, other->key))
      return other;
  }
  return NULL;
}

static gboolean
match_things (Pairing *self, GError **error)
{
  g_autoptr (GHashTable) taken = g_hash_table_new (pen_direct_hash, NULL);
  const GPtrArray *a = self->things[0]->things, *b = self->things[1]->things;

  for (guint i = 0; i < a->len; i++) {
    const PenPairThing *thing = a->pdata[i];
    PenPairThing *other = g_hash_table_lookup (self->things[1]->by_key, thing->key);

    if (!other)
      other = find_by_place (self, thing);
    if (other && !g_hash_table_add (taken, other))
      other = NULL;
    if (!add_things (self, thing, other, error))
      return FALSE;
  }
  for (guint i = 0; i < b->len; i++)
    if (!g_hash_table_contains (taken, b->pdata[i]) && !add_things (self, NULL, b->pdata[i], error))
      return FALSE;
  return TRUE;
}

/* ---- what stands differently without a patch ---- */

/* @name: (out): of the key, or who is called, by the patch that one of them has. Strings are the
 * store's */
static gboolean
name_site (Pairing *self, const PenPairSite *site, const char **name, GError **error)
{
  *name = NULL;
  for (guint i = 0; i < 2 && !*name; i++) {
    GError *failure = NULL;
    PenPoke poke;

    if (site->pokes[i] == 0)
      continue;
    if (pen_store_load_poke (pen_query_get_store (self->sources[i].query), site->pokes[i], &poke,
                             &failure)) {
      *name = poke.key ? poke.key : poke.after.user ? poke.after.user : poke.after.target;
    }
    if (failure) {
      g_propagate_error (error, failure);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
is_known_place (Pairing *self, const PenPairSite *site)
{
  if (!site->row->symbol)
    return FALSE;
  for (guint i = 0; i < 2; i++) {
    const PenPairSpot spot = { .occupant = site->row->occupant,
                               .symbol = site->row->symbol,
                               .offset = site->offsets[i],
                               .is_at_entry = pen_pair_is_entry (site->cause, site->offsets[i]) };
    const char *place = pen_pair_spot_get_place (&spot, site->cause, self->self->strings);

    if (g_hash_table_contains (self->things[0]->by_place, place)
        || g_hash_table_contains (self->things[1]->by_place, place))
      return TRUE;
  }
  return FALSE;
}

static gboolean
add_site (Pairing *self, const PenPairSite *site, GError **error)
{
  const PenPairRow *own = site->row;
  g_autofree char *place = NULL;
  const char *name;
  PenPairCause *row;

  if (!name_site (self, site, &name, error))
    return FALSE;
  place = g_strdup_printf ("%s+0x%" PRIx64, own->symbol ? own->symbol : "", site->offsets[0]);
  row = add_row (self, site->cause, pen_names_add (self->self->strings, name ? name : place));
  row->symbol = own->symbol ? pen_names_add (self->self->strings, own->symbol) : NULL;
  row->offset = site->offsets[0];
  row->kind = own->kind;
  row->occupant = pen_names_add (self->self->strings, own->occupant);
  /* Others are of this question alone. */
  if (own->functions[0]->len + own->functions[1]->len > 0)
    g_hash_table_add (self->functions, (gpointer) own);
  count_samples (self, row);
  for (guint i = 0; i < 2; i++) {
    row->stands[i] = pen_pair_standing_make (
        &self->standings[i], site->is_on[i] ? PEN_PAIR_STAND_IS_ON : PEN_PAIR_STAND_IS_OFF);
    row->stands[i].sites = 1;
  }
  row->verdict = judge (&row->stands[0], &row->stands[1]);
  return TRUE;
}

static gboolean
add_sites (Pairing *self, const GArray *sites, GError **error)
{
  for (guint i = 0; i < sites->len; i++) {
    const PenPairSite *site = &g_array_index (sites, PenPairSite, i);
    gboolean is_admitted = TRUE;

    for (guint k = 0; k < 2; k++)
      is_admitted &= pen_filter_admits_cause (self->things[k]->filter, TRUE, site->cause);
    if (is_admitted && !is_known_place (self, site) && !add_site (self, site, error))
      return FALSE;
  }
  return TRUE;
}

/* In functions that have neither samples nor patches. */
static gboolean
add_silent (Pairing *self, GError **error)
{
  g_autoptr (GArray) sites = g_array_new (FALSE, FALSE, sizeof (PenPairSite));
  g_autoptr (GPtrArray) rows
      = pen_pair_find_silent (self->sources, self->pairs, self->readers, sites, error);

  return rows && add_sites (self, sites, error);
}

/* ---- order ---- */

static guint
get_rank (PenPairStandVerdict verdict)
{
  return verdict == PEN_PAIR_STAND_SAME ? 2 : verdict == PEN_PAIR_STAND_UNKNOWN;
}

static double
get_difference (const PenPairCause *row)
{
  double difference = row->stands[1].on - row->stands[0].on;

  return isfinite (difference) ? fabs (difference) : 0;
}

static int
compare_rows (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer user_data)
{
  const PenPairCause *x = *(const PenPairCause *const *) a;
  const PenPairCause *y = *(const PenPairCause *const *) b;
  guint64 samples_x = x->rates[0].samples + x->rates[1].samples;
  guint64 samples_y = y->rates[0].samples + y->rates[1].samples;
  int order;

  if (get_rank (x->verdict) != get_rank (y->verdict))
    return PEN_COMPARE (get_rank (x->verdict), get_rank (y->verdict));
  if (samples_x != samples_y)
    return samples_x > samples_y ? -1 : 1;
  if (get_difference (x) != get_difference (y))
    return get_difference (x) > get_difference (y) ? -1 : 1;
  order = strcmp (pen_pair_cause_get_word (x), pen_pair_cause_get_word (y));
  if (order == 0)
    order = strcmp (x->name, y->name);
  if (order == 0)
    order = g_strcmp0 (x->symbol, y->symbol);
  return order != 0 ? order : PEN_COMPARE (x->offset, y->offset);
}

/* ---- all ---- */

static gboolean
measure (Pairing *self, GError **error)
{
  PenCancelCheck check = pen_query_make_check (self->sources[0].query);
  GPtrArray *rows = self->self->rows;
  double times[2];
  guint n = 0;

  for (guint i = 0; i < rows->len; i++) {
    const PenPairCause *row = rows->pdata[i];

    n += row->rates[0].samples + row->rates[1].samples > 0;
    self->self->n_different += get_rank (row->verdict) == 0;
  }
  self->self->alpha = PEN_POISSON_ALPHA / MAX (n, 1);
  pen_pairs_get_test_times (self->pairs, times);
  for (guint i = 0; i < rows->len && pen_cancel_check_steps (&check, 100); i++) {
    PenPairCause *row = rows->pdata[i];

    pen_pairs_find_rates (self->pairs, row->rates);
    row->test
        = pen_pair_test (row->rates[0].samples, row->rates[1].samples, times, self->self->alpha);
  }
  pen_cancel_check_sort (&check, rows->pdata, rows->len, sizeof (gpointer), compare_rows, NULL);
  return pen_query_end_check (self->sources[0].query, &check, error);
}

PenPairCauses *
pen_query_pair_causes (const PenPairSource sources[2], const PenPairs *pairs, GError **error)
{
  g_autoptr (PenPairCauses) self = g_new0 (PenPairCauses, 1);
  g_auto (Pairing) pairing = { .self = self, .sources = sources, .pairs = pairs };
  gboolean is_filled;

  self->rows = g_ptr_array_new_with_free_func (g_free);
  self->strings = pen_names_new ();
  if (!pen_pair_begin_reading (sources, error))
    return NULL;
  is_filled = pairing_init (&pairing, error) && match_things (&pairing, error)
              && add_sites (&pairing, pairs->sites, error) && add_silent (&pairing, error);
  pen_pair_end_reading (sources);
  return is_filled && measure (&pairing, error) ? g_steal_pointer (&self) : NULL;
}
