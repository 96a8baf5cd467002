/* test-window-views.c: the pages of the window, and how it folds
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <glib/gstdio.h>

#include "pen-change-item.h"
#include "pen-column.h"
#include "pen-occupant-item.h"
#include "pen-recording-rows.h"
#include "pen-sandbox.h"

/* ---- titles of columns ---- */

/* Each says in one line what its column has. Returns: the number of tables */
static guint
check_titles (GtkWidget *widget)
{
  guint n_tables = 0;

  if (GTK_IS_COLUMN_VIEW (widget)) {
    GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (widget));

    g_assert_cmpuint (g_list_model_get_n_items (columns), >=, 4);
    for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
      const char *tooltip
          = gtk_widget_get_tooltip_text (pen_column_get_title (GTK_COLUMN_VIEW (widget), i));

      g_assert_nonnull (tooltip);
      g_assert_cmpuint (strlen (tooltip), >, 8);
      g_assert_cmpuint (strlen (tooltip), <, 90);
      g_assert_null (strchr (tooltip, '\n'));
    }
    n_tables++;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    n_tables += check_titles (child);
  return n_tables;
}

static void
test_column_titles (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  GtkColumnView *view = window_support_child (window->occupants, "view");
  GListModel *columns = gtk_column_view_get_columns (view);
  guint last = g_list_model_get_n_items (columns) - 1;
  g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, last);
  g_autofree char *tooltip
      = g_strdup (gtk_widget_get_tooltip_text (pen_column_get_title (view, last)));

  g_assert_cmpuint (check_titles (GTK_WIDGET (window)), >=, 13);
  /* One that is moved keeps its own. */
  gtk_column_view_insert_column (view, 0, column);
  g_assert_cmpstr (gtk_widget_get_tooltip_text (pen_column_get_title (view, 0)), ==, tooltip);
  gtk_column_view_insert_column (view, last, column);
  window_support_close_window (window);
}

/* ---- changes ---- */

static PenChangeItem *
dup_change (PenWindow *window, guint position)
{
  return g_list_model_get_item (
      G_LIST_MODEL (gtk_column_view_get_model (window_support_child (window->changes, "view"))),
      position);
}

static guint
count_changes (PenWindow *window)
{
  return g_list_model_get_n_items (window_support_list_all (window->changes));
}

/* All changes, whichever cause is selected. */
static void
set_order (PenWindow *window, PenChangeOrder order)
{
  gtk_drop_down_set_selected (window_support_child (window->changes, "scope"), 2);
  pen_session_set_change_order (window->session, &order);
  app_support_settle (window->session);
  app_support_run (50);
  app_support_settle (window->session);
}

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (; *text; text++)
    n += *text == '\n';
  return n;
}

static void
test_changes (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  g_autofree char *table = app_support_export (query, PEN_EXPORT_CHANGES, NULL, 0);
  guint n_all = count_lines (table) - 1, n_found;
  g_autoptr (PenChangeItem) first = NULL;
  g_autoptr (PenChangeItem) last = NULL;
  g_autofree char *exported = NULL;

  /* They are asked for before somebody looks. */
  g_assert_nonnull (pen_session_get_answers (window->session)->changes);
  window_support_show_page (window, "causes");
  g_assert_cmpuint (count_changes (window), <, n_all);
  set_order (window, (PenChangeOrder){ .scope = PEN_CHANGE_SCOPE_ALL });
  g_assert_cmpuint (count_changes (window), ==, n_all);

  set_order (window, (PenChangeOrder){ .scope = PEN_CHANGE_SCOPE_PATCHES,
                                       .sort = PEN_CHANGE_SORT_ADDRESS,
                                       .search = "VFS_read+" });
  g_assert_cmpuint (count_changes (window), ==, 0);
  set_order (window, (PenChangeOrder){ .scope = PEN_CHANGE_SCOPE_PATCHES,
                                       .sort = PEN_CHANGE_SORT_TIME,
                                       .is_descending = TRUE,
                                       .search = "VFS_read" });
  n_found = count_changes (window);
  g_assert_cmpuint (n_found, >, 1);
  first = dup_change (window, 0);
  last = dup_change (window, n_found - 1);
  app_support_wait_for (pen_change_item_get_row (first) && pen_change_item_get_row (last));
  g_assert_cmpstr (pen_change_item_get_row (first)->change.symbol, ==, "vfs_read");
  g_assert_cmpuint (pen_change_item_get_row (first)->change.time, >,
                    pen_change_item_get_row (last)->change.time);

  /* The export has the listed rows. */
  exported = app_support_session_export (window->session, PEN_EXPORT_CHANGES);
  g_assert_cmpuint (count_lines (exported) - 1, ==, n_found);
  window_support_close_window (window);
}

/* What was patched together is one row, which opens into its changes. */
static void
test_change_groups (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  GtkColumnView *table = window_support_child (window->changes, "view");
  const PenChangeList *list;
  guint n_groups, position = 0;
  g_autoptr (PenChangeItem) head = NULL;
  g_autoptr (PenChangeItem) first = NULL;

  window_support_show_page (window, "causes");
  list = pen_session_get_answers (window->session)->changes->list;
  n_groups = list->groups->len;
  g_assert_cmpuint (count_changes (window), ==, n_groups);
  g_assert_cmpuint (n_groups, <, list->ids->len);
  while (g_array_index (list->groups, PenChangeGroup, position).n < 2)
    position++;

  g_signal_emit_by_name (table, "activate", position);
  app_support_run (50);
  app_support_settle (window->session);
  g_assert_cmpuint (count_changes (window), ==,
                    n_groups + g_array_index (list->groups, PenChangeGroup, position).n);
  head = dup_change (window, position);
  first = dup_change (window, position + 1);
  g_assert_true (pen_change_item_is_open (head));
  g_assert_cmpuint (pen_change_item_get_id (head), ==, pen_change_item_get_id (first));
  g_assert_cmpuint (pen_change_item_get_n_changes (first), ==, 1);
  app_support_wait_for (pen_change_item_get_row (head));
  g_assert_nonnull (pen_change_item_get_row (head)->sentence);

  g_signal_emit_by_name (table, "activate", position);
  g_assert_cmpuint (count_changes (window), ==, n_groups);
  window_support_close_window (window);
}

/* A change that is chosen is where the playhead goes; activated, its code is shown. */
static void
test_change_to_code (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_autoptr (PenChangeItem) item = NULL;
  const PenChange *change;
  guint64 line;

  window_support_show_page (window, "causes");
  set_order (window, (PenChangeOrder){ .scope = PEN_CHANGE_SCOPE_PATCHES, .search = "vfs_read" });
  gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (gtk_column_view_get_model (
                                         window_support_child (window->changes, "view"))),
                                     0);
  item = dup_change (window, 0);
  app_support_wait_for (pen_change_item_get_row (item));
  app_support_settle (window->session);
  change = &pen_change_item_get_row (item)->change;
  g_assert_cmpuint (pen_session_get_view (window->session)->playhead, ==, change->time);

  g_assert_true (
      gtk_widget_activate_action (GTK_WIDGET (window->changes), "changes.show-code", NULL));
  app_support_settle (window->session);
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CODE);
  g_assert_true (pen_session_get_line (window->session, &line));
  g_assert_cmpuint (line, ==, change->address);
  g_assert_cmpstr (pen_session_get_answers (window->session)->annotation->text->annotated->symbol,
                   ==, "vfs_read");
  window_support_close_window (window);
}

/* ---- occupants ---- */

/* Programs one after the other at one place, each with what came next; activated, the code. */
static void
test_occupants (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  GListModel *model;
  guint n_followed = 0, shown = GTK_INVALID_LIST_POSITION, n;

  window_support_show_page (window, "occupants");
  model = window_support_list_all (window->occupants);
  n = g_list_model_get_n_items (model);
  g_assert_cmpuint (n, ==, pen_session_get_answers (window->session)->occupants->rows->len);
  for (guint i = 0; i < n; i++) {
    g_autoptr (PenOccupantItem) item = g_list_model_get_item (model, i);
    const PenOccupantRow *row = pen_occupant_item_get_row (item);

    n_followed += row->next != NULL;
    if (row->kind == PEN_KIND_BPF && row->has_function && row->samples > 0
        && shown == GTK_INVALID_LIST_POSITION)
      shown = i;
  }
  g_assert_cmpuint (n_followed, >, 0);
  g_assert_cmpuint (shown, !=, GTK_INVALID_LIST_POSITION);

  g_signal_emit_by_name (window_support_child (window->occupants, "view"), "activate", shown);
  app_support_settle (window->session);
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CODE);
  g_assert_cmpint (pen_session_get_answers (window->session)->annotation->text->annotated->kind, ==,
                   PEN_KIND_BPF);
  window_support_close_window (window);
}

/* The ones that have no name have one in the list of those that came next, too. */
static void
test_unknown_successor (void)
{
  PenWindow *window = window_support_open_window ("f-everything-z.data");
  GListModel *model;
  guint n_unknown = 0;

  window_support_show_page (window, "occupants");
  model = window_support_list_all (window->occupants);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (PenOccupantItem) item = g_list_model_get_item (model, i);
    g_autofree char *next = pen_occupant_item_dup_next (item);

    g_assert_false (g_str_has_prefix (next, ","));
    n_unknown += g_str_has_prefix (next, "(unknown), ");
  }
  g_assert_cmpuint (n_unknown, >, 0);
  window_support_close_window (window);
}

/* A copy of kallsyms alone shows one of them: no record does. */
static void
test_occupant_sources (void)
{
  PenWindow *window = window_support_open_window ("n-modules.data");
  GListModel *rows;
  guint n_listed = 0;

  window_support_show_page (window, "occupants");
  rows = window_support_list_all (window->occupants);
  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (PenOccupantItem) item = g_list_model_get_item (rows, i);
    g_autofree char *evidence = pen_occupant_item_dup_evidence (item);

    n_listed += g_str_equal (evidence, "recorded (kallsyms)");
  }
  g_assert_cmpuint (n_listed, ==, 1);
  window_support_close_window (window);
}

static int
get_natural_height (GtkPopover *menu)
{
  int natural;

  gtk_widget_measure (GTK_WIDGET (menu), GTK_ORIENTATION_VERTICAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}

/* All items of a row's menu are in sight, though the list itself lays no menu out. */
static void
test_menu_size (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  GtkWidget *table = window_support_child (window->occupants, "view");
  GtkPopover *menu;

  window_support_show_page (window, "occupants");
  gtk_selection_model_select_item (gtk_column_view_get_model (GTK_COLUMN_VIEW (table)), 3, TRUE);
  window_support_press (table, "Menu|<Shift>F10");
  app_support_run (100);
  menu = window_support_find_menu (table);
  app_support_wait_for (gtk_widget_get_height (GTK_WIDGET (menu)) == get_natural_height (menu));
  gtk_popover_popdown (menu);
  app_support_run (20);
  window_support_close_window (window);
}

/* ---- recording ---- */

static gboolean
is_row_titled (GtkWidget *widget, gpointer title)
{
  return ADW_IS_PREFERENCES_ROW (widget)
         && g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title) == 0;
}

static gboolean
is_row_with_text (GtkWidget *widget, gpointer text)
{
  return ADW_IS_EXPANDER_ROW (widget)
         && strstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), text);
}

static GtkWidget *
find_function_row (PenWindow *window, const PenMisattributionRow *row)
{
  return window_support_find_widget (GTK_WIDGET (window->recording), is_row_titled,
                                     (gpointer) row->function.symbol);
}

static void
test_recording (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenMisattribution) expected = pen_query_misattribution (query, NULL, &error);
  const PenMisattributionRow *worst;
  GtkWidget *row;
  guint32 function;

  g_assert_no_error (error);
  worst = &g_array_index (expected->rows, PenMisattributionRow, 0);
  g_assert_nonnull (pen_session_get_answers (window->session)->recording);
  window_support_show_page (window, "recording");
  g_assert_cmpuint (pen_session_get_answers (window->session)->recording->misattribution->samples,
                    ==, expected->samples);
  /* It lacks nothing. */
  g_assert_null (window_support_find_widget (GTK_WIDGET (window->recording), is_row_titled,
                                             (gpointer) "Recommended command"));

  /* Rows of a folded list are made when it is unfolded, and only once. */
  g_assert_null (find_function_row (window, worst));
  row = window_support_find_widget (GTK_WIDGET (window->recording), is_row_with_text,
                                    (gpointer) " of the kernel");
  g_assert_nonnull (row);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (row), TRUE);
  row = find_function_row (window, worst);
  g_assert_nonnull (row);
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (gtk_widget_get_ancestor (
                                     gtk_widget_get_parent (row), ADW_TYPE_EXPANDER_ROW)),
                                 FALSE);
  g_assert_true (find_function_row (window, worst) == row);
  adw_action_row_activate (ADW_ACTION_ROW (row));
  app_support_settle (window->session);
  g_assert_cmpint (pen_session_get_view (window->session)->page, ==, PEN_PAGE_CODE);
  g_assert_true (pen_session_get_function (window->session, &function));
  g_assert_cmpuint (function, ==, worst->function.id);
  window_support_close_window (window);
}

/* What a recording lacks, it says, with the command that would have it. */
static void
test_poor_recording (void)
{
  PenWindow *window = window_support_open_window ("a-pipe.data");
  GtkWidget *row;

  window_support_show_page (window, "recording");
  row = window_support_find_widget (GTK_WIDGET (window->recording), is_row_titled,
                                    (gpointer) "Recommended command");
  g_assert_nonnull (row);
  g_assert_true (
      g_str_has_prefix (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), "perf record"));
  window_support_close_window (window);
}

/* What a sandbox hides is listed with commands to copy. */
static void
test_hidden_places (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_autofree char *info = g_build_filename (g_get_tmp_dir (), "pen-flatpak-info", NULL);
  g_autoptr (GPtrArray) hidden = NULL;
  g_autofree char *copied = NULL;
  const PenHiddenPlace *place;
  GtkWidget *row;

  g_assert_true (g_file_set_contents (info, "[Context]\nshared=ipc;\n", -1, NULL));
  hidden = pen_sandbox_list_hidden (info, g_get_home_dir ());
  g_unlink (info);
  g_assert_cmpuint (hidden->len, >, 0);
  place = hidden->pdata[hidden->len - 1];

  window_support_show_page (window, "recording");
  /* Not in a sandbox. */
  g_assert_null (window_support_find_widget (GTK_WIDGET (window->recording), is_row_titled,
                                             (gpointer) place->what));
  pen_recording_add_hidden (window_support_find_type (window->recording, ADW_TYPE_PREFERENCES_PAGE),
                            hidden);
  row = window_support_find_widget (GTK_WIDGET (window->recording), is_row_titled,
                                    (gpointer) place->what);
  g_assert_nonnull (row);
  g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)), ==, place->command);
  g_signal_emit_by_name (window_support_find_type (row, GTK_TYPE_BUTTON), "clicked");
  copied = window_support_dup_clipboard (window);
  g_assert_cmpstr (copied, ==, place->command);
  window_support_close_window (window);
}

/* The card of a patch tells the rates before and after it. */
static void
test_before_and_after (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_autofree char *text = NULL;

  window_support_select_function (window, "vfs_read");
  window_support_activate_row (window, window_support_find_patched (window));
  app_support_run (100);
  text = window_support_dup_patch_text (window);
  g_assert_nonnull (strstr (text, "/s ("));
  g_assert_nonnull (strstr (text, " → "));
  g_assert_nonnull (strstr (text, "This instruction: "));
  g_assert_nonnull (strstr (text, "Whole function: "));
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/views/column-titles", test_column_titles);
  g_test_add_func ("/views/changes", test_changes);
  g_test_add_func ("/views/change-groups", test_change_groups);
  g_test_add_func ("/views/change-to-code", test_change_to_code);
  g_test_add_func ("/views/occupants", test_occupants);
  g_test_add_func ("/views/unknown-successor", test_unknown_successor);
  g_test_add_func ("/views/occupant-sources", test_occupant_sources);
  g_test_add_func ("/window/views/menu-size", test_menu_size);
  g_test_add_func ("/views/recording", test_recording);
  g_test_add_func ("/views/poor-recording", test_poor_recording);
  g_test_add_func ("/views/hidden-places", test_hidden_places);
  g_test_add_func ("/views/before-and-after", test_before_and_after);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
