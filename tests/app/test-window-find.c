/* test-window-find.c: the box: what is typed or pasted into it is found, and leads there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "window-support.h"

#include "pen-found-item.h"
#include "pen-function-item.h"

/* At 5.1 s, when sock_a (id 21) was there; raw_a was before, sub_mix comes after. */
#define OOPS                                                                                       \
  "[    5.100004] RIP: 0010:bpf_prog_dcd45494952b77d4_sock_a+0x20/0x60\n"                          \
  "[    5.100006] RSP: 0018:ffffc90000123e00 EFLAGS: 00010246\n"                                   \
  "[    5.100008] Call Trace:\n"                                                                   \
  "[    5.100011]  vfs_read+0x1c/0x310\n"                                                          \
  "[    5.100013]  [<ffffffffc0000c10>] 0xffffffffc0000c10\n"

static GtkEditable *
get_entry (PenWindow *window)
{
  return window_support_child (window->find, "entry");
}

static GtkListView *
get_list (PenWindow *window)
{
  return window_support_child (window->find, "list");
}

static GListModel *
get_rows (PenWindow *window)
{
  return G_LIST_MODEL (gtk_list_view_get_model (get_list (window)));
}

static gboolean
is_open (PenWindow *window)
{
  return gtk_widget_get_visible (GTK_WIDGET (window->find));
}

/* The title of the row; NULL: there are no more */
static char *
dup_title (PenWindow *window, guint position)
{
  g_autoptr (PenFoundItem) item = g_list_model_get_item (get_rows (window), position);

  return item ? g_strdup (pen_found_item_get_title (item)) : NULL;
}

static guint
find_title (PenWindow *window, const char *title)
{
  for (guint i = 0; i < g_list_model_get_n_items (get_rows (window)); i++) {
    g_autofree char *text = dup_title (window, i);

    if (g_str_equal (text, title))
      return i;
  }
  g_error ("no row “%s”", title);
}

/* Waits for the answer. */
static void
type (PenWindow *window, const char *text)
{
  window_support_activate (window, "win.find");
  g_assert_true (is_open (window));
  gtk_editable_set_text (get_entry (window), text);
  app_support_run (250);
  app_support_settle (window->session);
  app_support_run (50);
}

static void
activate (PenWindow *window, const char *title)
{
  g_signal_emit_by_name (get_list (window), "activate", find_title (window, title));
  app_support_settle (window->session);
  app_support_run (50);
}

static void
test_address (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  const PenViewState *view = pen_session_get_view (window->session);

  type (window, "ffffffffc0000c10");
  activate (window, "raw_a+0x68 (id 18)");
  g_assert_false (is_open (window));
  g_assert_cmpuint (view->playhead, ==, 4701986404);
  g_assert_true (view->has_line);
  g_assert_cmphex (view->line, ==, 0xffffffffc0000c10);
  g_assert_cmpint (view->page, ==, PEN_PAGE_CODE);
  g_assert_cmpstr (pen_session_get_answers (window->session)->annotation->text->annotated->symbol,
                   ==, "bpf_prog_8a80def6a098fcba_raw_a");
  window_support_close_window (window);
}

static gboolean
has_focus (PenWindow *window, gpointer pane)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (window));

  return focus && gtk_widget_is_ancestor (focus, pane);
}

static void
test_return (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  guint32 function;
  guint32 wanted;

  /* Before the answer is there. */
  window_support_activate (window, "win.find");
  gtk_editable_set_text (get_entry (window), "read_zero");
  g_signal_emit_by_name (get_entry (window), "activate");
  app_support_settle (window->session);
  app_support_run (300);
  g_assert_false (is_open (window));
  g_assert_true (pen_session_get_function (window->session, &function));
  g_assert_true (app_support_find_function (window->session, "read_zero", &wanted));
  g_assert_cmpuint (function, ==, wanted);
  g_assert_true (has_focus (window, window->annotation));
  window_support_close_window (window);
}

static void
test_names (void)
{
  PenWindow *window = window_support_open_window ("a-jump-labels.data");
  const PenViewState *view = pen_session_get_view (window->session);
  g_autofree char *chips = NULL;

  type (window, "sh");
  activate (window, "sh [127]");
  chips = window_support_dup_chips (window);
  g_assert_cmpstr (chips, ==, "pid: 127");
  pen_session_clear_filter (window->session);
  type (window, "7.5");
  activate (window, "7.500000000 s");
  g_assert_cmpuint (view->playhead, ==, 7500000000);
  type (window, "__tracepoint_sched_wak");
  activate (window, "__tracepoint_sched_wakeup");
  g_assert_cmpuint (view->playhead, ==, 6999281012);
  g_assert_cmpint (view->page, ==, PEN_PAGE_CAUSES);
  g_assert_true (has_focus (window, window->causes));
  type (window, "text m");
  activate (window, "Text Map");
  g_assert_cmpint (view->page, ==, PEN_PAGE_MAP);
  g_assert_false (is_open (window));
  type (window, "nothing has this name");
  g_assert_cmpuint (g_list_model_get_n_items (get_rows (window)), ==, 0);
  window_support_close_window (window);
}

/* The list of functions hands on what it has not. */
static void
search_functions (PenWindow *window, const char *text)
{
  GtkEditable *entry = window_support_child (window->functions, "search");

  gtk_editable_set_text (entry, text);
  g_signal_emit_by_name (entry, "activate");
  app_support_settle (window->session);
  app_support_run (300);
  app_support_settle (window->session);
}

static void
test_functions (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  const PenViewState *view = pen_session_get_view (window->session);

  search_functions (window, "vfs_write+0x1c/0x3f0");
  g_assert_false (is_open (window));
  g_assert_cmphex (view->line, ==, 0xffffffff8134d3ec);
  /* Why it leads nowhere is said where it was looked for. */
  search_functions (window, "0x10");
  g_assert_true (is_open (window));
  g_assert_cmphex (view->line, ==, 0xffffffff8134d3ec);
  g_assert_cmpuint (find_title (window, "Unknown"), ==, 1);
  window_support_close_window (window);
}

static void
press (gpointer widget, guint key)
{
  gboolean handled;

  g_signal_emit_by_name (window_support_find_controller (widget, GTK_TYPE_EVENT_CONTROLLER_KEY),
                         "key-pressed", key, 0, 0, &handled);
  g_assert_true (handled);
}

/* Headings are passed over. */
static void
test_arrows (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  GtkSingleSelection *selection = window_support_child (window->find, "selection");

  type (window, "raw_a");
  for (guint i = 0; i < g_list_model_get_n_items (get_rows (window)); i++) {
    g_autoptr (PenFoundItem) item
        = gtk_single_selection_get_selected_item (selection)
              ? g_object_ref (gtk_single_selection_get_selected_item (selection))
              : NULL;

    g_assert_nonnull (item);
    g_assert_false (pen_found_item_is_heading (item));
    press (get_entry (window), GDK_KEY_Down);
  }
  window_support_close_window (window);
}

static guint
count_functions (PenWindow *window)
{
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (get_rows (window)); i++) {
    g_autoptr (PenFoundItem) item = g_list_model_get_item (get_rows (window), i);
    const PenFoundRow *row = pen_found_item_get_row (item);

    n += row && row->found == PEN_FOUND_FUNCTION;
  }
  return n;
}

static guint
get_selected (PenWindow *window)
{
  return gtk_single_selection_get_selected (window_support_child (window->find, "selection"));
}

/* How many functions have @text in their names. */
static guint
count_matches (PenWindow *window, const char *text)
{
  GListModel *rows
      = G_LIST_MODEL (gtk_column_view_get_model (window_support_child (window->functions, "view")));
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (PenFunctionItem) item = g_list_model_get_item (rows, i);
    g_autofree char *name = pen_function_item_dup_name (item);

    n += strstr (name, text) != NULL;
  }
  return n;
}

/* Of a long group all are listed once they are asked for, in the place of the row that stood for
 * them. */
static void
test_more (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  guint n_all = count_matches (window, "read");
  g_autofree char *more = g_strdup_printf ("%u more…", n_all - 8);
  guint position;

  g_assert_cmpuint (n_all, >, 9);
  type (window, "read");
  g_assert_cmpuint (count_functions (window), ==, 8);
  position = find_title (window, more);
  activate (window, more);
  g_assert_true (is_open (window));
  g_assert_cmpuint (count_functions (window), ==, n_all);
  g_assert_cmpuint (get_selected (window), ==, position);
  for (guint i = 0; i < g_list_model_get_n_items (get_rows (window)); i++) {
    g_autofree char *title = dup_title (window, i);

    g_assert_false (g_str_has_suffix (title, "more…"));
  }

  /* Another text has its own. With keys: the row is one of those that arrows go to. */
  type (window, "rea");
  g_assert_cmpuint (count_functions (window), ==, 8);
  for (guint i = 0; i < 8; i++)
    press (get_entry (window), GDK_KEY_Down);
  position = get_selected (window);
  g_signal_emit_by_name (get_entry (window), "activate");
  app_support_run (50);
  g_assert_true (has_focus (window, get_entry (window)));
  g_assert_cmpuint (count_functions (window), >, 8);
  g_assert_cmpuint (get_selected (window), ==, position);
  window_support_close_window (window);
}

static void
test_trace (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  const PenViewState *view = pen_session_get_view (window->session);
  GtkWidget *again
      = window_support_find_type (window_support_child (window->find, "heading"), GTK_TYPE_BUTTON);
  AdwWindowTitle *title = window_support_child (window->find, "title");

  type (window, OOPS);
  g_assert_true (is_open (window));
  g_assert_cmpstr (adw_window_title_get_title (title), ==, "Trace of 3 Places");
  g_assert_cmpstr (adw_window_title_get_subtitle (title), ==, "As of 5.10000 s");
  g_assert_cmpint (gtk_widget_get_margin_end (GTK_WIDGET (window->stack)), >, 0);
  g_assert_cmpuint (find_title (window, "sock_a+0x20 (id 21)"), <,
                    find_title (window, "vfs_read+0x1c/0x310"));

  /* It stays, and with it what it said, until it is asked anew. */
  activate (window, "sub_mix+0x40 (id 25)");
  g_assert_cmpuint (view->playhead, ==, 5301106530);
  activate (window, "vfs_read+0x1c");
  g_assert_cmphex (view->line, ==, 0xffffffff8134cc6c);
  g_assert_true (is_open (window));
  gtk_widget_grab_focus (GTK_WIDGET (window->timeline));
  window_support_activate (window, "win.find");
  g_assert_true (pen_find_box_is_trace (window->find));
  pen_session_set_playhead (window->session, 5350000000);
  g_signal_emit_by_name (again, "clicked");
  app_support_settle (window->session);
  app_support_run (50);
  g_assert_cmpstr (adw_window_title_get_subtitle (title), ==, "As of 5.35000 s");
  g_assert_cmpuint (find_title (window, "sub_mix+0x40 (id 25)"), <,
                    find_title (window, "raw_a+0x24 (id 16)"));

  /* Pressed in it, there is something else to look for. */
  window_support_activate (window, "win.find");
  g_assert_false (pen_find_box_is_trace (window->find));
  g_assert_true (is_open (window));
  pen_find_box_close (window->find);
  g_assert_cmpint (gtk_widget_get_margin_end (GTK_WIDGET (window->stack)), ==, 0);
  window_support_close_window (window);
}

static gboolean
is_focus_in (PenWindow *window, const char *id)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));
  GtkWidget *widget = window_support_child (window->find, id);

  return focus && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

static void
tab (PenWindow *window, GtkDirectionType direction, const char *id)
{
  g_signal_emit_by_name (window, "move-focus", direction);
  g_assert_true (is_focus_in (window, id));
}

static void
assert_row_has_focus (PenWindow *window)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));

  g_assert_true (is_focus_in (window, "list"));
  g_assert_true (gtk_widget_get_state_flags (focus) & GTK_STATE_FLAG_SELECTED);
}

/* Tab stays in what lies over the page, and finds a row of a trace that leads somewhere. */
static void
test_tab (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  guint first;

  type (window, "raw_a");
  g_assert_true (is_focus_in (window, "entry"));
  tab (window, GTK_DIR_TAB_FORWARD, "close");
  tab (window, GTK_DIR_TAB_FORWARD, "entry");
  tab (window, GTK_DIR_TAB_BACKWARD, "close");
  tab (window, GTK_DIR_TAB_BACKWARD, "entry");

  type (window, OOPS);
  gtk_widget_grab_focus (window_support_child (window->find, "close"));
  tab (window, GTK_DIR_TAB_FORWARD, "list");
  assert_row_has_focus (window);
  first = get_selected (window);
  press (get_list (window), GDK_KEY_Down);
  g_assert_cmpuint (get_selected (window), >, first);
  assert_row_has_focus (window);
  window_support_close_window (window);
}

/* There is no room beside: a place that is chosen is seen, and the trace comes back. */
static void
test_narrow (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");

  gtk_window_set_default_size (GTK_WINDOW (window), 400, 700);
  app_support_run (200);
  type (window, OOPS);
  g_assert_cmpint (gtk_widget_get_margin_end (GTK_WIDGET (window->stack)), ==, 0);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window->find)), <=,
                   gtk_widget_get_width (GTK_WIDGET (window)));
  activate (window, "vfs_read+0x1c");
  g_assert_false (is_open (window));
  window_support_activate (window, "win.find");
  g_assert_true (is_open (window));
  find_title (window, "vfs_read+0x1c");
  window_support_close_window (window);
}

/* ---- what tells one load from another ---- */

static gboolean
has_function (PenWindow *window, const char *name)
{
  GListModel *rows
      = G_LIST_MODEL (gtk_column_view_get_model (window_support_child (window->functions, "view")));

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (PenFunctionItem) item = g_list_model_get_item (rows, i);
    g_autofree char *text = pen_function_item_dup_name (item);

    if (g_str_equal (text, name))
      return TRUE;
  }
  return FALSE;
}

/* Names that repeat have their ID; others are as they were. */
static void
test_ids (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");

  g_assert_true (has_function (window, "bpf_prog_8a80def6a098fcba_raw_a (id 16)"));
  g_assert_true (has_function (window, "bpf_prog_8a80def6a098fcba_raw_a (id 18)"));
  g_assert_true (has_function (window, "vfs_read"));
  g_assert_false (has_function (window, "bpf_prog_8a80def6a098fcba_raw_a"));
  window_support_close_window (window);
}

static guint
count_occupants (PenWindow *window, const char *text)
{
  GListModel *rows = window_support_list_all (window->occupants);

  gtk_editable_set_text (window_support_child (window->occupants, "search"), text);
  app_support_run (250);
  return g_list_model_get_n_items (rows);
}

static void
test_occupants (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  const PenOccupantTable *table;
  guint n_holding = 0;

  pen_session_set_page (window->session, PEN_PAGE_OCCUPANTS);
  app_support_settle (window->session);
  table = pen_session_get_answers (window->session)->occupants;
  for (guint i = 0; i < table->rows->len; i++) {
    const PenOccupantRow *row = table->rows->pdata[i];

    n_holding += row->start <= 0xffffffffc0000c10 && row->end > 0xffffffffc0000c10;
  }
  g_assert_cmpuint (n_holding, >, 4);
  g_assert_cmpuint (count_occupants (window, "0xffffffffc0000c10"), ==, n_holding);
  g_assert_cmpuint (count_occupants (window, "FFFFFFFFc0000c10"), ==, n_holding);
  g_assert_cmpuint (count_occupants (window, "id 23"), ==, 1);
  g_assert_cmpuint (count_occupants (window, "5.153 – 5.275"), ==, 1);
  g_assert_cmpuint (count_occupants (window, "0xffffffffc0000b9c"), >, 0);
  g_assert_cmpuint (count_occupants (window, "recorded"), >, 20);
  g_assert_cmpuint (count_occupants (window, "no such thing"), ==, 0);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/find/address", test_address);
  g_test_add_func ("/window/find/return", test_return);
  g_test_add_func ("/window/find/names", test_names);
  g_test_add_func ("/window/find/functions", test_functions);
  g_test_add_func ("/window/find/arrows", test_arrows);
  g_test_add_func ("/window/find/more", test_more);
  g_test_add_func ("/window/find/trace", test_trace);
  g_test_add_func ("/window/find/tab", test_tab);
  g_test_add_func ("/window/find/narrow", test_narrow);
  g_test_add_func ("/window/find/ids", test_ids);
  g_test_add_func ("/window/find/occupants", test_occupants);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
