/* pen-query-pair.c: two recordings: what got slower
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-pair.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "pen-pair-key.h"
#include "pen-pair-side.h"
#include "pen-pair-test.h"
#include "pen-pair-texts.h"
#include "pen-query-functions.h"
#include "pen-query-private.h"
#include "pen-table-hash.h"

static const char *const verdict_words[PEN_PAIR_VERDICTS] = {
  [PEN_PAIR_UNSURE] = "", [PEN_PAIR_SLOWER] = "slower", [PEN_PAIR_FASTER] = "faster",
  [PEN_PAIR_NEW] = "new", [PEN_PAIR_GONE] = "gone",
};

static const char *const text_words[PEN_PAIR_TEXTS] = {
  [PEN_PAIR_TEXT_NONE] = "",           [PEN_PAIR_TEXT_UNKNOWN] = "unknown",
  [PEN_PAIR_TEXT_SAME] = "same",       [PEN_PAIR_TEXT_PATCHED] = "patched",
  [PEN_PAIR_TEXT_DIFFERS] = "differs",
};

const char *
pen_pair_text_state_to_string (PenPairTextState state)
{
  g_return_val_if_fail (state < PEN_PAIR_TEXTS, NULL);
  return text_words[state];
}

const char *
pen_pair_verdict_to_string (PenPairVerdict verdict)
{
  g_return_val_if_fail (verdict < PEN_PAIR_VERDICTS, NULL);
  return verdict_words[verdict];
}

static void
free_row (gpointer data)
{
  PenPairRow *row = data;

  if (!row)
    return;
  g_array_unref (row->functions[0]);
  g_array_unref (row->functions[1]);
  g_free (row->found[0]);
  g_free (row->found[1]);
  g_free (row);
}

void
pen_pairs_free (PenPairs *self)
{
  if (!self)
    return;
  for (guint i = 0; i < 2; i++) {
    g_free (self->sides[i].sampling);
    g_free (self->sides[i].release);
  }
  g_ptr_array_unref (self->rows);
  g_array_unref (self->sites);
  pen_names_free (self->strings);
  g_free (self);
}

/* ---- which functions are the same ---- */

static PenPairRow *
get_row (PenPairs *self, GHashTable *by_key, const PenPairKey *key, PenKind kind)
{
  PenPairRow *row = g_hash_table_lookup (by_key, key->key->str);

  if (row)
    return row;
  row = g_new0 (PenPairRow, 1);
  row->kind = kind;
  row->occupant = pen_names_add (self->strings, key->occupant->str);
  for (guint i = 0; i < 2; i++)
    row->functions[i] = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_ptr_array_add (self->rows, row);
  g_hash_table_insert (by_key, g_strdup (key->key->str), row);
  return row;
}

/* @functions: (element-type PenFunctionRow): most samples first */
static gboolean
add_functions (PenPairs *self, guint side, GHashTable *by_key, const GArray *functions,
               const PenPairPrograms *programs, PenStore *store, GError **error)
{
  g_auto (PenPairKey) key;

  pen_pair_key_init (&key);
  for (guint i = 0; i < functions->len; i++) {
    const PenFunction *function = &g_array_index (functions, PenFunctionRow, i).function;
    PenPairRow *row;

    if (!pen_store_steps_on (store, i, error))
      return FALSE;
    pen_pair_key_set (&key, function, programs);
    row = get_row (self, by_key, &key, function->kind);
    if (function->symbol && !row->symbol)
      row->symbol = pen_names_add (self->strings, key.symbol->str);
    if (!row->symbols[side])
      row->symbols[side] = row->symbol;
    row->occupants[side] = row->occupant;
    row->rates[side].samples += function->samples;
    g_array_append_val (row->functions[side], function->id);
  }
  return TRUE;
}

static gboolean
match (PenPairs *self, const PenPairSource sources[2], GError **error)
{
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (pen_str_hash, g_str_equal, g_free, NULL);
  PenPairPrograms *programs[2] = { NULL, NULL };
  gboolean is_matched = TRUE;

  if (!pen_pair_programs_load_both (sources, programs, error))
    return FALSE;
  for (guint i = 0; i < 2 && is_matched; i++) {
    g_autoptr (PenFilter) all = pen_filter_new ();
    const PenFilter *filter = sources[i].filter ? sources[i].filter : all;
    g_autoptr (GArray) functions = pen_query_functions (sources[i].query, filter, NULL, error);

    is_matched = functions
                 && add_functions (self, i, by_key, functions, programs[i],
                                   pen_query_get_store (sources[i].query), error);
  }
  for (guint i = 0; i < 2; i++)
    pen_pair_programs_free (programs[i]);
  return is_matched;
}

/* ---- what differs ---- */

void
pen_pairs_get_times (const PenPairs *self, double times[2])
{
  times[0] = self->obstacle == PEN_PAIR_COMPARABLE ? self->sides[0].seconds : NAN;
  times[1] = self->sides[1].seconds * self->factor;
}

void
pen_pairs_get_totals (const PenPairs *self, double totals[2])
{
  totals[0] = (double) self->sides[0].samples;
  totals[1] = (double) self->sides[1].samples;
}

void
pen_pairs_get_test_times (const PenPairs *self, double times[2])
{
  if (self->obstacle == PEN_PAIR_COMPARABLE)
    pen_pairs_get_times (self, times);
  else
    pen_pairs_get_totals (self, times);
}

PenPairTest
pen_pair_test (guint64 a, guint64 b, const double times[2], double alpha)
{
  PenPairTest result = { { NAN, NAN, NAN, NAN }, PEN_PAIR_UNSURE, 0 };
  PenRateTest *test = &result.test;

  if (!(times[0] > 0) || !(times[1] > 0))
    return result;
  *test = pen_poisson_compare_at (a, times[0], b, times[1], alpha);
  if (!(test->p < alpha))
    return result;
  if (test->ratio > 1) {
    result.verdict = a == 0 ? PEN_PAIR_NEW : PEN_PAIR_SLOWER;
    result.least = (double) b / times[1] * (1 - 1 / MAX (test->low, 1));
  } else {
    result.verdict = b == 0 ? PEN_PAIR_GONE : PEN_PAIR_FASTER;
    result.least = (double) a / times[0] * (1 - MIN (test->high, 1));
  }
  return result;
}

void
pen_pairs_find_rates (const PenPairs *self, PenRate *rates)
{
  double times[2], totals[2];

  pen_pairs_get_times (self, times);
  pen_pairs_get_totals (self, totals);
  for (guint i = 0; i < 2; i++) {
    rates[i].seconds = isfinite (times[i]) ? times[i] : 0;
    rates[i].lost = 0;
    pen_rate_find_interval (&rates[i]);
    rates[i].share = totals[i] > 0 ? (double) rates[i].samples / totals[i] : NAN;
  }
}

static void
measure_row (const PenPairs *self, PenPairRow *row, const double times[2], const double totals[2])
{
  guint64 a = row->rates[0].samples, b = row->rates[1].samples;

  pen_pairs_find_rates (self, row->rates);
  for (guint i = 0; i < 2; i++) {
    double low, high;

    pen_poisson_interval (row->rates[i].samples, &low, &high);
    row->share_low[i] = totals[i] > 0 ? low / totals[i] : NAN;
    row->share_high[i] = totals[i] > 0 ? MIN (high / totals[i], 1) : NAN;
  }
  row->rate = pen_pair_test (a, b, times, self->alpha);
  row->share = pen_pair_test (a, b, totals, self->alpha);
}

static gboolean
has_samples (const PenPairRow *row)
{
  return row->rates[0].samples + row->rates[1].samples > 0;
}

/* Without samples, a function is of interest if it stands differently. */
static void
drop_alike (PenPairs *self)
{
  guint n = 0;

  for (guint i = 0; i < self->rows->len; i++) {
    PenPairRow *row = self->rows->pdata[i];

    if (has_samples (row) || row->text == PEN_PAIR_TEXT_PATCHED
        || row->text == PEN_PAIR_TEXT_DIFFERS)
      self->rows->pdata[n++] = row;
    else
      free_row (row);
  }
  /* Those that were moved are not freed. */
  for (guint i = n; i < self->rows->len; i++)
    self->rows->pdata[i] = NULL;
  g_ptr_array_set_size (self->rows, (int) n);
}

static guint
count_sampled (const PenPairs *self)
{
  guint n = 0;

  for (guint i = 0; i < self->rows->len; i++)
    n += has_samples (self->rows->pdata[i]);
  return n;
}

static gboolean
measure (PenPairs *self, const PenPairSource sources[2], GError **error)
{
  double times[2], totals[2];
  PenCancelCheck checks[2];

  pen_pairs_get_times (self, times);
  pen_pairs_get_totals (self, totals);
  for (guint i = 0; i < 2; i++)
    checks[i] = pen_query_make_check (sources[i].query);
  self->alpha = PEN_POISSON_ALPHA / MAX (count_sampled (self), 1);
  for (guint i = 0; i < self->rows->len; i++) {
    PenPairRow *row = self->rows->pdata[i];

    /* Its intervals take a thousand times as long as a step. */
    if (!pen_cancel_check_steps (&checks[0], 100) || !pen_cancel_check_steps (&checks[1], 100))
      break;
    measure_row (self, row, times, totals);
    self->n_different += pen_pairs_get_test (self, row)->verdict != PEN_PAIR_UNSURE;
  }
  return pen_query_end_check (sources[0].query, &checks[0], error)
         && pen_query_end_check (sources[1].query, &checks[1], error);
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer pairs)
{
  const PenPairRow *x = *(const PenPairRow *const *) a;
  const PenPairRow *y = *(const PenPairRow *const *) b;
  double least_x = pen_pairs_get_test (pairs, x)->least;
  double least_y = pen_pairs_get_test (pairs, y)->least;
  guint64 samples_x = x->rates[0].samples + x->rates[1].samples;
  guint64 samples_y = y->rates[0].samples + y->rates[1].samples;
  int order;

  if (least_x != least_y)
    return least_x > least_y ? -1 : 1;
  if (samples_x != samples_y)
    return samples_x > samples_y ? -1 : 1;
  order = g_strcmp0 (x->symbol, y->symbol);
  if (order == 0)
    order = strcmp (x->occupant, y->occupant);
  return order != 0 ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

/* @seen: of @names. A program may have thousands of loads, each with a tag in its name. */
static void
add_name (GPtrArray *names, GHashTable *seen, const char *name)
{
  if (g_hash_table_add (seen, (gpointer) name))
    g_ptr_array_add (names, g_strdup (name));
}

PenFilter *
pen_pair_row_new_filter (const PenPairSource *source, const PenPairRow *row, guint side)
{
  g_autoptr (PenFilter) filter
      = source->filter ? pen_filter_copy (source->filter) : pen_filter_new ();
  g_autoptr (GHashTable) symbols = g_hash_table_new (pen_str_hash, g_str_equal);
  g_autoptr (GHashTable) occupants = g_hash_table_new (pen_str_hash, g_str_equal);

  g_clear_pointer (&filter->only.symbols, g_ptr_array_unref);
  g_clear_pointer (&filter->only.occupants, g_ptr_array_unref);
  filter->only.kinds = 1u << row->kind;
  filter->only.symbols = g_ptr_array_new_with_free_func (g_free);
  filter->only.occupants = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < row->functions[side]->len; i++) {
    guint32 id = g_array_index (row->functions[side], guint32, i);
    const PenFunction *function = pen_query_get_function (source->query, id);

    if (!function->symbol)
      return NULL;
    add_name (filter->only.symbols, symbols, function->symbol);
    add_name (filter->only.occupants, occupants, function->occupant);
  }
  return g_steal_pointer (&filter);
}

/* ---- by name ---- */

static gboolean
is_called (const PenPairRow *row, const PenPairSource sources[2], const char *symbol)
{
  if (g_strcmp0 (row->symbol, symbol) == 0 || g_strcmp0 (row->symbols[1], symbol) == 0)
    return TRUE;
  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < row->functions[side]->len; i++) {
      guint32 id = g_array_index (row->functions[side], guint32, i);

      if (g_strcmp0 (pen_query_get_function (sources[side].query, id)->symbol, symbol) == 0)
        return TRUE;
    }
  return FALSE;
}

GPtrArray *
pen_pairs_find (const PenPairs *self, const PenPairSource sources[2], const char *symbol,
                GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  for (guint i = 0; i < self->rows->len; i++)
    if (is_called (self->rows->pdata[i], sources, symbol))
      g_ptr_array_add (found, self->rows->pdata[i]);
  if (found->len > 0)
    return g_steal_pointer (&found);
  g_set_error (error, PEN_QUERY_ERROR, PEN_QUERY_ERROR_NOT_FOUND,
               _ ("no function “%s” has samples in either recording"), symbol);
  return NULL;
}

/* ---- all ---- */

static gboolean
fill (PenPairs *self, const PenPairSource sources[2], GError **error)
{
  PenCancelCheck check = pen_query_make_check (sources[0].query);

  if (!pen_pair_measure_sides (self, sources, error) || !match (self, sources, error)
      || !pen_pair_compare_texts (self, sources, error))
    return FALSE;
  drop_alike (self);
  if (!measure (self, sources, error))
    return FALSE;
  pen_cancel_check_sort (&check, self->rows->pdata, self->rows->len, sizeof (gpointer),
                         compare_rows, self);
  return pen_query_end_check (sources[0].query, &check, error);
}

PenPairs *
pen_query_pair (const PenPairSource sources[2], GError **error)
{
  g_autoptr (PenPairs) self = g_new0 (PenPairs, 1);
  gboolean is_filled;

  self->rows = g_ptr_array_new_with_free_func (free_row);
  self->sites = g_array_new (FALSE, FALSE, sizeof (PenPairSite));
  self->strings = pen_names_new ();
  if (!pen_pair_begin_reading (sources, error))
    return NULL;
  is_filled = fill (self, sources, error);
  pen_pair_end_reading (sources);
  return is_filled ? g_steal_pointer (&self) : NULL;
}
