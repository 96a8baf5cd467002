/* measure-clicks.c: what the window's own thread takes for a click, and how long it is until it
 * shows
 *
 * measure-clicks [--size=WIDTHxHEIGHT] [--case=NAME] [--times=N] CAPTURE
 *
 * Needs a display. A line per case: its name; milliseconds of CPU of the window's thread: median
 * and longest; milliseconds until the frame that shows all of it is drawn: median and longest.
 * Frames of scrolling: milliseconds of CPU for each. Animations are as a desktop has them, on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdlib.h>
#include <time.h>

#include "pen-application.h"
#include "pen-function-item.h"
#include "pen-slot.h"
#include "pen-window-private.h"

/* Without a frame for so long, nothing more comes of it. */
#define QUIET_MS 250
#define LONGEST_MS 5000
#define TURNS_MAX 40
#define FRAMES 120
#define FRAMES_WARM_UP 10

typedef struct {
  double cpu;
  double shown;
} Cost;

typedef struct {
  PenWindow *window;
  const char *only; /* the case to measure; NULL: all */
  int n_turns;
  GListModel *functions;
  gboolean was_settled; /* when the last frame began */
  gint64 last_frame;
  gboolean is_shown; /* all of it, in a frame */
  gint64 shown;      /* the end of that frame */
} Bench;

static double
get_cpu (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1000 + (double) now.tv_nsec / 1e6;
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
print_costs (const char *name, const Cost *costs, gsize n)
{
  double cpu[FRAMES] = { 0 }, shown[FRAMES] = { 0 };

  for (gsize i = 0; i < n; i++) {
    cpu[i] = costs[i].cpu;
    shown[i] = costs[i].shown;
  }
  qsort (cpu, n, sizeof *cpu, compare);
  qsort (shown, n, sizeof *shown, compare);
  g_print ("%s\t%.1f\t%.1f\t%.1f\t%.1f\n", name, cpu[n / 2], cpu[n - 1], shown[n / 2],
           shown[n - 1]);
}

/* ---- waiting ---- */

static void
on_frame_begins (Bench *bench)
{
  bench->was_settled = pen_session_is_settled (pen_window_get_session (bench->window));
}

static void
on_frame (Bench *bench)
{
  bench->last_frame = g_get_monotonic_time ();
  /* The first one after all answers; where they changed nothing, the last one before. */
  if (!bench->is_shown)
    bench->shown = bench->last_frame;
  bench->is_shown |= bench->was_settled;
}

static gboolean
wake (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_CONTINUE;
}

/* Until all is answered and drawn, and nothing moves any more. */
static void
settle (Bench *bench, gint64 begun)
{
  PenSession *session = pen_window_get_session (bench->window);
  gboolean woken = FALSE;
  guint tick = g_timeout_add (QUIET_MS / 5, wake, &woken);
  gint64 quiet_from;

  do {
    g_main_context_iteration (NULL, TRUE);
    quiet_from = MAX (bench->last_frame, begun);
  } while (pen_session_get_state (session) == PEN_SESSION_IMPORTING
           || ((!pen_session_is_settled (session)
                || g_get_monotonic_time () < quiet_from + QUIET_MS * 1000)
               && g_get_monotonic_time () < begun + LONGEST_MS * 1000));
  g_source_remove (tick);
}

/* ---- cases ---- */

typedef void (*ActFunc) (Bench *bench, guint turn);

/* @prepare: what is done before each turn, and not measured; NULL: nothing */
static void
measure (Bench *bench, const char *name, ActFunc prepare, ActFunc act)
{
  Cost costs[TURNS_MAX];

  if (bench->only && !g_str_has_prefix (name, bench->only))
    return;
  /* The first time makes widgets that stay. */
  for (int turn = -1; turn < bench->n_turns; turn++) {
    gint64 begun;
    double cpu;

    if (prepare) {
      prepare (bench, (guint) (turn + 1));
      settle (bench, g_get_monotonic_time ());
    }
    begun = g_get_monotonic_time ();
    cpu = get_cpu ();
    bench->is_shown = FALSE;
    bench->shown = begun;
    act (bench, (guint) (turn + 1));
    settle (bench, begun);
    if (turn >= 0)
      costs[turn]
          = (Cost){ .cpu = get_cpu () - cpu, .shown = (double) (bench->shown - begun) / 1000 };
  }
  print_costs (name, costs, (gsize) bench->n_turns);
}

static gpointer
get_child (gpointer widget, const char *id)
{
  return gtk_widget_get_template_child (widget, G_OBJECT_TYPE (widget), id);
}

static void
choose_page (Bench *bench, const char *page)
{
  gtk_widget_activate_action (GTK_WIDGET (bench->window), "win.page", "s", page);
}

static void
act_code (Bench *bench, guint turn G_GNUC_UNUSED)
{
  choose_page (bench, "code");
}

static void
act_map (Bench *bench, guint turn G_GNUC_UNUSED)
{
  choose_page (bench, "map");
}

static void
act_causes (Bench *bench, guint turn G_GNUC_UNUSED)
{
  choose_page (bench, "causes");
}

static void
act_occupants (Bench *bench, guint turn G_GNUC_UNUSED)
{
  choose_page (bench, "occupants");
}

static void
act_recording (Bench *bench, guint turn G_GNUC_UNUSED)
{
  choose_page (bench, "recording");
}

static void
choose_function (Bench *bench, guint row)
{
  gtk_single_selection_set_selected (GTK_SINGLE_SELECTION (bench->functions), row);
}

static void
act_row (Bench *bench, guint turn)
{
  choose_function (bench, turn % MIN (g_list_model_get_n_items (bench->functions), 12));
}

static void
act_step (Bench *bench, guint turn G_GNUC_UNUSED)
{
  gtk_widget_activate_action (GTK_WIDGET (bench->window), "win.next-change", NULL);
}

/* The position of a line of several versions, or of one. */
static guint
find_line (Bench *bench, gboolean is_patched, guint nth)
{
  GListModel *model = get_child (bench->window->annotation, "selection");
  guint found = 0;

  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (GtkTreeListRow) row = g_list_model_get_item (model, i);
    g_autoptr (PenSlot) slot = gtk_tree_list_row_get_item (row);

    if ((pen_slot_get_n_lines (slot) > 1) != is_patched)
      continue;
    found = i;
    if (nth-- == 0)
      break;
  }
  return found;
}

static void
choose_line (Bench *bench, guint position)
{
  gtk_single_selection_set_selected (get_child (bench->window->annotation, "selection"), position);
}

static void
act_patched_line (Bench *bench, guint turn)
{
  choose_line (bench, find_line (bench, TRUE, turn));
}

static void
act_other_line (Bench *bench, guint turn)
{
  choose_line (bench, find_line (bench, FALSE, turn));
}

/* The function that was patched most, of the first ones; the names of others are not known here. */
static guint
find_most_patched (Bench *bench)
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

/* ---- scrolling ---- */

typedef struct {
  Bench *bench;
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
  double now = get_cpu ();

  if (scroll->n > FRAMES_WARM_UP)
    scroll->costs[scroll->n - FRAMES_WARM_UP - 1] = now - scroll->before;
  if (scroll->n++ == FRAMES_WARM_UP + FRAMES)
    return G_SOURCE_REMOVE;
  scroll->before = now;
  gtk_adjustment_set_value (scroll->down, gtk_adjustment_get_value (scroll->down) + scroll->step);
  return G_SOURCE_CONTINUE;
}

/* @step: of each frame, in parts of a page */
static void
measure_scrolling (Bench *bench, const char *name, double step)
{
  GtkWidget *view = get_child (bench->window->annotation, "view");
  Scroll scroll
      = { .bench = bench, .down = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view)) };

  if (bench->only && !g_str_has_prefix (name, bench->only))
    return;
  gtk_adjustment_set_value (scroll.down, 0);
  settle (bench, g_get_monotonic_time ());
  scroll.step = step * gtk_adjustment_get_page_size (scroll.down);
  gtk_widget_add_tick_callback (view, on_tick, &scroll, NULL);
  while (scroll.n <= FRAMES_WARM_UP + FRAMES)
    g_main_context_iteration (NULL, TRUE);
  qsort (scroll.costs, FRAMES, sizeof *scroll.costs, compare);
  g_print ("%s\t%.1f\t%.1f\t–\t–\n", name, scroll.costs[FRAMES / 2], scroll.costs[FRAMES - 1]);
}

static void
open_versions (Bench *bench)
{
  GListModel *model = get_child (bench->window->annotation, "selection");

  for (guint i = 0; i < g_list_model_get_n_items (model); i++) {
    g_autoptr (GtkTreeListRow) row = g_list_model_get_item (model, i);

    if (gtk_tree_list_row_is_expandable (row))
      gtk_tree_list_row_set_expanded (row, TRUE);
  }
}

/* ---- */

static void
measure_all (Bench *bench)
{
  PenSession *session = pen_window_get_session (bench->window);

  choose_page (bench, "code");
  settle (bench, g_get_monotonic_time ());
  choose_function (bench, find_most_patched (bench));
  settle (bench, g_get_monotonic_time ());
  measure (bench, "a click on a patched line", act_other_line, act_patched_line);
  measure (bench, "a click on another line", act_patched_line, act_other_line);
  measure (bench, "a step to the next change", NULL, act_step);
  measure (bench, "the text map", act_code, act_map);
  measure (bench, "the causes", act_code, act_causes);
  measure (bench, "the occupants", act_code, act_occupants);
  measure (bench, "the recording", act_code, act_recording);
  measure (bench, "the annotation", act_map, act_code);
  open_versions (bench);
  measure_scrolling (bench, "a frame of scrolling by lines", 0.05);
  measure_scrolling (bench, "a frame of scrolling by pages", 0.9);
  measure (bench, "a row of functions", NULL, act_row);
  if (!pen_session_is_settled (session))
    g_printerr ("measure-clicks: the last answers did not come in time\n");
}

int
main (int argc, char **argv)
{
  Bench bench = { .n_turns = 11 };
  const char *size = "1900x1150";
  int width = 0, height = 0;
  const GOptionEntry entries[] = {
    { "size", 0, 0, G_OPTION_ARG_STRING, &size, "Size of the window", "WIDTHxHEIGHT" },
    { "case", 0, 0, G_OPTION_ARG_STRING, &bench.only, "The only case", "NAME" },
    { "times", 0, 0, G_OPTION_ARG_INT, &bench.n_turns, "How often each", "N" },
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
      || bench.n_turns > TURNS_MAX) {
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
  g_signal_connect_swapped (gtk_widget_get_frame_clock (GTK_WIDGET (bench.window)), "before-paint",
                            G_CALLBACK (on_frame_begins), &bench);
  g_signal_connect_swapped (gtk_widget_get_frame_clock (GTK_WIDGET (bench.window)), "after-paint",
                            G_CALLBACK (on_frame), &bench);
  file = g_file_new_for_commandline_arg (argv[1]);
  pen_window_open (bench.window, file);
  settle (&bench, g_get_monotonic_time ());
  if (pen_session_get_state (session) != PEN_SESSION_READY) {
    g_printerr ("measure-clicks: %s: cannot be opened\n", argv[1]);
    return 1;
  }
  bench.functions = get_child (bench.window->functions, "selection");
  measure_all (&bench);
  gtk_window_destroy (GTK_WINDOW (bench.window));
  return 0;
}
