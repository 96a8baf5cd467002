/* test-window-annotation.c: finding one's way in the annotation of the window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <string.h>

#include "pen-function-item.h"
#include "pen-jump-target.h"
#include "pen-line-find.h"
#include "pen-name-label.h"
#include "pen-slot-steps.h"

static PenWindow *
open_annotated (void)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  window_support_select_function (window, "vfs_read");
  return window;
}

static void
do_action (PenWindow *window, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window->annotation), action, NULL));
  app_support_settle (window->session);
}

static guint64
get_line (PenWindow *window)
{
  guint64 address = 0;

  pen_session_get_line (window->session, &address);
  return address;
}

/* By address, nothing opened. */
static GPtrArray *
dup_slots (PenWindow *window)
{
  GListModel *model = G_LIST_MODEL (window_support_child (window->annotation, "selection"));
  GPtrArray *slots = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    PenSlot *slot = window_support_dup_slot (window, i);

    if (pen_slot_is_version (slot))
      g_object_unref (slot);
    else
      g_ptr_array_add (slots, slot);
  }
  return slots;
}

/* From hot to less hot, each line with samples once, and round; and back. */
static void
test_hot_lines (void)
{
  PenWindow *window = open_annotated ();
  g_autoptr (GPtrArray) slots = dup_slots (window);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_int64_hash, g_int64_equal);
  guint64 before = G_MAXUINT64, first = 0;
  guint n_hot = 0;

  for (guint i = 0; i < slots->len; i++)
    n_hot += pen_slot_get_amount (slots->pdata[i]).n > 0;
  g_assert_cmpuint (n_hot, >, 2);
  pen_session_set_line (window->session, NULL);
  for (guint i = 0; i < n_hot; i++) {
    guint64 address, samples = 0;

    do_action (window, "annotation.next-hot");
    address = get_line (window);
    for (guint k = 0; k < slots->len; k++)
      if (pen_slot_get_address (slots->pdata[k]) == address) {
        samples = pen_slot_get_amount (slots->pdata[k]).n;
        g_assert_true (g_hash_table_add (
            seen, (gpointer) &pen_slot_get_nth_line (slots->pdata[k], 0)->address));
      }
    g_assert_cmpuint (samples, >, 0);
    g_assert_cmpuint (samples, <=, before);
    before = samples;
    if (i == 0)
      first = address;
  }
  do_action (window, "annotation.next-hot");
  g_assert_cmphex (get_line (window), ==, first);
  do_action (window, "annotation.previous-hot");
  do_action (window, "annotation.next-hot");
  g_assert_cmphex (get_line (window), ==, first);
  window_support_close_window (window);
}

static void
test_patched_lines (void)
{
  PenWindow *window = open_annotated ();
  g_autoptr (GPtrArray) slots = dup_slots (window);
  g_autoptr (GArray) patched = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 last = pen_slot_get_address (slots->pdata[slots->len - 1]);

  for (guint i = 0; i < slots->len; i++)
    if (pen_slot_get_nth_line (slots->pdata[i], 0)->is_patched) {
      guint64 address = pen_slot_get_address (slots->pdata[i]);

      g_array_append_val (patched, address);
    }
  g_assert_cmpuint (patched->len, >, 0);
  /* From behind the last one: round to the first, and back to the last. */
  pen_session_set_line (window->session, &last);
  do_action (window, "annotation.next-patched");
  g_assert_cmphex (get_line (window), ==, g_array_index (patched, guint64, 0));
  do_action (window, "annotation.previous-patched");
  g_assert_cmphex (get_line (window), ==, g_array_index (patched, guint64, patched->len - 1));
  window_support_close_window (window);
}

static gboolean
is_find (GtkWidget *widget, gpointer data)
{
  return PEN_IS_LINE_FIND (widget);
}

static gboolean
is_entry (GtkWidget *widget, gpointer data)
{
  return GTK_IS_SEARCH_ENTRY (widget);
}

static gboolean
is_count (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LABEL (widget)
         && g_regex_match_simple ("^(\\d+ of \\d+|\\d+|No matches)$",
                                  gtk_label_get_text (GTK_LABEL (widget)), 0, 0);
}

/* What is found has what was looked for in it, whatever the case; what has not is passed over. */
static void
test_find (void)
{
  PenWindow *window = open_annotated ();
  g_autoptr (GPtrArray) slots = dup_slots (window);
  GtkWidget *find, *entry, *count;
  GtkLabel *label;
  guint n_matches = 0;

  do_action (window, "annotation.find");
  find = window_support_find_widget (GTK_WIDGET (window->annotation), is_find, NULL);
  entry = window_support_find_widget (find, is_entry, NULL);
  gtk_editable_set_text (GTK_EDITABLE (entry), "FTRACE_CALLER");
  /* Search entries wait for more to be typed. */
  app_support_wait_for ((count = window_support_find_widget (find, is_count, NULL)));
  label = GTK_LABEL (count);
  app_support_wait_for (g_str_equal (gtk_label_get_text (label), "1 of 1"));
  app_support_settle (window->session);
  for (guint i = 0; i < slots->len; i++)
    n_matches += pen_slot_matches (slots->pdata[i], "ftrace_caller");
  g_assert_cmpuint (n_matches, ==, 1);
  g_assert_cmphex (get_line (window), ==, pen_slot_get_address (slots->pdata[0]));

  gtk_editable_set_text (GTK_EDITABLE (entry), "%r1");
  app_support_wait_for (!g_str_equal (gtk_label_get_text (label), "1 of 1"));
  app_support_settle (window->session);
  n_matches = 0;
  for (guint i = 0; i < slots->len; i++)
    n_matches += pen_slot_matches (slots->pdata[i], "%r1");
  g_assert_cmpuint (n_matches, >, 2);
  for (guint i = 0; i < n_matches; i++) {
    guint64 before = get_line (window);

    do_action (window, "annotation.next-match");
    g_assert_cmphex (get_line (window), !=, before);
  }
  gtk_editable_set_text (GTK_EDITABLE (entry), "no such thing");
  app_support_wait_for (g_str_equal (gtk_label_get_text (label), "No matches"));

  g_signal_emit_by_name (entry, "stop-search");
  g_assert_cmpstr (pen_line_find_get_text (PEN_LINE_FIND (find)), ==, "");
  g_assert_cmpstr (pen_slot_get_needle (slots->pdata[0]), ==, "");
  window_support_close_window (window);
}

/* The first line from the start that leads so. */
static PenSlot *
find_target (GPtrArray *slots, PenJumpTargetKind kind, PenJumpTarget *jump)
{
  *jump = (PenJumpTarget){ PEN_JUMP_TARGET_NONE, 0, 0 };
  for (guint i = 0; i < slots->len; i++) {
    *jump = pen_jump_target_find (slots->pdata[i]);
    if (jump->kind == kind)
      return slots->pdata[i];
  }
  return NULL;
}

/* Along a jump, along a call, and back again. */
static void
test_follow (void)
{
  PenWindow *window = open_annotated ();
  g_autoptr (GPtrArray) slots = dup_slots (window);
  PenJumpTarget jump;
  PenSlot *slot = find_target (slots, PEN_JUMP_TARGET_LINE, &jump);
  guint64 address = pen_slot_get_address (slot);
  guint32 caller, function;

  g_assert_true (pen_session_get_function (window->session, &caller));
  pen_session_set_line (window->session, &address);
  app_support_settle (window->session);
  do_action (window, "annotation.follow");
  g_assert_cmphex (get_line (window), ==, jump.address);

  slot = find_target (slots, PEN_JUMP_TARGET_FUNCTION, &jump);
  address = pen_slot_get_address (slot);
  pen_session_set_line (window->session, &address);
  app_support_settle (window->session);
  do_action (window, "annotation.follow");
  g_assert_true (pen_session_get_function (window->session, &function));
  g_assert_cmpuint (function, ==, jump.function);
  g_assert_cmpuint (function, !=, caller);
  g_assert_cmphex (get_line (window), ==, jump.address);
  g_assert_cmphex (pen_session_get_answers (window->session)->annotation->text->annotated->start,
                   <=, jump.address);

  window_support_activate (window, "win.back");
  app_support_settle (window->session);
  g_assert_true (pen_session_get_function (window->session, &function));
  g_assert_cmpuint (function, ==, caller);

  /* What leads nowhere, or to what cannot be shown, cannot be followed. */
  slot = find_target (slots, PEN_JUMP_TARGET_NONE, &jump);
  address = pen_slot_get_address (slot);
  pen_session_set_line (window->session, &address);
  app_support_settle (window->session);
  gtk_widget_activate_action (GTK_WIDGET (window->annotation), "annotation.follow", NULL);
  g_assert_cmphex (get_line (window), ==, address);
  window_support_close_window (window);
}

/* ---- text without samples ---- */

static const PenAnnotated *
get_annotated (PenWindow *window)
{
  return pen_session_get_answers (window->session)->annotation->text->annotated;
}

/* Along a call to a function in which nothing was recorded, and back. */
static void
test_follow_outside (void)
{
  PenWindow *window = open_annotated ();
  g_autoptr (GPtrArray) slots = dup_slots (window);
  PenJumpTarget jump;
  PenSlot *slot = find_target (slots, PEN_JUMP_TARGET_OUTSIDE, &jump);
  guint64 address = pen_slot_get_address (slot);
  guint32 caller, function;

  g_assert_true (pen_session_get_function (window->session, &caller));
  pen_session_set_line (window->session, &address);
  app_support_settle (window->session);
  do_action (window, "annotation.follow");
  g_assert_true (pen_session_get_function (window->session, &function));
  g_assert_cmpuint (function, ==, PEN_NO_FUNCTION);
  g_assert_cmphex (get_line (window), ==, jump.address);
  g_assert_cmphex (get_annotated (window)->start, <=, jump.address);
  g_assert_cmphex (get_annotated (window)->end, >, jump.address);
  g_assert_cmpuint (get_annotated (window)->samples, ==, 0);
  /* There is nothing of it to export. */
  g_assert_false (pen_session_can_export (window->session, PEN_EXPORT_ANNOTATION));

  window_support_activate (window, "win.back");
  app_support_settle (window->session);
  g_assert_true (pen_session_get_function (window->session, &function));
  g_assert_cmpuint (function, ==, caller);
  g_assert_cmphex (get_line (window), ==, address);
  window_support_activate (window, "win.forward");
  app_support_settle (window->session);
  g_assert_cmphex (get_line (window), ==, jump.address);
  window_support_close_window (window);
}

/* In a narrow window the code is hidden until its pane is chosen: then the line is in sight. */
static void
test_narrow_scroll (void)
{
  PenWindow *window = open_annotated ();
  GtkScrollable *list = GTK_SCROLLABLE (window_support_child (window->annotation, "view"));
  guint64 last = get_annotated (window)->end - 1;

  gtk_window_set_default_size (GTK_WINDOW (window), 400, 600);
  app_support_wait_for (!gtk_widget_get_mapped (GTK_WIDGET (list)));
  pen_window_show_line (window, last);
  app_support_settle (window->session);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.code-pane", "s", "annotation");
  app_support_wait_for (gtk_adjustment_get_value (gtk_scrollable_get_vadjustment (list)) > 0);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (list)));
  window_support_close_window (window);
}

/* Text that was patched where nobody is known to be (P6) has a heading, lines and a history. */
static void
test_unknown_text (void)
{
  PenWindow *window = window_support_open_window ("n-modules.data");
  GListModel *functions = G_LIST_MODEL (window_support_child (window->functions, "selection"));
  PenNameLabel *name = window_support_child (window->annotation, "name");
  gboolean is_found = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (functions) && !is_found; i++) {
    g_autoptr (PenFunctionItem) item = g_list_model_get_item (functions, i);
    g_autofree char *function = pen_function_item_dup_name (item);
    g_autoptr (GPtrArray) slots = NULL;

    if (!g_str_equal (function, "(unknown)"))
      continue;
    gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (functions), i);
    app_support_settle (window->session);
    slots = dup_slots (window);
    is_found = slots->len > 0 && pen_slot_get_address (slots->pdata[0]) >= 0xffffffffc0000000;
  }
  g_assert_true (is_found);
  g_assert_cmpstr (pen_name_label_get_name (name), ==, "(unknown)");
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
add_tests (void)
{
  g_test_add_func ("/window/annotation/narrow-scroll", test_narrow_scroll);
  g_test_add_func ("/window/annotation/follow-outside", test_follow_outside);
  g_test_add_func ("/window/annotation/unknown-text", test_unknown_text);
  g_test_add_func ("/window/annotation/follow", test_follow);
  g_test_add_func ("/window/annotation/hot-lines", test_hot_lines);
  g_test_add_func ("/window/annotation/patched-lines", test_patched_lines);
  g_test_add_func ("/window/annotation/find", test_find);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
