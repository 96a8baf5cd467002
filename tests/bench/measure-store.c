/* measure-store.c: how long a store takes to answer what the window asks
 *
 * measure-store STORE
 *
 * A line per question: its name, the median and the longest time in milliseconds, by tabs. "Cold"
 * questions are asked of a store that was just opened, "warm" ones of one that has answered before;
 * the file itself is in the system's page cache.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "bench-query.h"
#include "pen-address-axis.h"
#include "pen-query-functions.h"
#include "pen-query-history.h"
#include "pen-query-overview.h"
#include "pen-query-strips.h"
#include "pen-query-tasks.h"

#include <math.h>
#include <stdlib.h>

#define COLD_ROUNDS 7
#define WARM_ROUNDS 60
#define PIXELS 1200
#define STRIP_PIXELS 200
#define MAP_COLUMNS 700
#define MAP_ROWS 300
#define TASK_ROWS 64
#define TASK_BLOCKS 24

/* What is asked, beside the query: a time range, and the function with the most samples. */
typedef struct {
  PenFilter *filter; /* NULL: none */
  guint64 from;
  guint64 to;
  guint32 function;
  guint64 address;
  PenAnnotated *annotated;
  PenAddressAxis *axis;
} Question;

typedef gboolean (*AskFunc) (PenQuery *query, const Question *question, GError **error);

static gboolean
ask_overview (PenQuery *query, const Question *question, GError **error)
{
  g_autoptr (PenOverview) overview
      = pen_query_overview (query, question->filter, question->from, question->to, PIXELS, error);

  return overview != NULL;
}

static gboolean
ask_functions (PenQuery *query, const Question *question, GError **error)
{
  g_autoptr (GArray) rows = pen_query_functions (query, question->filter, NULL, error);

  return rows != NULL;
}

static gboolean
ask_annotation (PenQuery *query, const Question *question, GError **error)
{
  g_autoptr (PenAnnotated) annotated
      = pen_query_annotate (query, question->filter, question->function, PEN_SYNTAX_ATT, error);

  return annotated != NULL;
}

static gboolean
ask_history (PenQuery *query, const Question *question, GError **error)
{
  g_autoptr (GPtrArray) rows
      = pen_query_history (query, question->filter, question->address, PEN_SYNTAX_ATT, error);

  return rows != NULL;
}

static gboolean
ask_strips (PenQuery *query, const Question *question, GError **error)
{
  g_autoptr (PenStripCounts) counts
      = pen_query_strips (query, question->filter, question->annotated, question->from,
                          question->to, STRIP_PIXELS, error);

  return counts != NULL;
}

/* Zoomed in on addresses as much as on time: all of them, or those around the hottest. */
static gboolean
ask_map_of (PenQuery *query, const Question *question, gboolean near, GError **error)
{
  PenAxisView view = { 0, 1 };
  double at = pen_address_axis_get_position (question->axis, question->address);
  g_autofree guint64 *edges = NULL;
  g_autoptr (PenMapBins) bins = NULL;

  if (near)
    view = pen_address_axis_zoom (question->axis, view, at, 0.02);
  edges = pen_address_axis_make_edges (question->axis, view, MAP_ROWS);
  bins = pen_query_map (query, question->filter, question->from, question->to, MAP_COLUMNS, edges,
                        MAP_ROWS, error);
  return bins != NULL;
}

static gboolean
ask_map (PenQuery *query, const Question *question, GError **error)
{
  return ask_map_of (query, question, FALSE, error);
}

static gboolean
ask_near_map (PenQuery *query, const Question *question, GError **error)
{
  return ask_map_of (query, question, TRUE, error);
}

static gboolean
ask_cpus (PenQuery *query, const Question *question, GError **error)
{
  g_autoptr (PenTaskBins) bins
      = pen_query_task_bins (query, question->filter, PEN_TASKS_BY_CPU, question->from,
                             question->to, PIXELS, TASK_ROWS, TASK_BLOCKS, error);

  return bins != NULL;
}

static int
compare_times (const void *a, const void *b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
print_times (const char *name, double *times, guint n)
{
  qsort (times, n, sizeof *times, compare_times);
  g_print ("%s\t%.2f\t%.2f\n", name, times[n / 2], times[n - 1]);
}

static double
time_one (PenQuery *query, AskFunc ask, const Question *question, gint64 start)
{
  GError *error = NULL;

  if (!ask (query, question, &error))
    bench_stop (error);
  return (double) (g_get_monotonic_time () - start) / 1000;
}

/* With the opening of the store. */
static void
measure_cold (const char *name, const char *path, AskFunc ask, const Question *question)
{
  double times[COLD_ROUNDS];

  for (guint i = 0; i < COLD_ROUNDS; i++) {
    gint64 start = g_get_monotonic_time ();
    g_autoptr (PenQuery) query = bench_open_query (path);

    times[i] = time_one (query, ask, question, start);
  }

  print_times (name, times, COLD_ROUNDS);
}

/* At other places and zooms from round to round: from the whole down to a millionth. */
static void
measure_warm (const char *name, const char *path, AskFunc ask, const Question *whole,
              gboolean filters)
{
  g_autoptr (PenQuery) query = bench_open_query (path);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  double times[WARM_ROUNDS];

  time_one (query, ask, whole, 0);
  for (guint i = 0; i < WARM_ROUNDS; i++) {
    g_autoptr (PenFilter) filter = pen_filter_new ();
    Question question = *whole;
    double length = (double) (whole->to - whole->from);
    double width = length * pow (10, -(filters ? 2.0 : 6.0) * i / WARM_ROUNDS);

    question.from += (guint64) g_rand_double_range (rand, 0, length - width + 1);
    question.to = question.from + (guint64) width + 2;
    if (filters) {
      filter->has_time = TRUE;
      filter->from = question.from;
      filter->to = question.to;
      question.filter = filter;
    }
    times[i] = time_one (query, ask, &question, g_get_monotonic_time ());
  }

  print_times (name, times, WARM_ROUNDS);
}

/* The function with the most samples of those whose text may change, and its hottest address. */
static void
choose_function (const char *path, Question *question)
{
  g_autoptr (PenQuery) query = bench_open_query (path);
  g_autoptr (GArray) rows = NULL;
  GError *error = NULL;
  guint64 most = 0;

  if (!pen_query_get_time_range (query, &question->from, &question->to)) {
    g_printerr ("measure-store: %s: nothing in it has a time\n", path);
    exit (1);
  }
  question->to++;

  rows = pen_query_functions (query, NULL, NULL, &error);
  if (!rows)
    bench_stop (error);
  for (guint i = 0; i < rows->len; i++) {
    const PenFunctionRow *row = &g_array_index (rows, PenFunctionRow, i);

    if (row->function.symbol) {
      question->function = row->function.id;
      break;
    }
  }

  question->annotated
      = pen_query_annotate (query, NULL, question->function, PEN_SYNTAX_ATT, &error);
  if (!question->annotated)
    bench_stop (error);
  question->address = question->annotated->start;
  for (guint i = 0; i < question->annotated->lines->len; i++) {
    const PenAnnotationLine *line = g_ptr_array_index (question->annotated->lines, i);

    if (line->samples > most) {
      most = line->samples;
      question->address = line->address;
    }
  }
}

static void
load_axis (const char *path, Question *question)
{
  g_autoptr (PenQuery) query = bench_open_query (path);
  GError *error = NULL;

  question->axis = pen_address_axis_load (query, &error);
  if (!question->axis)
    bench_stop (error);
}

int
main (int argc, char **argv)
{
  Question question = { 0 };
  const char *path;

  g_set_prgname ("measure-store");
  if (argc != 2) {
    g_printerr ("usage: measure-store STORE\n");
    return 2;
  }
  path = argv[1];
  choose_function (path, &question);

  measure_cold ("open, overview", path, ask_overview, &question);
  measure_cold ("open, functions", path, ask_functions, &question);
  measure_cold ("open, annotate", path, ask_annotation, &question);
  measure_cold ("open, history", path, ask_history, &question);
  measure_warm ("functions, any time filter", path, ask_functions, &question, TRUE);
  measure_warm ("annotate, any time filter", path, ask_annotation, &question, TRUE);
  measure_warm ("history, any time filter", path, ask_history, &question, TRUE);
  measure_warm ("overview, any zoom", path, ask_overview, &question, FALSE);
  measure_warm ("strips, any zoom", path, ask_strips, &question, FALSE);
  load_axis (path, &question);
  measure_warm ("map, any zoom of time", path, ask_map, &question, FALSE);
  measure_warm ("map of few functions, any zoom", path, ask_near_map, &question, FALSE);
  measure_warm ("CPUs, any zoom", path, ask_cpus, &question, FALSE);

  pen_address_axis_unref (question.axis);
  pen_annotated_free (question.annotated);
  return 0;
}
