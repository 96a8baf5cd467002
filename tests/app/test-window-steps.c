/* test-window-steps.c: filters as chips, back and forward, rows' menus, copying
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <string.h>

#include "pen-format.h"
#include "pen-function-item.h"
#include "pen-help-window.h"
#include "pen-manual-text.h"
#include "pen-place-buttons.h"
#include "pen-row-facts.h"
#include "pen-row-menu.h"
#include "pen-shell-command.h"
#include "pen-versions.h"

static void
assert_chips (PenWindow *window, const char *expected)
{
  g_autofree char *text = window_support_dup_chips (window);

  g_assert_cmpstr (text, ==, expected);
}

static void
add_filter (PenWindow *window, const char *text)
{
  g_autoptr (GVariant) target = g_variant_ref_sink (g_variant_new_bytestring (text));

  g_assert_true (
      gtk_widget_activate_action_variant (GTK_WIDGET (window), "win.add-filter", target));
  app_support_settle (window->session);
}

/* What the count should say, by a query of its own. */
static void
assert_count (PenWindow *window)
{
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  g_autoptr (GError) error = NULL;
  guint64 matching, total;
  g_autofree char *text = NULL;

  pen_query_count (query, pen_session_get_view (window->session)->filter, &matching, &total,
                   &error);
  g_assert_no_error (error);
  g_assert_cmpuint (matching, <, total);
  {
    g_autofree char *some = pen_format_count (matching);
    g_autofree char *all = pen_format_count (total);

    text = g_strdup_printf ("%s of %s samples", some, all);
  }
  g_assert_cmpstr (gtk_label_get_text (window_support_child (window->filter_bar, "count")), ==,
                   text);
}

static GtkWidget *
get_chip (PenWindow *window, guint n)
{
  g_autoptr (GPtrArray) chips = window_support_list_chips (window);

  g_assert_cmpuint (n, <, chips->len);
  return chips->pdata[n];
}

static void
test_chips (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  GtkWidget *chips = window_support_child (window->filter_bar, "chips");
  GtkWidget *chip;

  g_assert_false (gtk_widget_get_visible (chips));
  add_filter (window, "kind:kernel");
  assert_count (window);
  add_filter (window, "!comm:sh");
  add_filter (window, "cpu:0,1");
  assert_chips (window, "cpu: 0 | cpu: 1 | not comm: sh | kind: kernel");
  assert_count (window);
  g_assert_true (gtk_widget_get_visible (chips));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (get_chip (window, 2)),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "Filter: not comm: sh");

  /* Delete takes away the one that has the focus, and goes on to the next. */
  chip = get_chip (window, 1);
  gtk_widget_grab_focus (chip);
  window_support_press (chip, "Delete");
  assert_chips (window, "cpu: 0 | not comm: sh | kind: kernel");
  chip = get_chip (window, 1);
  g_assert_true (gtk_widget_has_focus (chip));
  window_support_press (chip, "Right");
  chip = get_chip (window, 2);
  g_assert_true (gtk_widget_has_focus (chip));
  window_support_press (chip, "BackSpace");
  assert_chips (window, "cpu: 0 | not comm: sh");
  chip = get_chip (window, 1);
  g_assert_true (gtk_widget_has_focus (chip));
  g_signal_emit_by_name (chip, "clicked");
  assert_chips (window, "cpu: 0");
  add_filter (window, "changed");
  window_support_activate (window, "win.clear-filters");
  assert_chips (window, "");
  g_assert_false (gtk_widget_get_visible (chips));
  app_support_settle (window->session);
  window_support_close_window (window);
}

/* What is asked for and then left out, or the other way round, changes sides. */
static void
test_legend_and_exclusion (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  add_filter (window, "!kind:kernel");
  pen_session_set_kinds (window->session, 1u << PEN_KIND_KERNEL | 1u << PEN_KIND_DSO);
  assert_chips (window, "kind: kernel | kind: dso");
  {
    g_autoptr (PenFilterTerm) term = pen_filter_term_new (PEN_FILTER_KIND, TRUE, "kernel");

    pen_session_add_term (window->session, term);
  }
  assert_chips (window, "kind: dso | not kind: kernel");
  app_support_settle (window->session);
  window_support_close_window (window);
}

/* The popover in which a filter is typed. */
static GtkWidget *
get_popover (PenWindow *window)
{
  return window_support_find_type (window_support_child (window->filter_bar, "entry"),
                                   GTK_TYPE_POPOVER);
}

static GtkEditable *
get_entry (PenWindow *window)
{
  return window_support_find_type (get_popover (window), GTK_TYPE_ENTRY);
}

static void
type (PenWindow *window, const char *text)
{
  gtk_editable_set_text (get_entry (window), text);
}

static void
enter (PenWindow *window)
{
  g_signal_emit_by_name (get_entry (window), "activate");
  app_support_settle (window->session);
}

static GStrv
dup_offers (PenWindow *window)
{
  g_autofree char *text = window_support_dup_labels (
      window_support_find_type (get_popover (window), GTK_TYPE_LIST_BOX));

  return g_strsplit (text, "\n", -1);
}

static gboolean
is_error (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "error");
}

static const char *
get_error (PenWindow *window)
{
  return gtk_label_get_text (
      GTK_LABEL (window_support_find_widget (get_popover (window), is_error, NULL)));
}

static void
test_typing (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_auto (GStrv) offers = NULL;

  window_support_activate (window, "win.type-filter");
  app_support_settle (window->session);
  app_support_run (50);
  g_assert_true (gtk_widget_get_mapped (get_popover (window)));
  type (window, "kind:");
  offers = dup_offers (window);
  g_assert_true (g_strv_contains ((const char *const *) offers, "kind: kernel"));
  for (guint i = 0; offers[i]; i++)
    g_assert_true (g_str_has_prefix (offers[i], "kind: "));
  g_clear_pointer (&offers, g_strfreev);
  type (window, "!cause:FTR");
  offers = dup_offers (window);
  g_assert_cmpstr (offers[0], ==, "not cause: ftrace");
  g_assert_null (offers[1]);

  /* nonsense is told of, and changes nothing */
  type (window, "colour:red");
  enter (window);
  g_assert_nonnull (strstr (get_error (window), "colour:red"));
  assert_chips (window, "");
  type (window, "!kind:dso,anon");
  g_assert_cmpstr (get_error (window), ==, "");
  enter (window);
  assert_chips (window, "not kind: dso | not kind: anon");
  g_assert_cmpstr (gtk_editable_get_text (get_entry (window)), ==, "");
  /* a bare word takes the best offer */
  window_support_activate (window, "win.type-filter");
  type (window, "vfs_rea");
  enter (window);
  assert_chips (window, "not kind: dso | not kind: anon | symbol: vfs_read");
  app_support_run (50);
  window_support_close_window (window);
}

/* ---- back and forward ---- */

static const char *
name_at (PenWindow *window, int steps)
{
  return pen_session_get_place_name (window->session, steps);
}

static void
settle (PenWindow *window)
{
  app_support_settle (window->session);
  app_support_run (20);
}

static void
test_back (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  PenSession *session = window->session;
  PenSpan whole = pen_session_get_span (session), zoomed = { whole.from, whole.from + 1000000000 };
  guint32 first, function;
  guint64 address = 0, line;
  GPtrArray *lines;
  g_autoptr (GMenuModel) menu = NULL;

  settle (window);
  g_assert_cmpstr (name_at (window, 0), ==, "Start");
  g_assert_null (name_at (window, -1));
  g_assert_true (pen_session_get_function (session, &first));

  add_filter (window, "kind:kernel");
  settle (window);
  pen_session_set_visible (session, zoomed);
  settle (window);
  window_support_select_function (window, "pipe_write");
  settle (window);
  /* Another one than that which was chosen with the function. */
  g_assert_true (pen_session_get_line (session, &line));
  lines = pen_session_get_answers (session)->annotation->text->annotated->lines;
  address = ((const PenAnnotationLine *) lines->pdata[lines->len - 1])->address;
  g_assert_cmpuint (address, !=, line);
  pen_session_set_line (session, &address);
  settle (window);
  pen_session_set_page (session, PEN_PAGE_RECORDING);
  settle (window);
  g_assert_cmpstr (name_at (window, 0), ==, "Recording");
  g_assert_true (g_str_has_prefix (name_at (window, -1), "pipe_write +"));
  g_assert_cmpstr (name_at (window, -2), ==, "pipe_write");
  g_assert_true (g_str_has_prefix (name_at (window, -3), "Zoom "));
  g_assert_cmpstr (name_at (window, -4), ==, "Only kind: kernel");
  menu
      = window_support_dup_menu (window_support_find_type (window->place_buttons, GTK_TYPE_BUTTON));
  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, 5);

  window_support_activate (window, "win.back");
  settle (window);
  g_assert_cmpint (pen_session_get_view (session)->page, ==, PEN_PAGE_CODE);
  g_assert_true (pen_session_get_line (session, &line));
  g_assert_cmpuint (line, ==, address);
  g_assert_cmpstr (name_at (window, 1), ==, "Recording");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.go", "i", -3));
  settle (window);
  assert_chips (window, "kind: kernel");
  g_assert_true (pen_span_equal (pen_session_get_view (session)->visible, whole));
  g_assert_true (pen_session_get_function (session, &function));
  g_assert_cmpuint (function, ==, first);
  /* The line that was chosen with the function. */
  g_assert_true (pen_session_get_line (session, &line));
  g_assert_cmpuint (line, !=, address);
  window_support_activate (window, "win.forward");
  window_support_activate (window, "win.forward");
  settle (window);
  g_assert_true (pen_span_equal (pen_session_get_view (session)->visible, zoomed));
  g_assert_true (pen_session_get_function (session, &function));
  g_assert_cmpuint (function, !=, first);

  /* elsewhere from here: what was ahead is gone */
  add_filter (window, "!comm:sh");
  settle (window);
  g_assert_null (name_at (window, 1));
  g_assert_cmpstr (name_at (window, 0), ==, "Not comm: sh");
  g_assert_false (gtk_widget_get_sensitive (
      gtk_widget_get_last_child (gtk_widget_get_first_child (GTK_WIDGET (window->place_buttons)))));
  window_support_close_window (window);
}

/* Another capture in the same session has its own places. */
static void
test_places_of_another_capture (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_autofree char *path = app_support_capture ("c-kprobes.data");

  add_filter (window, "kind:kernel");
  settle (window);
  pen_session_open (window->session, path);
  settle (window);
  g_assert_cmpstr (name_at (window, 0), ==, "Start");
  g_assert_null (name_at (window, -1));
  window_support_close_window (window);
}

/* ---- rows ---- */

static GMenuModel *
get_submenu (GMenuModel *menu, int section, int item)
{
  g_autoptr (GMenuModel) of_section
      = g_menu_model_get_item_link (menu, section, G_MENU_LINK_SECTION);

  return g_menu_model_get_item_link (of_section, item, G_MENU_LINK_SUBMENU);
}

static void
activate_item (PenWindow *window, GMenuModel *menu, int item)
{
  g_autoptr (GVariant) action
      = g_menu_model_get_item_attribute_value (menu, item, G_MENU_ATTRIBUTE_ACTION, NULL);
  g_autoptr (GVariant) target
      = g_menu_model_get_item_attribute_value (menu, item, G_MENU_ATTRIBUTE_TARGET, NULL);

  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (window),
                                                     g_variant_get_string (action, NULL), target));
  app_support_settle (window->session);
}

static void
test_row_menu (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  g_autoptr (GMenuModel) menu = NULL;
  g_autoptr (GMenuModel) only = NULL;
  g_autoptr (GMenuModel) not = NULL;
  g_autoptr (GMenuModel) copies = NULL;
  g_autofree char *copied = NULL;
  g_autofree char *command = NULL;

  window_support_select_function (window, "vfs_read");
  menu = window_support_dup_menu (window_support_child (window->functions, "view"));
  only = get_submenu (menu, 0, 0);
  not = get_submenu (menu, 0, 1);
  copies = g_menu_model_get_item_link (menu, 1, G_MENU_LINK_SECTION);
  activate_item (window, only, 0);
  assert_chips (window, "symbol: vfs_read");
  activate_item (window, not, 0);
  assert_chips (window, "not symbol: vfs_read");
  assert_count (window);

  activate_item (window, copies, 0);
  copied = window_support_dup_clipboard (window);
  g_assert_true (g_str_has_prefix (copied, "vfs_read\t"));
  activate_item (window, copies, 1);
  command = window_support_dup_clipboard (window);
  {
    g_autofree char *expected
        = g_strdup_printf ("pentimento-cli annotate %s vfs_read '--symbol=!vfs_read'",
                           pen_session_get_path (window->session));

    g_assert_cmpstr (command, ==, expected);
  }
  window_support_close_window (window);
}

/* Ctrl+C, and the menu by its key, on the row that is selected. */
static void
test_row_keys (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  GtkWidget *list = window_support_child (window->functions, "view");
  g_autofree char *copied = NULL;

  window_support_select_function (window, "vfs_read");
  window_support_press (list, "<Control>c");
  copied = window_support_dup_clipboard (window);
  g_assert_true (g_str_has_prefix (copied, "vfs_read\t"));
  window_support_press (list, "Menu|<Shift>F10");
  app_support_run (50);
  window_support_close_window (window);
}

static void
test_objdump_line (void)
{
  PenAnnotationLine line = {
    .address = 0xffffffff81a00000,
    .bytes = { 0x0f, 0x1f, 0x44, 0, 0 },
    .n_bytes = 5,
    .instruction = (char *) "nopl   0x0(%rax,%rax,1)",
  };
  PenAnnotated annotated = { .kind = PEN_KIND_KERNEL };
  g_autoptr (PenRow) row = pen_row_new ();
  g_autoptr (PenRow) longer = pen_row_new ();

  pen_row_tell_line (row, &annotated, &line);
  g_assert_cmpstr (row->line, ==,
                   "ffffffff81a00000:\t0f 1f 44 00 00       \tnopl   0x0(%rax,%rax,1)");
  line.n_bytes = 9;
  line.target = (char *) "vfs_read";
  pen_row_tell_line (longer, &annotated, &line);
  g_assert_cmpstr (longer->line, ==,
                   "ffffffff81a00000:\t0f 1f 44 00 00 00 00 \tnopl   0x0(%rax,%rax,1) <vfs_read>\n"
                   "ffffffff81a00007:\t00 00 ");
}

/* In a narrow window nothing asks for more than there is, with filters and all. */
static void
test_narrow (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");
  int least;

  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window->place_buttons)));
  add_filter (window, "kind:kernel");
  add_filter (window, "!comm:a-very-long-name-of-a-comm");
  gtk_window_set_default_size (GTK_WINDOW (window), 370, 640);
  while (pen_fold_get_width_class (window->fold) > PEN_WIDTH_NARROW)
    g_main_context_iteration (NULL, TRUE);
  app_support_run (50);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (window->place_buttons)));
  gtk_widget_measure (GTK_WIDGET (window->filter_bar), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL,
                      NULL, NULL);
  g_assert_cmpint (least, <=, 360);
  gtk_widget_measure (gtk_widget_get_first_child (GTK_WIDGET (window->fold)),
                      GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  g_assert_cmpint (least, <=, 360);
  window_support_close_window (window);
}

static void
test_shell_command (void)
{
  const char *words[] = { "annotate", "it's <odd>", NULL };
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autofree char *command = NULL;
  g_auto (GStrv) arguments = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (pen_filter_add_text (filter, "comm:$(rm x)", 0, 0, NULL));
  g_assert_true (pen_filter_add_text (filter, "!comm:a b", 0, 0, NULL));
  g_assert_true (pen_filter_add_text (filter, "time:1.5,", 0, 0, NULL));
  command = pen_shell_command_new (words, "-x y.data", filter, NULL);
  g_assert_true (g_shell_parse_argv (command, NULL, &arguments, &error));
  g_assert_no_error (error);
  {
    const char *expected[] = { "pentimento-cli", "annotate",       "./-x y.data", "it's <odd>",
                               "--time=1.5,",    "--comm=$(rm x)", "--comm=!a b", NULL };

    g_assert_true (g_strv_equal ((const char *const *) arguments, expected));
  }
  g_assert_nonnull (strstr (command, "'--comm=$(rm x)'"));
}

static gboolean
is_at_top (GtkTextView *view, const GtkTextIter *at)
{
  GdkRectangle shown, place;

  gtk_text_view_get_visible_rect (view, &shown);
  gtk_text_view_get_iter_location (view, at, &place);
  return place.y >= shown.y && place.y < shown.y + shown.height / 2;
}

/* Each page of the window has one in the help: a place in its text. */
static void
test_help_topics (void)
{
  PenWindow *window = window_support_open_window ("d-bpf.data");
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  PenHelpWindow *help = pen_help_window_show (application, NULL);
  GtkTextView *view = window_support_find_type (help, GTK_TYPE_TEXT_VIEW);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  g_autoptr (GHashTable) topics = g_hash_table_new (g_str_hash, g_str_equal);

  for (PenPage page = 0; page < PEN_PAGES; page++) {
    GtkTextIter at, start;
    const char *topic;

    pen_session_set_page (window->session, page);
    app_support_settle (window->session);
    gtk_window_set_focus (GTK_WINDOW (window), NULL);
    topic = pen_window_get_help_topic (window);
    g_hash_table_add (topics, (gpointer) topic);
    g_assert_nonnull (gtk_text_buffer_get_mark (buffer, topic));
    g_assert_true (pen_help_window_show (application, topic) == help);
    gtk_text_buffer_get_iter_at_mark (buffer, &start, gtk_text_buffer_get_mark (buffer, topic));
    gtk_text_buffer_get_iter_at_mark (buffer, &at, gtk_text_buffer_get_insert (buffer));
    g_assert_cmpint (gtk_text_iter_get_line (&at), ==, gtk_text_iter_get_line (&start));
    g_assert_true (gtk_text_iter_starts_line (&start));
    g_assert_cmpint (gtk_text_iter_get_line (&start), >, 0);
    app_support_wait_for (is_at_top (view, &start));
  }
  g_assert_cmpuint (g_hash_table_size (topics), ==, PEN_PAGES);
  gtk_widget_grab_focus (GTK_WIDGET (window->timeline));
  g_assert_cmpstr (pen_window_get_help_topic (window), ==, "overview");
  gtk_window_destroy (GTK_WINDOW (help));
  window_support_close_window (window);
}

static GObject *
find_controller (GtkWidget *widget, const char *name)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  GObject *found = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !found; i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    if (g_strcmp0 (gtk_event_controller_get_name (controller), name) == 0)
      found = G_OBJECT (controller);
  }
  return found;
}

/* A click on words that are a link leads to the page that they are about. */
static void
test_help_links (void)
{
  PenWindow *window = window_support_new_window ();
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  PenHelpWindow *help = pen_help_window_show (application, NULL);
  GtkTextView *view = window_support_find_type (help, GTK_TYPE_TEXT_VIEW);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter at, to;
  GdkRectangle place;
  int x, y;

  app_support_run (200);
  gtk_text_buffer_get_start_iter (buffer, &at);
  g_assert_null (pen_manual_text_get_link (&at));
  while (!pen_manual_text_get_link (&at))
    g_assert_true (gtk_text_iter_forward_char (&at));
  gtk_text_buffer_get_iter_at_mark (
      buffer, &to, gtk_text_buffer_get_mark (buffer, pen_manual_text_get_link (&at)));
  gtk_text_view_get_iter_location (view, &at, &place);
  gtk_text_view_buffer_to_window_coords (view, GTK_TEXT_WINDOW_WIDGET, place.x + 2, place.y + 4, &x,
                                         &y);
  g_signal_emit_by_name (find_controller (GTK_WIDGET (view), "links"), "released", 1, (double) x,
                         (double) y);
  gtk_text_buffer_get_iter_at_mark (buffer, &at, gtk_text_buffer_get_insert (buffer));
  g_assert_cmpint (gtk_text_iter_get_line (&at), >, 10);
  g_assert_true (gtk_text_iter_equal (&at, &to));
  gtk_window_destroy (GTK_WINDOW (help));
  window_support_close_window (window);
}

/* The manual is in the program. */
static void
test_help (void)
{
  PenWindow *window = window_support_new_window ();
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));
  PenHelpWindow *help;
  GtkTextBuffer *buffer;
  GtkEditable *search;
  GtkTextIter start, end;
  g_autofree char *text = NULL;
  g_autofree char *versions = pen_versions_dup_text ();

  window_support_activate (window, "app.help");
  help = pen_help_window_show (application, NULL);
  buffer = gtk_text_view_get_buffer (window_support_find_type (help, GTK_TYPE_TEXT_VIEW));
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  g_assert_nonnull (strstr (text, "Command line"));
  g_assert_nonnull (strstr (text, "Go back and forward"));
  g_assert_null (strstr (text, "**"));
  g_assert_null (strstr (text, "](#"));
  search = window_support_find_type (help, GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (search, "back AND forward");
  g_signal_emit_by_name (search, "search-changed");
  g_assert_true (gtk_text_buffer_get_has_selection (buffer));
  gtk_editable_set_text (search, "no such words in it");
  g_signal_emit_by_name (search, "search-changed");
  g_assert_false (gtk_text_buffer_get_has_selection (buffer));
  gtk_window_destroy (GTK_WINDOW (help));
  g_assert_nonnull (strstr (versions, "SQLite 3."));
  g_assert_nonnull (strstr (versions, "capstone "));
  g_assert_nonnull (strstr (versions, "elfutils 0."));
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/steps/chips", test_chips);
  g_test_add_func ("/window/steps/legend-and-exclusion", test_legend_and_exclusion);
  g_test_add_func ("/window/steps/narrow", test_narrow);
  g_test_add_func ("/window/steps/typing", test_typing);
  g_test_add_func ("/window/steps/back", test_back);
  g_test_add_func ("/window/steps/places-of-another-capture", test_places_of_another_capture);
  g_test_add_func ("/window/steps/row-menu", test_row_menu);
  g_test_add_func ("/window/steps/row-keys", test_row_keys);
  g_test_add_func ("/window/steps/objdump-line", test_objdump_line);
  g_test_add_func ("/window/steps/shell-command", test_shell_command);
  g_test_add_func ("/window/steps/help", test_help);
  g_test_add_func ("/window/steps/help-topics", test_help_topics);
  g_test_add_func ("/window/steps/help-links", test_help_links);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
