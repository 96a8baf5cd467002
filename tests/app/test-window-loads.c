/* test-window-loads.c: one load of a program in the annotation, and the others
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <string.h>

#include "pen-name-label.h"
#include "pen-places.h"
#include "pen-query-functions.h"

static const PenAnnotatedText *
get_text (PenWindow *window)
{
  const PenStrips *strips = pen_session_get_answers (window->session)->annotation;

  g_assert_nonnull (strips);
  return strips->text;
}

static GtkDropDown *
get_choices (PenWindow *window)
{
  return window_support_child (window->annotation, "loads");
}

static gboolean
has_choices (PenWindow *window)
{
  return gtk_widget_get_visible (gtk_widget_get_parent (GTK_WIDGET (get_choices (window))));
}

static const char *
get_choice (PenWindow *window)
{
  return gtk_string_object_get_string (gtk_drop_down_get_selected_item (get_choices (window)));
}

static void
choose (PenWindow *window, guint position)
{
  gtk_drop_down_set_selected (get_choices (window), position);
  app_support_settle (window->session);
}

#define PROGRAM 0xffffffffc0001000
#define SECOND 1000000000ull

static void
add_load (PenTestCapture *capture, guint64 second, guint64 address, const char *name,
          guint32 bpf_id, guint n_samples)
{
  static const guint8 tag[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, second * SECOND, 42, 42, 0);
  pen_test_capture_add_ksymbol (capture, address, 0x40, 1, 0, name);
  pen_test_capture_add_bpf_event (capture, 1, bpf_id, tag);
  for (guint i = 0; i < n_samples; i++) {
    pen_test_capture_from (capture, 0);
    pen_test_capture_at (capture, second * SECOND + (i + 1) * 1000, 42, 42, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, address + 4, 1);
  }
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, (second + 1) * SECOND, 42, 42, 0);
  pen_test_capture_add_ksymbol (capture, address, 0x40, 1, 1, name);
}

/* A program that is loaded three times at one place, and another one over it in between. */
static PenWindow *
open_reloaded (PenFunctionRow *found)
{
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autofree char *path = NULL;
  GArray *rows;
  PenWindow *window;

  add_load (capture, 110, PROGRAM + 0x1000, "bpf_prog_again", 7, 2);
  add_load (capture, 112, PROGRAM + 0x1002, "bpf_prog_other", 8, 4);
  add_load (capture, 114, PROGRAM + 0x1000, "bpf_prog_again", 9, 3);
  add_load (capture, 116, PROGRAM + 0x1000, "bpf_prog_again", 10, 0);
  path = app_support_write_capture (capture, "loads.data");
  window = window_support_open_path (path);
  rows = pen_session_get_answers (window->session)->functions->rows;
  for (guint i = 0; i < rows->len; i++) {
    const PenFunctionRow *row = &g_array_index (rows, PenFunctionRow, i);

    if (g_strcmp0 (row->function.symbol, "bpf_prog_again") != 0)
      continue;
    *found = *row;
    pen_session_set_function (window->session, row->function.id);
    app_support_settle (window->session);
    g_assert_cmpuint (get_text (window)->loads->loads->len, ==, 3);
    g_assert_cmpuint (get_text (window)->loads->n_others, ==, 1);
    return window;
  }
  g_assert_not_reached ();
}

static const PenLoad *
get_load (PenWindow *window, guint i)
{
  return &g_array_index (get_text (window)->loads->loads, PenLoad, i);
}

static guint64
count_lines (const PenAnnotatedText *text, guint32 tenure)
{
  GPtrArray *lines = text->annotated->lines;
  guint64 samples = 0;

  for (guint i = 0; i < lines->len; i++) {
    const PenAnnotationLine *line = lines->pdata[i];

    if (tenure != 0)
      g_assert_cmpuint (line->tenure, ==, tenure);
    samples += line->samples;
  }
  return samples;
}

/* The heading says which part of its row the load is, and counts changes as the row does. */
static void
check_heading (PenWindow *window, const PenFunctionRow *row, guint i)
{
  GtkLabel *label = window_support_child (window->annotation, "detail");
  guint n = get_text (window)->loads->loads->len;
  g_autofree char *part
      = i < n ? g_strdup_printf ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " samples (",
                                 get_load (window, i)->amount.n, row->function.samples)
              : g_strdup_printf ("%" G_GUINT64_FORMAT " samples (", row->function.samples);
  g_autofree char *load = g_strdup_printf (" · load %u of %u · ", i + 1, n);
  g_autofree char *changes
      = g_strdup_printf (" · %" G_GUINT64_FORMAT " changes (0 patches) · ", row->function.changes);

  g_assert_cmpuint (row->function.changes, >, 0);
  g_assert_true (g_str_has_prefix (gtk_label_get_text (label), part));
  g_assert_true ((strstr (gtk_label_get_text (label), load) != NULL) == (i < n));
  g_assert_nonnull (strstr (gtk_label_get_text (label), changes));
}

/* Each load has its own samples, as the list of occupants has them; all have those of the list of
 * functions. */
static void
test_alone (void)
{
  PenFunctionRow row;
  PenWindow *window = open_reloaded (&row);
  guint n = get_text (window)->loads->loads->len;
  guint64 sum = 0;

  g_assert_true (has_choices (window));
  pen_session_set_page (window->session, PEN_PAGE_OCCUPANTS);
  app_support_settle (window->session);
  pen_session_set_page (window->session, PEN_PAGE_CODE);
  for (guint i = 0; i < n; i++) {
    GPtrArray *occupants = pen_session_get_answers (window->session)->occupants->rows;
    guint32 tenure;
    guint n_found = 0;

    choose (window, i);
    check_heading (window, &row, i);
    tenure = get_load (window, i)->tenure.id;
    g_assert_cmpuint (get_text (window)->load, ==, tenure);
    g_assert_cmpuint (count_lines (get_text (window), tenure), ==, get_load (window, i)->amount.n);
    g_assert_cmpuint (get_text (window)->annotated->samples, ==, get_load (window, i)->amount.n);
    g_assert_cmpuint (get_text (window)->annotated->total_samples, ==,
                      pen_session_get_answers (window->session)->counts->matching.n);
    for (guint k = 0; k < occupants->len; k++) {
      const PenOccupantRow *occupant = occupants->pdata[k];

      if (occupant->tenure != tenure)
        continue;
      g_assert_cmpuint (occupant->samples, ==, get_load (window, i)->amount.n);
      n_found++;
    }
    g_assert_cmpuint (n_found, ==, 1);
    sum += get_load (window, i)->amount.n;
  }
  g_assert_cmpuint (sum, ==, row.function.samples);
  choose (window, n);
  check_heading (window, &row, n);
  g_assert_cmpuint (get_text (window)->load, ==, 0);
  g_assert_cmpuint (get_text (window)->annotated->samples, ==, row.function.samples);
  g_assert_true (g_str_has_prefix (get_choice (window), "All Loads"));
  window_support_close_window (window);
}

/* The load of the playhead, and with it the next; but a chosen one stays. */
static void
test_playhead (void)
{
  PenFunctionRow row;
  PenWindow *window = open_reloaded (&row);
  guint n = get_text (window)->loads->loads->len;
  guint32 first = get_load (window, 0)->tenure.id, last = get_load (window, n - 1)->tenure.id;
  guint64 middle;

  pen_session_set_playhead (window->session, get_load (window, 0)->tenure.from.time);
  app_support_settle (window->session);
  g_assert_cmpuint (get_text (window)->load, ==, first);
  pen_session_set_playhead (window->session, get_load (window, n - 1)->tenure.from.time);
  app_support_settle (window->session);
  g_assert_cmpuint (get_text (window)->load, ==, last);
  middle = get_load (window, 0)->tenure.to.time;
  g_assert_cmpuint (middle, <, get_load (window, n - 1)->tenure.from.time);
  choose (window, 0);
  g_assert_cmpuint (pen_session_get_view (window->session)->playhead, ==,
                    get_load (window, 0)->tenure.from.time);
  pen_session_set_playhead (window->session, middle);
  app_support_settle (window->session);
  g_assert_cmpuint (get_text (window)->load, ==, first);
  window_support_close_window (window);
}

/* A row of the occupants leads to that very load, and back to where one was. */
static void
test_occupant (void)
{
  PenFunctionRow row;
  PenWindow *window = open_reloaded (&row);
  guint n = get_text (window)->loads->loads->len;
  guint32 last = get_load (window, n - 1)->tenure.id;

  pen_session_set_load (window->session, last, FALSE);
  app_support_settle (window->session);
  /* Another function is a step of its own only after a while. */
  app_support_run (2 * PEN_PLACES_BURST / G_TIME_SPAN_MILLISECOND);
  g_assert_cmpuint (get_text (window)->load, ==, last);
  g_assert_cmpuint (gtk_drop_down_get_selected (get_choices (window)), ==, n - 1);
  window_support_select_function (window, "bpf_prog_tested");
  g_assert_false (has_choices (window));
  g_assert_cmpuint (get_text (window)->load, ==, 0);
  app_support_run (50);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.back", NULL);
  app_support_settle (window->session);
  g_assert_cmpuint (get_text (window)->load, ==, last);
  window_support_close_window (window);
}

/* ---- the history of a reused address ---- */

#define TAGGED "bpf_prog_0102030405060708_"

static gboolean
is_title (GtkWidget *widget, gpointer text)
{
  return PEN_IS_NAME_LABEL (widget) && gtk_widget_get_mapped (widget)
         && g_str_equal (pen_name_label_get_name (PEN_NAME_LABEL (widget)), text);
}

/* The end of a name, where it differs, is not cut. */
static void
check_card (PenWindow *window, const char *name, guint32 bpf_id)
{
  g_autofree char *title = g_strdup_printf ("New: " TAGGED "%s (id %u)", name, bpf_id);
  g_autofree char *end = g_strdup_printf ("%s (id %u)", name, bpf_id);
  GtkWidget *label = window_support_find_widget (GTK_WIDGET (window->history), is_title, title);
  g_autofree char *shown = label ? pen_name_label_dup_shown (PEN_NAME_LABEL (label)) : NULL;

  g_assert_nonnull (shown);
  g_assert_true (g_str_has_prefix (shown, "New: "));
  g_assert_true (g_str_has_suffix (shown, end));
}

static void
check_holder (PenWindow *window, const char *name, guint32 bpf_id, guint number)
{
  g_autofree char *expected = g_strdup_printf (
      TAGGED "%s (id %u)+0x4 · 0 changes · occupant %u of 3", name, bpf_id, number);

  g_assert_cmpstr (pen_name_label_get_name (window_support_child (window->history, "detail")), ==,
                   expected);
}

/* Each card says which program came, and the heading who held the address: as of the playhead, or
 * in the load that is shown. */
static void
test_reused (void)
{
  g_autoptr (PenTestCapture) capture = app_support_new_capture ();
  g_autofree char *path = NULL;
  guint64 address = PROGRAM + 0x1004;
  PenWindow *window;

  add_load (capture, 110, PROGRAM + 0x1000, TAGGED "raw_a", 7, 2);
  add_load (capture, 112, PROGRAM + 0x1000, TAGGED "other", 8, 4);
  add_load (capture, 114, PROGRAM + 0x1000, TAGGED "raw_a", 9, 3);
  path = app_support_write_capture (capture, "reused.data");
  window = window_support_open_path (path);
  window_support_select_function (window, TAGGED "raw_a");
  pen_session_set_line (window->session, &address);
  app_support_settle (window->session);
  check_card (window, "raw_a", 7);
  check_card (window, "other", 8);
  check_card (window, "raw_a", 9);
  check_holder (window, "raw_a", 7, 1);
  pen_session_set_playhead (window->session, 112 * SECOND + SECOND / 2);
  app_support_settle (window->session);
  check_holder (window, "other", 8, 2);
  choose (window, 1);
  check_holder (window, "raw_a", 9, 3);
  window_support_close_window (window);
}

/* The export has the load that is shown, and no other. */
static void
test_export (void)
{
  PenFunctionRow row;
  PenWindow *window = open_reloaded (&row);
  g_autofree char *end = NULL;
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  choose (window, 1);
  text = app_support_session_export (window->session, PEN_EXPORT_ANNOTATION);
  end = g_strdup_printf (",%u", get_text (window)->load);
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_true (g_str_has_suffix (lines[0], ",tenure"));
  for (guint i = 1; lines[i]; i++, n++)
    g_assert_true (g_str_has_suffix (lines[i], end));
  g_assert_cmpuint (n, ==, get_text (window)->annotated->lines->len);
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/window/loads/reused", test_reused);
  g_test_add_func ("/window/loads/export", test_export);
  g_test_add_func ("/window/loads/alone", test_alone);
  g_test_add_func ("/window/loads/playhead", test_playhead);
  g_test_add_func ("/window/loads/occupant", test_occupant);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
