/* test-window-slots.c: the table of the annotation, whose rows are drawn and have no cells of their
 * own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <string.h>

#include "pen-slot-row.h"
#include "pen-slot-table-private.h"

#define ARROW_X 12

static PenSlotTable *
open_annotated (PenWindow **window)
{
  *window = window_support_open_window ("b-ftrace.data");
  window_support_select_function (*window, "vfs_read");
  app_support_run (50);
  return window_support_child ((*window)->annotation, "view");
}

static gboolean
is_row_of_versions (GtkWidget *widget, gpointer data)
{
  PenSlot *slot = PEN_IS_SLOT_ROW (widget) && gtk_widget_get_mapped (widget)
                      ? pen_slot_row_get_slot (PEN_SLOT_ROW (widget))
                      : NULL;

  return slot && pen_slot_get_n_lines (slot) > 1;
}

static GtkWidget *
find_row_of_versions (PenSlotTable *table)
{
  GtkWidget *row = window_support_find_widget (GTK_WIDGET (table), is_row_of_versions, NULL);

  g_assert_nonnull (row);
  return row;
}

static void
click (PenWindow *window, PenSlotTable *table, GtkWidget *row, double x)
{
  GtkEventController *drag
      = window_support_find_controller (GTK_WIDGET (table), GTK_TYPE_GESTURE_DRAG);
  double left, top;

  g_assert_true (gtk_widget_translate_coordinates (row, GTK_WIDGET (table), x, 4, &left, &top));
  g_signal_emit_by_name (drag, "drag-begin", left, top);
  g_signal_emit_by_name (drag, "drag-end", 0.0, 0.0);
  app_support_settle (window->session);
  app_support_run (50);
}

/* The arrow opens a slot and closes it, and nothing is selected by it; assistive technology does
 * the same by an action. */
static void
test_arrow (void)
{
  PenWindow *window;
  PenSlotTable *table = open_annotated (&window);
  GtkSingleSelection *selection = window_support_child (window->annotation, "selection");
  GtkWidget *row = find_row_of_versions (table);
  guint n_versions = pen_slot_get_n_lines (pen_slot_row_get_slot (PEN_SLOT_ROW (row)));
  guint n = g_list_model_get_n_items (G_LIST_MODEL (selection));

  gtk_single_selection_set_selected (selection, 5);
  click (window, table, row, ARROW_X);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (selection)), ==, n + n_versions);
  gtk_test_accessible_assert_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_EXPANDED, TRUE);
  click (window, table, row, ARROW_X);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (selection)), ==, n);
  g_assert_cmpuint (gtk_single_selection_get_selected (selection), ==, 5);
  g_assert_true (gtk_widget_activate_action (row, "line.toggle-versions", NULL));
  app_support_run (50);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (selection)), ==, n + n_versions);
  window_support_close_window (window);
}

/* Two widgets a row, whatever it shows: GTK makes two hundred rows for each text. */
static void
test_few_widgets (void)
{
  PenWindow *window;
  PenSlotTable *table = open_annotated (&window);
  guint n_rows = 0;

  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (pen_slot_table_get_list (table)));
       item; item = gtk_widget_get_next_sibling (item)) {
    GtkWidget *row = gtk_widget_get_first_child (item);

    g_assert_true (PEN_IS_SLOT_ROW (row));
    g_assert_null (gtk_widget_get_next_sibling (row));
    g_assert_null (gtk_widget_get_first_child (row));
    n_rows++;
  }
  g_assert_cmpuint (n_rows, >, 100);
  window_support_close_window (window);
}

/* Titles can be dragged: cells are drawn, pointed at and copied where their title is. */
static void
test_columns (void)
{
  PenWindow *window;
  PenSlotTable *table = open_annotated (&window);
  GtkColumnView *titles = window_support_find_type (table, GTK_TYPE_COLUMN_VIEW);
  g_autoptr (PenSlot) slot = window_support_dup_slot (window, 1);
  GtkColumnViewColumn *code = pen_slot_table_get_column (table, PEN_SLOT_INSTRUCTION);
  g_auto (GStrv) before = pen_slot_table_dup_texts (table, slot);
  g_auto (GStrv) after = NULL;
  int x, width, moved, narrowed;

  g_assert_cmpstr (before[0], ==, "+5");
  g_assert_cmpstr (before[1], ==, "3");
  g_assert_true (g_strv_contains ((const char *const *) before, "push   %r15"));
  g_assert_true (pen_slot_table_get_strip (table, &x, &width));
  gtk_column_view_column_set_fixed_width (code, gtk_column_view_column_get_fixed_width (code) + 40);
  app_support_run (50);
  g_assert_true (pen_slot_table_get_strip (table, &moved, &narrowed));
  g_assert_cmpint (moved, ==, x + 40);
  g_assert_cmpint (narrowed, ==, width - 40);

  g_object_ref (code);
  gtk_column_view_insert_column (titles, 0, code);
  g_object_unref (code);
  app_support_run (50);
  after = pen_slot_table_dup_texts (table, slot);
  g_assert_cmpstr (after[0], ==, "push   %r15");
  g_assert_cmpstr (after[1], ==, "+5");
  g_assert_true (pen_slot_table_get_strip (table, &x, &width));
  g_assert_cmpint (x, ==, moved);
  /* It is kept. */
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (titles), "columns.reset", NULL));
  window_support_close_window (window);
}

/* Each cell has its own. */
static void
test_tooltips (void)
{
  PenWindow *window;
  PenSlotTable *table = open_annotated (&window);
  GtkWidget *row = find_row_of_versions (table);
  PenSlot *slot = pen_slot_row_get_slot (PEN_SLOT_ROW (row));
  GdkRectangle area = { 0 };
  g_autofree char *none = pen_slot_table_dup_tooltip (table, slot, -1, &area);
  g_autofree char *offset = pen_slot_table_dup_tooltip (table, slot, 4, &area);
  g_autofree char *version = NULL;
  int x, width;

  g_assert_true (pen_slot_table_get_strip (table, &x, &width));
  g_assert_cmpint (area.x + area.width, <, x);
  version = pen_slot_table_dup_tooltip (table, slot, x + 1, &area);
  g_assert_cmpint (area.x + area.width, >=, x + width);
  g_assert_true (g_str_has_prefix (offset, "5 versions during the recording"));
  g_assert_true (g_str_has_prefix (version, "original: nop, "));
  g_assert_nonnull (strstr (version, "\n4 samples"));
  g_assert_null (none);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/slots/arrow", test_arrow);
  g_test_add_func ("/window/slots/few-widgets", test_few_widgets);
  g_test_add_func ("/window/slots/columns", test_columns);
  g_test_add_func ("/window/slots/tooltips", test_tooltips);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
