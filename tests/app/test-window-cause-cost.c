/* test-window-cause-cost.c: what detours and BPF programs cost, beside the
 * causes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-cause-cost-cell.h"
#include "pen-causes-private.h"
#include "pen-column.h"
#include "window-support.h"

#define CAPTURE "f-everything-z.data"
#define WITHOUT_CALLCHAINS "b-ftrace.data"

static void
settle (PenWindow *window)
{
  app_support_settle (window->session);
  app_support_run (50);
  app_support_settle (window->session);
}

static PenWindow *
open_causes (const char *name)
{
  PenWindow *window = window_support_open_window (name);

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "causes"));
  settle (window);
  return window;
}

static const PenCauseTree *
get_tree (PenWindow *window)
{
  return pen_session_get_answers (window->session)->causes->tree;
}

static PenCauseItem *
dup_cause (PenWindow *window, PenCause cause)
{
  const PenCauseTree *tree = get_tree (window);

  for (guint i = 0; i < tree->n_causes; i++) {
    if (pen_cause_tree_get (tree, i)->cause == cause)
      return pen_cause_item_new (window->causes->show, i);
  }
  g_assert_not_reached ();
}

static GtkColumnView *
get_view (PenWindow *window)
{
  return window_support_child (window->causes, "view");
}

static GtkColumnViewColumn *
dup_column (PenWindow *window)
{
  GListModel *columns = gtk_column_view_get_columns (get_view (window));

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

    if (g_str_equal (gtk_column_view_column_get_title (column), "Cost"))
      return g_steal_pointer (&column);
  }
  g_assert_not_reached ();
}

/* A cause with detours has samples, their parts and a rate; one without has an
 * empty cell. */
static void
test_words (void)
{
  PenWindow *window = open_causes (CAPTURE);
  g_autoptr (PenCauseItem) with = dup_cause (window, PEN_CAUSE_OPTPROBE);
  g_autoptr (PenCauseItem) without = dup_cause (window, PEN_CAUSE_STATIC_KEY);
  const PenCauseCost *cost = pen_cause_item_get_cost (with);
  g_autofree char *words = pen_cause_cost_dup_words (with);
  g_autofree char *spoken = pen_cause_cost_dup_spoken (with);
  g_autofree char *silent = pen_cause_cost_dup_spoken (without);
  g_autofree char *parts = NULL;

  g_assert_nonnull (cost);
  g_assert_cmpuint (cost->while_on.amount.n, >, 0);
  g_assert_cmpuint (window->causes->show->most_cost, >=, cost->while_on.amount.n);
  parts = g_strdup_printf (
      ": trampoline %u, handler %u, BPF program %u; ", (guint) cost->parts[PEN_COST_TRAMPOLINE],
      (guint) cost->parts[PEN_COST_HANDLER], (guint) cost->parts[PEN_COST_PROGRAM]);
  g_assert_nonnull (strstr (words, parts));
  g_assert_true (g_str_has_prefix (words, spoken + strlen ("cost ")));
  g_assert_null (pen_cause_item_get_cost (without));
  g_assert_null (pen_cause_cost_dup_words (without));
  g_assert_cmpstr (silent, ==, "");
  window_support_close_window (window);
}

/* Samples of sites that no row below has are the cause's, and said; then it has
 * no rate. */
static void
test_elsewhere (void)
{
  PenWindow *window = open_causes (CAPTURE);
  g_autoptr (PenCauseItem) item = dup_cause (window, PEN_CAUSE_KPROBE);
  const PenCauseCost *cost = pen_cause_item_get_cost (item);
  g_autofree char *words = pen_cause_cost_dup_words (item);

  g_assert_cmpuint (cost->elsewhere.n, >, 0);
  g_assert_null (strstr (words, "per second"));
  g_assert_nonnull (strstr (words, "at sites not listed below"));
  window_support_close_window (window);
}

/* The column sorts, gives way in narrow windows, and is not there without
 * callchains. */
static void
test_column (void)
{
  PenWindow *window = open_causes (CAPTURE);
  g_autoptr (GtkColumnViewColumn) column = dup_column (window);
  g_autoptr (GtkColumnViewColumn) other = NULL;
  g_auto (GStrv) texts = NULL;
  g_autoptr (PenCauseItem) item = NULL;
  GListModel *rows;
  g_autoptr (GtkTreeListRow) row = NULL;

  gtk_window_set_default_size (GTK_WINDOW (window), 1400, 800);
  app_support_wait_for (gtk_column_view_column_get_visible (column));
  gtk_column_view_sort_by_column (get_view (window), column, GTK_SORT_ASCENDING);
  settle (window);
  g_assert_cmpint (pen_session_get_cause_order (window->session)->sort, ==, PEN_CAUSE_SORT_COST);
  rows = G_LIST_MODEL (gtk_column_view_get_model (get_view (window)));
  row = g_list_model_get_item (rows, 0);
  item = gtk_tree_list_row_get_item (row);
  g_assert_cmpuint (pen_cause_item_get_cost (item)->while_on.amount.n, ==,
                    window->causes->show->most_cost);
  texts = pen_column_dup_texts (get_view (window), item);
  g_assert_true (g_str_has_suffix (texts[8], "%"));
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 600);
  app_support_wait_for (!gtk_column_view_column_get_visible (column));
  g_clear_object (&column);
  window_support_close_window (window);

  window = open_causes (WITHOUT_CALLCHAINS);
  other = dup_column (window);
  gtk_window_set_default_size (GTK_WINDOW (window), 1400, 800);
  settle (window);
  g_assert_cmpuint (window->causes->show->most_cost, ==, 0);
  g_assert_false (gtk_column_view_column_get_visible (other));
  window_support_close_window (window);
}

/* BPF programs are the last row; a load has its rate, and how it differs from
 * the load before. */
static void
test_programs (void)
{
  PenWindow *window = open_causes (CAPTURE);
  const PenCauseTree *tree = get_tree (window);
  g_autoptr (PenCauseItem) head = NULL;
  g_autofree char *title = NULL;
  guint n_compared = 0;

  g_assert_true (tree->has_programs);
  head = pen_cause_item_new (window->causes->show, tree->n_causes);
  title = pen_cause_item_dup_name (head);
  g_assert_cmpstr (title, ==, "BPF programs");
  for (guint i = 0; i < tree->rows->len; i++) {
    const PenCauseRow *row = pen_cause_tree_get (tree, i);
    g_autoptr (PenCauseItem) item = pen_cause_item_new (window->causes->show, i);
    g_auto (GStrv) texts = pen_column_dup_texts (get_view (window), item);
    g_autofree char *name = NULL;
    PenCauseKey *key;
    guint index;

    if (!row->is_program)
      continue;
    /* Neither flips nor sites. */
    g_assert_cmpstr (texts[2], ==, "");
    g_assert_cmpstr (texts[3], ==, "");
    n_compared += row->level == 2 && strstr (texts[7], "not significant");
    key = pen_cause_key_new (row);
    g_assert_true (pen_cause_key_find (tree, key, &index));
    g_assert_cmpuint (index, ==, i);
    pen_cause_key_free (key);
    if (row->level == 2) {
      name = pen_cause_item_dup_name (item);
      g_assert_nonnull (strstr (name, " (id "));
    }
  }
  g_assert_cmpuint (n_compared, >, 0);
  /* It has no flips, and no changes below. */
  gtk_single_selection_set_selected (
      GTK_SINGLE_SELECTION (gtk_column_view_get_model (get_view (window))),
      g_list_model_get_n_items (G_LIST_MODEL (window->causes->model)) - 1);
  settle (window);
  g_assert_true (pen_causes_view_get_selected (window->causes)->is_program);
  g_assert_cmpuint (pen_session_get_answers (window->session)->changes->list->ids->len, ==, 0);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/cause-cost/words", test_words);
  g_test_add_func ("/cause-cost/elsewhere", test_elsewhere);
  g_test_add_func ("/cause-cost/column", test_column);
  g_test_add_func ("/cause-cost/programs", test_programs);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
