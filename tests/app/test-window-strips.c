/* test-window-strips.c: the strips of the annotation: versions over time, clicked and dragged
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <string.h>

#include "pen-query-history.h"
#include "pen-slot-words.h"
#include "pen-slot-row.h"

#define ENTRY 0xffffffff8134cc50 /* of vfs_read: nop, ftrace_trampoline, ftrace_caller, … */

/* The row of several versions, and where its strip is. */
typedef struct {
  PenSlotTable *table;
  PenSlotRow *row;
  int x;
  int width;
} Strip;

static gboolean
is_row_of_versions (GtkWidget *widget, gpointer data)
{
  PenSlot *slot = PEN_IS_SLOT_ROW (widget) && gtk_widget_get_mapped (widget)
                      ? pen_slot_row_get_slot (PEN_SLOT_ROW (widget))
                      : NULL;

  return slot && pen_slot_get_n_lines (slot) > 1;
}

static const PenAnnotationLine *
find_line (const Strip *strip, double x, guint64 *time)
{
  return pen_slot_table_find_version (strip->table, pen_slot_row_get_slot (strip->row),
                                      strip->x + x, time);
}

static PenWindow *
open_annotated (Strip *strip)
{
  PenWindow *window = window_support_open_window ("b-ftrace.data");

  window_support_select_function (window, "vfs_read");
  strip->table = window_support_child (window->annotation, "view");
  strip->row = PEN_SLOT_ROW (
      window_support_find_widget (GTK_WIDGET (window->annotation), is_row_of_versions, NULL));
  g_assert_nonnull (strip->row);
  g_assert_true (pen_slot_table_get_strip (strip->table, &strip->x, &strip->width));
  return window;
}

/* Pixels of the middle of the @n-th version. */
static double
find_version (const Strip *strip, guint n)
{
  const PenAnnotationLine *line = NULL;
  double from = 0;
  guint found = G_MAXUINT;

  for (double x = 0; x < strip->width; x++) {
    guint64 time;
    const PenAnnotationLine *there = find_line (strip, x, &time);

    if (there == line)
      continue;
    if (found == n)
      return (from + x) / 2;
    found++;
    line = there;
    from = x;
  }
  g_assert_cmpuint (found, ==, n);
  return (from + strip->width) / 2;
}

static void
drag (PenWindow *window, const Strip *strip, double x, double dx)
{
  GtkEventController *drag
      = window_support_find_controller (GTK_WIDGET (strip->table), GTK_TYPE_GESTURE_DRAG);
  double left, top;

  g_assert_true (gtk_widget_translate_coordinates (
      GTK_WIDGET (strip->row), GTK_WIDGET (strip->table), strip->x + x, 4, &left, &top));
  g_signal_emit_by_name (drag, "drag-begin", left, top);
  if (dx != 0)
    g_signal_emit_by_name (drag, "drag-update", dx, 0.0);
  g_signal_emit_by_name (drag, "drag-end", dx, 0.0);
  app_support_settle (window->session);
}

/* A click on a segment: its line is selected, the playhead is in it, and the line shows it. */
static void
test_click (void)
{
  Strip strip;
  PenWindow *window = open_annotated (&strip);
  PenSession *session = window->session;
  static const char *const code[] = { "nopl", "ftrace_trampoline", "ftrace_caller" };

  for (guint i = 0; i < G_N_ELEMENTS (code); i++) {
    guint64 address = 0, time;
    double x = find_version (&strip, i);
    const PenAnnotationLine *line = find_line (&strip, x, &time);
    const PenHistoryTable *history;
    const PenHistoryRow *shown = NULL;
    guint64 playhead;

    drag (window, &strip, x, 0);
    playhead = pen_session_get_view (session)->playhead;
    g_assert_true (pen_session_get_line (session, &address));
    g_assert_cmphex (address, ==, ENTRY);
    g_assert_cmpuint (playhead, ==, MAX (time, pen_session_get_span (session).from));
    g_assert_true (line->from.time <= playhead && playhead < line->to.time);
    g_assert_nonnull (strstr (i == 0 ? line->instruction : line->target, code[i]));
    history = pen_session_get_answers (session)->history;
    for (guint k = 0; k < history->rows->len; k++) {
      const PenHistoryRow *row = history->rows->pdata[k];

      if (row->from.time <= playhead && playhead < row->to.time)
        shown = row;
    }
    g_assert_nonnull (shown);
    g_assert_cmpuint (shown->from.time, ==, line->from.time);
  }
  window_support_close_window (window);
}

/* The strips show what the overview shows, at once; a drag selects. */
static void
test_time (void)
{
  Strip strip;
  PenWindow *window = open_annotated (&strip);
  PenSession *session = window->session;
  PenSpan part = { 6500000000, 7500000000 }, selected;
  PenSlot *slot = pen_slot_row_get_slot (strip.row);
  guint64 time;

  pen_session_set_visible (session, part);
  g_assert_true (pen_slot_table_find_time (strip.table, slot, strip.x, &time));
  g_assert_cmpuint (time, ==, part.from);
  g_assert_true (pen_slot_table_find_time (strip.table, slot, strip.x + strip.width / 2.0, &time));
  g_assert_cmpuint (time, ==, (part.from + part.to) / 2);
  app_support_settle (session);
  drag (window, &strip, strip.width / 4.0, strip.width / 2.0);
  g_assert_true (pen_session_get_selected (session, &selected));
  g_assert_cmpuint (selected.from, ==, 6750000000);
  g_assert_cmpuint (selected.to, ==, 7250000000);
  window_support_close_window (window);
}

/* From version to version of the selected line, and back. */
static void
test_keys (void)
{
  Strip strip;
  PenWindow *window = open_annotated (&strip);
  PenSession *session = window->session;
  guint64 entry = ENTRY, first, second;

  pen_session_set_line (session, &entry);
  app_support_settle (session);
  gtk_widget_activate_action (GTK_WIDGET (window->annotation), "annotation.next-version", NULL);
  first = pen_session_get_view (session)->playhead;
  g_assert_cmpuint (first / 1000, ==, 5844816);
  gtk_widget_activate_action (GTK_WIDGET (window->annotation), "annotation.next-version", NULL);
  second = pen_session_get_view (session)->playhead;
  g_assert_cmpuint (second / 1000, ==, 6956885);
  gtk_widget_activate_action (GTK_WIDGET (window->annotation), "annotation.previous-version", NULL);
  g_assert_cmpuint (pen_session_get_view (session)->playhead, ==, first);
  window_support_close_window (window);
}

/* Assistive technology says its versions. */
static void
test_spoken (void)
{
  Strip strip;
  PenWindow *window = open_annotated (&strip);
  g_autofree char *segments = NULL;
  g_autoptr (PenSlot) slot = window_support_dup_slot (window, window_support_find_patched (window));
  PenClock clock = pen_session_get_clock (window->session);
  g_autofree char *when = pen_clock_format_tenancy (&clock, pen_slot_get_nth_line (slot, 2)->from,
                                                    pen_slot_get_nth_line (slot, 2)->to);
  g_autofree char *expected = g_strdup_printf ("patch 2: ftrace_caller, %s, 2 samples", when);

  segments = pen_slot_dup_segments (slot);
  g_assert_true (g_str_has_prefix (segments, "original: nop, "));
  g_assert_nonnull (strstr (segments, expected));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (strip.row),
                                       GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, segments);
  window_support_close_window (window);
}

/* Where one was with a second instant, one comes back to. */
static void
test_second_instant (void)
{
  Strip strip;
  PenWindow *window = open_annotated (&strip);
  PenSession *session = window->session;
  guint64 time = 7000000000;

  g_assert_false (pen_session_get_view (session)->has_mark);
  pen_session_set_mark (session, &time);
  app_support_settle (session);
  app_support_run (50);
  g_assert_nonnull (strstr (pen_session_get_place_name (session, 0), "7.0"));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.back", NULL);
  g_assert_false (pen_session_get_view (session)->has_mark);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.forward", NULL);
  g_assert_true (pen_session_get_view (session)->has_mark);
  g_assert_cmpuint (pen_session_get_view (session)->mark, ==, time);
  window_support_press (GTK_WIDGET (window->annotation), "Escape");
  g_assert_false (pen_session_get_view (session)->has_mark);
  window_support_press (GTK_WIDGET (window->annotation), "b");
  g_assert_cmpuint (pen_session_get_view (session)->mark, ==,
                    pen_session_get_view (session)->playhead);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/strips/click", test_click);
  g_test_add_func ("/window/strips/time", test_time);
  g_test_add_func ("/window/strips/keys", test_keys);
  g_test_add_func ("/window/strips/spoken", test_spoken);
  g_test_add_func ("/window/strips/second-instant", test_second_instant);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
