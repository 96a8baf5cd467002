/* test-wait-pictures.c: time off CPU over time, against waits laid out ns by ns
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gstdio.h>
#include <string.h>

#include "pen-filter-term.h"
#include "pen-import.h"
#include "pen-query-flame.h"
#include "pen-query-functions.h"
#include "pen-query-heat.h"
#include "pen-query-map.h"
#include "pen-query-occupant-list.h"
#include "pen-query-overview.h"
#include "pen-query-tasks.h"
#include "pen-test-capture.h"

#define TEXT 0xffffffff81000000
#define MODULE 0xffffffffa0000000
#define RECORD_SWITCH_CPU_WIDE 15
#define MISC_OUT (1u << 13)

/* ns: where the capture begins, and how long it is at most */
#define START 1000000000ull
#define LENGTH 4000
#define N_SWITCHES 300

typedef struct {
  guint64 from;
  guint64 to;
  gboolean of_module;
  gint32 pid;
} Wait;

typedef struct {
  char *directory;
  PenQuery *query; /* of waits */
  GArray *waits;   /* (element-type Wait): those of a known length */
} Fixture;

static PenTestCapture *
begin (Fixture *fixture)
{
  PenTestCapture *capture = pen_test_capture_new ();
  PenTestEvent off_cpu = PEN_TEST_EVENT_CLOCK;

  fixture->directory = g_dir_make_tmp ("pentimento-XXXXXX", NULL);
  fixture->waits = g_array_new (FALSE, FALSE, sizeof (Wait));
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  off_cpu.name = "offcpu-time";
  off_cpu.type = 1;
  off_cpu.config = 10;
  pen_test_capture_add_event (capture, &off_cpu);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, TEXT, 0xe00000, TEXT,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, MODULE, 0x4000, 0,
                             "/lib/modules/6.1/snd-hda.ko");
  return capture;
}

static void
open_capture (Fixture *fixture, PenTestCapture *capture)
{
  g_autofree char *path = g_build_filename (fixture->directory, "perf.data", NULL);
  g_autofree char *store_path = g_build_filename (fixture->directory, "x.pentimento", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (PenStore) store = NULL;
  g_autoptr (PenStore) waits = NULL;

  g_assert_true (pen_test_capture_write (capture, path, PEN_TEST_CAPTURE_FILE, &error));
  pen_import (path, store_path, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  store = pen_store_open (store_path, &error);
  g_assert_no_error (error);
  waits = pen_store_open_waits (store, &error);
  g_assert_no_error (error);
  fixture->query = pen_query_new (waits);
}

/* Each task goes off the CPU and comes back in turn; one is never seen again. */
static void
set_up_switches (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint8 other[8] = { 0 };
  g_autoptr (PenTestCapture) capture = begin (fixture);
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  guint64 off[8] = { 0 };
  guint64 time = START;

  for (guint i = 0; i < N_SWITCHES; i++) {
    guint task = (guint) g_rand_int_range (random, 0, 8);
    Wait wait = { off[task], time, FALSE, (gint32) task + 1 };

    pen_test_capture_at (capture, time, (gint32) task + 1, (gint32) task + 1, task % PEN_TEST_CPUS);
    pen_test_capture_add_raw (capture, RECORD_SWITCH_CPU_WIDE, off[task] == 0 ? MISC_OUT : 0, other,
                              sizeof other, TRUE);
    if (off[task] != 0)
      g_array_append_val (fixture->waits, wait);
    off[task] = off[task] == 0 ? time : 0;
    time += (guint64) g_rand_int_range (random, 1, 20);
  }
  open_capture (fixture, capture);
}

/* They are told at their ends. */
static void
set_up_ends (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenTestCapture) capture = begin (fixture);
  g_autoptr (GRand) random = g_rand_new_with_seed (4);
  guint64 time = START;

  for (guint i = 0; i < N_SWITCHES; i++) {
    guint64 length = (guint64) g_rand_int_range (random, 1, 500);
    gboolean of_module = g_rand_boolean (random);
    Wait wait = { time - length, time, of_module, 7 };

    pen_test_capture_from (capture, 1);
    pen_test_capture_at (capture, time, 7, 7, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, of_module ? MODULE + 16 : TEXT + 16,
                                 length);
    g_array_append_val (fixture->waits, wait);
    time += (guint64) g_rand_int_range (random, 1, 20);
  }
  open_capture (fixture, capture);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GDir) directory = g_dir_open (fixture->directory, 0, NULL);
  const char *name;

  g_clear_object (&fixture->query);
  g_array_unref (fixture->waits);
  while ((name = g_dir_read_name (directory))) {
    g_autofree char *path = g_build_filename (fixture->directory, name, NULL);

    g_remove (path);
  }
  g_rmdir (fixture->directory);
  g_free (fixture->directory);
}

/* Of [@from, @to). @of_module: -1: of all */
static guint64
count_ns (const Fixture *fixture, guint64 from, guint64 to, int of_module)
{
  guint64 sum = 0;

  for (guint i = 0; i < fixture->waits->len; i++) {
    const Wait *wait = &g_array_index (fixture->waits, Wait, i);
    guint64 first = MAX (from, wait->from);
    guint64 end = MIN (to, wait->to);

    if (end > first && (of_module < 0 || wait->of_module == of_module))
      sum += end - first;
  }
  return sum;
}

/* The same of a process. */
static guint64
count_ns_of (const Fixture *fixture, guint64 from, guint64 to, gint64 pid)
{
  guint64 sum = 0;

  for (guint i = 0; i < fixture->waits->len; i++) {
    const Wait *wait = &g_array_index (fixture->waits, Wait, i);
    guint64 first = MAX (from, wait->from);
    guint64 end = MIN (to, wait->to);

    if (end > first && wait->pid == pid)
      sum += end - first;
  }
  return sum;
}

/* What the list of functions has: all of every wait. */
static guint64
count_all (Fixture *fixture)
{
  guint64 total = 0;
  g_autoptr (GArray) rows = pen_query_functions (fixture->query, NULL, &total, NULL);

  g_assert_nonnull (rows);
  return total;
}

static guint64
count_bin (const PenOverview *overview, guint bin)
{
  guint64 sum = 0;

  for (guint kind = 0; kind < PEN_KINDS; kind++)
    sum += overview->samples[bin * PEN_KINDS + kind];
  return sum;
}

static void
test_overview (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint steps[] = { 1, 2, 5, 100, 800 };
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (guint round = 0; round < 60; round++) {
    guint64 from
        = round == 0 ? START - 1000 : START - 600 + (guint64) g_rand_int_range (random, 0, LENGTH);
    guint width = (guint) g_rand_int_range (random, 1, 5);
    guint n = steps[round % G_N_ELEMENTS (steps)];
    /* Steps of whole nanoseconds: where they begin is known. */
    guint64 to = from + n * width;
    guint64 highest = 0;
    g_autoptr (GError) error = NULL;
    g_autoptr (PenOverview) overview
        = pen_query_overview (fixture->query, NULL, from, to, n, &error);

    g_assert_no_error (error);
    g_assert_cmpint (overview->population, ==, PEN_POPULATION_WAITS);
    for (guint bin = 0; bin < n; bin++) {
      guint64 first = from + bin * width;

      g_assert_cmpuint (count_bin (overview, bin), ==,
                        count_ns (fixture, first, first + width, -1));
      g_assert_cmpuint (overview->samples[bin * PEN_KINDS + PEN_KIND_MODULE], ==,
                        count_ns (fixture, first, first + width, TRUE));
      highest = MAX (highest, count_bin (overview, bin));
    }
    g_assert_cmpuint (overview->total, ==, count_ns (fixture, from, to, -1));
    g_assert_cmpuint (overview->max_in_bin, ==, highest);
  }
}

/* Nothing is lost on the way, however the steps fall. */
static void
test_totals (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  guint64 total = count_all (fixture);

  g_assert_cmpuint (total, >, 0);
  g_assert_cmpuint (total, ==, count_ns (fixture, 0, G_MAXUINT64, -1));
  for (guint n = 1; n < 3000; n += 97) {
    g_autoptr (PenOverview) overview
        = pen_query_overview (fixture->query, NULL, START - 1000, START + LENGTH + 3000, n, NULL);

    g_assert_cmpuint (overview->total, ==, total);
  }
}

static void
test_heat (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (guint64 column = 50; column <= 400; column += 50) {
    guint64 from = START + 7;
    g_autoptr (GError) error = NULL;
    g_autoptr (PenHeat) heat
        = pen_query_heat (fixture->query, NULL, from, START + 1234, column, &error);
    guint64 max = 0;

    g_assert_no_error (error);
    g_assert_cmpint (heat->population, ==, PEN_POPULATION_WAITS);
    for (guint i = 0; i < heat->n_columns * heat->n_rows; i++) {
      guint64 first = pen_heat_get_time (heat, i / heat->n_rows, i % heat->n_rows);
      guint64 next = pen_heat_get_time (heat, (i + 1) / heat->n_rows, (i + 1) % heat->n_rows);

      g_assert_cmpuint (heat->counts[i], ==, count_ns (fixture, first, MIN (next, heat->to), -1));
      max = MAX (max, heat->counts[i]);
    }
    g_assert_cmpuint (heat->max, ==, max);
    g_assert_cmpuint (max, >, 0);
  }
}

/* The filter's terms hold, its time does not. */
static void
test_filter (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (PenFilter) filter = pen_filter_new ();
  g_autoptr (PenOverview) overview = NULL;

  filter->has_time = TRUE;
  filter->from = filter->to = 1;
  g_assert_true (pen_filter_add_value (filter, PEN_FILTER_KIND, "module", NULL));
  overview
      = pen_query_overview (fixture->query, filter, START - 1000, START + LENGTH + 3000, 50, NULL);
  g_assert_cmpuint (overview->total, ==, count_ns (fixture, 0, G_MAXUINT64, TRUE));
}

/* Rows of text, of the module, and of nothing. */
static void
test_map (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const guint64 edges[] = { TEXT, TEXT + 0x1000, MODULE, MODULE + 0x1000 };
  guint n_placed = 0;

  for (guint width = 1; width < 40; width += 3) {
    guint n = LENGTH / width;
    guint64 from = START - 100;
    g_autoptr (GError) error = NULL;
    g_autoptr (PenMapBins) map
        = pen_query_map (fixture->query, NULL, from, from + n * width, n, edges, 3, &error);
    double total = 0;

    g_assert_no_error (error);
    g_assert_cmpint (map->population, ==, PEN_POPULATION_WAITS);
    for (guint column = 0; column < n; column++) {
      guint64 first = from + column * width;
      guint64 of_text = count_ns (fixture, first, first + width, FALSE);
      guint64 of_module = count_ns (fixture, first, first + width, TRUE);

      /* Waits that only switch records tell of have no place. */
      if (g_str_has_prefix (g_test_get_path (), "/wait-pictures/switches/"))
        of_text = of_module = 0;
      g_assert_cmpuint ((guint64) map->counts[column], ==, of_text);
      g_assert_cmpuint ((guint64) map->counts[n + column], ==, 0);
      g_assert_cmpuint ((guint64) map->counts[2 * n + column], ==, of_module);
      g_assert_true (of_module == 0 || map->kinds[2 * n + column] == PEN_KIND_MODULE);
      total += (double) (of_text + of_module);
      n_placed += of_module > 0;
    }
    g_assert_cmpfloat (map->total, ==, total);
  }
  g_assert_true (n_placed > 0 || g_str_has_prefix (g_test_get_path (), "/wait-pictures/switches/"));
}

/* The frame that a row shows innermost in a column; NULL: none. */
static const PenStackGroup *
find_innermost (const PenStackChart *chart, guint row, guint column)
{
  const PenChartBox *found = NULL;

  for (guint i = 0; i < chart->boxes->len; i++) {
    const PenChartBox *box = &g_array_index (chart->boxes, PenChartBox, i);

    if (box->row == row && box->first <= column && box->last >= column
        && (!found || box->depth > found->depth))
      found = box;
  }
  return found ? &chart->groups[found->group] : NULL;
}

/* Rows have all waits; where there is only one, its columns show where most of their time was. */
static void
test_chart (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (guint width = 1; width < 40; width += 6) {
    guint n = LENGTH / width;
    guint64 from = START + 50;
    guint64 sum = 0;
    g_autoptr (GError) error = NULL;
    g_autoptr (PenStackChart) chart
        = pen_query_stack_chart (fixture->query, NULL, PEN_STACK_BY_FUNCTION, PEN_CHART_BY_TASK,
                                 from, from + n * width, n, 100, 10, &error);

    g_assert_no_error (error);
    g_assert_cmpuint (chart->n_left_out, ==, 0);
    for (guint i = 0; i < chart->rows->len; i++)
      sum += g_array_index (chart->rows, PenChartRow, i).samples;
    g_assert_cmpuint (sum, ==, count_ns (fixture, from, from + n * width, -1));
    for (guint column = 0; column < n && chart->rows->len == 1; column++) {
      guint64 first = from + column * width;
      guint64 of_text = count_ns (fixture, first, first + width, FALSE);
      guint64 of_module = count_ns (fixture, first, first + width, TRUE);
      const PenStackGroup *group = find_innermost (chart, 0, column);

      g_assert_cmpint (group != NULL, ==, of_text + of_module > 0);
      if (of_text != of_module)
        g_assert_cmpint (group->kind, ==, of_module > of_text ? PEN_KIND_MODULE : PEN_KIND_KERNEL);
    }
  }
}

/* The busiest processes, each with the time that its waits took of each step; CPUs have none. */
static void
test_tasks (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (9);

  for (guint round = 0; round < 60; round++) {
    guint64 from
        = round == 0 ? START - 1000 : START - 600 + (guint64) g_rand_int_range (random, 0, LENGTH);
    guint width = (guint) g_rand_int_range (random, 1, 9);
    guint n = 1 + round * 4;
    guint n_rows = 1 + round % 9;
    guint64 to = from + n * width;
    guint64 least = G_MAXUINT64, max = 0, left_out = 0;
    g_autoptr (GError) error = NULL;
    g_autoptr (PenTaskBins) tasks = pen_query_task_bins (fixture->query, NULL, PEN_TASKS_BY_PROCESS,
                                                         from, to, n, n_rows, 1, &error);
    g_autoptr (PenTaskBins) cpus = pen_query_task_bins (fixture->query, NULL, PEN_TASKS_BY_CPU,
                                                        from, to, n, n_rows, 1, &error);

    g_assert_no_error (error);
    g_assert_cmpint (tasks->population, ==, PEN_POPULATION_WAITS);
    g_assert_cmpuint (tasks->stride, ==, 1);
    g_assert_cmpuint (tasks->rows->len, <=, n_rows);
    for (guint i = 0; i < tasks->rows->len; i++) {
      const PenTaskTotal *row = &g_array_index (tasks->rows, PenTaskTotal, i);

      g_assert_cmpuint (row->samples, ==, count_ns_of (fixture, from, to, row->number));
      g_assert_cmpuint (row->samples, >, 0);
      g_assert_cmpuint (row->samples, <=, least);
      least = row->samples;
      left_out += row->samples;
      for (guint bin = 0; bin < n; bin++) {
        guint64 count = tasks->counts[i * n + bin];

        g_assert_cmpuint (
            count, ==,
            count_ns_of (fixture, from + bin * width, from + (bin + 1) * width, row->number));
        max = MAX (max, count);
      }
    }
    g_assert_cmpuint (tasks->max, ==, max);
    left_out = count_ns (fixture, from, to, -1) - left_out;
    g_assert_cmpint (left_out > 0, ==, tasks->n_left_out > 0);
    g_assert_cmpuint (cpus->rows->len, ==, 0);
    g_assert_cmpuint (cpus->n_left_out, ==, 0);
  }
}

/* Of switches, no place is known; of ends, all are. */
static void
test_occupants (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  PenAmount elsewhere;
  g_autoptr (GPtrArray) rows = pen_query_occupants (fixture->query, NULL, &elsewhere, &error);
  guint64 sum = 0;
  double share = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < rows->len; i++) {
    const PenOccupantRow *row = rows->pdata[i];
    int of_module = strstr (row->occupant, "snd") != NULL;

    g_assert_true (row->period == 0
                   || row->period == count_ns (fixture, 0, G_MAXUINT64, of_module));
    sum += row->period;
    share += row->share;
  }
  g_assert_cmpint (elsewhere.population, ==, PEN_POPULATION_WAITS);
  g_assert_cmpuint (elsewhere.period + sum, ==, count_all (fixture));
  g_assert_true (elsewhere.period == 0 || sum == 0);
  g_assert_cmpfloat_with_epsilon (share, sum > 0 ? 1 : 0, 1e-9);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*test) (Fixture *, gconstpointer);
  } tests[] = {
    { "overview", test_overview }, { "totals", test_totals },
    { "heat", test_heat },         { "filter", test_filter },
    { "map", test_map },           { "chart", test_chart },
    { "tasks", test_tasks },       { "occupants", test_occupants },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++) {
    g_autofree char *switches = g_strconcat ("/wait-pictures/switches/", tests[i].name, NULL);
    g_autofree char *ends = g_strconcat ("/wait-pictures/ends/", tests[i].name, NULL);

    g_test_add (switches, Fixture, NULL, set_up_switches, tests[i].test, tear_down);
    g_test_add (ends, Fixture, NULL, set_up_ends, tests[i].test, tear_down);
  }
  return g_test_run ();
}
