/* pen-filter-doubts.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-filter-doubts.h"

#include <glib/gi18n-lib.h>

#include "pen-filter-private.h"
#include "pen-near-words.h"
#include "pen-occupant-count.h"
#include "pen-query-private.h"
#include "pen-store-occupants.h"
#include "pen-store-records.h"

/* A value that is looked for among those of the capture. */
typedef struct {
  const char *value;
  PenNearWords *near; /* NULL: it only has to be found */
  gboolean is_found;
} Search;

/* Does it go on? */
static gboolean
look_at (Search *search, const char *word, guint64 weight)
{
  if (!word || *word == '\0')
    return TRUE;
  search->is_found = g_str_equal (search->value, word);
  if (search->near)
    pen_near_words_offer (search->near, word, weight);
  return !search->is_found;
}

static void
search_functions (PenQuery *query, PenFilterPart part, Search *search)
{
  gboolean goes_on = TRUE;

  for (guint i = 0; i < query->n_functions && goes_on; i++) {
    const PenFunction *function = &query->functions[i];

    goes_on = look_at (search, part == PEN_FILTER_SYMBOL ? function->symbol : function->occupant,
                       function->samples);
  }
}

static gboolean
look_at_tenure (const PenTenure *tenure, guint64 samples, guint64 period G_GNUC_UNUSED,
                guint64 changes G_GNUC_UNUSED, gpointer user_data)
{
  return look_at (user_data, tenure->occupant, samples);
}

/* Functions without samples or changes are left out. */
static gboolean
search_tenures (PenQuery *query, Search *search, GError **error)
{
  g_autoptr (PenFilter) all = pen_filter_new ();
  g_autoptr (PenMatcher) matcher = pen_matcher_new (query, all, error);

  return matcher && pen_query_foreach_occupant (query, matcher, look_at_tenure, search, error);
}

static gboolean
search_words (PenQuery *query, PenFilterPart part, Search *search, GError **error)
{
  gboolean goes_on = TRUE;

  switch ((guint) part) {
  case PEN_FILTER_COMM:
    for (guint i = 0; i < query->n_threads && goes_on; i++)
      goes_on = look_at (search, query->threads[i].comm, 0);
    return TRUE;
  case PEN_FILTER_EVENT:
    for (guint i = 0; i < query->events->len && goes_on; i++)
      goes_on = look_at (search, ((PenStoreEvent *) query->events->pdata[i])->name, 0);
    return TRUE;
  case PEN_FILTER_OCCUPANT:
    search_functions (query, part, search);
    return search->is_found || search_tenures (query, search, error);
  default:
    search_functions (query, part, search);
    return TRUE;
  }
}

static gboolean
doubt_word (PenQuery *query, PenFilterPart part, const char *value, GPtrArray *doubts,
            GError **error)
{
  g_autoptr (PenNearWords) near = pen_near_words_new (value);
  Search search = { value, NULL, FALSE };
  g_autofree char *words = NULL;

  /* The empty name is always known. */
  if (*value == '\0')
    return TRUE;
  if (!search_words (query, part, &search, error))
    return FALSE;
  if (search.is_found)
    return TRUE;
  search.near = near;
  if (!search_words (query, part, &search, error))
    return FALSE;
  words = pen_near_words_list (near);
  /* Translators: part of a filter ("comm"), its value, similar ones */
  g_ptr_array_add (doubts, words ? g_strdup_printf (_ ("no %s is “%s”; similar: %s"),
                                                    pen_filter_part_to_string (part), value, words)
                                 : g_strdup_printf (_ ("no %s is “%s”"),
                                                    pen_filter_part_to_string (part), value));
  return TRUE;
}

static gboolean
has_task (PenQuery *query, PenFilterPart part, gint32 number)
{
  for (guint i = 0; i < query->n_threads; i++) {
    const PenThread *thread = &query->threads[i];

    if (thread->has_task && (part == PEN_FILTER_PID ? thread->pid : thread->tid) == number)
      return TRUE;
  }
  return FALSE;
}

static gboolean
doubt_values (PenQuery *query, PenFilterValues *values, GPtrArray *doubts, GError **error)
{
  static const PenFilterPart named[]
      = { PEN_FILTER_COMM, PEN_FILTER_EVENT, PEN_FILTER_OCCUPANT, PEN_FILTER_SYMBOL };
  static const PenFilterPart tasks[] = { PEN_FILTER_PID, PEN_FILTER_TID };

  for (guint n = 0; n < G_N_ELEMENTS (tasks); n++) {
    const GArray *numbers = *pen_filter_values_get_numbers (values, tasks[n]);

    for (guint i = 0; numbers && i < numbers->len; i++) {
      gint32 number = g_array_index (numbers, gint32, i);

      if (!has_task (query, tasks[n], number))
        g_ptr_array_add (doubts, g_strdup_printf (_ ("no %s is %d"),
                                                  pen_filter_part_to_string (tasks[n]), number));
    }
  }
  for (guint n = 0; n < G_N_ELEMENTS (named); n++) {
    const GPtrArray *words = *pen_filter_values_get_words (values, named[n]);

    for (guint i = 0; words && i < words->len; i++) {
      if (!doubt_word (query, named[n], words->pdata[i], doubts, error))
        return FALSE;
    }
  }
  return TRUE;
}

typedef struct {
  PenFilterPart part;
  gint32 number;
  gboolean is_found;
} IdSearch;

static gboolean
look_for_id (const PenTenure *tenure, gpointer user_data)
{
  IdSearch *search = user_data;

  search->is_found
      = (search->part == PEN_FILTER_BPF ? tenure->bpf_id : tenure->id) == (guint32) search->number;
  return !search->is_found;
}

static gboolean
doubt_ids (PenQuery *query, PenFilterValues *values, GPtrArray *doubts, GError **error)
{
  static const PenFilterPart parts[] = { PEN_FILTER_BPF, PEN_FILTER_TENURE };

  for (guint n = 0; n < G_N_ELEMENTS (parts); n++) {
    const GArray *numbers = *pen_filter_values_get_numbers (values, parts[n]);

    for (guint i = 0; numbers && i < numbers->len; i++) {
      IdSearch search = { parts[n], g_array_index (numbers, gint32, i), FALSE };

      if (!pen_store_foreach_tenure (query->store, TRUE, look_for_id, &search, error))
        return FALSE;
      if (!search.is_found)
        g_ptr_array_add (doubts,
                         g_strdup_printf (_ ("no %s is %d"),
                                          pen_filter_part_to_string (search.part), search.number));
    }
  }
  return TRUE;
}

static gboolean
asks_names (const PenFilter *filter)
{
  return pen_filter_asks (filter, PEN_FILTER_PID) || pen_filter_asks (filter, PEN_FILTER_TID)
         || pen_filter_asks (filter, PEN_FILTER_COMM) || pen_filter_asks (filter, PEN_FILTER_EVENT)
         || pen_filter_asks (filter, PEN_FILTER_OCCUPANT)
         || pen_filter_asks (filter, PEN_FILTER_SYMBOL) || pen_filter_asks_tenures (filter);
}

GPtrArray *
pen_filter_list_doubts (const PenFilter *filter, PenQuery *query, GError **error)
{
  g_autoptr (GPtrArray) doubts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (PenFilter) copy = NULL;

  if (!asks_names (filter))
    return g_steal_pointer (&doubts);
  copy = pen_filter_copy (filter);
  if (!pen_query_load (query, error) || !pen_query_load_threads (query, error)
      || !doubt_values (query, &copy->only, doubts, error)
      || !doubt_values (query, &copy->none, doubts, error)
      || !doubt_ids (query, &copy->only, doubts, error)
      || !doubt_ids (query, &copy->none, doubts, error))
    return NULL;
  return g_steal_pointer (&doubts);
}
