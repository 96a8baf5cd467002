/* test-change-list.c: changes, sorted, searched and read by the page
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-query-change-list.h"
#include "pen-query-resolve.h"
#include "query-fixture.h"

static PenChangeList *
list_changes (QueryFixture *fixture, PenChangeOrder order)
{
  g_autoptr (GError) error = NULL;
  PenChangeList *list = pen_query_list_changes (fixture->query, NULL, &order, &error);

  g_assert_no_error (error);
  return list;
}

static GPtrArray *
load (QueryFixture *fixture, const PenChangeList *list)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *rows = pen_query_load_changes (fixture->query, (const guint32 *) list->ids->data,
                                            list->ids->len, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, ==, list->ids->len);
  return rows;
}

static const PenChange *
get (GPtrArray *rows, guint i)
{
  return &((const PenChangeRow *) rows->pdata[i])->change;
}

static void
test_time (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenChangeList) list = list_changes (fixture, (PenChangeOrder){ 0 });
  g_autoptr (PenChangeList) reversed
      = list_changes (fixture, (PenChangeOrder){ .is_descending = TRUE });
  g_autoptr (GPtrArray) rows = load (fixture, list);
  g_autoptr (GPtrArray) backwards = load (fixture, reversed);

  g_assert_cmpuint (list->ids->len, ==, list->total);
  for (guint i = 1; i < rows->len; i++)
    g_assert_cmpint (pen_moment_compare (get (rows, i - 1)->moment, get (rows, i)->moment), <=, 0);
  for (guint i = 0; i < rows->len; i++)
    g_assert_cmpuint (get (rows, i)->id, ==, get (backwards, rows->len - 1 - i)->id);
}

/* The pokes of alpha: two, at 2000 and 4000, with the function that they are in. */
static void
test_scope (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenChangeList) patches
      = list_changes (fixture, (PenChangeOrder){ .scope = PEN_CHANGE_SCOPE_PATCHES });
  g_autoptr (PenChangeList) programs
      = list_changes (fixture, (PenChangeOrder){ .scope = PEN_CHANGE_SCOPE_PROGRAMS });
  g_autoptr (PenChangeList) text
      = list_changes (fixture, (PenChangeOrder){ .scope = PEN_CHANGE_SCOPE_TEXT });
  g_autoptr (PenChangeList) maps
      = list_changes (fixture, (PenChangeOrder){ .scope = PEN_CHANGE_SCOPE_MAPS });
  g_autoptr (GPtrArray) rows = load (fixture, patches);
  const PenChangeRow *row = rows->pdata[0];
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) alpha = pen_query_find_functions (fixture->query, "alpha", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, ==, 2);
  g_assert_cmpuint (get (rows, 0)->time, ==, 2000);
  g_assert_cmpuint (get (rows, 1)->time, ==, 4000);
  g_assert_true (row->has_function);
  g_assert_cmpuint (row->function, ==, g_array_index (alpha, guint32, 0));
  g_assert_cmpuint (programs->ids->len, ==, 3);
  g_assert_cmpuint (patches->ids->len + programs->ids->len + maps->ids->len, ==, patches->total);
  /* Programs that were there from the start are none of these. */
  g_assert_cmpuint (text->ids->len, ==, patches->ids->len + programs->ids->len);
}

/* Some of them, in any order: they are sorted as all are. */
static void
test_some (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenChangeList) patches
      = list_changes (fixture, (PenChangeOrder){ .scope = PEN_CHANGE_SCOPE_PATCHES });
  g_autoptr (GError) error = NULL;
  const guint32 *ids = (const guint32 *) (gpointer) patches->ids->data;
  const guint32 swapped[] = { ids[1], ids[0] };
  const PenChangeOrder order = { .is_descending = TRUE };
  g_autoptr (PenChangeList) all
      = pen_query_list_changes_of (fixture->query, &(PenChangeOrder){ 0 }, swapped, 2, &error);
  g_autoptr (PenChangeList) one
      = pen_query_list_changes_of (fixture->query, &order, swapped, 1, &error);
  g_autoptr (PenChangeList) none = pen_query_list_changes_of (
      fixture->query, &(PenChangeOrder){ .scope = PEN_CHANGE_SCOPE_MAPS }, swapped, 2, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (all->ids->data, 2 * sizeof *ids, ids, 2 * sizeof *ids);
  g_assert_cmpuint (one->ids->len, ==, 1);
  g_assert_cmpuint (g_array_index (one->ids, guint32, 0), ==, ids[1]);
  g_assert_cmpuint (none->ids->len, ==, 0);
  g_assert_cmpuint (all->total, ==, patches->total);
}

static void
test_search_and_sort (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenChangeList) named = list_changes (fixture, (PenChangeOrder){ .search = "ALPHA" });
  g_autoptr (PenChangeList) none = list_changes (fixture, (PenChangeOrder){ .search = "omega" });
  g_autoptr (PenChangeList) at
      = list_changes (fixture, (PenChangeOrder){ .search = "0xffffffffc0000ff8" });
  g_autoptr (PenChangeList) by_address = list_changes (
      fixture, (PenChangeOrder){ .sort = PEN_CHANGE_SORT_ADDRESS, .is_descending = TRUE });
  g_autoptr (PenChangeList) by_place
      = list_changes (fixture, (PenChangeOrder){ .sort = PEN_CHANGE_SORT_PLACE });
  g_autoptr (GPtrArray) addresses = load (fixture, by_address);
  g_autoptr (GPtrArray) places = load (fixture, by_place);

  g_assert_cmpuint (named->ids->len, ==, 2);
  g_assert_cmpuint (none->ids->len, ==, 0);
  g_assert_cmpuint (none->total, >, 0);
  g_assert_cmpuint (at->ids->len, ==, 1);
  for (guint i = 1; i < addresses->len; i++)
    g_assert_cmpuint (get (addresses, i - 1)->address, >=, get (addresses, i)->address);
  for (guint i = 1; i < places->len; i++)
    g_assert_cmpint (g_strcmp0 (get (places, i - 1)->occupant, get (places, i)->occupant), <=, 0);
}

static gboolean
is_shown (const PenChange *change, PenChangeSort sort)
{
  switch (sort) {
  case PEN_CHANGE_SORT_PLACE:
    return change->occupant && change->occupant[0] != '\0';
  case PEN_CHANGE_SORT_CAUSE:
    return change->poke != 0 && change->effect == PEN_POKE_PATCH;
  case PEN_CHANGE_SORT_CPU:
    return change->cpu != G_MAXUINT32;
  case PEN_CHANGE_SORT_TASK:
    return change->has_task;
  default:
    return TRUE;
  }
}

/* Rows that show nothing in that column come last, in either direction. */
static void
test_empty_last (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  guint n_empty = 0;

  for (PenChangeSort sort = 0; sort < PEN_CHANGE_SORTS; sort++) {
    for (guint is_descending = 0; is_descending < 2; is_descending++) {
      g_autoptr (PenChangeList) list = list_changes (
          fixture, (PenChangeOrder){ .sort = sort, .is_descending = is_descending != 0 });
      g_autoptr (GPtrArray) rows = load (fixture, list);

      for (guint i = 1; i < rows->len; i++)
        g_assert_true (is_shown (get (rows, i - 1), sort) || !is_shown (get (rows, i), sort));
      n_empty += !is_shown (get (rows, rows->len - 1), sort);
    }
  }
  g_assert_cmpuint (n_empty, >, 0);
}

/* Groups hold every change once; those of a group are of one batch. */
static void
test_groups (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenChangeList) plain = list_changes (fixture, (PenChangeOrder){ 0 });
  g_autoptr (PenChangeList) list = list_changes (fixture, (PenChangeOrder){ .is_grouped = TRUE });
  g_autoptr (GPtrArray) rows = load (fixture, list);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint next = 0;

  g_assert_null (plain->groups);
  g_assert_cmpuint (list->ids->len, ==, plain->ids->len);
  for (guint i = 0; i < list->groups->len; i++) {
    const PenChangeGroup *group = &g_array_index (list->groups, PenChangeGroup, i);

    g_assert_cmpuint (group->first, ==, next);
    next += group->n;
    for (guint j = group->first; j < next; j++) {
      g_assert_true (g_hash_table_add (seen, GUINT_TO_POINTER (get (rows, j)->id)));
      g_assert_cmpuint (get (rows, j)->batch, ==, get (rows, group->first)->batch);
    }
  }
  g_assert_cmpuint (next, ==, list->ids->len);
}

/* The filter narrows the list; ids that there are not are passed over. */
static void
test_filter (QueryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autoptr (PenChangeList) list = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GError) error = NULL;
  PenChangeOrder order = { 0 };
  guint32 ids[] = { G_MAXUINT32, 0 };

  filter->has_time = TRUE;
  filter->from = 2000;
  filter->to = 3000;
  list = pen_query_list_changes (fixture->query, filter, &order, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (list->ids->len, ==, 2);
  ids[1] = g_array_index (list->ids, guint32, 1);
  rows = pen_query_load_changes (fixture->query, ids, G_N_ELEMENTS (ids), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, ==, 1);
  g_assert_cmpstr (get (rows, 0)->change, ==, "unregister");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/change-list/time", QueryFixture, NULL, query_fixture_set_up, test_time,
              query_fixture_tear_down);
  g_test_add ("/change-list/scope", QueryFixture, NULL, query_fixture_set_up, test_scope,
              query_fixture_tear_down);
  g_test_add ("/change-list/some", QueryFixture, NULL, query_fixture_set_up, test_some,
              query_fixture_tear_down);
  g_test_add ("/change-list/search-and-sort", QueryFixture, NULL, query_fixture_set_up,
              test_search_and_sort, query_fixture_tear_down);
  g_test_add ("/change-list/empty-last", QueryFixture, NULL, query_fixture_set_up, test_empty_last,
              query_fixture_tear_down);
  g_test_add ("/change-list/groups", QueryFixture, NULL, query_fixture_set_up, test_groups,
              query_fixture_tear_down);
  g_test_add ("/change-list/filter", QueryFixture, NULL, query_fixture_set_up, test_filter,
              query_fixture_tear_down);
  return g_test_run ();
}
