/* pen-record-plan.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-plan.h"

#include <glib/gi18n-lib.h>

#include "pen-event-ids.h"
#include "pen-perf-words.h"
#include "pen-record-error.h"

/* --control with an answer, and -D -1 */
#define PERF_MIN PEN_VERSION_NUMBER (5, 10)
#define BUILD_IDS_MIN PEN_VERSION_NUMBER (5, 12)

/* perf's own default */
#define DEFAULT_RATE 4000u

/* perf starts a shell, which becomes the command as soon as the events are enabled. Without a
 * command it waits for the end of the descriptor: that comes also when this program is killed. The
 * numbers are those of PEN_RECORD_HOLD and others. */
static const char become_command[] = "echo $$ >&7; read -r go <&5 || exit 125; exec \"$@\" 2>&6 "
                                     "3<&- 4>&- 5<&- 6>&- 7>&-";
/* Of a stream: standard output is taken. */
static const char become_quiet_command[]
    = "echo $$ >&7; read -r go <&5 || exit 125; exec \"$@\" >&6 2>&6 "
      "3<&- 4>&- 5<&- 6>&- 7>&-";
static const char wait_for_end[] = "echo $$ >&7; while read -r go <&5; do :; done";

void
pen_record_plan_free (PenRecordPlan *self)
{
  if (!self)
    return;
  g_strfreev (self->argv);
  g_free (self->output);
  g_clear_pointer (&self->cpus, g_array_unref);
  g_ptr_array_unref (self->lacks);
  g_free (self);
}

/* ---- what cannot be done without ---- */

static gboolean
check_perf (const PenRecordProbe *probe, GError **error)
{
  if (!probe->perf) {
    g_set_error_literal (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_NEEDED,
                         _ ("there is no perf; Debian has it in linux-perf, Fedora in perf, Ubuntu "
                            "in linux-tools-generic"));
    return FALSE;
  }
  if (probe->perf_version < PERF_MIN) {
    g_set_error (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_NEEDED,
                 _ ("%s is older than 5.10, or its version is unknown"), probe->perf);
    return FALSE;
  }
  return TRUE;
}

static gboolean
check_rights (const PenPerfWords *words, const PenRecordProbe *probe, GError **error)
{
  if (words->has_tasks || probe->may_record_cpus)
    return TRUE;
  g_set_error_literal (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_NEEDED,
                       _ ("recording all CPUs needs root or CAP_PERFMON: use sudo; "
                          "perf_event_paranoid need not change"));
  return FALSE;
}

/* ---- what can ---- */

/* perf's own default */
static const char *
get_default_event (const PenRecordProbe *probe)
{
  return probe->has_cycles ? "cycles:P" : "cpu-clock";
}

static gboolean
plan_cpus (PenRecordPlan *self, const PenPerfWords *words, const PenRecordProbe *probe,
           GError **error)
{
  self->cpus = words->cpus ? pen_record_probe_parse_cpus (words->cpus) : g_array_ref (probe->cpus);
  if (self->cpus)
    return TRUE;
  g_set_error (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_USAGE,
               _ ("-C: “%s” is not a list of CPUs"), words->cpus);
  return FALSE;
}

/* -F or -c as a term of each event. Returns: (transfer full) (nullable): NULL: they cannot be that,
 * or there is nothing to give */
static GPtrArray *
make_own_rates (const PenPerfWords *words, const PenRecordProbe *probe)
{
  g_autoptr (GPtrArray) events = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *term = NULL;
  guint64 number = probe->max_rate;
  const char *given = words->rate ? words->rate : words->period;
  gboolean is_max = g_strcmp0 (words->rate, "max") == 0;

  if (!given || (words->rate && words->period)
      || (!is_max && !g_ascii_string_to_unsigned (given, 10, 1, G_MAXUINT32, &number, NULL)))
    return NULL;
  term = g_strdup_printf ("%s=%" G_GUINT64_FORMAT, words->rate ? "freq" : "period", number);
  for (guint i = 0; i < words->events->len; i++) {
    char *event = pen_perf_words_add_term (words->events->pdata[i], term);

    if (!event)
      return NULL;
    g_ptr_array_add (events, event);
  }
  if (events->len == 0)
    g_ptr_array_add (events, pen_perf_words_add_term (get_default_event (probe), term));
  return g_steal_pointer (&events);
}

static GPtrArray *
copy_events (const PenPerfWords *words, const PenRecordProbe *probe)
{
  GPtrArray *events = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < words->events->len; i++)
    g_ptr_array_add (events, g_strdup (words->events->pdata[i]));
  if (events->len == 0)
    g_ptr_array_add (events, g_strdup (get_default_event (probe)));
  return events;
}

static void
plan_modules (PenRecordPlan *self, const PenPerfWords *words, const PenRecordProbe *probe,
              gboolean has_own_rates)
{
  g_autofree char *why = NULL;

  if (probe->modules_error != 0) {
    why = g_strdup_printf (_ ("their events cannot be read (%s); they need root and tracefs"),
                           g_strerror (probe->modules_error));
    pen_record_lacks_add (self->lacks, PEN_LACK_MODULES, why);
    return;
  }
  self->has_module_events = TRUE;
  if ((words->rate || words->period) && !has_own_rates)
    pen_record_lacks_add (self->lacks, PEN_LACK_SOME_MODULES, NULL);
}

/* perf records patches with --kcore alone. Records of one time have one clock. */
static void
plan_patches (PenRecordPlan *self, const PenPerfWords *words)
{
  self->adds_patches = !words->has_clock;
  if (words->has_clock)
    pen_record_lacks_add (self->lacks, PEN_LACK_PATCHES,
                          self->is_stream
                              ? _ ("in a stream they need CLOCK_MONOTONIC: leave out -k")
                              : _ ("without /proc/kcore they need CLOCK_MONOTONIC: leave out -k"));
}

static void
plan_lacks (PenRecordPlan *self, const PenPerfWords *words, const PenRecordProbe *probe,
            gboolean has_own_rates)
{
  if (self->is_stream)
    pen_record_lacks_add (self->lacks, PEN_LACK_DIRECTORY, NULL);
  else if (probe->kcore_error != 0)
    pen_record_lacks_add (self->lacks, PEN_LACK_KCORE, g_strerror (probe->kcore_error));
  if (self->is_stream || probe->kcore_error != 0)
    plan_patches (self, words);
  if (!probe->has_names)
    pen_record_lacks_add (self->lacks, PEN_LACK_NAMES, NULL);
  if (probe->has_modules)
    plan_modules (self, words, probe, has_own_rates);
  if (probe->perf_version < BUILD_IDS_MIN || probe->kernel_version < BUILD_IDS_MIN)
    pen_record_lacks_add (self->lacks, PEN_LACK_BUILD_IDS, NULL);
}

static void
plan_witness (PenRecordPlan *self, const PenRecordWishes *wishes, const PenPerfWords *words,
              const PenRecordProbe *probe)
{
  if (wishes->has_no_witness || self->is_stream)
    return;
  if (words->has_tasks)
    pen_record_lacks_add (self->lacks, PEN_LACK_WITNESS,
                          _ ("it needs events of CPUs, without -p, -t, -u or --per-thread"));
  else if (probe->witness_problem)
    pen_record_lacks_add (self->lacks, PEN_LACK_WITNESS, probe->witness_problem);
  else
    self->has_witness = TRUE;
}

/* ---- perf's arguments ---- */

static gboolean
has (const PenRecordPlan *self, PenLackKind kind)
{
  return !pen_record_lacks_find (self->lacks, kind);
}

static guint
get_rate (const PenPerfWords *words, const PenRecordProbe *probe)
{
  guint64 rate = DEFAULT_RATE;

  if (words->rate && !g_ascii_string_to_unsigned (words->rate, 10, 1, G_MAXUINT32, &rate, NULL))
    rate = probe->max_rate;
  return MIN ((guint) rate, probe->max_rate);
}

static void
add_witness (const PenPerfWords *words, const PenRecordProbe *probe, GStrvBuilder *argv)
{
  g_autofree char *look = g_strdup_printf ("cpu-clock/name=look,freq=%u,config1=%#x,call-graph=no/",
                                           get_rate (words, probe), PEN_EVENT_MARK);
  g_autofree char *output = g_strdup_printf (
      "bpf-output/no-inherit=1,name=witness,config1=%#x,call-graph=no/", PEN_EVENT_MARK);

  g_strv_builder_add_many (argv, "-e", look, "-e", output, NULL);
}

static void
add_words (GStrvBuilder *argv, const GPtrArray *words)
{
  for (guint i = 0; i < words->len; i++)
    g_strv_builder_add (argv, words->pdata[i]);
}

/* The events of the witness come after those of the profile: programs show the first one first.
 * @own_rates: (nullable) */
static void
add_events (const PenRecordPlan *self, const PenPerfWords *words, const PenRecordProbe *probe,
            const GPtrArray *own_rates, GStrvBuilder *argv)
{
  g_autoptr (GPtrArray) plain = own_rates ? NULL : copy_events (words, probe);
  const GPtrArray *events = own_rates ? own_rates : plain;

  if (!own_rates && words->rate)
    g_strv_builder_add_many (argv, "-F", words->rate, NULL);
  if (!own_rates && words->period)
    g_strv_builder_add_many (argv, "-c", words->period, NULL);
  /* Without -e, what would be before the first event is about perf's default. */
  if (words->events->len > 0)
    add_words (argv, words->after->pdata[0]);
  for (guint i = 0; i < events->len; i++) {
    g_strv_builder_add_many (argv, "-e", events->pdata[i], NULL);
    add_words (argv, words->after->pdata[MIN (i + 1, words->events->len)]);
  }
  if (self->has_witness)
    add_witness (words, probe, argv);
  if (self->has_module_events)
    g_strv_builder_add_many (argv, "-e", "module:module_load", "-e", "module:module_free", NULL);
}

static void
add_command (const PenRecordPlan *self, const PenRecordWishes *wishes, GStrvBuilder *argv)
{
  g_strv_builder_add_many (argv, "--", "/bin/sh", "-c",
                           !self->has_command ? wait_for_end
                           : self->is_stream  ? become_quiet_command
                                              : become_command,
                           "pentimento", NULL);
  if (self->has_command)
    g_strv_builder_addv (argv, (const char **) wishes->command);
}

/* Those that must be as they are here come last: perf takes the last of each. */
static char **
make_argv (const PenRecordPlan *self, const PenRecordWishes *wishes, const PenPerfWords *words,
           const PenRecordProbe *probe, const GPtrArray *own_rates)
{
  g_autoptr (GStrvBuilder) argv = g_strv_builder_new ();
  g_autofree char *control
      = g_strdup_printf ("--control=fd:%d,%d", PEN_RECORD_CONTROL, PEN_RECORD_ANSWER);
  g_autofree char *data = self->makes_directory ? g_build_filename (self->output, "data", NULL)
                                                : g_strdup (self->output);

  g_strv_builder_add_many (argv, probe->perf, "record", NULL);
  if (!self->is_stream && has (self, PEN_LACK_KCORE))
    g_strv_builder_add (argv, "--kcore");
  if (!words->has_tasks && !words->cpus)
    g_strv_builder_add (argv, "-a");
  if (has (self, PEN_LACK_BUILD_IDS))
    g_strv_builder_add (argv, "--buildid-mmap");
  if (!words->has_clock)
    g_strv_builder_add_many (argv, "-k", "CLOCK_MONOTONIC", NULL);
  add_words (argv, words->words);
  add_events (self, words, probe, own_rates, argv);
  g_strv_builder_add_many (argv, "-D", "-1", control, "-o", data, NULL);
  add_command (self, wishes, argv);
  return g_strv_builder_end (argv);
}

G_STATIC_ASSERT (PEN_RECORD_CONTROL == 3 && PEN_RECORD_ANSWER == 4 && PEN_RECORD_HOLD == 5
                 && PEN_RECORD_STDERR == 6 && PEN_RECORD_REPORT == 7);

PenRecordPlan *
pen_record_plan_new (const PenRecordWishes *wishes, const PenRecordProbe *probe, GError **error)
{
  g_autoptr (PenRecordPlan) self = g_new0 (PenRecordPlan, 1);
  g_auto (PenPerfWords) words = { 0 };
  g_autoptr (GPtrArray) own_rates = NULL;

  self->lacks = pen_record_lacks_new ();
  if (!pen_perf_words_parse (wishes->perf_words, &words, error) || !check_perf (probe, error)
      || !check_rights (&words, probe, error) || !plan_cpus (self, &words, probe, error))
    return NULL;
  self->output = g_strdup (wishes->output ? wishes->output : "perf.data");
  self->is_stream = g_str_equal (self->output, "-");
  self->has_command = wishes->command && wishes->command[0];
  own_rates = make_own_rates (&words, probe);
  plan_lacks (self, &words, probe, own_rates != NULL);
  plan_witness (self, wishes, &words, probe);
  /* With --kcore or --threads, perf makes a directory itself. */
  self->makes_directory = !has (self, PEN_LACK_KCORE) && !words.has_threads && !self->is_stream;
  self->argv = make_argv (self, wishes, &words, probe, own_rates);
  return g_steal_pointer (&self);
}
