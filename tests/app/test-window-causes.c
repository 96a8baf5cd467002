/* test-window-causes.c: the page of causes, with the changes of what is selected
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-causes-private.h"
#include "pen-row-strip.h"
#include "window-support.h"

#define CAPTURE "f-everything-z.data"

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

static GtkSingleSelection *
get_selection (PenWindow *window)
{
  return GTK_SINGLE_SELECTION (
      gtk_column_view_get_model (window_support_child (window->causes, "view")));
}

/* Once all are listed, which are more and more. */
static guint
count_rows (PenWindow *window)
{
  GListModel *listed = G_LIST_MODEL (get_selection (window));
  GListModel *all = G_LIST_MODEL (window->causes->model);

  app_support_wait_for (g_list_model_get_n_items (listed) == g_list_model_get_n_items (all));
  return g_list_model_get_n_items (listed);
}

static PenCauseItem *
dup_item (PenWindow *window, guint position)
{
  g_autoptr (GtkTreeListRow) row
      = g_list_model_get_item (G_LIST_MODEL (get_selection (window)), position);

  return gtk_tree_list_row_get_item (row);
}

static void
select_row (PenWindow *window, guint position)
{
  gtk_single_selection_set_selected (get_selection (window), position);
  settle (window);
}

static guint
count_changes (PenWindow *window)
{
  return pen_session_get_answers (window->session)->changes->list->ids->len;
}

/* Each row is opened as soon as it is listed, while those after it come. */
static void
test_opens_all (void)
{
  PenWindow *window = open_causes (CAPTURE);
  GListModel *listed = G_LIST_MODEL (get_selection (window));
  guint before = count_rows (window);

  for (guint i = 0; i < g_list_model_get_n_items (listed) || i < count_rows (window); i++) {
    g_autoptr (GtkTreeListRow) row = g_list_model_get_item (listed, i);

    gtk_tree_list_row_set_expanded (row, TRUE);
    if (i % 8 == 0)
      app_support_run (10);
  }
  g_assert_cmpuint (count_rows (window), >, before);
  for (guint i = 0; i < g_list_model_get_n_items (listed); i++) {
    g_autoptr (GtkTreeListRow) row = g_list_model_get_item (listed, i);
    g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (window->causes->model), i);

    g_assert_true (G_OBJECT (row) == item);
  }
  window_support_close_window (window);
}

/* It opens on what flips most: selected and open, with its changes below; no maps among them. */
static void
test_opens_on_an_answer (void)
{
  PenWindow *window = open_causes (CAPTURE);
  const PenCauseRow *first = pen_cause_tree_get (get_tree (window), 0);
  const PenCauseRow *selected = pen_causes_view_get_selected (window->causes);
  g_autofree char *labels = window_support_dup_labels (window->changes);

  g_assert_true (selected == first);
  for (guint i = 1; i < get_tree (window)->n_causes; i++)
    g_assert_cmpuint (pen_cause_tree_get (get_tree (window), i)->flips, <=, first->flips);
  g_assert_cmpuint (count_rows (window), ==,
                    pen_cause_tree_count_heads (get_tree (window)) + first->n_children);
  g_assert_cmpuint (count_changes (window), ==, first->flips);
  g_assert_null (strstr (labels, "\nmap\n"));
  window_support_close_window (window);
}

/* Another row has other changes; without a row there are those of all, but maps. */
static void
test_selection (void)
{
  PenWindow *window = open_causes (CAPTURE);
  g_autoptr (PenCauseItem) item = dup_item (window, 1);
  guint n_of_cause = count_changes (window);

  select_row (window, 1);
  g_assert_cmpuint (pen_cause_item_get_row (item)->level, ==, 1);
  g_assert_cmpuint (count_changes (window), ==, pen_cause_item_get_row (item)->flips);
  g_assert_cmpuint (count_changes (window), <, n_of_cause);
  select_row (window, GTK_INVALID_LIST_POSITION);
  g_assert_null (pen_causes_view_get_selected (window->causes));
  g_assert_cmpuint (count_changes (window), >, n_of_cause);

  /* Maps are there for those who want them. */
  select_row (window, 1);
  gtk_drop_down_set_selected (window_support_child (window->changes, "scope"), 6);
  settle (window);
  g_assert_cmpuint (count_changes (window), >, 0);
  g_assert_cmpint (pen_session_get_change_order (window->session)->scope, ==,
                   PEN_CHANGE_SCOPE_MAPS);
  window_support_close_window (window);
}

/* The first 32 and one that stands for the rest, while that one is out of sight. */
static guint
count_listed (const PenCauseRow *row)
{
  return MIN (row->n_children, 33);
}

/* Right opens, Left closes and goes up; a filter, and another order, keep what is open and what is
 * selected. */
static void
test_keys_and_memory (void)
{
  PenWindow *window = open_causes (CAPTURE);
  GtkWidget *view = window_support_child (window->causes, "view");
  guint n_rows = count_rows (window);
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  const PenCauseRow *row;
  PenCauseOrder order = { .sort = PEN_CAUSE_SORT_SITES, .is_reversed = TRUE };

  select_row (window, 1);
  row = pen_causes_view_get_selected (window->causes);
  name = g_strdup (row->name);
  g_signal_emit_by_name (view, "activate", 1);
  settle (window);
  g_assert_cmpuint (count_rows (window), ==, n_rows + count_listed (row));

  pen_session_set_cause_order (window->session, &order);
  settle (window);
  row = pen_causes_view_get_selected (window->causes);
  g_assert_nonnull (row);
  g_assert_cmpstr (row->name, ==, name);
  g_assert_cmpuint (count_rows (window), ==, n_rows + count_listed (row));

  g_assert_true (pen_session_add_filter_text (window->session, "cause:static-key", &error));
  g_assert_no_error (error);
  settle (window);
  g_assert_cmpuint (get_tree (window)->n_causes, ==, 1);
  g_assert_cmpstr (pen_causes_view_get_selected (window->causes)->name, ==, name);
  window_support_close_window (window);
}

typedef struct {
  PenWindow *window;
  guint n_listed;
} Answer;

static void
on_answered (Answer *answer)
{
  answer->n_listed = g_list_model_get_n_items (G_LIST_MODEL (get_selection (answer->window)));
}

/* An answer lists what is in sight, and the rest afterwards; a row further down that is selected
 * stays so. */
static void
test_grows (void)
{
  PenWindow *window = open_causes (CAPTURE);
  PenCauseOrder order = { .sort = PEN_CAUSE_SORT_SITES };
  GtkWidget *view = window_support_child (window->causes, "view");
  Answer answer = { .window = window };
  guint n_rows;
  gulong id;

  select_row (window, 1);
  g_signal_emit_by_name (view, "activate", 1);
  settle (window);
  n_rows = count_rows (window);
  g_assert_cmpuint (n_rows, >, 40);

  id = g_signal_connect_swapped (window->session, "answered::causes", G_CALLBACK (on_answered),
                                 &answer);
  pen_session_set_cause_order (window->session, &order);
  app_support_settle (window->session);
  g_assert_cmpuint (answer.n_listed, >, 10);
  g_assert_cmpuint (answer.n_listed, <, 40);
  g_assert_cmpuint (count_rows (window), ==, n_rows);

  select_row (window, n_rows - 2);
  order.is_reversed = TRUE;
  pen_session_set_cause_order (window->session, &order);
  app_support_settle (window->session);
  g_assert_nonnull (pen_causes_view_get_selected (window->causes));
  g_assert_cmpuint (gtk_single_selection_get_selected (get_selection (window)), <, n_rows);
  g_signal_handler_disconnect (window->session, id);
  window_support_close_window (window);
}

static void
test_grouping_and_search (void)
{
  PenWindow *window = open_causes (CAPTURE);
  GtkEditable *search = window_support_child (window->causes, "search");
  const PenCauseRow *row;

  gtk_drop_down_set_selected (window_support_child (window->causes, "grouping"),
                              PEN_CAUSES_BY_TASK);
  settle (window);
  row = pen_cause_tree_get (get_tree (window),
                            pen_cause_tree_get (get_tree (window), 0)->first_child);
  g_assert_true (g_str_has_suffix (row->name, "]"));
  gtk_editable_set_text (search, "STATIC CALL");
  app_support_run (300);
  settle (window);
  g_assert_cmpuint (get_tree (window)->n_causes, ==, 1);
  g_assert_cmpuint (pen_cause_tree_get (get_tree (window), 0)->cause, ==, PEN_CAUSE_STATIC_CALL);
  gtk_editable_set_text (search, "no such cause");
  app_support_run (300);
  settle (window);
  g_assert_cmpstr (
      gtk_stack_get_visible_child_name (window_support_child (window->causes, "stack")), ==,
      "empty");
  window_support_close_window (window);
}

/* Return on a site shows its code; the menu leads to the text map. */
static void
test_site_to_code (void)
{
  PenWindow *window = open_causes (CAPTURE);
  GtkWidget *view = window_support_child (window->causes, "view");
  guint64 line;
  guint64 address;

  g_signal_emit_by_name (view, "activate", 1);
  settle (window);
  select_row (window, 2);
  g_assert_cmpuint (pen_causes_view_get_selected (window->causes)->level, ==, 2);
  address = pen_causes_view_get_selected (window->causes)->address;
  g_signal_emit_by_name (view, "activate", 2);
  settle (window);
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CODE);
  g_assert_true (pen_session_get_line (window->session, &line));
  g_assert_cmphex (line, ==, address);

  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "causes");
  settle (window);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window->causes), "causes.show-map", NULL));
  settle (window);
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_MAP);
  g_assert_cmpfloat (pen_session_get_view (window->session)->axis_view.to
                         - pen_session_get_view (window->session)->axis_view.from,
                     <, 1);
  window_support_close_window (window);
}

static guint
count_causes (const PenCauseTree *tree)
{
  guint n = 0;

  for (guint i = 0; i < tree->rows->len; i++)
    n += !pen_cause_tree_get (tree, i)->is_program;
  return n;
}

/* The export has the listed rows of causes. */
static void
test_export (void)
{
  PenWindow *window = open_causes (CAPTURE);
  g_autofree char *causes = app_support_session_export (window->session, PEN_EXPORT_CAUSES);
  g_autofree char *changes = NULL;
  g_auto (GStrv) rows = g_strsplit (causes, "\n", -1);
  g_auto (GStrv) lines = NULL;

  g_assert_cmpuint (g_strv_length (rows), ==, count_causes (get_tree (window)) + 2);
  select_row (window, 1);
  changes = app_support_session_export (window->session, PEN_EXPORT_CHANGES);
  lines = g_strsplit (changes, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==,
                    pen_causes_view_get_selected (window->causes)->flips + 2);
  window_support_close_window (window);
}

/* Where no patch is meant the page says so; what else changed is listed nevertheless. */
static void
test_nothing (void)
{
  PenWindow *window = open_causes (CAPTURE);
  g_autoptr (GError) error = NULL;
  g_autofree char *labels = NULL;

  g_assert_true (pen_session_add_filter_text (window->session, "kind:bpf", &error));
  g_assert_no_error (error);
  g_assert_true (pen_session_add_filter_text (window->session, "cause:unknown", &error));
  g_assert_no_error (error);
  settle (window);
  labels = window_support_dup_labels (window->causes);
  g_assert_null (pen_causes_view_get_selected (window->causes));
  g_assert_nonnull (strstr (labels, "No Matching Patches"));
  pen_session_clear_filter (window->session);
  settle (window);
  g_assert_nonnull (pen_causes_view_get_selected (window->causes));
  window_support_close_window (window);
}

static const char *
get_description (gpointer view)
{
  return adw_status_page_get_description (window_support_child (view, "empty"));
}

/* An empty page says why it is empty, and what to do. */
static void
test_why_nothing (void)
{
  PenWindow *window = window_support_open_without_pokes ();

  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", "causes");
  settle (window);
  g_assert_nonnull (strstr (get_description (window->causes), "Record again as root:\n"));
  g_assert_nonnull (strstr (get_description (window->causes), "perf record"));
  /* No filter is set, so none is to be removed. */
  gtk_drop_down_set_selected (window_support_child (window->changes, "scope"), 4);
  settle (window);
  g_assert_cmpint (pen_session_get_change_order (window->session)->scope, ==,
                   PEN_CHANGE_SCOPE_PATCHES);
  g_assert_cmpstr (get_description (window->changes), ==,
                   "Select All Changes to list other changes.");
  g_assert_true (pen_session_add_filter_text (window->session, "kind:kernel", NULL));
  settle (window);
  g_assert_cmpstr (get_description (window->changes), ==, "Select All Changes or remove a filter.");
  window_support_close_window (window);
}

static gboolean
is_lane (GtkWidget *widget, gpointer data)
{
  return PEN_IS_ROW_STRIP (widget) && gtk_widget_get_mapped (widget);
}

/* The lanes say in words what they draw, and follow the overview's zoom. */
static void
test_lanes (void)
{
  PenWindow *window = open_causes (CAPTURE);
  GtkWidget *lane = window_support_find_widget (GTK_WIDGET (window->causes), is_lane, NULL);
  PenSpan span = pen_session_get_span (window->session);
  g_autoptr (PenCauseItem) item = dup_item (window, 0);
  const char *tooltip;

  g_assert_nonnull (lane);
  tooltip = window_support_get_tooltip (lane);
  g_assert_true (g_str_has_prefix (tooltip, "on for "));
  span.to = span.from + pen_span_length (span) / 4;
  pen_session_set_visible (window->session, span);
  settle (window);
  g_assert_true (pen_span_equal (pen_cause_item_get_show (item)->visible,
                                 pen_session_get_view (window->session)->visible));
  window_support_close_window (window);
}

static void
assert_listed (PenCauseList *list, guint n, gboolean has_more)
{
  g_autoptr (PenCauseItem) last = g_list_model_get_item (G_LIST_MODEL (list), n - 1);

  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, n);
  g_assert_nonnull (last);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), n));
  g_assert_true (pen_cause_item_is_more (last) == has_more);
  g_assert_cmpuint (pen_cause_item_get_index (last), ==, n - 1);
}

/* Of many rows few are listed, and more as they are asked for. */
static void
test_many_rows (void)
{
  PenWindow *window = open_causes (CAPTURE);
  const PenCauseTable *table = pen_session_get_answers (window->session)->causes;
  g_autoptr (PenCauseShow) show
      = pen_cause_show_new (table, pen_session_get_clock (window->session), (PenSpan){ 0, 1 });
  g_autoptr (PenCauseList) list = pen_cause_list_new (show, 0, 2500);

  assert_listed (list, 33, TRUE);
  for (guint n = 64; n < 1000; n *= 2) {
    pen_cause_list_extend (list);
    assert_listed (list, n + 1, TRUE);
  }
  pen_cause_list_extend (list);
  assert_listed (list, 1025, TRUE);
  pen_cause_list_extend (list);
  assert_listed (list, 2025, TRUE);
  pen_cause_list_extend (list);
  assert_listed (list, 2500, FALSE);
  pen_cause_list_extend (list);
  assert_listed (list, 2500, FALSE);
  window_support_close_window (window);
}

/* … which is when the row that stands for them comes into sight. */
static void
test_scrolled_to_the_end (void)
{
  PenWindow *window = open_causes (CAPTURE);
  GtkColumnView *view = window_support_child (window->causes, "view");
  GtkAdjustment *down = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
  const PenCauseOrder reversed = { .grouping = PEN_CAUSES_BY_FUNCTION, .is_reversed = TRUE };
  const PenCauseTree *tree;
  g_autofree char *name = NULL;
  guint n_rows;

  gtk_drop_down_set_selected (window_support_child (window->causes, "grouping"),
                              PEN_CAUSES_BY_FUNCTION);
  settle (window);
  tree = get_tree (window);
  g_signal_emit_by_name (view, "activate", 0);
  settle (window);
  if (count_rows (window) == pen_cause_tree_count_heads (tree))
    g_signal_emit_by_name (view, "activate", 0);
  settle (window);
  n_rows = count_rows (window);
  g_assert_cmpuint (n_rows, <,
                    pen_cause_tree_count_heads (tree) + pen_cause_tree_get (tree, 0)->n_children);
  /* The one that stands for the rest, as Down would. */
  select_row (window, 33);
  for (guint i = 0; i < 8; i++) {
    gtk_adjustment_set_value (down, gtk_adjustment_get_upper (down));
    settle (window);
  }
  g_assert_cmpuint (count_rows (window), ==,
                    pen_cause_tree_count_heads (tree) + pen_cause_tree_get (tree, 0)->n_children);
  g_assert_cmpuint (pen_causes_view_get_selected (window->causes)->level, ==, 1);

  /* Another order lists as many as show what is selected. */
  select_row (window, 1);
  name = g_strdup (pen_causes_view_get_selected (window->causes)->name);
  pen_session_set_cause_order (window->session, &reversed);
  settle (window);
  g_assert_cmpstr (pen_causes_view_get_selected (window->causes)->name, ==, name);
  g_assert_cmpuint (gtk_single_selection_get_selected (get_selection (window)), >, 33);
  window_support_close_window (window);
}

/* An order is no question to the store: neither the changes of the row selected, nor what was found
 * about the causes, are read again; another filter is. */
static void
test_order_is_not_asked (void)
{
  PenWindow *window = open_causes (CAPTURE);
  GtkColumnView *view = window_support_child (window->causes, "view");
  const PenAnswers *answers = pen_session_get_answers (window->session);
  const PenChangeTable *changes = answers->changes;
  const PenCauseRows *found = get_tree (window)->found;
  g_autoptr (GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (view), 0);

  g_assert_nonnull (changes);
  gtk_column_view_sort_by_column (view, column, GTK_SORT_DESCENDING);
  settle (window);
  g_assert_cmpint (pen_session_get_cause_order (window->session)->sort, ==, PEN_CAUSE_SORT_NAME);
  g_assert_true (answers->changes == changes);
  g_assert_true (get_tree (window)->found == found);
  g_assert_true (pen_session_add_filter_text (window->session, "cause:static-call", NULL));
  settle (window);
  g_assert_cmpuint (get_tree (window)->n_causes, ==, 1);
  g_assert_true (get_tree (window)->found != found);
  window_support_close_window (window);
}

/* What is selected stays so in another order; far down, once the list has grown that far. */
static void
test_selected_far_down (void)
{
  PenWindow *window = open_causes (CAPTURE);
  GtkColumnView *view = window_support_child (window->causes, "view");
  g_autoptr (GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (view), 0);
  g_autofree char *name = NULL;

  gtk_column_view_sort_by_column (view, column, GTK_SORT_ASCENDING);
  settle (window);
  for (guint i = get_tree (window)->n_causes; i-- > 0;) {
    g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_child_row (window->causes->model, i);

    gtk_tree_list_row_set_expanded (row, TRUE);
  }
  g_assert_cmpuint (count_rows (window), >, 40);
  select_row (window, 0);
  name = g_strdup (pen_causes_view_get_selected (window->causes)->name);
  gtk_column_view_sort_by_column (view, column, GTK_SORT_DESCENDING);
  app_support_settle (window->session);
  g_assert_cmpstr (pen_causes_view_get_selected (window->causes)->name, ==, name);
  app_support_wait_for (gtk_single_selection_get_selected_item (get_selection (window)));
  g_assert_cmpuint (gtk_single_selection_get_selected (get_selection (window)), >, 30);
  g_assert_cmpstr (pen_causes_view_get_selected (window->causes)->name, ==, name);
  window_support_close_window (window);
}

/* Columns that go change the order: of a page that goes itself. */
static void
test_closed_while_sorted (void)
{
  PenWindow *window = open_causes (CAPTURE);
  GtkColumnView *view = window_support_child (window->causes, "view");
  g_autoptr (GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (view), 2);

  gtk_column_view_sort_by_column (view, column, GTK_SORT_DESCENDING);
  settle (window);
  g_assert_cmpint (pen_session_get_cause_order (window->session)->is_reversed, ==, TRUE);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/causes/opens-all", test_opens_all);
  g_test_add_func ("/causes/opens-on-an-answer", test_opens_on_an_answer);
  g_test_add_func ("/causes/selection", test_selection);
  g_test_add_func ("/causes/keys-and-memory", test_keys_and_memory);
  g_test_add_func ("/causes/grouping-and-search", test_grouping_and_search);
  g_test_add_func ("/causes/site-to-code", test_site_to_code);
  g_test_add_func ("/causes/export", test_export);
  g_test_add_func ("/causes/nothing", test_nothing);
  g_test_add_func ("/causes/why-nothing", test_why_nothing);
  g_test_add_func ("/causes/lanes", test_lanes);
  g_test_add_func ("/causes/many-rows", test_many_rows);
  g_test_add_func ("/causes/scrolled-to-the-end", test_scrolled_to_the_end);
  g_test_add_func ("/causes/order-is-not-asked", test_order_is_not_asked);
  g_test_add_func ("/causes/selected-far-down", test_selected_far_down);
  g_test_add_func ("/causes/closed-while-sorted", test_closed_while_sorted);
  g_test_add_func ("/causes/grows", test_grows);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
