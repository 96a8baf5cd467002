/* test-window-names.c: names that have too little room, in the lists of changes and occupants
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include "pen-name-label.h"

static void
resize (PenWindow *window, int width)
{
  gtk_window_set_default_size (GTK_WINDOW (window), width, 1000);
  app_support_wait_for (ABS (gtk_widget_get_width (GTK_WIDGET (window)) - width) <= 40);
  app_support_run (200);
}

/* No name in sight is cut at its end, where it differs. Returns: how many are cut */
static guint
count_cut (GtkWidget *widget)
{
  guint n = 0;

  if (PEN_IS_NAME_LABEL (widget) && gtk_widget_get_mapped (widget)) {
    const char *text = pen_name_label_get_name (PEN_NAME_LABEL (widget));
    g_autofree char *shown = pen_name_label_dup_shown (PEN_NAME_LABEL (widget));

    n += !g_str_equal (shown, text);
    g_assert_true (g_str_has_suffix (text, "…") || g_str_equal (shown, "…")
                   || !g_str_has_suffix (shown, "…"));
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    n += count_cut (child);
  return n;
}

static gboolean
has_text (GtkWidget *widget, gpointer text)
{
  return PEN_IS_NAME_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (pen_name_label_get_name (PEN_NAME_LABEL (widget)), text);
}

/* What was patched, and what came instead. */
static void
test_changes (void)
{
  PenWindow *window = window_support_open_window ("f-everything-z.data");
  GtkWidget *label;
  g_autofree char *shown = NULL;

  window_support_show_page (window, "causes");
  resize (window, 1000);
  g_assert_cmpuint (count_cut (GTK_WIDGET (window->changes)), >, 0);
  label = window_support_find_widget (GTK_WIDGET (window->changes), has_text, (gpointer) " → ");
  if (label) {
    shown = pen_name_label_dup_shown (PEN_NAME_LABEL (label));
    g_assert_nonnull (strstr (shown, " → "));
  }
  window_support_close_window (window);
}

/* Who came next, and when. */
static void
test_occupants (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  GtkWidget *label;
  g_autofree char *shown = NULL;

  window_support_show_page (window, "occupants");
  resize (window, 1100);
  g_assert_cmpuint (count_cut (GTK_WIDGET (window->occupants)), >, 0);
  label = window_support_find_widget (GTK_WIDGET (window->occupants), has_text, (gpointer) "_b, ");
  g_assert_nonnull (label);
  shown = pen_name_label_dup_shown (PEN_NAME_LABEL (label));
  g_assert_true (g_str_has_prefix (shown, "bpf_prog"));
  g_assert_nonnull (strstr (shown, "…"));
  g_assert_nonnull (strstr (shown, "_b, "));
  window_support_close_window (window);
}

static gboolean
is_shown (gpointer page, const char *title)
{
  GListModel *columns = gtk_column_view_get_columns (window_support_child (page, "view"));

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

    if (g_str_equal (gtk_column_view_column_get_title (column), title))
      return gtk_column_view_column_get_visible (column);
  }
  g_assert_not_reached ();
}

/* A column that would be empty gives its room to the others. */
static void
test_called_from (void)
{
  static const struct {
    const char *name;
    gboolean has_chains;
  } captures[] = { { "b-ftrace.data", FALSE }, { "f-everything-z.data", TRUE } };

  for (gsize i = 0; i < G_N_ELEMENTS (captures); i++) {
    PenWindow *window = window_support_open_window (captures[i].name);

    g_assert_cmpint (pen_session_get_opened (window->session)->callchains > 0, ==,
                     captures[i].has_chains);
    window_support_show_page (window, "causes");
    resize (window, 1800);
    g_assert_true (is_shown (window->changes, "Address"));
    g_assert_cmpint (is_shown (window->changes, "Called From"), ==, captures[i].has_chains);
    window_support_close_window (window);
  }
}

static void
add_tests (void)
{
  g_test_add_func ("/window/names/changes", test_changes);
  g_test_add_func ("/window/names/occupants", test_occupants);
  g_test_add_func ("/window/names/called-from", test_called_from);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
