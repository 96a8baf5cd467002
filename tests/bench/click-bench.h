/* click-bench.h: what a click costs until it shows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-window-private.h"

G_BEGIN_DECLS

#define CLICK_BENCH_TURNS_MAX 40

/* Milliseconds */
typedef struct {
  double cpu_shown; /* until all of it is on the screen */
  double cpu;       /* with what is made afterwards, out of sight */
  double shown;
  double others; /* CPU of the other threads, with the rest */
} ClickCost;

typedef struct {
  PenWindow *window;
  const char *only; /* the case to measure; NULL: all */
  int n_turns;
  gboolean each; /* is printed, too */
  int row;       /* of functions, to measure alone; -1: the first ones in turn */
  GListModel *functions;
  GArray *patched;      /* guint: positions of lines of several versions */
  GArray *others;       /* the same, of one */
  gboolean was_settled; /* when the last frame began */
  gint64 last_frame;
  gboolean is_shown; /* all of it, in a frame */
  gint64 shown;      /* the end of that frame */
  double cpu_shown;  /* the thread's, then */
} ClickBench;

typedef void (*ClickBenchFunc) (ClickBench *bench, guint turn);

/* Its window is mapped: frames are looked at from now on. */
void click_bench_watch (ClickBench *bench);

/* Until all is answered and drawn, and nothing moves any more. @begun: by the monotonic clock */
void click_bench_settle (ClickBench *bench, gint64 begun);

/* @prepare: what is done before each turn, and not measured; NULL: nothing */
void click_bench_measure (ClickBench *bench, const char *name, ClickBenchFunc prepare,
                          ClickBenchFunc act);

/* One turn by hand. @cpu: (out): to hand on to its end */
gint64 click_bench_start_turn (ClickBench *bench, double *cpu);
ClickCost click_bench_end_turn (ClickBench *bench, gint64 begun, double cpu);
void click_bench_print_costs (const char *name, const ClickCost *costs, gsize n);

/* ms: of this thread */
double click_bench_get_cpu (void);

/* Of doubles, for qsort() */
int click_bench_compare (const void *a, const void *b);

gpointer click_bench_get_child (gpointer widget, const char *id);
void click_bench_choose_page (ClickBench *bench, const char *page);

G_END_DECLS
