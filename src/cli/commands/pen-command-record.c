/* pen-command-record.c: record
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command-run.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pen-capture.h"
#include "pen-reader.h"
#include "pen-reason.h"
#include "pen-record-error.h"
#include "pen-recording.h"

/* ---- messages ---- */

static void
print_lacks (const GPtrArray *lacks)
{
  for (guint i = 0; i < lacks->len; i++) {
    g_autofree char *sentence = pen_record_lack_describe (lacks->pdata[i]);
    g_autofree char *shown = pen_display_text (sentence);

    /* Translators: such as “no names of kernel functions: …” */
    fprintf (stderr, _ ("  missing: %s\n"), shown);
  }
}

/* A command prints on the same terminal: the summary at its end is enough. */
static void
show_begun (const PenRecordPlan *plan, gpointer user_data G_GNUC_UNUSED)
{
  g_autofree char *name = pen_capture_display_name (plan->output);

  if (plan->has_command)
    return;
  fprintf (stderr, _ ("%s: recording; Ctrl-C ends it\n"), name);
  print_lacks (plan->lacks);
}

/* perf's own words about how it writes are left out: the summary has them. */
static void
show_message (const char *line, gpointer user_data G_GNUC_UNUSED)
{
  g_autofree char *shown = NULL;

  if (g_str_has_prefix (line, "[ perf record: ") || g_str_equal (line, "Events enabled")
      || g_str_equal (line, "Events disabled"))
    return;
  shown = pen_display_text (line);
  fprintf (stderr, "perf: %s\n", shown);
}

/* ---- summary ---- */

typedef struct {
  guint64 samples;
  guint64 readings;
  guint64 lost;
  guint64 first;
  guint64 last;
} Counts;

static void
count_sample (Counts *counts, const PenRecord *record, const PenAttr *attr)
{
  gboolean is_output = attr && attr->type == PEN_ATTR_TYPE_SOFTWARE
                       && attr->config == PEN_ATTR_SOFTWARE_BPF_OUTPUT;

  if (is_output) {
    counts->readings++;
    return;
  }
  counts->samples++;
  if (record->has & PEN_HAS_TIME) {
    counts->first = MIN (counts->first, record->time);
    counts->last = MAX (counts->last, record->time);
  }
}

static gboolean
count (const char *path, Counts *counts, GCancellable *cancellable, GError **error)
{
  g_autoptr (PenReader) reader = pen_reader_open (path, cancellable, error);
  g_autoptr (GError) wrong = NULL;
  GPtrArray *problems;
  PenRecord record;

  *counts = (Counts){ .first = G_MAXUINT64 };
  if (!reader)
    return FALSE;
  while (pen_reader_next (reader, &record, cancellable, &wrong)) {
    GPtrArray *attrs = pen_reader_get_attrs (reader);

    if (record.type == PEN_RECORD_SAMPLE)
      count_sample (counts, &record,
                    record.event >= 0 && (guint) record.event < attrs->len
                        ? attrs->pdata[record.event]
                        : NULL);
    else if (record.type == PEN_RECORD_LOST
             || (record.type == PEN_RECORD_LOST_SAMPLES
                 && (record.misc & PEN_MISC_BPF_DROPPED) == 0))
      counts->lost += record.lost.lost;
  }
  if (wrong) {
    g_propagate_error (error, g_steal_pointer (&wrong));
    return FALSE;
  }
  problems = pen_reader_get_problems (reader);
  for (guint i = 0; i < problems->len; i++) {
    const PenProblem *problem = problems->pdata[i];
    g_autofree char *reason = pen_reason_describe (problem->reason);

    fprintf (stderr, "pentimento-cli: %s: %s\n", path, reason);
  }
  return TRUE;
}

static void
print_witness (const PenRecorded *recorded, const Counts *counts, double seconds)
{
  const guint64 *values = recorded->counts.values;
  guint64 looked = values[PEN_WITNESS_RUNS] - values[PEN_WITNESS_SKIPPED];

  fprintf (
      stderr,
      _ ("  witness: %" PRIu64 " times read, %" PRIu64 " readings written, %" PRIu64 " lost\n"),
      looked, counts->readings, values[PEN_WITNESS_LOST]);
  if (values[PEN_WITNESS_TIMED] > 0 && seconds > 0) {
    double each = (double) values[PEN_WITNESS_TIME] / (double) values[PEN_WITNESS_TIMED];

    fprintf (stderr, _ ("  cost of the witness: %.2f µs a sample, %.2f %% of one CPU\n"),
             each / 1e3, 100 * each * (double) values[PEN_WITNESS_RUNS] / 1e9 / seconds);
  }
}

/* For a shell. Returns: (transfer full) */
static char *
quote (const char *word)
{
  const char *p = word;

  while (g_ascii_isalnum (*p) || (*p != '\0' && strchr ("_./+:@%", *p)))
    p++;
  return *p == '\0' && p > word ? g_strdup (word) : g_shell_quote (word);
}

/* The next command; who used sudo owns no file of it. */
static void
print_next (const char *output)
{
  g_autofree char *quoted = quote (output);
  const char *user = g_getenv ("SUDO_USER");

  if (user && geteuid () == 0) {
    g_autofree char *quoted_user = quote (user);

    fprintf (stderr, "  sudo chown -R %s %s && pentimento %s\n", quoted_user, quoted, quoted);
  } else {
    fprintf (stderr, "  pentimento %s\n", quoted);
  }
}

static gboolean
summarise (const PenRecordPlan *plan, const PenRecorded *recorded, GError **error)
{
  g_autofree char *name = pen_capture_display_name (plan->output);
  Counts counts;
  double seconds;

  /* Ctrl-C ended the recording: it is not to end its summary. */
  if (!count (plan->output, &counts, NULL, error))
    return FALSE;
  seconds = counts.last > counts.first ? (double) (counts.last - counts.first) / 1e9 : 0;
  fprintf (stderr, _ ("%s: %" PRIu64 " samples in %.2f s, %" PRIu64 " lost\n"), name,
           counts.samples, seconds, counts.lost);
  if (counts.lost > 0)
    fputs (_ ("  larger buffers lose less: -m 16M\n"), stderr);
  if (recorded->has_witness)
    print_witness (recorded, &counts, seconds);
  print_lacks (recorded->lacks);
  if (recorded->was_moved)
    fprintf (stderr, _ ("  the earlier recording is %s.old now\n"), name);
  print_next (plan->output);
  return TRUE;
}

/* Nothing is counted: it is gone. */
static void
summarise_stream (const PenRecorded *recorded)
{
  fputs (_ ("standard output: the recording is complete\n"), stderr);
  print_lacks (recorded->lacks);
}

/* ---- run ---- */

/* Returns: (transfer full) (nullable): NULL with PenRecordProbe.witness_problem, or if unwanted */
static PenWitness *
load_witness (const PenArguments *arguments, PenRecordProbe *probe)
{
  g_autoptr (GError) wrong = NULL;
  PenWitness *witness;

  if (arguments->has_no_witness)
    return NULL;
  witness = pen_witness_load (arguments->has_user_witness, &wrong);
  if (witness)
    return witness;
  if (g_error_matches (wrong, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    probe->witness_problem = g_strdup_printf (
        _ ("%s; it needs root, or CAP_BPF and CAP_PERFMON, and no lockdown"), wrong->message);
  else
    probe->witness_problem = g_strdup (wrong->message);
  return NULL;
}

static gboolean
check_program (char **program, GError **error)
{
  g_autofree char *path = program && program[0] ? g_find_program_in_path (program[0]) : NULL;

  if (!program || !program[0] || path)
    return TRUE;
  g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_FAILED,
               _ ("%s: there is no such command"), program[0]);
  return FALSE;
}

int
pen_command_record (const PenArguments *arguments, GError **error)
{
  const PenRecordWishes wishes = {
    .perf_words = arguments->perf_words,
    .command = arguments->program,
    .output = arguments->output,
    .has_no_witness = arguments->has_no_witness,
  };
  const PenRecordingFuncs funcs = { .begun = show_begun, .message = show_message };
  g_autoptr (PenRecordProbe) probe = pen_record_probe_new ();
  g_autoptr (PenWitness) witness = load_witness (arguments, probe);
  g_autoptr (PenRecordPlan) plan = pen_record_plan_new (&wishes, probe, error);
  g_autoptr (PenRecorded) recorded = NULL;

  if (!plan)
    return error && g_error_matches (*error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_USAGE)
               ? PEN_EXIT_USAGE
               : PEN_EXIT_FAILED;
  if (!check_program (arguments->program, error))
    return PEN_EXIT_FAILED;
  if (plan->is_stream && isatty (STDOUT_FILENO)) {
    g_set_error_literal (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_USAGE,
                         _ ("-o -: standard output is a terminal: use a pipe or a file"));
    return PEN_EXIT_USAGE;
  }
  recorded = pen_recording_run (plan, witness, &funcs, arguments->cancellable, error);
  if (!recorded)
    return PEN_EXIT_FAILED;
  if (plan->is_stream)
    summarise_stream (recorded);
  else if (!summarise (plan, recorded, error))
    return PEN_EXIT_FAILED;
  return recorded->status;
}
