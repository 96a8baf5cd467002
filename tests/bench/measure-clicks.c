/* measure-clicks.c: what the window's own thread takes for a click, and how long it is until it
 * shows
 *
 * measure-clicks [--size=WIDTHxHEIGHT] [--case=NAME] [--times=N] [--each] [--row=N] CAPTURE
 *
 * Needs a display. A line per case: its name; milliseconds of CPU of the window's thread until the
 * frame that shows all of it is drawn: median and longest; milliseconds until then: the same; and
 * of CPU with what is made after that, out of sight: the same. With --each also a line per time:
 * CPU until shown, the clock, CPU with the rest, and that of all other threads. With --row=N
 * a row of functions is that one, after another. Frames of scrolling: milliseconds of CPU for
 * each. Animations are as a desktop has them, on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>

#include "click-bench.h"
#include "pen-application.h"
#include "pen-cause-item.h"
#include "pen-flame-view.h"
#include "pen-function-item.h"
#include "pen-slot.h"

#define FRAMES 120
#define FRAMES_WARM_UP 10

/* ---- cases ---- */

/* The first time makes a page, and only once. */
static void
measure_first_visits (ClickBench *bench)
{
  static const char *const pages[] = { "callers", "map", "causes", "occupants", "recording" };

  for (gsize i = 0; i < G_N_ELEMENTS (pages); i++) {
    g_autofree char *name = g_strdup_printf ("the first visit of %s", pages[i]);
    gint64 begun;
    double cpu;
    ClickCost cost;

    if (bench->only && !g_str_has_prefix (name, bench->only))
      continue;
    click_bench_choose_page (bench, "code");
    click_bench_settle (bench, g_get_monotonic_time ());
    begun = click_bench_start_turn (bench, &cpu);
    click_bench_choose_page (bench, pages[i]);
    cost = click_bench_end_turn (bench, begun, cpu);
    click_bench_print_costs (name, &cost, 1);
  }
}

static void
act_code (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  click_bench_choose_page (bench, "code");
}

static void
act_callers (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  click_bench_choose_page (bench, "callers");
}

static void
act_map (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  click_bench_choose_page (bench, "map");
}

static void
act_causes (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  click_bench_choose_page (bench, "causes");
}

static void
act_occupants (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  click_bench_choose_page (bench, "occupants");
}

static void
act_recording (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  click_bench_choose_page (bench, "recording");
}

/* ---- stacks ---- */

static PenFlameView *
get_flame (ClickBench *bench)
{
  return click_bench_get_child (bench->window->callers, "flame");
}

/* The frames that are as wide as a click finds. */
static void
act_zoom_in (ClickBench *bench, guint turn)
{
  const PenFlameTree *tree = pen_flame_view_get_answer (get_flame (bench))->tree;
  guint node = 1 + turn % MIN (tree->nodes->len - 1, 6);

  pen_flame_view_select (get_flame (bench), node);
  pen_flame_view_zoom (get_flame (bench), node);
}

static void
act_zoom_all (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  pen_flame_view_zoom (get_flame (bench), 0);
}

static void
set_stacks (ClickBench *bench, gboolean inverted, gboolean table)
{
  PenSession *session = pen_window_get_session (bench->window);
  g_autoptr (PenFlameState) state = pen_session_dup_flame (session);

  state->is_inverted = inverted;
  state->is_table = table;
  pen_flame_state_set_zoom (state, NULL);
  pen_session_set_flame (session, state);
}

static void
act_invert (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  set_stacks (bench, TRUE, FALSE);
}

static void
act_not_invert (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  set_stacks (bench, FALSE, FALSE);
}

static void
act_table (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  set_stacks (bench, FALSE, TRUE);
}

static void
act_search_frames (ClickBench *bench, guint turn)
{
  PenStackCount count;

  pen_flame_view_search (get_flame (bench), turn % 2 == 0 ? "read" : "write", &count);
}

static void
measure_stacks (ClickBench *bench)
{
  click_bench_choose_page (bench, "callers");
  click_bench_settle (bench, g_get_monotonic_time ());
  if (pen_flame_view_get_answer (get_flame (bench))->tree->nodes->len > 1) {
    click_bench_measure (bench, "a frame, looked into", act_zoom_all, act_zoom_in);
    click_bench_measure (bench, "all stacks again", act_zoom_in, act_zoom_all);
    act_zoom_all (bench, 0);
    click_bench_measure (bench, "the stacks, inverted", act_not_invert, act_invert);
    click_bench_measure (bench, "the stacks as a table", act_not_invert, act_table);
    act_not_invert (bench, 0);
    click_bench_measure (bench, "the stacks, searched", NULL, act_search_frames);
  }
  click_bench_choose_page (bench, "code");
  click_bench_settle (bench, g_get_monotonic_time ());
}

static void
choose_function (ClickBench *bench, guint row)
{
  gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (bench->functions), row);
}

static void
act_row (ClickBench *bench, guint turn)
{
  choose_function (bench, turn % MIN (g_list_model_get_n_items (bench->functions), 12));
}

static void
act_this_row (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  choose_function (bench, (guint) bench->row);
}

static void
act_another_row (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  choose_function (bench, bench->row == 0 ? 1 : 0);
}

static void
act_step (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  gtk_widget_activate_action (GTK_WIDGET (bench->window), "win.next-change", NULL);
}

/* Fills @lines with the positions of lines of several versions, or of one. */
static void
find_lines (ClickBench *bench, gboolean is_patched, GArray *lines)
{
  GListModel *model = click_bench_get_child (bench->window->annotation, "selection");

  for (guint i = 0; i < g_list_model_get_n_items (model) && lines->len < CLICK_BENCH_TURNS_MAX + 1;
       i++) {
    g_autoptr (GtkTreeListRow) row = g_list_model_get_item (model, i);
    g_autoptr (PenSlot) slot = gtk_tree_list_row_get_item (row);

    if ((pen_slot_get_n_lines (slot) > 1) == is_patched)
      g_array_append_val (lines, i);
  }
}

static void
choose_line (ClickBench *bench, GArray *lines, guint turn)
{
  if (lines->len > 0)
    gtk_single_selection_set_selected (
        click_bench_get_child (bench->window->annotation, "selection"),
        g_array_index (lines, guint, turn % lines->len));
}

static void
act_patched_line (ClickBench *bench, guint turn)
{
  choose_line (bench, bench->patched, turn);
}

static void
act_other_line (ClickBench *bench, guint turn)
{
  choose_line (bench, bench->others, turn);
}

static void
measure_lines (ClickBench *bench)
{
  g_autoptr (GArray) patched = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (guint));

  find_lines (bench, TRUE, patched);
  find_lines (bench, FALSE, others);
  bench->patched = patched;
  bench->others = others;
  if (patched->len > 0)
    click_bench_measure (bench, "a click on a patched line", act_other_line, act_patched_line);
  if (others->len > 0)
    click_bench_measure (bench, "a click on another line",
                         patched->len > 0 ? act_patched_line : NULL, act_other_line);
}

/* The function that was patched most, of the first ones; the names of others are not known here. */
static guint
find_most_patched (ClickBench *bench)
{
  guint found = 0, most = 0;

  for (guint i = 0; i < g_list_model_get_n_items (bench->functions); i++) {
    g_autoptr (PenFunctionItem) item = g_list_model_get_item (bench->functions, i);
    const PenFunctionRow *row = pen_function_item_get_row (item);

    if (row->function.pokes > most) {
      most = row->function.pokes;
      found = i;
    }
  }
  return found;
}

/* ---- causes ---- */

/* (transfer full): the row that has most sites, if @is_key; else the cause that it is in */
static GtkTreeListRow *
find_largest (ClickBench *bench, gboolean is_key)
{
  GListModel *model = click_bench_get_child (bench->window->causes, "selection");
  const PenCauseTree *tree
      = pen_session_get_answers (pen_window_get_session (bench->window))->causes->tree;
  guint most = 0;
  g_autoptr (GtkTreeListRow) found = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (GtkTreeListRow) row = g_list_model_get_item (model, i);
    g_autoptr (PenCauseItem) item = gtk_tree_list_row_get_item (row);
    const PenCauseRow *cause = pen_cause_item_get_row (item);
    guint n = 0;

    if (pen_cause_item_is_more (item) || cause->level != (is_key ? 1 : 0))
      continue;
    n = cause->n_children;
    for (guint j = 0; !is_key && j < cause->n_children; j++)
      n = MAX (n, pen_cause_tree_get (tree, cause->first_child + j)->n_children);
    if (n > most)
      g_set_object (&found, row);
    most = MAX (n, most);
  }
  return g_steal_pointer (&found);
}

static void
set_key_open (ClickBench *bench, gboolean is_open)
{
  g_autoptr (GtkTreeListRow) cause = find_largest (bench, FALSE);
  g_autoptr (GtkTreeListRow) key = NULL;

  if (!cause)
    return;
  gtk_tree_list_row_set_expanded (cause, TRUE);
  key = find_largest (bench, TRUE);
  if (key)
    gtk_tree_list_row_set_expanded (key, is_open);
}

static void
act_close_key (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  set_key_open (bench, FALSE);
}

static void
act_open_key (ClickBench *bench, guint turn G_GNUC_UNUSED)
{
  set_key_open (bench, TRUE);
}

static void
sort (GtkColumnView *view, guint turn)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, turn % 3);

  gtk_column_view_sort_by_column (view, column,
                                  turn % 2 == 0 ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING);
}

static void
act_sort_causes (ClickBench *bench, guint turn)
{
  sort (click_bench_get_child (bench->window->causes, "view"), turn);
}

static void
act_sort_changes (ClickBench *bench, guint turn)
{
  sort (click_bench_get_child (bench->window->changes, "view"), turn);
}

static void
act_sort_occupants (ClickBench *bench, guint turn)
{
  sort (click_bench_get_child (bench->window->occupants, "view"), turn);
}

static void
act_cause (ClickBench *bench, guint turn)
{
  GtkSingleSelection *selection = click_bench_get_child (bench->window->causes, "selection");

  gtk_single_selection_set_selected (
      selection, turn % MIN (g_list_model_get_n_items (G_LIST_MODEL (selection)), 12));
}

static void
measure_lists (ClickBench *bench)
{
  click_bench_choose_page (bench, "causes");
  click_bench_settle (bench, g_get_monotonic_time ());
  if (g_list_model_get_n_items (click_bench_get_child (bench->window->causes, "selection")) > 0) {
    click_bench_measure (bench, "a row of causes", NULL, act_cause);
    click_bench_measure (bench, "the causes, another order", NULL, act_sort_causes);
    click_bench_measure (bench, "the key with most sites, opened", act_close_key, act_open_key);
    click_bench_measure (bench, "the causes with it open, another order", act_open_key,
                         act_sort_causes);
    act_close_key (bench, 0);
    act_cause (bench, 0);
  }
  click_bench_measure (bench, "the changes, another order", NULL, act_sort_changes);
  click_bench_choose_page (bench, "occupants");
  click_bench_settle (bench, g_get_monotonic_time ());
  click_bench_measure (bench, "the occupants, another order", NULL, act_sort_occupants);
  click_bench_choose_page (bench, "code");
  click_bench_settle (bench, g_get_monotonic_time ());
}

/* ---- scrolling ---- */

typedef struct {
  ClickBench *bench;
  GtkAdjustment *down;
  double before;
  double step;
  guint n;
  double costs[FRAMES];
} Scroll;

static gboolean
on_tick (GtkWidget *widget G_GNUC_UNUSED, GdkFrameClock *clock G_GNUC_UNUSED, gpointer data)
{
  Scroll *scroll = data;
  double now = click_bench_get_cpu ();

  if (scroll->n > FRAMES_WARM_UP)
    scroll->costs[scroll->n - FRAMES_WARM_UP - 1] = now - scroll->before;
  if (scroll->n++ == FRAMES_WARM_UP + FRAMES)
    return G_SOURCE_REMOVE;
  scroll->before = now;
  gtk_adjustment_set_value (scroll->down, gtk_adjustment_get_value (scroll->down) + scroll->step);
  return G_SOURCE_CONTINUE;
}

static void
open_versions (ClickBench *bench)
{
  GListModel *model = click_bench_get_child (bench->window->annotation, "selection");

  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (GtkTreeListRow) row = g_list_model_get_item (model, i);

    if (gtk_tree_list_row_is_expandable (row))
      gtk_tree_list_row_set_expanded (row, TRUE);
  }
}

/* @step: of each frame, in parts of a page */
static void
measure_scrolling (ClickBench *bench, const char *name, double step)
{
  GtkWidget *view = click_bench_get_child (bench->window->annotation, "view");
  Scroll scroll
      = { .bench = bench, .down = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view)) };

  if (bench->only && !g_str_has_prefix (name, bench->only))
    return;
  open_versions (bench);
  gtk_adjustment_set_value (scroll.down, 0);
  click_bench_settle (bench, g_get_monotonic_time ());
  scroll.step = step * gtk_adjustment_get_page_size (scroll.down);
  gtk_widget_add_tick_callback (view, on_tick, &scroll, NULL);
  while (scroll.n <= FRAMES_WARM_UP + FRAMES)
    g_main_context_iteration (NULL, TRUE);
  qsort (scroll.costs, FRAMES, sizeof *scroll.costs, click_bench_compare);
  g_print ("%s\t%.1f\t%.1f\t–\t–\t–\t–\n", name, scroll.costs[FRAMES / 2],
           scroll.costs[FRAMES - 1]);
}

/* ---- */

static void
measure_all (ClickBench *bench)
{
  PenSession *session = pen_window_get_session (bench->window);

  measure_first_visits (bench);
  click_bench_choose_page (bench, "code");
  click_bench_settle (bench, g_get_monotonic_time ());
  choose_function (bench, find_most_patched (bench));
  click_bench_settle (bench, g_get_monotonic_time ());
  measure_lines (bench);
  click_bench_measure (bench, "a step to the next change", NULL, act_step);
  click_bench_measure (bench, "the callers", act_code, act_callers);
  click_bench_measure (bench, "the text map", act_code, act_map);
  click_bench_measure (bench, "the causes", act_code, act_causes);
  click_bench_measure (bench, "the occupants", act_code, act_occupants);
  click_bench_measure (bench, "the recording", act_code, act_recording);
  click_bench_measure (bench, "the annotation", act_map, act_code);
  measure_stacks (bench);
  measure_lists (bench);
  measure_scrolling (bench, "a frame of scrolling by lines", 0.05);
  measure_scrolling (bench, "a frame of scrolling by pages", 0.9);
  if (bench->row < 0)
    click_bench_measure (bench, "a row of functions", NULL, act_row);
  else
    click_bench_measure (bench, "a row of functions", act_another_row, act_this_row);
  if (!pen_session_is_settled (session))
    g_printerr ("measure-clicks: the last answers did not come in time\n");
}

int
main (int argc, char **argv)
{
  ClickBench bench = { .n_turns = 11, .row = -1 };
  const char *size = "1900x1150";
  int width = 0, height = 0;
  const GOptionEntry entries[] = {
    { "size", 0, 0, G_OPTION_ARG_STRING, &size, "Size of the window", "WIDTHxHEIGHT" },
    { "case", 0, 0, G_OPTION_ARG_STRING, &bench.only, "The only case", "NAME" },
    { "times", 0, 0, G_OPTION_ARG_INT, &bench.n_turns, "How often each", "N" },
    { "row", 0, 0, G_OPTION_ARG_INT, &bench.row, "The only row of functions", "N" },
    { "each", 0, 0, G_OPTION_ARG_NONE, &bench.each, "Print each time, too", NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("CAPTURE");
  g_autoptr (PenApplication) application = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = NULL;
  PenSession *session;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2
      || sscanf (size, "%dx%d", &width, &height) != 2 || bench.n_turns < 1
      || bench.n_turns > CLICK_BENCH_TURNS_MAX) {
    g_printerr ("measure-clicks: %s\n", error ? error->message : "see --help");
    return 2;
  }
  if (!gtk_init_check ()) {
    g_printerr ("measure-clicks: there is no display\n");
    return 1;
  }
  application = pen_application_new (G_APPLICATION_NON_UNIQUE);
  if (!g_application_register (G_APPLICATION (application), NULL, &error)) {
    g_printerr ("measure-clicks: %s\n", error->message);
    return 1;
  }
  bench.window = pen_window_new (GTK_APPLICATION (application));
  session = pen_window_get_session (bench.window);
  pen_session_set_remembers (session, FALSE);
  gtk_window_set_default_size (GTK_WINDOW (bench.window), width, height);
  gtk_window_present (GTK_WINDOW (bench.window));
  while (!gtk_widget_get_mapped (GTK_WIDGET (bench.window)))
    g_main_context_iteration (NULL, TRUE);
  click_bench_watch (&bench);
  file = g_file_new_for_commandline_arg (argv[1]);
  pen_window_open (bench.window, file);
  click_bench_settle (&bench, g_get_monotonic_time ());
  if (pen_session_get_state (session) != PEN_SESSION_READY) {
    g_printerr ("measure-clicks: %s: cannot be opened\n", argv[1]);
    return 1;
  }
  bench.functions = click_bench_get_child (bench.window->functions, "selection");
  measure_all (&bench);
  gtk_window_destroy (GTK_WINDOW (bench.window));
  return 0;
}
