/* test-window-off-cpu.c: time off CPU in place of samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "window-support.h"

#include <string.h>

#include "pen-callers-private.h"
#include "pen-heat-map.h"
#include "pen-query-functions.h"

#define CAPTURE "f-everything-z.data"

#define KERNEL_START 0xffffffff81000000
#define MODULE_START 0xffffffffa0000000

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

/* What the window exports is what the command line prints. @words: of the command: "occupants" */
static void
check_export (PenWindow *window, PenExport table, const char *words)
{
  g_autofree char *path = g_shell_quote (pen_session_get_path (window->session));
  g_auto (GStrv) parts = g_strsplit (words, " ", 2);
  g_autofree char *command = g_strdup_printf ("x %s %s %s --measure=off-cpu --format=csv", parts[0],
                                              path, parts[1] ? parts[1] : "");
  g_autofree char *printed = app_support_run_command (command);
  g_autofree char *exported = app_support_session_export (window->session, table);

  g_assert_cmpstr (exported, ==, printed);
  g_assert_nonnull (strstr (exported, "waits,off_cpu,"));
}

static void
check_title (gpointer page, guint position, const char *title)
{
  GtkColumnView *view = window_support_child (page, "view");
  g_autoptr (GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (view), position);

  g_assert_cmpstr (gtk_column_view_column_get_title (column), ==, title);
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

static void
add_tests (void)
{
  g_test_add_func ("/off-cpu/choice", test_off_cpu);
  g_test_add_func ("/off-cpu/occupants", test_occupants);
}

int
main (int argc, char **argv)
{
  return window_support_main (argc, argv, add_tests);
}
