/* test-window-off-cpu.c: time off CPU in place of samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <string.h>

#include "pen-callers-private.h"
#include "pen-column.h"
#include "pen-heat-map.h"
#include "pen-query-functions.h"
#include "pen-query-history.h"
#include "pen-slot-table.h"
#include "pen-slot-words.h"
#include "pen-timeline-private.h"

#define CAPTURE "f-everything-z.data"

#define KERNEL_START 0xffffffff81000000
#define MODULE_START 0xffffffffa0000000
#define PROGRAM 0xffffffffc0001000

static void
show_callers (PenWindow *window)
{
  pen_session_set_page (window->session, PEN_PAGE_CALLERS);
  app_support_run (50);
  app_support_settle (window->session);
}

static const PenFlameTree *
get_tree (PenWindow *window)
{
  return pen_session_get_answers (window->session)->flame->tree;
}

/* Ten samples of the kernel; two waits of 2.5 s, one of which a module called. */
static PenWindow *
open_waits (void)
{
  static const guint64 chain[] = { (guint64) -128, KERNEL_START + 0x10, MODULE_START + 0x20 };
  g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
  PenTestEvent event = PEN_TEST_EVENT_CLOCK;
  PenTestEvent off_cpu = PEN_TEST_EVENT_CLOCK;
  g_autofree char *path = NULL;
  PenWindow *window;

  event.sample_type |= 1 << 5;
  pen_test_capture_add_event (capture, &event);
  off_cpu.name = "offcpu-time";
  off_cpu.type = 1;
  off_cpu.config = 10;
  off_cpu.sample_type |= 1 << 5;
  pen_test_capture_add_event (capture, &off_cpu);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, KERNEL_START, 0xe00000, KERNEL_START,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, MODULE_START, 0x4000, 0,
                             "/lib/modules/6.1/snd-hda.ko");
  for (guint i = 0; i < 10; i++) {
    pen_test_capture_at (capture, 1000000000ull * (i + 1), 42, 42, 0);
    pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, KERNEL_START + 0x10, 7,
                                                chain, 2);
  }
  pen_test_capture_from (capture, 1);
  pen_test_capture_at (capture, 9000000000, 42, 42, 0);
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, KERNEL_START + 0x10,
                                              2000000000, chain, 3);
  pen_test_capture_add_sample_with_callchain (capture, PEN_TEST_KERNEL, KERNEL_START + 0x10,
                                              500000000, chain, 2);
  path = app_support_write_capture (capture, "waits.data");
  window = window_support_open_path (path);
  show_callers (window);
  return window;
}

/* Functions, overview and heat map are about the same as the stacks. */
static void
check_measure (PenWindow *window, PenPopulation population, const char *title)
{
  const PenAnswers *answers = pen_session_get_answers (window->session);
  GtkColumnView *view = window_support_child (window->functions, "view");
  g_autoptr (GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (view), 1);

  g_assert_cmpint (answers->overview->population, ==, population);
  g_assert_cmpint (answers->heat->population, ==, population);
  g_assert_cmpint (pen_store_get_population (pen_query_get_store (answers->functions->query)), ==,
                   population);
  g_assert_cmpstr (gtk_column_view_column_get_title (column), ==, title);
}

static void
measure (PenWindow *window, gboolean off_cpu)
{
  g_action_group_change_action_state (G_ACTION_GROUP (window->callers->actions), "by-off-cpu",
                                      g_variant_new_boolean (off_cpu));
  app_support_settle (window->session);
  app_support_run (30);
}

/* What the window exports is what the command line prints. @words: of the command: "occupants";
 * @columns: that it has */
static void
check_export_of (PenWindow *window, PenExport table, const char *words, const char *columns)
{
  g_autofree char *path = g_shell_quote (pen_session_get_path (window->session));
  g_auto (GStrv) parts = g_strsplit (words, " ", 2);
  g_autofree char *command = g_strdup_printf ("x %s %s %s --measure=off-cpu --format=csv", parts[0],
                                              path, parts[1] ? parts[1] : "");
  g_autofree char *printed = app_support_run_command (command);
  g_autofree char *exported = app_support_session_export (window->session, table);

  g_assert_cmpstr (exported, ==, printed);
  g_assert_nonnull (strstr (exported, columns));
}

static void
check_export (PenWindow *window, PenExport table, const char *words)
{
  check_export_of (window, table, words, "waits,off_cpu,");
}

/* A program that is patched at 101 s, half of the time off CPU is in it: 200 ms before, 800 ms
 * after, of these 300 ms from half a millisecond after it on. */
static PenWindow *
open_patched_waits (void)
{
  static const struct {
    guint64 address;
    guint64 from; /* µs */
    guint64 length;
  } waits[] = {
    { KERNEL_START + 0x10, 100100000, 1000000 },
    { PROGRAM, 100600000, 200000 },
    { PROGRAM, 101000500, 300000 },
    { PROGRAM, 101200000, 500000 },
  };
  g_autoptr (PenTestCapture) capture = NULL;
  PenTestEvent off_cpu = PEN_TEST_EVENT_CLOCK;
  guint64 line = PROGRAM;
  g_autofree char *path = NULL;
  PenWindow *window;

  off_cpu.name = "offcpu-time";
  off_cpu.type = 1;
  off_cpu.config = 10;
  capture = app_support_new_capture_with (&off_cpu);
  pen_test_capture_from (capture, 2);
  for (guint i = 0; i < G_N_ELEMENTS (waits); i++) {
    pen_test_capture_at (capture, 1000 * (waits[i].from + waits[i].length), 42, 42, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, waits[i].address,
                                 1000 * waits[i].length);
  }
  path = app_support_write_capture (capture, "patched-waits.data");
  window = window_support_open_path (path);
  window_support_select_function (window, "bpf_prog_tested");
  pen_window_show_line (window, line);
  app_support_settle (window->session);
  return window;
}

static PenSlot *
dup_first_slot (PenWindow *window)
{
  PenSlot *slot = window_support_dup_slot (window, 0);

  g_assert_cmphex (pen_slot_get_address (slot), ==, PROGRAM);
  return slot;
}

static const char *
get_label (gpointer view, const char *id)
{
  GtkWidget *label = window_support_child (view, id);

  return gtk_widget_get_visible (label) ? gtk_label_get_text (GTK_LABEL (label)) : NULL;
}

static void
check_title (gpointer page, guint position, const char *title)
{
  GtkColumnView *view = window_support_child (page, "view");
  g_autoptr (GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (view), position);
  const char *tooltip;

  g_assert_cmpstr (gtk_column_view_column_get_title (column), ==, title);
  tooltip = gtk_widget_get_tooltip_text (pen_column_get_title (view, position));
  g_assert_true (g_str_has_prefix (tooltip, "Time off CPU") == g_str_has_prefix (title, "Off CPU"));
}

static const PenOccupantRow *
find_occupant (PenWindow *window, const char *part)
{
  GPtrArray *rows = pen_session_get_answers (window->session)->occupants->rows;

  for (guint i = 0; i < rows->len; i++) {
    const PenOccupantRow *row = rows->pdata[i];

    if (strstr (row->occupant, part))
      return row;
  }
  return NULL;
}

static void
test_occupants (void)
{
  PenWindow *window = open_waits ();
  g_autofree char *labels = NULL;
  g_autofree char *counted = NULL;
  const PenOccupantRow *kernel;

  pen_session_set_page (window->session, PEN_PAGE_OCCUPANTS);
  app_support_settle (window->session);
  app_support_run (30);
  check_title (window->occupants, 2, "Samples");
  kernel = find_occupant (window, "[kernel.kallsyms]");
  g_assert_cmpuint (kernel->period, ==, 0);

  measure (window, TRUE);
  check_title (window->occupants, 2, "Off CPU");
  kernel = find_occupant (window, "[kernel.kallsyms]");
  g_assert_cmpuint (kernel->samples, ==, 2);
  g_assert_cmpuint (kernel->period, ==, 2500000000);
  g_assert_cmpfloat (kernel->share, ==, 1);
  g_assert_cmpuint (find_occupant (window, "snd")->samples, ==, 0);
  labels = window_support_dup_labels (window->occupants);
  g_assert_nonnull (strstr (labels, "2.5 s\n100.0 %"));
  check_export (window, PEN_EXPORT_OCCUPANTS, "occupants");

  measure (window, FALSE);
  check_title (window->occupants, 2, "Samples");
  kernel = find_occupant (window, "[kernel.kallsyms]");
  g_assert_cmpuint (kernel->samples, >=, 10);
  counted = window_support_dup_labels (window->occupants);
  g_assert_null (strstr (counted, "2.5 s"));
  window_support_close_window (window);
}

static const PenCauseRow *
get_cause (PenWindow *window)
{
  return pen_cause_tree_get (pen_session_get_answers (window->session)->causes->tree, 0);
}

/* In the program, 200 ms before the patch, 800 ms after it. */
static void
test_causes (void)
{
  PenWindow *window = open_patched_waits ();
  const PenCauseRow *row;
  g_autofree char *labels = NULL;

  pen_session_set_page (window->session, PEN_PAGE_CAUSES);
  app_support_settle (window->session);
  app_support_run (30);
  check_title (window->causes, 5, "Samples On");
  measure (window, TRUE);
  check_title (window->causes, 5, "Off CPU, On");
  check_title (window->causes, 6, "Off CPU, Off");
  row = get_cause (window);
  g_assert_cmpuint (row->on.amount.n, ==, 2);
  g_assert_cmpuint (row->on.amount.period, ==, 800000000);
  g_assert_cmpuint (row->off.amount.n, ==, 1);
  g_assert_cmpuint (row->off.amount.period, ==, 200000000);
  g_assert_cmpint (row->verdict, ==, PEN_VERDICT_UNKNOWN);
  labels = window_support_dup_labels (window->causes);
  g_assert_nonnull (strstr (labels, "800 ms ("));
  g_assert_null (strstr (labels, "not significant"));
  check_export_of (window, PEN_EXPORT_CAUSES, "causes", ",on_waits,on_off_cpu,on_rate,");

  measure (window, FALSE);
  check_title (window->causes, 6, "Samples Off");
  g_assert_cmpint (get_cause (window)->on.amount.population, ==, PEN_POPULATION_SAMPLES);
  window_support_close_window (window);
}

/* Where a recording has it; else there is no such choice. */
static void
test_off_cpu (void)
{
  PenWindow *window = window_support_open_window (CAPTURE);
  GActionGroup *actions = G_ACTION_GROUP (window->callers->actions);
  const PenFlameNode *root;
  g_autofree char *spoken = NULL;
  g_autofree char *described = NULL;
  g_autofree char *scale = NULL;
  g_autofree char *exported = NULL;

  show_callers (window);
  g_assert_false (g_action_group_get_action_enabled (actions, "by-off-cpu"));
  window_support_close_window (window);

  window = open_waits ();
  actions = G_ACTION_GROUP (window->callers->actions);
  g_assert_true (g_action_group_get_action_enabled (actions, "by-off-cpu"));
  g_action_group_change_action_state (actions, "heat", g_variant_new_boolean (TRUE));
  app_support_run (50);
  app_support_settle (window->session);
  check_measure (window, PEN_POPULATION_SAMPLES, "Samples");
  g_action_group_change_action_state (actions, "by-off-cpu", g_variant_new_boolean (TRUE));
  app_support_settle (window->session);
  app_support_run (30);
  root = pen_flame_tree_get (get_tree (window), 0);
  g_assert_cmpint (get_tree (window)->measure, ==, PEN_STACK_OFF_CPU);
  g_assert_cmpuint (root->total.samples, ==, 2);
  g_assert_cmpuint (root->total.period, ==, 2500000000);
  g_assert_cmpstr (gtk_label_get_text (window->callers->count), ==, "2.5 s off CPU");
  spoken = pen_flame_speak (get_tree (window), 0);
  g_assert_cmpstr (spoken, ==, "All stacks, 2.5 s off CPU, 100.0 %");
  described = pen_flame_describe (get_tree (window), 1,
                                  pen_session_get_answers (window->session)->flame->seconds);
  g_assert_nonnull (strstr (described, "2 s off CPU, 80.0 %"));
  g_assert_null (strstr (described, "/s"));
  check_measure (window, PEN_POPULATION_WAITS, "Off CPU");
  g_assert_cmpuint (pen_session_get_answers (window->session)->overview->total, ==, 2500000000);
  g_assert_cmpuint (pen_session_get_answers (window->session)->functions->total, ==, 2500000000);
  exported = app_support_session_export (window->session, PEN_EXPORT_FUNCTIONS);
  g_assert_nonnull (strstr (exported, ",waits,off_cpu,"));
  scale = pen_heat_map_describe_scale (pen_session_get_answers (window->session)->heat);
  g_assert_true (g_str_has_suffix (scale, " off CPU"));

  /* Back to samples. */
  g_action_group_change_action_state (actions, "by-off-cpu", g_variant_new_boolean (FALSE));
  app_support_settle (window->session);
  root = pen_flame_tree_get (get_tree (window), 0);
  g_assert_cmpint (get_tree (window)->measure, ==, PEN_STACK_SAMPLES);
  g_assert_cmpuint (root->total.samples, >=, 10);
  app_support_run (30);
  check_measure (window, PEN_POPULATION_SAMPLES, "Samples");
  window_support_close_window (window);
}

static const char *
get_samples_title (PenWindow *window)
{
  PenSlotTable *table = window_support_child (window->annotation, "view");

  return gtk_column_view_column_get_title (pen_slot_table_get_column (table, PEN_SLOT_SAMPLES));
}

/* Each bar of a strip is where waits began, as high as they took time. */
static void
check_strips (PenWindow *window)
{
  const PenStrips *strips = pen_session_get_answers (window->session)->annotation;
  const PenAnnotated *annotated = strips->text->annotated;
  guint64 all = 0;

  for (guint i = 0; i < annotated->lines->len; i++) {
    const PenAnnotationLine *line = annotated->lines->pdata[i];
    guint64 sum = 0;

    for (guint k = strips->counts->firsts[i]; k < strips->counts->firsts[i + 1]; k++)
      sum += g_array_index (strips->counts->cells, PenStripCell, k).n;
    g_assert_cmpuint (sum, ==, line->period);
    all += sum;
  }
  g_assert_cmpuint (all, ==, 1000000000);
}

static void
test_annotation (void)
{
  PenWindow *window = open_patched_waits ();
  GtkWidget *verdict = window_support_child (window->annotation, "verdict");
  g_autoptr (PenSlot) slot = NULL;
  g_autofree char *tooltip = NULL;
  g_autofree char *spoken = NULL;
  g_autofree char *copied = NULL;

  g_assert_cmpstr (get_samples_title (window), ==, "Samples");
  g_assert_true (gtk_widget_get_visible (verdict));
  pen_session_set_playhead (window->session, 101500000000);
  app_support_settle (window->session);
  g_assert_nonnull (strstr (get_label (window->annotation, "change"), "before"));

  measure (window, TRUE);
  g_assert_cmpstr (get_samples_title (window), ==, "Off CPU");
  slot = dup_first_slot (window);
  g_assert_cmpuint (pen_slot_get_amount (slot).n, ==, 3);
  g_assert_cmpuint (pen_slot_get_amount (slot).period, ==, 1000000000);
  tooltip = pen_slot_dup_samples (slot);
  g_assert_cmpstr (tooltip, ==,
                   "1 s off CPU · 3 waits\noriginal: 200 ms · patch 1: 800 ms\n"
                   "1 of 3 waits began within 1 ms of a change: their side is uncertain");
  spoken = pen_slot_dup_spoken (slot);
  g_assert_nonnull (strstr (spoken, ", 1 s off CPU. "));
  copied = pen_slot_cells_dup_text (slot, PEN_SLOT_SAMPLES);
  g_assert_cmpstr (copied, ==, "1 s");
  g_assert_true (
      g_str_has_prefix (get_label (window->annotation, "detail"), "1 s off CPU (50.0 %) · "));
  g_assert_true (g_str_has_suffix (get_label (window->annotation, "change"), " · not compared"));
  g_assert_nonnull (
      strstr (window_support_get_tooltip (window_support_child (window->annotation, "change")),
              "Waits do not come at random"));
  g_assert_cmpstr (get_label (verdict, "verdict"), ==,
                   "No verdict on time off CPU: waits do not come at random");
  g_assert_false (gtk_widget_get_visible (window_support_child (verdict, "unfold")));
  check_strips (window);
  check_export (window, PEN_EXPORT_ANNOTATION, "annotate 0xffffffffc0001000");

  measure (window, FALSE);
  g_assert_cmpstr (get_samples_title (window), ==, "Samples");
  g_assert_nonnull (strstr (get_label (window->annotation, "change"), "before"));
  g_assert_true (gtk_widget_get_visible (window_support_child (verdict, "unfold")));
  window_support_close_window (window);
}

static void
test_history (void)
{
  PenWindow *window = open_patched_waits ();
  const PenHistoryTable *table;
  g_autofree char *samples = window_support_dup_patch_text (window);
  g_autofree char *waits = NULL;

  g_assert_nonnull (strstr (samples, "This instruction: "));
  measure (window, TRUE);
  table = pen_session_get_answers (window->session)->history;
  g_assert_cmpuint (table->rows->len, ==, 2);
  for (guint i = 0; i < 2; i++) {
    const PenHistoryRow *row = table->rows->pdata[i];

    g_assert_cmpuint (row->samples, ==, i + 1);
    g_assert_cmpuint (row->period, ==, i == 0 ? 200000000 : 800000000);
    g_assert_cmpfloat_with_epsilon (row->share, i == 0 ? 0.2 : 0.8, 1e-9);
    g_assert_cmpuint (row->near_from, ==, i);
  }
  waits = window_support_dup_patch_text (window);
  g_assert_nonnull (strstr (waits, "800 ms off CPU\n"));
  g_assert_nonnull (strstr (waits, "80.0 % · 2 waits · "));
  g_assert_nonnull (strstr (waits, "1 of 2 waits within 1 ms of its start: side uncertain"));
  g_assert_nonnull (strstr (waits, "Not compared: waits do not come at random"));
  g_assert_null (strstr (waits, "This instruction: "));
  g_assert_null (strstr (waits, "Whole function: "));
  check_export (window, PEN_EXPORT_HISTORY, "history 0xffffffffc0001000");
  window_support_close_window (window);
}

/* Two instants, one on each side of the patch. */
static void
test_instants (void)
{
  PenWindow *window = open_patched_waits ();
  const guint64 second = 101500000000;
  const PenInstants *instants;
  const PenInstantRow *row;
  g_autofree char *exported = NULL;
  g_autofree char *labels = NULL;

  pen_session_set_playhead (window->session, 100700000000);
  pen_session_set_mark (window->session, &second);
  app_support_settle (window->session);
  measure (window, TRUE);
  instants = pen_session_get_answers (window->session)->instants->instants;
  g_assert_cmpint (instants->population, ==, PEN_POPULATION_WAITS);
  g_assert_cmpuint (instants->sides[0].period, ==, 200000000);
  g_assert_cmpuint (instants->sides[1].period, ==, 800000000);
  row = &g_array_index (instants->rows, PenInstantRow, 0);
  g_assert_cmpuint (row->samples[0], ==, 1);
  g_assert_cmpuint (row->samples[1], ==, 2);
  g_assert_cmpuint (row->periods[1], ==, 800000000);
  labels = window_support_dup_labels (window->annotation);
  g_assert_nonnull (strstr (labels, "Off CPU A"));
  g_assert_nonnull (strstr (labels, "Off CPU B"));
  g_assert_nonnull (strstr (labels, " · 800 ms off CPU · 2 waits ("));
  exported = app_support_session_export (window->session, PEN_EXPORT_ANNOTATION);
  g_assert_nonnull (strstr (exported, ",a_waits,a_off_cpu,b_kind,"));
  g_assert_nonnull (strstr (exported, ",1,200000000,bpf,"));
  g_assert_true (g_str_has_suffix (exported, ",2,800000000\r\n")
                 || g_str_has_suffix (exported, ",2,800000000\n"));
  measure (window, FALSE);
  g_assert_cmpuint (pen_session_get_answers (window->session)->instants->instants->sides[1].period,
                    ==, 0);
  window_support_close_window (window);
}

/* Processes wait; CPUs do not. */
static void
test_rows (void)
{
  PenWindow *window = open_patched_waits ();
  GtkWidget *timeline = GTK_WIDGET (window->timeline);
  const PenTaskBins *const *tasks
      = (const PenTaskBins *const *) pen_session_get_answers (window->session)->tasks;
  const PenTaskTotal *row;
  g_autofree char *cpu = NULL;
  g_autofree char *process = NULL;
  guint64 sum = 0;

  gtk_widget_activate_action (timeline, "timeline.toggle-cpus", NULL);
  gtk_widget_activate_action (timeline, "timeline.toggle-processes", NULL);
  measure (window, TRUE);
  app_support_settle (window->session);
  app_support_run (30);
  g_assert_cmpuint (tasks[PEN_TASKS_BY_CPU]->rows->len, ==, 0);
  g_assert_cmpint (window->timeline->lanes.boxes[PEN_LANE_CPUS].height, >, 0);
  cpu = window_support_dup_tooltip (window, 100700000000, PEN_LANE_CPUS);
  g_assert_cmpstr (cpu, ==, "Waiting tasks have no CPU");

  g_assert_cmpuint (tasks[PEN_TASKS_BY_PROCESS]->rows->len, ==, 1);
  row = &g_array_index (tasks[PEN_TASKS_BY_PROCESS]->rows, PenTaskTotal, 0);
  g_assert_cmpint (row->number, ==, 42);
  g_assert_cmpstr (row->comm, ==, "worker");
  for (guint i = 0; i < tasks[PEN_TASKS_BY_PROCESS]->n_bins; i++)
    sum += tasks[PEN_TASKS_BY_PROCESS]->counts[i];
  g_assert_cmpuint (sum, ==, row->samples);
  g_assert_cmpuint (sum, ==, pen_session_get_answers (window->session)->overview->total);
  process = window_support_dup_tooltip (window, 100700000000, PEN_LANE_TASKS);
  g_assert_nonnull (strstr (process, " off CPU\nin view: "));

  measure (window, FALSE);
  app_support_settle (window->session);
  g_assert_cmpuint (tasks[PEN_TASKS_BY_CPU]->rows->len, ==, PEN_TEST_CPUS);
  window_support_close_window (window);
}

/* A command that is copied gives what is shown; where there is no other measure, it has none. */
static void
check_command (PenWindow *window, const char *page, const char *name, gboolean has_measure)
{
  g_autofree char *begin = g_strdup_printf ("pentimento-cli %s ", name);
  g_autofree char *command = NULL;

  gtk_widget_activate_action (GTK_WIDGET (window), "win.page", "s", page);
  app_support_settle (window->session);
  window_support_activate (window, "win.copy-view-command");
  command = window_support_dup_clipboard (window);
  g_assert_true (g_str_has_prefix (command, begin));
  g_assert_cmpint (g_str_has_suffix (command, " --measure=off-cpu"), ==, has_measure);
}

static void
test_commands (void)
{
  PenWindow *window = open_patched_waits ();

  check_command (window, "code", "annotate", FALSE);
  measure (window, TRUE);
  check_command (window, "code", "annotate", TRUE);
  check_command (window, "occupants", "occupants", TRUE);
  check_command (window, "callers", "stacks", TRUE);
  check_command (window, "causes", "causes", FALSE);
  check_command (window, "recording", "info", FALSE);
  window_support_close_window (window);
}

/* How much the filter leaves. */
static void
test_counts (void)
{
  PenWindow *window = open_patched_waits ();

  measure (window, TRUE);
  g_assert_cmpstr (get_label (window->filter_bar, "count"), ==, "2 s off CPU");
  pen_session_add_filter_text (window->session, "kind:bpf", NULL);
  app_support_settle (window->session);
  g_assert_cmpstr (get_label (window->filter_bar, "count"), ==, "1 s of 2 s off CPU");
  measure (window, FALSE);
  g_assert_true (g_str_has_suffix (get_label (window->filter_bar, "count"), " samples"));
  window_support_close_window (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/off-cpu/choice", test_off_cpu);
  g_test_add_func ("/off-cpu/occupants", test_occupants);
  g_test_add_func ("/off-cpu/causes", test_causes);
  g_test_add_func ("/off-cpu/annotation", test_annotation);
  g_test_add_func ("/off-cpu/history", test_history);
  g_test_add_func ("/off-cpu/instants", test_instants);
  g_test_add_func ("/off-cpu/rows", test_rows);
  g_test_add_func ("/off-cpu/commands", test_commands);
  g_test_add_func ("/off-cpu/counts", test_counts);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
