/* click-bench.c: what a click costs until it shows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "click-bench.h"

#include <stdlib.h>
#include <time.h>

/* Without a frame for so long, nothing more comes of it. */
#define QUIET_MS 250
#define LONGEST_MS 5000

static double
read_clock (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (double) now.tv_sec * 1000 + (double) now.tv_nsec / 1e6;
}

double
click_bench_get_cpu (void)
{
  return read_clock (CLOCK_THREAD_CPUTIME_ID);
}

static double
get_cpu_of_others (void)
{
  return read_clock (CLOCK_PROCESS_CPUTIME_ID) - click_bench_get_cpu ();
}

int
click_bench_compare (const void *a, const void *b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return (x > y) - (x < y);
}

/* "median\tlongest" of member @member of each */
static void
print_cost (const ClickCost *costs, gsize n, gsize member)
{
  double numbers[CLICK_BENCH_TURNS_MAX] = { 0 };

  for (gsize i = 0; i < n; i++)
    numbers[i] = G_STRUCT_MEMBER (double, &costs[i], member);
  qsort (numbers, n, sizeof *numbers, click_bench_compare);
  g_print ("\t%.1f\t%.1f", numbers[n / 2], numbers[n - 1]);
}

void
click_bench_print_costs (const char *name, const ClickCost *costs, gsize n)
{
  g_print ("%s", name);
  print_cost (costs, n, G_STRUCT_OFFSET (ClickCost, cpu_shown));
  print_cost (costs, n, G_STRUCT_OFFSET (ClickCost, shown));
  print_cost (costs, n, G_STRUCT_OFFSET (ClickCost, cpu));
  g_print ("\n");
}

static void
on_frame_begins (ClickBench *bench)
{
  bench->was_settled = pen_session_is_settled (pen_window_get_session (bench->window));
}

static void
on_frame (ClickBench *bench)
{
  bench->last_frame = g_get_monotonic_time ();
  /* The first one after all answers; where they changed nothing, the last one before. */
  if (!bench->is_shown) {
    bench->shown = bench->last_frame;
    bench->cpu_shown = click_bench_get_cpu ();
  }
  bench->is_shown |= bench->was_settled;
}

static gboolean
wake (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_CONTINUE;
}

/* Until all is answered and drawn, and nothing moves any more. */
void
click_bench_settle (ClickBench *bench, gint64 begun)
{
  PenSession *session = pen_window_get_session (bench->window);
  gboolean woken = FALSE;
  guint tick = g_timeout_add (QUIET_MS / 5, wake, &woken);
  gint64 quiet_from = g_get_monotonic_time ();

  do {
    gboolean was_busy = !pen_session_is_settled (session);

    g_main_context_iteration (NULL, TRUE);
    /* Taking an answer may last longer than it is to be quiet. */
    if (was_busy || !pen_session_is_settled (session))
      quiet_from = g_get_monotonic_time ();
    quiet_from = MAX (quiet_from, bench->last_frame);
  } while (pen_session_get_state (session) == PEN_SESSION_IMPORTING
           || (g_get_monotonic_time () < quiet_from + QUIET_MS * 1000
               && g_get_monotonic_time () < begun + LONGEST_MS * 1000));
  g_source_remove (tick);
}

gint64
click_bench_start_turn (ClickBench *bench, double *cpu)
{
  gint64 begun = g_get_monotonic_time ();

  *cpu = click_bench_get_cpu ();
  bench->is_shown = FALSE;
  bench->shown = begun;
  bench->cpu_shown = *cpu;
  return begun;
}

ClickCost
click_bench_end_turn (ClickBench *bench, gint64 begun, double cpu)
{
  click_bench_settle (bench, begun);
  return (ClickCost){ .cpu = click_bench_get_cpu () - cpu,
                      .cpu_shown = bench->cpu_shown - cpu,
                      .shown = (double) (bench->shown - begun) / 1000 };
}

/* @prepare: what is done before each turn, and not measured; NULL: nothing */
void
click_bench_measure (ClickBench *bench, const char *name, ClickBenchFunc prepare,
                     ClickBenchFunc act)
{
  ClickCost costs[CLICK_BENCH_TURNS_MAX];

  if (bench->only && !g_str_has_prefix (name, bench->only))
    return;
  /* The first time makes widgets that stay. */
  for (int turn = -1; turn < bench->n_turns; turn++) {
    gint64 begun;
    double cpu, others;
    ClickCost cost;

    if (prepare) {
      prepare (bench, (guint) (turn + 1));
      click_bench_settle (bench, g_get_monotonic_time ());
    }
    others = get_cpu_of_others ();
    begun = click_bench_start_turn (bench, &cpu);
    act (bench, (guint) (turn + 1));
    cost = click_bench_end_turn (bench, begun, cpu);
    cost.others = get_cpu_of_others () - others;
    if (turn >= 0)
      costs[turn] = cost;
    if (turn >= 0 && bench->each)
      g_print ("  %d\t%.1f\t%.1f\t%.1f\t%.1f\n", turn + 1, cost.cpu_shown, cost.shown, cost.cpu,
               cost.others);
  }
  click_bench_print_costs (name, costs, (gsize) bench->n_turns);
}

gpointer
click_bench_get_child (gpointer widget, const char *id)
{
  return gtk_widget_get_template_child (widget, G_OBJECT_TYPE (widget), id);
}

void
click_bench_choose_page (ClickBench *bench, const char *page)
{
  gtk_widget_activate_action (GTK_WIDGET (bench->window), "win.page", "s", page);
}

void
click_bench_watch (ClickBench *bench)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (bench->window));

  g_signal_connect_swapped (clock, "before-paint", G_CALLBACK (on_frame_begins), bench);
  g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (on_frame), bench);
}
