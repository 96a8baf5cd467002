/* test-window-hostile.c: a recording whose every name is somebody's weapon, on every page
 *
 * What is shown, read aloud, explained, offered and copied has no character that acts on a
 * terminal, draws nothing or turns a direction.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <string.h>

#include "pen-name-label.h"
#include "pen-notes-window.h"
#include "pen-query-functions.h"
#include "pen-slot-table.h"

#define ESCAPE "\033[31m"
#define FLIP "\342\200\256"
#define ISOLATE "\342\201\246"
#define CSI "\302\2332J"
#define NOT_UTF8 "\377\300"
#define HOSTILE "<b>&" ESCAPE FLIP CSI ISOLATE NOT_UTF8
#define LINES HOSTILE "\n\r\tline"
/* Comms have 15 bytes. */
#define COMM "<b>" ESCAPE FLIP "\n"

#define KERNEL G_GUINT64_CONSTANT (0xffffffff81000000)
#define PROGRAM G_GUINT64_CONSTANT (0xffffffffc0002000)
#define OTHER G_GUINT64_CONSTANT (0xffffffffc0003000)
#define SECOND G_GUINT64_CONSTANT (1000000000)

#define HOSTNAME 3
#define CPU_DESCRIPTION 8

#define ROWS_MAX 6u

static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
static const guint8 call[] = { 0xe8, 0x10, 0x20, 0x30, 0x00 };

/* How often the names were seen: a test that sees none tests nothing. */
static guint n_seen;

static guint n_menus;
static guint n_copied;

/* A person may type what he likes. */
static char *pasted;

static void
assert_harmless_but (const char *text, const char *allowed, const char *where)
{
  if (!text)
    return;
  if (!g_utf8_validate (text, -1, NULL)) {
    g_autofree char *shown = pen_display_text (text);

    g_error ("%s: not UTF-8: “%s”", where, shown);
  }
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);

    if (!pen_display_is_shown (c) && !(c < 0x80 && strchr (allowed, (int) c))) {
      g_autofree char *shown = pen_display_text (text);

      g_error ("%s: U+%04x in “%s”", where, c, shown);
    }
  }
  n_seen += strstr (text, "\\x1b[31m") != NULL;
}

/* Our own texts have lines. */
static void
assert_harmless (const char *text, const char *where)
{
  assert_harmless_but (text, "\n", where);
}

/* ---- the recording ---- */

static void
add_kernel (PenTestCapture *capture)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < 8; i++)
    g_string_append_printf (names, "%" G_GINT64_MODIFIER "x t kernel%u" HOSTILE "\n",
                            KERNEL + i * 0x100, i);
  g_string_append_printf (names, "%" G_GINT64_MODIFIER "x T _etext\n", KERNEL + 0xe00000);
  pen_test_capture_add_kcore_file (capture, "kallsyms", names->str, names->len);
}

static void
add_samples (PenTestCapture *capture)
{
  guint64 chain[]
      = { 0xffffffffffffff80ull, PROGRAM, KERNEL + 0x110, 0xfffffffffffffe00ull, 0x400010 };

  for (guint i = 0; i < 60; i++) {
    pen_test_capture_at (capture, (102 + i) * SECOND / 10, 66, 66, i % PEN_TEST_CPUS);
    if (i % 20 == 10) {
      pen_test_capture_add_text_poke (capture, PROGRAM, i == 30 ? call : nop, 5,
                                      i == 30 ? nop : call, 5);
      pen_test_capture_add_text_poke (capture, KERNEL + 0x100, i == 30 ? call : nop, 5,
                                      i == 30 ? nop : call, 5);
    }
    if (i == 40)
      pen_test_capture_add_ksymbol (capture, OTHER, 0x40, 2, 0, "other " LINES);
    pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, PROGRAM, 1, chain, 5);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, KERNEL + 0x100, 1);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, i > 40 ? OTHER : KERNEL + 0x210, 1);
    pen_test_capture_add_sample (capture, PEN_TEST_USER, 0x400010, 1);
  }
}

static char *
write_recording (void)
{
  static const char *const command[]
      = { "perf", "record", "--" HOSTILE, "-e", LINES, "-o", HOSTILE, "--", HOSTILE, NULL };
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;
  char *path = app_support_temporary (LINES ".data");
  GError *error = NULL;

  event.name = "clock" LINES;
  event.sample_type |= 1u << 5; /* PERF_SAMPLE_CALLCHAIN */
  pen_test_capture_add_event (capture, &event);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, KERNEL, 0xe00000, KERNEL,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, PROGRAM + 0x10000, 0x1000, 0,
                             "[" HOSTILE "]");
  add_kernel (capture);
  pen_test_capture_at (capture, 10 * SECOND, 66, 66, 0);
  pen_test_capture_add_comm (capture, 66, 66, TRUE, COMM);
  pen_test_capture_add_mmap2 (capture, PEN_TEST_USER, 66, 66, 0x400000, 0x1000, 0, 5, 0, NULL,
                              "/tmp/" LINES);
  pen_test_capture_add_ksymbol (capture, PROGRAM, 0x40, 1, 0, "bpf_prog_" LINES);
  add_samples (capture);
  pen_test_capture_add_lost (capture, 1, 5);
  pen_test_capture_set_text (capture, HOSTNAME, LINES);
  pen_test_capture_set_text (capture, CPU_DESCRIPTION, LINES);
  pen_test_capture_set_os_release (capture, LINES);
  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_set_command_line (capture, command);
  pen_test_capture_write (capture, path, PEN_TEST_CAPTURE_DIRECTORY, &error);
  g_assert_no_error (error);
  return path;
}

/* ---- widgets ---- */

/* What a screen reader says. GTK tells it where it is not what was expected. */
static void
check_spoken (GtkWidget *widget)
{
  static const GtkAccessibleProperty properties[]
      = { GTK_ACCESSIBLE_PROPERTY_LABEL, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION };

  for (guint i = 0; i < G_N_ELEMENTS (properties); i++) {
    g_autofree char *said
        = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), properties[i], "\001");

    assert_harmless (said, "said");
  }
}

static void
check_texts (GtkWidget *widget)
{
  const char *type = G_OBJECT_TYPE_NAME (widget);

  assert_harmless (window_support_get_tooltip (widget), type);
  if (GTK_IS_LABEL (widget))
    assert_harmless (gtk_label_get_text (GTK_LABEL (widget)), type);
  if (PEN_IS_NAME_LABEL (widget))
    assert_harmless (pen_name_label_get_name (PEN_NAME_LABEL (widget)), type);
  if (GTK_IS_EDITABLE (widget)
      && g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (widget)), pasted) != 0)
    assert_harmless (gtk_editable_get_text (GTK_EDITABLE (widget)), type);
  if (GTK_IS_WINDOW (widget))
    assert_harmless (gtk_window_get_title (GTK_WINDOW (widget)), type);
  if (GTK_IS_TEXT_VIEW (widget)) {
    GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (widget));
    g_autofree char *text = NULL;

    g_object_get (buffer, "text", &text, NULL);
    assert_harmless (text, type);
  }
}

static void
check_plot (PenPlotView *view)
{
  int width = gtk_widget_get_width (GTK_WIDGET (view));
  int height = gtk_widget_get_height (GTK_WIDGET (view));

  for (int y = 1; y < height; y += 5) {
    for (int x = 1; x < width; x += 37) {
      g_autofree char *text = pen_plot_view_describe_point (view, x, y);

      assert_harmless (text, G_OBJECT_TYPE_NAME (view));
    }
  }
}

static void check_menu (GMenuModel *menu, PenWindow *window);

static void
check_widgets (GtkWidget *widget, PenWindow *window)
{
  check_texts (widget);
  check_spoken (widget);
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, PEN_TYPE_PLOT_VIEW) && gtk_widget_get_mapped (widget))
    check_plot (PEN_PLOT_VIEW (widget));
  if (GTK_IS_MENU_BUTTON (widget) && gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (widget)))
    check_menu (gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (widget)), window);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    check_widgets (child, window);
}

/* ---- menus, and what they copy ---- */

static void
on_text (GObject *clipboard, GAsyncResult *result, gpointer text)
{
  *(char **) text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static void
check_copied (PenWindow *window, const char *where)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (window));
  char *text = NULL;

  gdk_clipboard_read_text_async (clipboard, NULL, on_text, &text);
  for (guint i = 0; !text && i < 200; i++)
    app_support_run (5);
  g_assert_nonnull (text);
  /* Cells have tabs in between, which no name brings along. */
  assert_harmless_but (text, "\t", where);
  g_free (text);
  n_copied++;
}

static void
check_item (GMenuModel *menu, int i, PenWindow *window)
{
  g_autofree char *label = NULL;
  g_autofree char *action = NULL;
  g_autoptr (GVariant) target
      = g_menu_model_get_item_attribute_value (menu, i, G_MENU_ATTRIBUTE_TARGET, NULL);

  if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label))
    assert_harmless (label, "a menu");
  if (!g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action)
      || !g_str_has_prefix (action, "win.copy-"))
    return;
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (window), action, target));
  check_copied (window, label);
}

static void
check_menu (GMenuModel *menu, PenWindow *window)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autoptr (GMenuLinkIter) links = g_menu_model_iterate_item_links (menu, i);

    check_item (menu, i, window);
    while (g_menu_link_iter_next (links)) {
      g_autoptr (GMenuModel) linked = g_menu_link_iter_get_value (links);

      check_menu (linked, window);
    }
  }
}

/* The annotation draws its rows: their texts and tooltips are no widgets'. */
static void
check_slots (PenWindow *window)
{
  GListModel *rows = G_LIST_MODEL (window_support_child (window->annotation, "selection"));

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++) {
    g_autoptr (PenSlot) slot = window_support_dup_slot (window, i);

    for (guint column = 0; column < PEN_SLOT_COLUMNS; column++) {
      g_autofree char *text = pen_slot_cells_dup_text (slot, column);
      g_autofree char *tooltip = pen_slot_cells_dup_tooltip (slot, column);

      assert_harmless (text, "a cell of the annotation");
      assert_harmless (tooltip, "a tooltip of the annotation");
    }
  }
}

static GtkSelectionModel *
get_model (GtkWidget *widget)
{
  if (PEN_IS_SLOT_TABLE (widget))
    return gtk_list_view_get_model (pen_slot_table_get_list (PEN_SLOT_TABLE (widget)));
  if (GTK_IS_COLUMN_VIEW (widget))
    return gtk_column_view_get_model (GTK_COLUMN_VIEW (widget));
  if (GTK_IS_LIST_VIEW (widget) && !GTK_IS_COLUMN_VIEW (gtk_widget_get_parent (widget)))
    return gtk_list_view_get_model (GTK_LIST_VIEW (widget));
  return NULL;
}

/* Groups of lists, with what is in them. */
static void
expand_rows (GtkSelectionModel *model, PenWindow *window)
{
  for (guint i = 0; i < MIN (g_list_model_get_n_items (G_LIST_MODEL (model)), 2 * ROWS_MAX); i++) {
    g_autoptr (GObject) row = g_list_model_get_item (G_LIST_MODEL (model), i);

    if (GTK_IS_TREE_LIST_ROW (row))
      gtk_tree_list_row_set_expanded (GTK_TREE_LIST_ROW (row), TRUE);
  }
  app_support_settle (window->session);
  app_support_run (50);
}

static gboolean
has_menu (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

    for (guint j = 0; GTK_IS_SHORTCUT_CONTROLLER (controller)
                      && j < g_list_model_get_n_items (G_LIST_MODEL (controller));
         j++) {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), j);
      g_autofree char *text = gtk_shortcut_trigger_to_string (gtk_shortcut_get_trigger (shortcut));

      if (g_str_equal (text, "Menu|<Shift>F10"))
        return TRUE;
    }
  }
  return FALSE;
}

/* The menus of the first rows of each list that is seen. */
static void
check_row_menus (GtkWidget *widget, PenWindow *window)
{
  GtkSelectionModel *model = get_model (widget);

  if (!gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_SINGLE_SELECTION (model) && has_menu (widget)) {
    guint n;

    expand_rows (model, window);
    n = MIN (g_list_model_get_n_items (G_LIST_MODEL (model)), ROWS_MAX);

    for (guint i = 0; i < n; i++) {
      g_autoptr (GMenuModel) menu = NULL;

      gtk_selection_model_select_item (model, i, TRUE);
      app_support_settle (window->session);
      app_support_run (20);
      if (!gtk_widget_get_mapped (widget) || i >= g_list_model_get_n_items (G_LIST_MODEL (model)))
        break;
      menu = window_support_dup_menu (widget);
      check_menu (menu, window);
      n_menus++;
    }
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child;
       child = gtk_widget_get_next_sibling (child))
    check_row_menus (child, window);
}

/* ---- */

static void
show_page (PenWindow *window, PenPage page)
{
  g_object_set (window, "page", pen_page_to_string (page), NULL);
  app_support_settle (window->session);
  app_support_run (100);
  app_support_settle (window->session);
}

static void
check_window (PenWindow *window)
{
  check_slots (window);
  check_widgets (GTK_WIDGET (window), window);
}

static void
test_pages (void)
{
  g_autofree char *path = write_recording ();
  PenWindow *window = window_support_open_path (path);

  for (guint page = 0; page < PEN_PAGES; page++) {
    guint before = n_seen;

    show_page (window, page);
    check_window (window);
    check_row_menus (GTK_WIDGET (window), window);
    show_page (window, page);
    check_window (window);
    window_support_activate (window, "win.copy-view-command");
    check_copied (window, "the command of a page");
    g_test_message ("%s: %u names, %u menus, %u copies", pen_page_to_string (page), n_seen - before,
                    n_menus, n_copied);
    g_assert_cmpuint (n_seen, >, before + 3);
  }
  g_assert_cmpuint (n_menus, >, 15);
  g_assert_cmpuint (n_copied, >, 30);
  window_support_close_window (window);
}

/* Each function and its history. */
static void
test_functions (void)
{
  g_autofree char *path = write_recording ();
  PenWindow *window = window_support_open_path (path);
  const PenFunctionList *list = pen_session_get_answers (window->session)->functions;
  guint n = list->rows->len;

  g_assert_cmpuint (n, >=, 4);
  for (guint i = 0; i < n; i++) {
    const PenFunction *function;

    list = pen_session_get_answers (window->session)->functions;
    function = &g_array_index (list->rows, PenFunctionRow, i).function;
    pen_session_set_function (window->session, function->id);
    app_support_settle (window->session);
    pen_window_show_line (window, function->start);
    app_support_settle (window->session);
    app_support_run (100);
    check_window (window);
  }
  window_support_close_window (window);
}

/* The text of two moments, side by side. */
static void
test_instants (void)
{
  g_autofree char *path = write_recording ();
  PenWindow *window = window_support_open_path (path);
  const PenSpan span = pen_session_get_span (window->session);
  guint before;

  show_page (window, PEN_PAGE_CODE);
  pen_session_set_playhead (window->session, span.from + pen_span_length (span) / 4);
  pen_session_set_mark (window->session, &span.to);
  pen_session_set_mark_all (window->session, TRUE);
  app_support_settle (window->session);
  app_support_run (100);
  g_assert_nonnull (pen_session_get_answers (window->session)->instants);
  before = n_seen;
  check_window (window);
  g_assert_cmpuint (n_seen, >, before);
  window_support_close_window (window);
}

/* Offers for each word of a filter. */
static void
test_offers (void)
{
  static const char *const words[] = { "comm:", "symbol:", "occupant:", "event:", "<b>" };
  g_autofree char *path = write_recording ();
  PenWindow *window = window_support_open_path (path);
  guint before = n_seen;

  window_support_activate (window, "win.type-filter");
  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    GtkWidget *focus;

    app_support_run (100);
    focus = gtk_root_get_focus (GTK_ROOT (window));
    while (focus && !GTK_IS_SEARCH_ENTRY (focus) && !GTK_IS_ENTRY (focus))
      focus = gtk_widget_get_parent (focus);
    g_assert_nonnull (focus);
    gtk_editable_set_text (GTK_EDITABLE (focus), words[i]);
    app_support_run (300);
    app_support_settle (window->session);
    app_support_run (100);
    check_window (window);
  }
  g_assert_cmpuint (n_seen, >, before);
  window_support_close_window (window);
}

/* The box that finds, chips of filters and offers for them, damage, notes, the cache. */
static void
test_boxes (void)
{
  g_autofree char *path = write_recording ();
  PenWindow *window = window_support_open_path (path);
  GtkEditable *entry = window_support_child (window->find, "entry");
  static const char *const wanted[]
      = { "b", "31m", "kernel1", "0xffffffffc0002000", "RIP: 0010:kernel1" HOSTILE "+0x1/0x100\n" };
  g_autoptr (GError) error = NULL;
  guint before = n_seen;

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++) {
    g_autofree char *valid = g_utf8_make_valid (wanted[i], -1);

    window_support_activate (window, "win.find");
    gtk_editable_set_text (entry, i + 1 < G_N_ELEMENTS (wanted) ? valid : "kernel1");
    if (i + 1 == G_N_ELEMENTS (wanted))
      g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.find-text", "s", valid));
    app_support_run (300);
    app_support_settle (window->session);
    app_support_run (50);
    pasted = g_strdup (gtk_editable_get_text (entry));
    check_window (window);
    g_clear_pointer (&pasted, g_free);
    pen_find_box_close (window->find);
  }
  g_assert_cmpuint (n_seen, >, before);

  before = n_seen;
  g_assert_true (pen_session_add_filter_text (window->session, "comm:" COMM, &error));
  g_assert_no_error (error);
  g_assert_true (pen_session_add_filter_text (window->session, "!occupant:x" HOSTILE, &error));
  g_assert_no_error (error);
  app_support_settle (window->session);
  app_support_run (100);
  check_window (window);
  g_assert_cmpuint (n_seen, >, before + 1);
  window_support_activate (window, "win.clear-filters");
  window_support_activate (window, "win.problems");
  app_support_run (100);
  check_window (window);
  window_support_activate (window, "win.notes");
  window_support_activate (window, "app.preferences");
  app_support_run (300);
  for (GList *other
       = gtk_application_get_windows (gtk_window_get_application (GTK_WINDOW (window)));
       other; other = other->next)
    check_widgets (other->data, window);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window-hostile/pages", test_pages);
  g_test_add_func ("/window-hostile/functions", test_functions);
  g_test_add_func ("/window-hostile/instants", test_instants);
  g_test_add_func ("/window-hostile/offers", test_offers);
  g_test_add_func ("/window-hostile/boxes", test_boxes);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
