/* test-window-history.c: a line and its versions in all views: playhead, light, notes, changes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <string.h>

#include "pen-change-item.h"
#include "pen-history-item.h"
#include "pen-notes-window.h"
#include "pen-row-menu.h"
#include "pen-slot-words.h"
#include "pen-verdict-bar.h"

/* vfs_read of a recording with ftrace, its patched entry chosen and opened. */
static PenWindow *
open_patched (guint64 *address)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  window_support_select_function (window, "vfs_read");
  g_assert_true (
      pen_answers_find_hottest_line (pen_session_get_answers (window->session), address));
  pen_window_show_line (window, *address);
  app_support_settle (window->session);
  return window;
}

static PenSlot *
dup_slot_of (PenWindow *window, guint64 address)
{
  GListModel *model = G_LIST_MODEL (window_support_child (window->annotation, "selection"));

  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    PenSlot *slot = window_support_dup_slot (window, i);

    if (pen_slot_get_address (slot) == address && !pen_slot_is_version (slot))
      return slot;
    g_object_unref (slot);
  }
  g_assert_not_reached ();
}

static PenSlot *
dup_version (PenSlot *slot, guint i)
{
  g_autoptr (GListModel) versions = pen_slot_dup_versions (slot);

  return g_list_model_get_item (versions, i);
}

/* ---- the band ---- */

/* What a row says is what the query counts. */
static void
test_bands (void)
{
  guint64 address, near = 0;
  PenWindow *window = open_patched (&address);
  const PenSides *sides = pen_session_get_answers (window->session)->sides;
  const PenStrips *strips = pen_session_get_answers (window->session)->annotation;
  const PenAnnotated *annotated = strips->text->annotated;
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  g_autofree PenBandCount *counts = g_new0 (PenBandCount, annotated->lines->len);
  GListModel *model = G_LIST_MODEL (window_support_child (window->annotation, "selection"));

  g_assert_nonnull (sides);
  g_assert_true (sides->text == strips->text);
  g_assert_true (pen_query_count_bands (query, NULL, annotated, PEN_BAND, counts, NULL));
  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (PenSlot) slot = window_support_dup_slot (window, i);
    g_autofree char *words = pen_slot_dup_samples (slot);
    guint64 expected = 0;

    for (guint k = 0; k < pen_slot_get_n_lines (slot); k++) {
      const PenBandCount *count = &counts[pen_slot_get_line_index (slot)];

      if (pen_slot_is_version (slot))
        expected = MIN (count->near_from + count->near_to, pen_slot_get_line (slot)->samples);
    }
    if (!pen_slot_is_version (slot))
      continue;
    near += expected;
    g_assert_cmpuint (pen_slot_get_near (slot), ==, expected);
    g_assert_true ((strstr (words, "within 1 ms of a change") != NULL) == (expected > 0));
  }
  g_test_message ("%" G_GUINT64_FORMAT " samples near a change", near);
  window_support_close_window (window);
}

/* ---- versions ---- */

static void
test_versions (void)
{
  guint64 address;
  PenWindow *window = open_patched (&address);
  g_autoptr (PenSlot) slot = dup_slot_of (window, address);
  g_autoptr (PenSlot) first = dup_version (slot, 0);
  g_autoptr (PenSlot) second = dup_version (slot, 1);
  g_autofree char *spoken = pen_slot_dup_spoken (slot);
  g_autofree char *version = pen_slot_dup_spoken (second);
  g_autofree char *detail = pen_slot_dup_version_detail (second);
  g_autofree char *count = g_strdup_printf ("version 1 of %u", pen_slot_get_n_lines (slot));

  g_assert_true (g_str_has_prefix (spoken, "offset 0: nop"));
  g_assert_nonnull (strstr (spoken, count));
  g_assert_true (g_str_has_prefix (version, "version 2, patch 1 by Ftrace, "));
  g_assert_nonnull (strstr (version, ": call"));
  g_assert_nonnull (strstr (version, "patched by "));
  g_assert_nonnull (strstr (detail, " · "));
  g_assert_null (pen_slot_get_line_before (first));
  g_assert_true (pen_slot_get_line_before (second) == pen_slot_get_line (first));
  window_support_close_window (window);
}

static gboolean
press (GtkWidget *widget, guint key)
{
  gboolean handled = FALSE;

  g_signal_emit_by_name (window_support_find_controller (widget, GTK_TYPE_EVENT_CONTROLLER_KEY),
                         "key-pressed", key, 0u, (GdkModifierType) 0, &handled);
  return handled;
}

/* Left closes a slot, also from one of its versions; Right opens it. */
static void
test_fold_keys (void)
{
  guint64 address;
  PenWindow *window = open_patched (&address);
  GtkWidget *table = GTK_WIDGET (window_support_child (window->annotation, "view"));
  GtkSingleSelection *selection = window_support_child (window->annotation, "selection");
  guint n_open = g_list_model_get_n_items (G_LIST_MODEL (selection));
  guint n_closed;

  gtk_single_selection_set_selected (selection, 2);
  g_assert_true (press (table, GDK_KEY_Left));
  n_closed = g_list_model_get_n_items (G_LIST_MODEL (selection));
  g_assert_cmpuint (n_closed, <, n_open);
  g_assert_cmpuint (gtk_single_selection_get_selected (selection), ==, 0);
  g_assert_false (press (table, GDK_KEY_Left));
  g_assert_true (press (table, GDK_KEY_Right));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (selection)), ==, n_open);
  g_assert_false (press (table, GDK_KEY_Right));
  window_support_close_window (window);
}

/* ---- the playhead ---- */

static gboolean
is_list (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LIST_VIEW (widget);
}

static GtkSingleSelection *
get_cards (PenWindow *window)
{
  GtkWidget *list = window_support_find_widget (GTK_WIDGET (window->history), is_list, NULL);

  return GTK_SINGLE_SELECTION (gtk_list_view_get_model (GTK_LIST_VIEW (list)));
}

static const PenHistoryRow *
get_card (PenWindow *window, guint position)
{
  g_autoptr (PenHistoryItem) item
      = g_list_model_get_item (G_LIST_MODEL (get_cards (window)), position);

  return pen_history_item_get_row (item);
}

/* A card moves the playhead, the playhead chooses the card, and Escape leaves. */
static void
test_playhead (void)
{
  guint64 address;
  PenWindow *window = open_patched (&address);
  PenSession *session = window->session;
  g_autoptr (PenSlot) slot = dup_slot_of (window, address);
  GtkSingleSelection *cards = get_cards (window);

  g_assert_cmpuint (gtk_single_selection_get_selected (cards), ==, 0);
  gtk_single_selection_set_selected (cards, 2);
  g_assert_cmpuint (pen_session_get_view (session)->playhead, ==, get_card (window, 2)->from.time);
  g_assert_cmpuint (pen_slot_get_line (slot)->version, ==, 2);
  pen_session_set_playhead (session, get_card (window, 1)->from.time);
  g_assert_cmpuint (gtk_single_selection_get_selected (cards), ==, 1);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window->annotation)));

  window_support_activate (window, "win.first-text");
  g_assert_cmpuint (pen_session_get_view (session)->playhead, ==,
                    pen_session_get_span (session).from);
  g_assert_cmpuint (gtk_single_selection_get_selected (cards), ==, 0);
  window_support_close_window (window);
}

static gboolean
has_text (GtkWidget *widget, gpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_visible (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text);
}

/* The header tells what the change behind the playhead did; at the start there is none. */
static void
test_change_in_header (void)
{
  guint64 address;
  PenWindow *window = open_patched (&address);
  GtkWidget *view = GTK_WIDGET (window->annotation);
  GtkWidget *label;
  const PenSides *sides = pen_session_get_answers (window->session)->sides;
  g_autofree char *number = NULL;

  g_assert_null (window_support_find_widget (view, has_text, (gpointer) " before, "));
  g_assert_nonnull (sides->compared);
  g_assert_cmpuint (sides->compared->rows->len, >, 1);
  pen_session_step_change (window->session, 1);
  app_support_settle (window->session);
  label = window_support_find_widget (view, has_text, (gpointer) " before, ");
  g_assert_nonnull (label);
  number = g_strdup_printf ("Change 1 of %u, ftrace at ", sides->compared->rows->len);
  g_assert_true (g_str_has_prefix (gtk_label_get_text (GTK_LABEL (label)), number));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (label)), "this instruction"));
  g_assert_nonnull (window_support_find_widget (view, has_text, (gpointer) "As of "));
  window_support_close_window (window);
}

/* ---- the verdict ---- */

static gboolean
is_verdict (GtkWidget *widget, gpointer data)
{
  return PEN_IS_VERDICT_BAR (widget);
}

/* The bar says what the command line says; without patches there is none. */
static void
test_verdict (void)
{
  guint64 address;
  PenWindow *window = open_patched (&address);
  GtkWidget *bar = window_support_find_widget (GTK_WIDGET (window->annotation), is_verdict, NULL);
  g_autoptr (PenQuery) query = app_support_open_query (window->session);
  g_autoptr (PenVerdictReport) report = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *expected = NULL;
  guint32 function;

  g_assert_true (pen_session_get_function (window->session, &function));
  report = pen_query_verdict_of_function (query, NULL, function, &error);
  g_assert_no_error (error);
  expected = pen_verdict_report_describe (report);
  g_assert_true (g_str_has_prefix (expected, "Traced 63 % of the time. "));
  g_assert_true (g_str_has_suffix (expected, "Patched by sh [126]."));
  g_assert_true (gtk_widget_get_visible (bar));
  g_assert_nonnull (window_support_find_widget (bar, has_text, expected));
  g_assert_null (window_support_find_widget (bar, has_text, (gpointer) "With ftrace: "));
  gtk_toggle_button_set_active (window_support_child (bar, "unfold"), TRUE);
  g_assert_nonnull (window_support_find_widget (bar, has_text, (gpointer) "With ftrace: "));

  window_support_select_function (window, "read_zero");
  app_support_settle (window->session);
  g_assert_false (gtk_widget_get_visible (bar));
  window_support_close_window (window);
}

/* A text that is opened has a line chosen: the first patched one, or else the hottest. */
static void
test_first_line (void)
{
  guint64 address, line;
  PenWindow *window = open_patched (&address);
  const PenAnnotated *annotated;
  guint64 most = 0, at_line = 0;

  window_support_select_function (window, "read_zero");
  app_support_settle (window->session);
  g_assert_true (pen_session_get_line (window->session, &line));
  annotated = pen_session_get_answers (window->session)->annotation->text->annotated;
  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *shown = annotated->lines->pdata[i];

    most = MAX (most, shown->samples);
    at_line = shown->address == line ? shown->samples : at_line;
  }
  g_assert_cmpuint (at_line, ==, most);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (get_cards (window))), >, 0);

  window_support_select_function (window, "vfs_read");
  app_support_settle (window->session);
  g_assert_true (pen_session_get_line (window->session, &line));
  g_assert_cmphex (line, ==, address);
  /* One that was taken back is not chosen anew. */
  pen_session_set_line (window->session, NULL);
  pen_session_set_changed_only (window->session, TRUE);
  app_support_settle (window->session);
  g_assert_false (pen_session_get_line (window->session, &line));
  window_support_close_window (window);
}

/* Keeps the fewest that there were. */
static void
keep_fewest (GListModel *cards, guint position, guint removed, guint added, guint *fewest)
{
  *fewest = MIN (*fewest, g_list_model_get_n_items (cards));
}

/* The cards of the text before stay until those of the new one are there. */
static void
test_stays (void)
{
  guint64 address;
  PenWindow *window = open_patched (&address);
  guint fewest = G_MAXUINT;

  g_signal_connect (get_cards (window), "items-changed", G_CALLBACK (keep_fewest), &fewest);
  window_support_select_function (window, "read_zero");
  app_support_settle (window->session);
  g_assert_cmpuint (fewest, <, G_MAXUINT);
  g_assert_cmpuint (fewest, >, 0);
  /* A line that is taken back has none. */
  pen_session_set_line (window->session, NULL);
  g_assert_cmpuint (fewest, ==, 0);
  window_support_close_window (window);
}

/* ---- details of a card ---- */

/* Right unfolds the selected card, Left folds it; what was unfolded is so when it comes again. */
static void
test_details (void)
{
  guint64 address, other;
  PenWindow *window = open_patched (&address);
  GtkWidget *view = GTK_WIDGET (window->history);
  GtkWidget *list = window_support_find_widget (view, is_list, NULL);
  guint nth = 1;
  GtkWidget *card;

  g_assert_null (window_support_find_widget (view, has_text, (gpointer) "Source: "));
  gtk_single_selection_set_selected (get_cards (window), 1);
  app_support_settle (window->session);
  g_assert_false (press (list, GDK_KEY_Left));
  g_assert_true (press (list, GDK_KEY_Right));
  g_assert_false (press (list, GDK_KEY_Right));
  g_assert_nonnull (window_support_find_widget (view, has_text, (gpointer) "Source: recorded"));
  g_assert_nonnull (window_support_find_widget (view, has_text, (gpointer) "Whole function: "));
  card = window_support_find_widget (view, window_support_is_nth_card, &nth);
  g_assert_nonnull (window_support_find_widget (card, has_text, (gpointer) "Source: recorded"));

  other = address + 5;
  pen_session_set_line (window->session, &other);
  app_support_settle (window->session);
  g_assert_null (window_support_find_widget (view, has_text, (gpointer) "Source: "));
  pen_session_set_line (window->session, &address);
  app_support_settle (window->session);
  app_support_wait_for (window_support_find_widget (view, has_text, (gpointer) "Source: recorded"));
  g_assert_true (press (list, GDK_KEY_Left));
  g_assert_null (window_support_find_widget (view, has_text, (gpointer) "Source: "));
  window_support_close_window (window);
}

/* ---- light ---- */

static gboolean
is_lit (GtkWidget *widget, gpointer data)
{
  return gtk_widget_has_css_class (widget, "lit");
}

/* What is pointed at in one view lights up in the others, and goes out again. */
static void
test_light (void)
{
  guint64 address;
  PenWindow *window = open_patched (&address);
  g_autoptr (PenSlot) slot = dup_slot_of (window, address);
  const PenHistoryRow *row = get_card (window, 1);
  PenHover hover = { .has_address = TRUE,
                     .address_from = address,
                     .address_to = address + 1,
                     .has_time = TRUE,
                     .time = row->from.time };

  g_assert_false (pen_slot_is_lit (slot));
  pen_session_set_hover (window->session, &hover);
  g_assert_true (pen_slot_is_lit (slot));
  g_assert_nonnull (window_support_find_widget (GTK_WIDGET (window->annotation), is_lit, NULL));
  g_assert_nonnull (window_support_find_widget (GTK_WIDGET (window->history), is_lit, NULL));
  /* An address of somewhere else */
  hover.address_from = hover.address_to = 1;
  hover.address_to++;
  pen_session_set_hover (window->session, &hover);
  g_assert_false (pen_slot_is_lit (slot));
  g_assert_null (window_support_find_widget (GTK_WIDGET (window->history), is_lit, NULL));
  pen_session_set_hover (window->session, NULL);
  g_assert_null (window_support_find_widget (GTK_WIDGET (window->annotation), is_lit, NULL));
  window_support_close_window (window);
}

/* ---- notes ---- */

static void
wait_for_notes (PenSession *session, guint n)
{
  app_support_wait_for (pen_session_get_answers (session)->notes
                        && pen_session_get_answers (session)->notes->len == n
                        && pen_session_is_settled (session));
}

static AdwMessageDialog *
find_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

    if (ADW_IS_MESSAGE_DIALOG (window) && gtk_widget_get_visible (GTK_WIDGET (window)))
      return ADW_MESSAGE_DIALOG (window);
  }
  g_assert_not_reached ();
}

static void
answer (const char *text, const char *response)
{
  AdwMessageDialog *dialog = find_dialog ();

  if (text)
    gtk_editable_set_text (GTK_EDITABLE (adw_message_dialog_get_extra_child (dialog)), text);
  adw_message_dialog_response (dialog, response);
  gtk_window_destroy (GTK_WINDOW (dialog));
  app_support_run (20);
}

static guint
count_notes (PenWindow *window, guint64 address)
{
  g_autoptr (PenSlot) slot = dup_slot_of (window, address);

  return pen_slot_get_notes (slot) ? pen_slot_get_notes (slot)->len : 0;
}

/* The labels of all sections, a line each. */
static char *
dup_items (GMenuModel *menu)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);

    for (int k = 0; k < g_menu_model_get_n_items (section); k++) {
      g_autofree char *label = NULL;

      g_menu_model_get_item_attribute (section, k, G_MENU_ATTRIBUTE_LABEL, "s", &label);
      g_string_append_printf (text, "%s\n", label);
    }
  }
  return g_string_free (text, FALSE);
}

/* Ctrl+D writes, writes anew, and takes away; the line, its version and its card show it. */
static void
test_notes (void)
{
  guint64 address;
  PenWindow *window = open_patched (&address);
  PenSession *session = window->session;
  g_autoptr (PenNote) timed = pen_note_new ();
  g_autofree char *spoken = NULL;

  wait_for_notes (session, 0);
  window_support_activate (window, "win.add-note");
  answer ("why here?", "keep");
  wait_for_notes (session, 1);
  g_assert_cmpuint (count_notes (window, address), ==, 1);
  {
    g_autoptr (PenSlot) slot = dup_slot_of (window, address);
    g_autoptr (PenSlot) version = dup_version (slot, 1);
    g_autoptr (GMenuModel) menu
        = window_support_dup_menu (window_support_child (window->annotation, "view"));
    g_autofree char *items = dup_items (menu);

    spoken = pen_slot_dup_spoken (slot);
    g_assert_nonnull (strstr (spoken, "Note: why here?"));
    g_assert_null (pen_slot_get_notes (version));
    g_assert_nonnull (strstr (items, "Edit “why here?”…\nRemove “why here?”\n"));
  }

  /* About the line and a time: of the version that stood there then, and of its card */
  timed->has_address = timed->has_time = TRUE;
  timed->address = address;
  timed->time = get_card (window, 1)->from.time + 1;
  timed->text = g_strdup ("then");
  pen_session_put_note_async (session, timed, NULL, NULL);
  wait_for_notes (session, 2);
  {
    g_autoptr (PenSlot) slot = dup_slot_of (window, address);
    g_autoptr (PenSlot) first = dup_version (slot, 0);
    g_autoptr (PenSlot) second = dup_version (slot, 1);

    g_assert_cmpuint (pen_slot_get_notes (slot)->len, ==, 2);
    g_assert_null (pen_slot_get_notes (first));
    g_assert_cmpuint (pen_slot_get_notes (second)->len, ==, 1);
  }
  g_assert_nonnull (
      window_support_find_widget (GTK_WIDGET (window->history), has_text, (gpointer) "Note: then"));

  window_support_activate (window, "win.add-note");
  g_assert_cmpstr (
      gtk_editable_get_text (GTK_EDITABLE (adw_message_dialog_get_extra_child (find_dialog ()))),
      ==, "why here?");
  answer ("that is why", "keep");
  while (strcmp (((PenNoteRow *) pen_session_get_answers (session)->notes->pdata[1])->note->text,
                 "that is why")
         != 0)
    g_main_context_iteration (NULL, TRUE);
  window_support_activate (window, "win.add-note");
  answer (NULL, "remove");
  wait_for_notes (session, 1);
  g_assert_cmpuint (count_notes (window, address), ==, 1);
  pen_session_remove_note_async (
      session, ((PenNoteRow *) pen_session_get_answers (session)->notes->pdata[0])->note->id, NULL,
      NULL);
  wait_for_notes (session, 0);
  g_assert_cmpuint (count_notes (window, address), ==, 0);
  window_support_close_window (window);
}

/* ---- among all changes ---- */

/* Returns: (nullable): it is not there yet */
static const PenChangeRow *
get_selected_change (PenWindow *window)
{
  PenChangeItem *item = gtk_single_selection_get_selected_item (GTK_SINGLE_SELECTION (
      gtk_column_view_get_model (window_support_child (window->changes, "view"))));

  return item ? pen_change_item_get_row (item) : NULL;
}

/* From a card to its row in the list, also where the list left it out. */
static void
test_show_change (void)
{
  guint64 address;
  PenWindow *window = open_patched (&address);
  PenSession *session = window->session;
  PenMoment moment = get_card (window, 3)->from;
  PenChangeOrder order = { .scope = PEN_CHANGE_SCOPE_MAPS, .search = "nothing has that" };
  const PenChangeRow *row;

  pen_session_set_change_order (session, &order);
  pen_session_show_change (session, moment);
  app_support_wait_for (get_selected_change (window) && pen_session_is_settled (session));
  row = get_selected_change (window);
  g_assert_cmpint (pen_session_get_view (session)->page, ==, PEN_PAGE_CAUSES);
  g_assert_cmpuint (row->change.time, ==, moment.time);
  g_assert_cmphex (row->change.address, ==, address);
  g_assert_cmpuint (pen_session_get_view (session)->playhead, ==, moment.time);
  window_support_close_window (window);
}

/* ---- many versions ---- */

#define PROGRAM 0xffffffffc0100000u
#define N_PATCHES 300
#define MANY_SECOND UINT64_C (1000000000)

/* A program whose entry is switched on and off. */
static char *
write_many (void)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00, 0xc3 };
  static const guint8 call[] = { 0xe8, 0x10, 0x20, 0x30, 0x00 };
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();

  pen_test_capture_set_arch (capture, "x86_64");
  pen_test_capture_at (capture, 103 * MANY_SECOND, 42, 42, 0);
  pen_test_capture_from (capture, 1);
  pen_test_capture_add_ksymbol (capture, PROGRAM, sizeof nop, 1, 0, "bpf_prog_switched");
  pen_test_capture_add_text_poke (capture, PROGRAM, NULL, 0, nop, sizeof nop);
  for (guint i = 0; i < N_PATCHES; i++) {
    pen_test_capture_at (capture, 104 * MANY_SECOND + i * (MANY_SECOND / 100), 42, 42, 0);
    pen_test_capture_from (capture, 1);
    pen_test_capture_add_text_poke (capture, PROGRAM, i % 2 ? call : nop, 5, i % 2 ? nop : call, 5);
    pen_test_capture_from (capture, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, PROGRAM, 1);
  }
  return app_support_write_capture (capture, "many.data");
}

static guint64
get_selected_time (GtkSingleSelection *cards)
{
  PenHistoryItem *item = gtk_single_selection_get_selected_item (cards);

  return item ? pen_history_item_get_row (item)->from.time : 0;
}

/* Cards that are made are those near the playhead, and no others before. */
static void
check_current (GListModel *cards, guint position, guint removed, guint added, PenSession *session)
{
  guint64 playhead = pen_session_get_view (session)->playhead;
  guint n = g_list_model_get_n_items (cards);
  gboolean has_current = n == 0;

  for (guint i = 0; i < n && !has_current; i++) {
    g_autoptr (PenHistoryItem) item = g_list_model_get_item (cards, i);

    has_current = pen_history_item_has_time (item, playhead);
  }
  g_assert_true (has_current);
}

static void
check_many_anew (PenSession *session, GtkSingleSelection *cards, guint64 address)
{
  guint64 playhead = 104 * MANY_SECOND + N_PATCHES / 2 * (MANY_SECOND / 100) + 1;
  gulong handler;

  pen_session_set_line (session, NULL);
  pen_session_set_playhead (session, playhead);
  app_support_settle (session);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (cards)), ==, 0);
  handler = g_signal_connect (cards, "items-changed", G_CALLBACK (check_current), session);
  pen_session_set_line (session, &address);
  app_support_settle (session);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (cards)), >, 2);
  g_signal_handler_disconnect (cards, handler);
}

/* Only some of the cards are made; that of the playhead is among them, wherever it goes. */
static void
test_many (void)
{
  g_autofree char *path = write_many ();
  PenWindow *window = window_support_open_path (path);
  PenSession *session = window->session;
  guint64 address = PROGRAM, times[] = { 0, N_PATCHES - 1, N_PATCHES / 2, 3 };
  GtkSingleSelection *cards = get_cards (window);

  window_support_select_function (window, "bpf_prog_switched");
  pen_session_set_line (session, &address);
  app_support_settle (session);
  g_assert_cmpuint (pen_session_get_answers (session)->history->rows->len, >, N_PATCHES);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    guint64 time = 104 * MANY_SECOND + times[i] * (MANY_SECOND / 100);

    pen_session_set_playhead (session, time + 1);
    app_support_wait_for (get_selected_time (cards) == time);
    app_support_settle (session);
    g_assert_cmpuint (get_selected_time (cards), ==, time);
    g_assert_cmpuint (pen_session_get_view (session)->playhead, ==, time + 1);
    g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (cards)), <, 150);
    g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (cards)), >, 2);
  }
  check_many_anew (session, cards, address);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/history/many", test_many);
  g_test_add_func ("/window/history/bands", test_bands);
  g_test_add_func ("/window/history/versions", test_versions);
  g_test_add_func ("/window/history/fold-keys", test_fold_keys);
  g_test_add_func ("/window/history/playhead", test_playhead);
  g_test_add_func ("/window/history/change-in-header", test_change_in_header);
  g_test_add_func ("/window/history/verdict", test_verdict);
  g_test_add_func ("/window/history/first-line", test_first_line);
  g_test_add_func ("/window/history/stays", test_stays);
  g_test_add_func ("/window/history/details", test_details);
  g_test_add_func ("/window/history/light", test_light);
  g_test_add_func ("/window/history/notes", test_notes);
  g_test_add_func ("/window/history/show-change", test_show_change);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
