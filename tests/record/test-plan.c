/* test-plan.c: what is asked of perf, from what there is
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-plan.h"

#include <errno.h>

#include "pen-record-error.h"

/* A machine with everything, but for @change. */
typedef struct {
  gboolean has_no_perf;
  guint perf_version;
  guint kernel_version;
  gboolean may_not_record_cpus;
  int kcore_error;
  int modules_error;
  gboolean has_no_modules;
  gboolean has_no_names;
  gboolean has_no_cycles;
  guint max_rate;
  const char *witness_problem;
} Change;

static PenRecordProbe *
make_probe (const Change *change)
{
  PenRecordProbe *probe = g_new0 (PenRecordProbe, 1);

  probe->perf = change->has_no_perf ? NULL : g_strdup ("/usr/bin/perf");
  probe->perf_version = change->perf_version ? change->perf_version : PEN_VERSION_NUMBER (6, 1);
  probe->kernel_version
      = change->kernel_version ? change->kernel_version : PEN_VERSION_NUMBER (6, 12);
  probe->may_record_cpus = !change->may_not_record_cpus;
  probe->kcore_error = change->kcore_error;
  probe->modules_error = change->modules_error;
  probe->has_modules = !change->has_no_modules;
  probe->has_names = !change->has_no_names;
  probe->has_cycles = !change->has_no_cycles;
  probe->max_rate = change->max_rate ? change->max_rate : 100000;
  probe->cpus = pen_record_probe_parse_cpus ("0-3");
  probe->witness_problem = g_strdup (change->witness_problem);
  return probe;
}

static PenRecordPlan *
make_plan (const Change *change, const char *perf_words, const char *command, const char *output,
           GError **error)
{
  g_autoptr (PenRecordProbe) probe = make_probe (change);
  g_auto (GStrv) words = g_strsplit (perf_words, " ", -1);
  g_auto (GStrv) program = command ? g_strsplit (command, " ", -1) : NULL;
  char *none[] = { NULL };
  const PenRecordWishes wishes
      = { .perf_words = *perf_words ? words : none, .command = program, .output = output };

  return pen_record_plan_new (&wishes, probe, error);
}

#define LOOK "-e cpu-clock/name=look,freq=4000,config1=0x50574954,call-graph=no/"
#define OUTPUT "-e bpf-output/no-inherit=1,name=witness,config1=0x50574954,call-graph=no/"
#define WITNESS LOOK " " OUTPUT
#define MODULES "-e module:module_load -e module:module_free"
#define START "-D -1 --control=fd:3,4"

/* What stands before the shell. */
static char *
join_options (const PenRecordPlan *plan)
{
  GString *text = g_string_new (NULL);

  for (char **word = plan->argv; !g_str_equal (*word, "--"); word++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", *word);
  return g_string_free (text, FALSE);
}

/* @lacks: a letter each: kcore, modules, loads of some, names, build IDs, witness; users of
 * patches; patches, and directory of a stream */
static void
assert_lacks (const PenRecordPlan *plan, const char *lacks)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < plan->lacks->len; i++) {
    const PenRecordLack *lack = plan->lacks->pdata[i];
    g_autofree char *sentence = pen_record_lack_describe (lack);

    g_string_append_c (text, "kmlnbwcsupd"[lack->kind]);
    g_assert_true (g_str_has_prefix (sentence, "no"));
    g_assert_null (strstr (sentence, "(null)"));
  }
  g_assert_cmpstr (text->str, ==, lacks);
}

static void
test_options (void)
{
  static const struct {
    Change change;
    const char *words;
    const char *options;
    const char *lacks;
  } cases[] = {
    { { 0 },
      "",
      "--kcore -a --buildid-mmap -k CLOCK_MONOTONIC -e cycles:P " WITNESS " " MODULES " " START
      " -o out",
      "" },
    { { .has_no_cycles = TRUE, .kcore_error = ENOENT, .modules_error = EACCES },
      "",
      "-a --buildid-mmap -k CLOCK_MONOTONIC -e cpu-clock " WITNESS " " START " -o out/data",
      "km" },
    /* A kernel without modules lacks nothing. */
    { { .has_no_modules = TRUE, .modules_error = ENOENT, .has_no_names = TRUE },
      "",
      "--kcore -a --buildid-mmap -k CLOCK_MONOTONIC -e cycles:P " WITNESS " " START " -o out",
      "n" },
    { { .perf_version = PEN_VERSION_NUMBER (5, 10) },
      "-e sched:sched_switch -k mono",
      "--kcore -a -k mono -e sched:sched_switch " WITNESS " " MODULES " " START " -o out",
      "b" },
    { { .kernel_version = PEN_VERSION_NUMBER (5, 10), .witness_problem = "x" },
      "-gF 99",
      "--kcore -a -k CLOCK_MONOTONIC -g -e cycles/name=cycles,freq=99/P " MODULES " " START
      " -o out",
      "bw" },
    { { .max_rate = 1000 },
      "--event=cycles -F 5000",
      "--kcore -a --buildid-mmap -k CLOCK_MONOTONIC -e cycles/name=cycles,freq=5000/ "
      "-e cpu-clock/name=look,freq=1000,config1=0x50574954,call-graph=no/ " OUTPUT " " MODULES
      " " START " -o out",
      "" },
    /* Every millionth module load would be none. */
    { { 0 },
      "-c 1000000 -C 2,0-1",
      "--kcore --buildid-mmap -k CLOCK_MONOTONIC -C 2,0-1 "
      "-e cycles/name=cycles,period=1000000/P " WITNESS " " MODULES " " START " -o out",
      "" },
    { { 0 },
      "-c 1000 -e {cycles,instructions}:S -gv",
      "--kcore -a --buildid-mmap -k CLOCK_MONOTONIC -gv -c 1000 "
      "-e {cycles,instructions}:S " WITNESS " " MODULES " " START " -o out",
      "l" },
    { { .max_rate = 1000 },
      "-F max -ecycles:u,cpu-clock --event r1a8:kpp",
      "--kcore -a --buildid-mmap -k CLOCK_MONOTONIC "
      "-e cycles/name=cycles,freq=1000/u,cpu-clock/name=cpu-clock,freq=1000/ "
      "-e r1a8/name=r1a8,freq=1000/kpp "
      "-e cpu-clock/name=look,freq=1000,config1=0x50574954,call-graph=no/ " OUTPUT " " MODULES
      " " START " -o out",
      "" },
    { { .may_not_record_cpus = TRUE },
      "-p 1",
      "--kcore --buildid-mmap -k CLOCK_MONOTONIC -p 1 -e cycles:P " MODULES " " START " -o out",
      "w" },
    { { .kcore_error = EPERM },
      "--threads --timestamp",
      "-a --buildid-mmap -k CLOCK_MONOTONIC --threads --timestamp -e cycles:P " WITNESS " " MODULES
      " " START " -o out",
      "k" },
    /* perf applies these to the event before them: neither to the witness nor to modules. */
    { { 0 },
      "-e cycles -aG one,two --filter=x -e sched:sched_switch --exclude-p -g",
      "--kcore -a --buildid-mmap -k CLOCK_MONOTONIC -a -g -e cycles --cgroup=one,two --filter=x "
      "-e sched:sched_switch --exclude-perf " WITNESS " " MODULES " " START " -o out",
      "" },
    { { 0 },
      "-G one -F 99",
      "--kcore -a --buildid-mmap -k CLOCK_MONOTONIC -e cycles/name=cycles,freq=99/P --cgroup=one "
      "-e cpu-clock/name=look,freq=99,config1=0x50574954,call-graph=no/ " OUTPUT " " MODULES
      " " START " -o out",
      "" },
    /* perf refuses this, and says why. */
    { { 0 },
      "--filter x -e cycles",
      "--kcore -a --buildid-mmap -k CLOCK_MONOTONIC --filter=x -e cycles " WITNESS " " MODULES
      " " START " -o out",
      "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PenRecordPlan) plan
        = make_plan (&cases[i].change, cases[i].words, NULL, "out", &error);
    g_autofree char *expected = g_strconcat ("/usr/bin/perf record ", cases[i].options, NULL);
    g_autofree char *options = NULL;

    g_assert_no_error (error);
    options = join_options (plan);
    g_assert_cmpstr (options, ==, expected);
    assert_lacks (plan, cases[i].lacks);
    g_assert_cmpint (plan->makes_directory, ==, strstr (options, "-o out/data") != NULL);
    g_assert_cmpint (plan->has_witness, ==, strstr (options, "bpf-output") != NULL);
    g_assert_false (plan->has_command);
  }
}

static void
test_command (void)
{
  const Change everything = { 0 };
  g_autoptr (PenRecordPlan) plan
      = make_plan (&everything, "-g", "make -j4 -- all", NULL, &(GError *){ NULL });
  guint n = g_strv_length (plan->argv);
  static const char *const command[] = { "pentimento", "make", "-j4", "--", "all" };

  g_assert_true (plan->has_command);
  g_assert_cmpstr (plan->output, ==, "perf.data");
  for (guint i = 0; i < G_N_ELEMENTS (command); i++)
    g_assert_cmpstr (plan->argv[n - G_N_ELEMENTS (command) + i], ==, command[i]);
}

static void
test_cpus (void)
{
  static const struct {
    const char *text;
    const char *cpus; /* NULL: refused */
  } cases[] = {
    { "0-3,8", "0 1 2 3 8 " }, { "8,1-2,2", "1 2 8 " }, { "0", "0 " }, { "3-1", NULL },
    { "0-99999999", NULL },    { "-1", NULL },          { "x", NULL }, { "", NULL },
  };
  const Change everything = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *words = g_strdup_printf ("--cpu=%s", cases[i].text);
    g_autoptr (GError) error = NULL;
    g_autoptr (PenRecordPlan) plan = make_plan (&everything, words, NULL, NULL, &error);
    g_autoptr (GString) cpus = g_string_new (NULL);

    if (!cases[i].cpus) {
      g_assert_error (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_USAGE);
      continue;
    }
    g_assert_no_error (error);
    for (guint k = 0; k < plan->cpus->len; k++)
      g_string_append_printf (cpus, "%u ", g_array_index (plan->cpus, guint, k));
    g_assert_cmpstr (cpus->str, ==, cases[i].cpus);
  }
}

static void
test_refused (void)
{
  static const struct {
    Change change;
    const char *words;
    PenRecordError code;
    const char *says;
  } cases[] = {
    { { .has_no_perf = TRUE }, "", PEN_RECORD_ERROR_NEEDED, "linux-perf" },
    { { .perf_version = PEN_VERSION_NUMBER (5, 9) }, "", PEN_RECORD_ERROR_NEEDED, "5.10" },
    { { .may_not_record_cpus = TRUE }, "", PEN_RECORD_ERROR_NEEDED, "CAP_PERFMON" },
    { { 0 }, "-D 5", PEN_RECORD_ERROR_USAGE, "-D" },
    { { 0 }, "-gD5", PEN_RECORD_ERROR_USAGE, "-D" },
    { { 0 }, "--delay=5", PEN_RECORD_ERROR_USAGE, "--delay" },
    { { 0 }, "--control fifo:x", PEN_RECORD_ERROR_USAGE, "--control" },
    { { 0 }, "--contr=fifo:x", PEN_RECORD_ERROR_USAGE, "--contr" },
    { { 0 }, "--output x", PEN_RECORD_ERROR_USAGE, "--output" },
    { { 0 }, "-go x", PEN_RECORD_ERROR_USAGE, "-o" },
    { { 0 }, "--switch-output=1G", PEN_RECORD_ERROR_USAGE, "--switch-output" },
    { { 0 }, "--timestamp-filename", PEN_RECORD_ERROR_USAGE, "--timestamp-filename" },
    { { 0 }, "-g sleep 10", PEN_RECORD_ERROR_USAGE, "“sleep”" },
    { { 0 }, "-F 99 sleep", PEN_RECORD_ERROR_USAGE, "“sleep”" },
    { { 0 }, "-z3 sleep", PEN_RECORD_ERROR_USAGE, "“sleep”" },
    { { 0 }, "-", PEN_RECORD_ERROR_USAGE, "“-”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PenRecordPlan) plan
        = make_plan (&cases[i].change, cases[i].words, NULL, "out", &error);

    g_assert_null (plan);
    g_assert_error (error, PEN_RECORD_ERROR, (int) cases[i].code);
    g_assert_nonnull (strstr (error->message, cases[i].says));
  }
}

/* What the command writes to standard output must not get into it. */
static void
test_stream (void)
{
  const Change everything = { 0 };
  const Change no_kcore = { .kcore_error = EPERM };
  const Change *changes[] = { &everything, &no_kcore };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PenRecordPlan) plan = make_plan (changes[i], "-g", "make", "-", &error);
    g_autofree char *options = NULL;
    g_autofree char *all = NULL;

    g_assert_no_error (error);
    options = join_options (plan);
    all = g_strjoinv (" ", plan->argv);
    g_assert_cmpstr (
        options, ==,
        "/usr/bin/perf record -a --buildid-mmap -k CLOCK_MONOTONIC -g -e cycles:P " MODULES
        " " START " -o -");
    g_assert_nonnull (strstr (all, "exec \"$@\" >&6 2>&6 "));
    g_assert_true (plan->is_stream);
    g_assert_false (plan->has_witness);
    g_assert_true (plan->adds_patches);
    g_assert_false (plan->makes_directory);
    assert_lacks (plan, "d");
  }
}

/* Patches that are put into a stream have one clock with the rest. */
static void
test_stream_clock (void)
{
  const Change everything = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (PenRecordPlan) plan = make_plan (&everything, "-k mono_raw", "make", "-", &error);

  g_assert_no_error (error);
  g_assert_false (plan->adds_patches);
  assert_lacks (plan, "dp");
}

/* Where perf cannot record patches, they are recorded beside it, by one clock with the rest. */
static void
test_patches (void)
{
  static const struct {
    Change change;
    const char *words;
    gboolean adds_patches;
    const char *lacks;
  } cases[] = {
    { { 0 }, "", FALSE, "" },
    { { 0 }, "-k mono_raw", FALSE, "" },
    { { .kcore_error = EPERM }, "", TRUE, "k" },
    { { .kcore_error = ENOENT }, "-k mono_raw", FALSE, "kp" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (PenRecordPlan) plan
        = make_plan (&cases[i].change, cases[i].words, "make", "out", &error);

    g_assert_no_error (error);
    g_assert_cmpint (plan->adds_patches, ==, cases[i].adds_patches);
    assert_lacks (plan, cases[i].lacks);
  }
}

static void
test_versions (void)
{
  g_assert_cmpuint (pen_record_probe_parse_version ("perf version 6.1.192\n"), ==,
                    PEN_VERSION_NUMBER (6, 1));
  g_assert_cmpuint (pen_record_probe_parse_version ("5.10.0-28-amd64"), ==,
                    PEN_VERSION_NUMBER (5, 10));
  g_assert_cmpuint (pen_record_probe_parse_version ("perf version 6.18.g0123abc"), ==,
                    PEN_VERSION_NUMBER (6, 18));
  g_assert_cmpuint (pen_record_probe_parse_version ("perf version 7"), ==, 0);
  g_assert_cmpuint (pen_record_probe_parse_version ("99999999999.1"), ==, 0);
  g_assert_cmpuint (pen_record_probe_parse_version (""), ==, 0);
}

/* Linux 6.1 lists variables of each CPU first, the first of them at 0. */
static void
test_addresses (void)
{
  g_assert_true (pen_record_probe_has_addresses ("0000000000000000 A fixed_percpu_data\n"
                                                 "0000000000001000 A cpu_debug_store\n"));
  g_assert_true (pen_record_probe_has_addresses ("ffffffff81000000 T _text\n"));
  g_assert_false (pen_record_probe_has_addresses ("0000000000000000 A fixed_percpu_data\n"
                                                  "0000000000000000 T _text\n000"));
  g_assert_false (pen_record_probe_has_addresses (""));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/record/plan/options", test_options);
  g_test_add_func ("/record/plan/command", test_command);
  g_test_add_func ("/record/plan/cpus", test_cpus);
  g_test_add_func ("/record/plan/refused", test_refused);
  g_test_add_func ("/record/plan/patches", test_patches);
  g_test_add_func ("/record/plan/stream", test_stream);
  g_test_add_func ("/record/plan/stream-clock", test_stream_clock);
  g_test_add_func ("/record/plan/versions", test_versions);
  g_test_add_func ("/record/plan/addresses", test_addresses);
  return g_test_run ();
}
