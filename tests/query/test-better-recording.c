/* test-better-recording.c: the command that would record what is missing
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-better-recording.h"
#include "pen-query-info.h"
#include "pen-query-misattribution.h"
#include "query-fixture.h"

#define KCORE PEN_WISH_KCORE
#define CPUS PEN_WISH_ALL_CPUS
#define BUFFERS PEN_WISH_BIGGER_BUFFERS
#define TIMES PEN_WISH_TIMES

static void
assert_command (const char *recorded, guint wishes, const char *expected)
{
  g_autofree char *command = pen_better_recording_command (recorded, wishes);

  g_assert_cmpstr (command, ==, expected);
}

static void
test_adds_what_is_missing (void)
{
  assert_command ("/usr/bin/perf record -e cycles -o out.data -- sleep 1", KCORE | CPUS,
                  "perf record --kcore -a -e cycles -o FILE -- sleep 1");
  assert_command ("perf record -a make", KCORE, "perf record --kcore -a -- COMMAND");
  assert_command ("perf record --kcore make -a", CPUS, "perf record -a --kcore -- COMMAND");
  assert_command ("perf record -ag --kcore true", KCORE | CPUS,
                  "perf record -ag --kcore -- COMMAND");
  assert_command ("perf record -a", KCORE, "perf record --kcore -a");
}

static void
test_bigger_buffers (void)
{
  assert_command ("perf record -a --kcore -m 8 -F 999 -- true", BUFFERS,
                  "perf record -m 16M -a --kcore -F 999 -- COMMAND");
  assert_command ("perf record -a --kcore --mmap-pages=8 -- true -m 8", BUFFERS,
                  "perf record -m 16M -a --kcore -- COMMAND");
  assert_command ("perf record -am8 --kcore", BUFFERS, "perf record -m 16M -a --kcore");
}

/* What pentimento-cli record ran. */
static void
test_ours (void)
{
#define SHELL "-- /bin/sh -c 'echo $$ >&7; exec \"$@\"' pentimento"
  assert_command ("/usr/bin/perf record -a --buildid-mmap -k CLOCK_MONOTONIC -F 997 -e cpu-clock "
                  "-e cpu-clock/name=look,freq=997,config1=0x50574954,call-graph=no/ "
                  "-e bpf-output/no-inherit=1,name=witness,config1=0x50574954,call-graph=no/ "
                  "-e module:module_load -e module:module_free -D -1 --control=fd:3,4 "
                  "-o perf.data/data " SHELL " sleep 10",
                  KCORE | CPUS, "pentimento-cli record -F 997 -e cpu-clock -- sleep 10");
  assert_command ("perf record --kcore -a -k mono -m 8 -g -D -1 -o x " SHELL, BUFFERS,
                  "pentimento-cli record -m 16M -k mono -g");
  assert_command ("perf record -a --buildid-mmap -k CLOCK_MONOTONIC -e cpu-clock -g -D -1 "
                  "--control=fd:3,4 -o - " SHELL " sleep 10",
                  KCORE, "pentimento-cli record -e cpu-clock -g -- sleep 10");
  assert_command ("perf record -a -- /bin/sh -c true pentiment", KCORE,
                  "perf record --kcore -a -- COMMAND");
#undef SHELL
}

static void
test_times (void)
{
  assert_command ("perf record --per-thread --kcore -- true", TIMES,
                  "perf record -T --per-thread --kcore -- COMMAND");
  assert_command ("perf record -aT -- true", KCORE | TIMES, "perf record --kcore -aT -- COMMAND");
  assert_command ("perf record --timestamp -a -- true", TIMES,
                  "perf record --timestamp -a -- COMMAND");
  assert_command ("perf record -a -- true -T", TIMES, "perf record -T -a -- COMMAND");
  assert_command (NULL, TIMES, "perf record --kcore -a -T -- sleep 10");
}

/* -T is for those that have no time because it was not asked for. */
static void
test_times_of_samples (void)
{
  for (int has_times = 0; has_times < 2; has_times++) {
    PenTestEvent event = PEN_TEST_EVENT_CLOCK;
    g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
    g_autoptr (PenBetterRecording) better = NULL;
    g_autoptr (GError) error = NULL;
    QueryFixture fixture = { 0 };

    if (!has_times)
      event.sample_type &= ~4u; /* PERF_SAMPLE_TIME */
    pen_test_capture_add_event (capture, &event);
    pen_test_capture_at (capture, 0, 7, 7, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffff81000000, 1);
    query_fixture_import (&fixture, capture);
    better = pen_better_recording_new (fixture.store, &error);
    g_assert_no_error (error);
    g_assert_cmpint (strstr (better->command, " -T ") != NULL, ==, !has_times);
    query_fixture_tear_down (&fixture, NULL);
  }
}

static void
test_replaces_what_excludes_it (void)
{
  const char *plain = "perf record --kcore -a -- sleep 10";

  assert_command (NULL, KCORE | CPUS, plain);
  assert_command ("", KCORE | CPUS, plain);
  assert_command ("perf record -p 42 -g", KCORE | CPUS, plain);
  assert_command ("perf record -a -o - sleep 1", KCORE, plain);
  assert_command ("perf record -a -o- sleep 1", KCORE, plain);
  assert_command ("my-recorder --all out.data", KCORE | CPUS, plain);
  assert_command ("unbalanced 'quote", KCORE | CPUS, plain);
}

/* Options that say how to record, however they are written. */
static void
test_known_options (void)
{
  assert_command ("perf record -agF 99 -e cycles:ppp,sched:sched_switch --call-graph dwarf,8192",
                  KCORE,
                  "perf record --kcore -ag -F 99 -e cycles:ppp,sched:sched_switch --call-graph "
                  "dwarf,8192");
  assert_command ("perf record -F999 -e '{cycles,instructions}:S' -z3 -c 1000 --freq=max -a", KCORE,
                  "perf record --kcore -F 999 -e '{cycles,instructions}:S' -z3 -c 1000 --freq=max "
                  "-a");
  assert_command ("perf record -a -e cpu/event=0x3c,umask=0x0/pp -C 0-3,8 -k CLOCK_MONOTONIC",
                  KCORE,
                  "perf record --kcore -a -e cpu/event=0x3c,umask=0x0/pp -C 0-3,8 -k "
                  "CLOCK_MONOTONIC");
  assert_command ("perf record -a -e 'mem_load_retired.l3_miss' --user-regs=ax,bx", KCORE,
                  "perf record --kcore -a -e mem_load_retired.l3_miss --user-regs=ax,bx");
}

/* The command of a stranger: nothing of it may do anything but record. */
static void
test_hostile (void)
{
  assert_command ("perf record -a -- sh -c 'curl x | sh'", KCORE,
                  "perf record --kcore -a -- COMMAND");
  assert_command ("perf record -a rm -rf /", KCORE, "perf record --kcore -a -- COMMAND");
  assert_command ("perf record -a sleep '1; rm -rf /'", KCORE, "perf record --kcore -a -- COMMAND");
  assert_command ("perf record -a sleep 1 2", KCORE, "perf record --kcore -a -- COMMAND");
  assert_command ("perf record -o /etc/passwd -a", KCORE, "perf record --kcore -a -o FILE");
  assert_command ("perf record --output=$HOME/.bashrc -a", KCORE, "perf record --kcore -a -o FILE");
  /* A program for BPF is no event. */
  assert_command ("perf record -e /tmp/evil.c -e ./x -e evil.o -e cycles,evil.bpf -e '=ls' -a",
                  KCORE, "perf record --kcore -a");
  assert_command ("perf record -e '{cycles,/tmp/x}' -e '{x.c}' -a", KCORE,
                  "perf record --kcore -a");
  assert_command ("perf record -a --vmlinux /x --control fifo:/x --filter 'a @ /x' -G x", KCORE,
                  "perf record --kcore -a");
  assert_command ("perf record -a --debuginfod=https://example.org --debuginfod --switch-output=1G "
                  "--switch-output-event x --no-all-cpus --off-cpu",
                  KCORE, "perf record --kcore -a --off-cpu");
  assert_command ("perf record -a --exec-path=/tmp --clang-opt -fplugin=/tmp/x.so", KCORE,
                  "perf record --kcore -a");
  assert_command ("perf record -a --kcore=x -F '99;ls' -F -1 -m '$(ls)' -c '`ls`' -C '>x'",
                  KCORE | CPUS, "perf record --kcore -a");
  assert_command ("perf record -C '>x' true", CPUS, "perf record -a -- COMMAND");
  assert_command ("perf record -a$(ls) true", KCORE, "perf record --kcore -a -- COMMAND");
  assert_command ("'/tmp/evil perf' record -a", KCORE, "perf record --kcore -a");
}

/* It is copied as it is shown, so it has nothing that shows as something else. */
static void
test_hostile_characters (void)
{
  static const char *const pieces[] = {
    "\033[201~\nls\n",
    "\342\200\256",
    "\003",
    "\377\376",
    "\302\2332J",
    "a\tb",
    "\r",
    "'",
    "\"",
    "\\",
    "!!",
    "\177",
    "\342\201\246",
  };
  static const char *const forms[] = {
    "perf record -a -e %s",   "perf record -a %s",           "perf record -a -F %s",
    "perf record -a %s -- x", "perf record -a --%s",         "perf record -a --event=%s",
    "perf record -a -- %s",   "perf record -a -e cycles:%s", "perf record -a -e'{%s}'",
    "perf record -a -C %s",   "perf record -a --output=%s",  "perf record -a -%s",
  };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++) {
    for (guint k = 0; k < G_N_ELEMENTS (forms); k++) {
      g_autofree char *quoted = g_shell_quote (pieces[i]);
      g_autofree char *recorded = g_strdup_printf (forms[k], quoted);
      g_autofree char *command = pen_better_recording_command (recorded, KCORE);

      for (const char *p = command; *p != '\0'; p++)
        g_assert_true (g_ascii_isalnum (*p) || strchr (" -_.:=,@%/{}'", *p));
      g_assert_true (g_shell_parse_argv (command, NULL, NULL, NULL));
    }
  }
}

/* However long it is. */
static void
test_endless (void)
{
  g_autoptr (GString) recorded = g_string_new ("perf record -a");
  g_autofree char *command = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append (recorded, " -e cycles");
  command = pen_better_recording_command (recorded->str, KCORE);
  g_assert_cmpuint (strlen (command), <, 2000);
  g_assert_true (g_str_has_prefix (command, "perf record --kcore -a -e cycles -e cycles"));
}

static void
test_system_wide (void)
{
  g_assert_true (pen_better_recording_is_system_wide ("perf record -a true"));
  g_assert_true (pen_better_recording_is_system_wide ("perf record -e cycles --all-cpus true"));
  g_assert_true (pen_better_recording_is_system_wide ("perf record -F 99 -ag true"));
  g_assert_false (pen_better_recording_is_system_wide ("perf record true -a"));
  g_assert_false (pen_better_recording_is_system_wide ("perf record -e a true"));
  g_assert_false (pen_better_recording_is_system_wide ("perf record -- -a"));
  g_assert_false (pen_better_recording_is_system_wide (NULL));
}

/* An arm64 kernel patches itself as well, and takes the wish for text pokes without a word. */
static void
test_machine_without_pokes (void)
{
  static const char *const archs[] = { "x86_64", "aarch64" };

  for (int is_other = 0; is_other < 2; is_other++) {
    g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
    g_autoptr (PenBetterRecording) better = NULL;
    g_autoptr (GError) error = NULL;
    QueryFixture fixture = { 0 };

    pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
    pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
    pen_test_capture_set_arch (capture, archs[is_other]);
    pen_test_capture_at (capture, 1000, 7, 7, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffff800080000000, 1);
    query_fixture_import (&fixture, capture);
    better = pen_better_recording_new (fixture.store, &error);
    g_assert_no_error (error);
    g_assert_cmpint (better->has_pokes, ==, !is_other);
    g_assert_cmpint (better->can_have_pokes, ==, !is_other);
    g_assert_cmpint (pen_query_knows_patches (fixture.query), ==, !is_other);
    query_fixture_tear_down (&fixture, NULL);
  }
}

/* Returns: (transfer full): the info's words, as CSV */
static char *
make_info (PenQuery *query)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();
  g_autoptr (PenTableWriter) writer = pen_table_writer_new_open (stream, PEN_FORMAT_CSV);
  g_autoptr (GError) error = NULL;

  pen_query_write_info (query, writer, &error);
  g_assert_no_error (error);
  pen_table_writer_finish (writer, &error);
  g_assert_no_error (error);
  g_output_stream_write_all (stream, "", 1, NULL, NULL, &error);
  g_output_stream_close (stream, NULL, &error);
  g_assert_no_error (error);
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (stream));
}

/* Advice to record what was recorded helps nobody. */
static void
test_unseen_modules (void)
{
  for (int has_events = 0; has_events < 2; has_events++) {
    g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
    PenTestEvent load = PEN_TEST_EVENT_CLOCK;
    QueryFixture fixture = { 0 };
    g_autofree char *info = NULL;

    load.name = "module:module_load";
    pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
    if (has_events)
      pen_test_capture_add_event (capture, &load);
    pen_test_capture_at (capture, 1000, 7, 7, 0);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffffc0300000, 1);
    query_fixture_import (&fixture, capture);
    info = make_info (fixture.query);
    g_assert_nonnull (strstr (info, "1 samples lie where modules"));
    g_assert_true ((!strstr (info, "Record with -e module:module_load")) == has_events);
    g_assert_true ((strstr (info, "but not their") != NULL) == has_events);
    query_fixture_tear_down (&fixture, NULL);
  }
}

/* A rate leaves out loads. */
static void
test_rated_modules (void)
{
  static const char *const names[]
      = { "module:module_load", "probe:do_init_module", "irq:irq_handler_exit" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    for (int has_rate = 0; has_rate < 2; has_rate++) {
      g_autoptr (PenTestCapture) capture = pen_test_capture_new ();
      PenTestEvent load = PEN_TEST_EVENT_CLOCK;
      QueryFixture fixture = { 0 };
      g_autofree char *info = NULL;

      load.name = names[i];
      load.flags |= has_rate ? 1 << 10 : 0;
      pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
      pen_test_capture_add_event (capture, &load);
      pen_test_capture_at (capture, 1000, 7, 7, 0);
      pen_test_capture_add_sample (capture, PEN_TEST_KERNEL, 0xffffffff81000000, 1);
      query_fixture_import (&fixture, capture);
      info = make_info (fixture.query);
      g_assert_true ((strstr (info, "module loads") != NULL) == (has_rate && i < 2));
      query_fixture_tear_down (&fixture, NULL);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/better-recording/adds-what-is-missing", test_adds_what_is_missing);
  g_test_add_func ("/better-recording/times", test_times);
  g_test_add_func ("/better-recording/times-of-samples", test_times_of_samples);
  g_test_add_func ("/better-recording/bigger-buffers", test_bigger_buffers);
  g_test_add_func ("/better-recording/ours", test_ours);
  g_test_add_func ("/better-recording/replaces-what-excludes-it", test_replaces_what_excludes_it);
  g_test_add_func ("/better-recording/known-options", test_known_options);
  g_test_add_func ("/better-recording/hostile", test_hostile);
  g_test_add_func ("/better-recording/hostile-characters", test_hostile_characters);
  g_test_add_func ("/better-recording/endless", test_endless);
  g_test_add_func ("/better-recording/system-wide", test_system_wide);
  g_test_add_func ("/better-recording/unseen-modules", test_unseen_modules);
  g_test_add_func ("/better-recording/rated-modules", test_rated_modules);
  g_test_add_func ("/better-recording/machine-without-pokes", test_machine_without_pokes);
  return g_test_run ();
}
