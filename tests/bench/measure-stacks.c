/* measure-stacks.c: how much processor time questions about stacks take
 *
 * measure-stacks STORE
 *
 * A line per question: its name, and milliseconds by tabs: the median and the longest of the thread
 * that is waited for, and the median of all threads. "Open" questions are the first ones asked of a
 * store, and have its opening; others are asked of one that has answered the first, of stretches
 * from all of it down to a hundredth, or of all.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "bench-query.h"
#include "pen-query-flame-diff.h"
#include "pen-query-functions.h"
#include "pen-store-samples.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define COLD_ROUNDS 5
#define WARM_ROUNDS 20
#define FEW_ROUNDS 3
#define PIXELS 1200
/* Half a pixel; and what the window asks for versions of. */
#define FLAME_SHARE (0.5 / PIXELS)
#define VERSION_SHARE (2.0 / PIXELS)
#define CHART_ROWS 16
#define CHART_LEVELS 64

/* @filter: changed from round to round; @function: that with most samples of those that have a
 * name */
typedef struct {
  PenFilter *filter;
  guint64 from;
  guint64 to;
  guint32 function;
  char *symbol;
} Question;

typedef gboolean (*AskFunc) (PenQuery *query, const Question *question, GError **error);

/* ---- questions ---- */

static gboolean
ask_tree (PenQuery *query, const Question *question, PenFlameOptions options, GError **error)
{
  g_autoptr (PenFlameTree) tree = NULL;

  options.least_share = FLAME_SHARE;
  tree = pen_query_flame (query, question->filter, &options, error);
  return tree != NULL;
}

static gboolean
ask_flame (PenQuery *query, const Question *question, GError **error)
{
  return ask_tree (query, question, (PenFlameOptions){ 0 }, error);
}

static gboolean
ask_inverted (PenQuery *query, const Question *question, GError **error)
{
  return ask_tree (query, question, (PenFlameOptions){ .order = PEN_FLAME_INNERMOST }, error);
}

static gboolean
ask_striped (PenQuery *query, const Question *question, GError **error)
{
  return ask_tree (query, question, (PenFlameOptions){ .version_share = VERSION_SHARE }, error);
}

static PenStackPlace
get_place (const Question *question)
{
  return (PenStackPlace){ .parts = PEN_STACK_PLACE_FUNCTION, .function = question->function };
}

static gboolean
ask_callers (PenQuery *query, const Question *question, GError **error)
{
  PenFlameOptions options = { .order = PEN_FLAME_CALLERS, .place = get_place (question) };

  return ask_tree (query, question, options, error);
}

static gboolean
ask_callees (PenQuery *query, const Question *question, GError **error)
{
  PenFlameOptions options = { .order = PEN_FLAME_CALLEES, .place = get_place (question) };

  return ask_tree (query, question, options, error);
}

static gboolean
ask_lens (PenQuery *query, const Question *question, GError **error)
{
  return ask_tree (query, question, (PenFlameOptions){ .lens = get_place (question) }, error);
}

static gboolean
ask_neighbours (PenQuery *query, const Question *question, GError **error)
{
  PenNeighbourQuestion asked = { .place = get_place (question) };
  PenStackNeighbours *sides[PEN_STACK_SIDES];

  if (!pen_query_stack_all_neighbours (query, question->filter, &asked, sides, error))
    return FALSE;
  for (guint i = 0; i < PEN_STACK_SIDES; i++)
    pen_stack_neighbours_free (sides[i]);
  return TRUE;
}

/* The middle third. */
static gboolean
ask_middle (PenQuery *query, const Question *question, GError **error)
{
  g_autoptr (PenFilter) filter = pen_filter_new ();
  Question asked = *question;
  guint64 third = (question->to - question->from) / 3;

  filter->has_time = TRUE;
  filter->from = question->from + third;
  filter->to = question->to - third;
  asked.filter = filter;
  return ask_flame (query, &asked, error);
}

/* The two halves of the stretch. */
static gboolean
ask_halves (PenQuery *query, const Question *question, double least_share, GError **error)
{
  guint64 middle = question->from + (question->to - question->from) / 2;
  PenFlameWindow windows[2] = { { question->from, middle - 1 }, { middle, question->to } };
  PenFlameOptions options = { .least_share = least_share };
  g_autoptr (PenFlameDiff) diff = pen_query_flame_diff (query, NULL, &options, windows, error);

  return diff != NULL;
}

/* As the window asks. */
static gboolean
ask_difference (PenQuery *query, const Question *question, GError **error)
{
  return ask_halves (query, question, PEN_FLAME_DIFF_LEAST, error);
}

static gboolean
ask_all_differences (PenQuery *query, const Question *question, GError **error)
{
  return ask_halves (query, question, 0, error);
}

static gboolean
ask_chart (PenQuery *query, const Question *question, GError **error)
{
  g_autoptr (PenStackChart) chart
      = pen_query_stack_chart (query, NULL, PEN_STACK_BY_FUNCTION, PEN_CHART_BY_CPU, question->from,
                               question->to, PIXELS, CHART_ROWS, CHART_LEVELS, error);

  return chart != NULL;
}

static gboolean
ask_folded (PenQuery *query, const Question *question, GError **error)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();

  return pen_query_write_folded (query, question->filter, PEN_STACK_BY_FUNCTION, PEN_STACK_SAMPLES,
                                 0, stream, error);
}

/* ---- filters beside time ---- */

static void
ask_for_cpu (const Question *question)
{
  guint32 cpu = 0;

  question->filter->only.cpus = g_array_new (FALSE, FALSE, sizeof cpu);
  g_array_append_val (question->filter->only.cpus, cpu);
}

/* The task of the middle. */
static void
ask_for_task (const Question *question, PenQuery *query)
{
  guint n;
  const PenThread *threads = pen_store_get_threads (pen_query_get_store (query), &n, NULL);
  gint32 tid = n > 0 ? threads[n / 2].tid : 0;

  question->filter->only.tids = g_array_new (FALSE, FALSE, sizeof tid);
  g_array_append_val (question->filter->only.tids, tid);
}

static void
ask_for_function (const Question *question)
{
  question->filter->only.symbols = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (question->filter->only.symbols, g_strdup (question->symbol));
}

/* ---- measuring ---- */

typedef struct {
  double start;
  double all_start;
  double times[WARM_ROUNDS];
  double all[WARM_ROUNDS];
  guint n;
} Times;

static double
get_milliseconds (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (double) now.tv_sec * 1000 + (double) now.tv_nsec / 1000000;
}

static void
start (Times *self)
{
  self->start = get_milliseconds (CLOCK_THREAD_CPUTIME_ID);
  self->all_start = get_milliseconds (CLOCK_PROCESS_CPUTIME_ID);
}

static void
ask_once (Times *self, PenQuery *query, AskFunc ask, const Question *question)
{
  GError *error = NULL;

  if (!ask (query, question, &error))
    bench_stop (error);
  self->times[self->n] = get_milliseconds (CLOCK_THREAD_CPUTIME_ID) - self->start;
  self->all[self->n++] = get_milliseconds (CLOCK_PROCESS_CPUTIME_ID) - self->all_start;
}

static int
compare_times (const void *a, const void *b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
print_times (const char *name, Times *self)
{
  qsort (self->times, self->n, sizeof *self->times, compare_times);
  qsort (self->all, self->n, sizeof *self->all, compare_times);
  g_print ("%s\t%.2f\t%.2f\t%.2f\n", name, self->times[self->n / 2], self->times[self->n - 1],
           self->all[self->n / 2]);
}

static void
measure_cold (const char *name, const char *path, AskFunc ask, const Question *question)
{
  Times times = { 0 };

  for (guint i = 0; i < COLD_ROUNDS; i++) {
    start (&times);
    g_autoptr (PenQuery) query = bench_open_query (path);

    ask_once (&times, query, ask, question);
  }
  print_times (name, &times);
}

static void
measure_all (const char *name, PenQuery *query, AskFunc ask, const Question *question)
{
  Times times = { 0 };

  for (guint i = 0; i < FEW_ROUNDS; i++) {
    start (&times);
    ask_once (&times, query, ask, question);
  }
  print_times (name, &times);
}

/* Of all, with one more part in the filter. */
static void
measure_filtered (const char *name, PenQuery *query, const Question *whole,
                  void (*set) (const Question *question))
{
  g_autoptr (PenFilter) filter = pen_filter_new ();
  Question question = *whole;

  question.filter = filter;
  if (set)
    set (&question);
  else
    ask_for_task (&question, query);
  measure_all (name, query, ask_flame, &question);
}

static void
ask_for_kernel (const Question *question)
{
  question->filter->only.kinds = 1u << PEN_KIND_KERNEL;
}

static void
measure_stretches (const char *name, PenQuery *query, AskFunc ask, const Question *whole)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  Times times = { 0 };

  for (guint i = 0; i < WARM_ROUNDS; i++) {
    g_autoptr (PenFilter) filter = pen_filter_new ();
    Question question = *whole;
    double length = (double) (whole->to - whole->from);
    double width = length * pow (10, -2.0 * i / WARM_ROUNDS);

    question.from += (guint64) g_rand_double_range (rand, 0, length - width + 1);
    question.to = question.from + (guint64) width + 2;
    question.filter = filter;
    filter->has_time = TRUE;
    filter->from = question.from;
    filter->to = question.to;
    start (&times);
    ask_once (&times, query, ask, &question);
  }
  print_times (name, &times);
}

static void
choose_function (const char *path, Question *question)
{
  g_autoptr (PenQuery) query = bench_open_query (path);
  g_autoptr (GArray) rows = NULL;
  GError *error = NULL;

  if (!pen_query_get_time_range (query, &question->from, &question->to)) {
    g_printerr ("measure-stacks: %s: nothing in it has a time\n", path);
    exit (1);
  }
  rows = pen_query_functions (query, NULL, NULL, &error);
  if (!rows)
    bench_stop (error);
  for (guint i = 0; i < rows->len && !question->symbol; i++) {
    const PenFunctionRow *row = &g_array_index (rows, PenFunctionRow, i);

    question->function = row->function.id;
    question->symbol = g_strdup (row->function.symbol);
  }
}

int
main (int argc, char **argv)
{
  Question question = { 0 };
  const char *path;

  g_set_prgname ("measure-stacks");
  if (argc != 2) {
    g_printerr ("usage: measure-stacks STORE\n");
    return 2;
  }
  path = argv[1];
  choose_function (path, &question);
  measure_cold ("open, flame", path, ask_flame, &question);
  measure_cold ("open, inverted flame", path, ask_inverted, &question);
  measure_cold ("open, flame of a stretch", path, ask_middle, &question);
  measure_cold ("open, difference of two halves", path, ask_difference, &question);

  g_autoptr (PenQuery) query = bench_open_query (path);

  measure_all ("flame, all", query, ask_flame, &question);
  measure_stretches ("flame, any stretch", query, ask_flame, &question);
  measure_stretches ("inverted flame, any stretch", query, ask_inverted, &question);
  measure_filtered ("flame of a CPU", query, &question, ask_for_cpu);
  measure_filtered ("flame of a task", query, &question, NULL);
  measure_filtered ("flame of the kernel", query, &question, ask_for_kernel);
  if (question.symbol)
    measure_filtered ("flame of a function", query, &question, ask_for_function);
  measure_all ("flame with versions", query, ask_striped, &question);
  measure_stretches ("flame with versions, any stretch", query, ask_striped, &question);
  measure_stretches ("callers, any stretch", query, ask_callers, &question);
  measure_stretches ("callees, any stretch", query, ask_callees, &question);
  measure_stretches ("flame through a function, any stretch", query, ask_lens, &question);
  measure_all ("callers and callees", query, ask_neighbours, &question);
  measure_all ("difference of two halves", query, ask_difference, &question);
  measure_all ("the same, with all frames", query, ask_all_differences, &question);
  measure_stretches ("stack chart, any stretch", query, ask_chart, &question);
  measure_all ("folded stacks", query, ask_folded, &question);
  g_free (question.symbol);
  return 0;
}
