/* pen-arguments.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-arguments.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "pen-cache-settings.h"
#include "pen-help.h"
#include "pen-near-words.h"
#include "pen-picture.h"
#include "pen-query-flame-diff.h"
#include "pen-options.h"
#include "pen-snapshot-file.h"

G_DEFINE_QUARK (pen_command_error_quark, pen_command_error)

void
pen_arguments_free (PenArguments *arguments)
{
  if (!arguments)
    return;
  g_free (arguments->capture);
  g_free (arguments->target);
  g_free (arguments->other);
  g_free (arguments->output);
  g_free (arguments->fleet);
  g_strfreev (arguments->captures);
  g_free (arguments->time);
  g_free (arguments->other_time);
  g_free (arguments->before);
  g_free (arguments->after);
  g_strfreev (arguments->at);
  g_strfreev (arguments->perf_words);
  g_strfreev (arguments->program);
  g_strfreev (arguments->kallsyms);
  g_strfreev (arguments->kcore);
  g_strfreev (arguments->modules);
  g_free (arguments->vmlinux);
  g_free (arguments->symfs);
  g_free (arguments->perf_map);
  pen_filter_free (arguments->filter);
  g_clear_object (&arguments->cancellable);
  g_free (arguments);
}

static gboolean refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  if (error)
    *error = g_error_new_valist (PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE, format, values);
  va_end (values);
  return FALSE;
}

static gboolean
check_snapshots (char **words, GError **error)
{
  for (char **word = words; word && *word; word++) {
    g_autoptr (GError) wrong = NULL;
    g_autoptr (PenSnapshotFile) file = pen_snapshot_file_parse (*word, &wrong);

    if (!file)
      return refuse (error, "%s", wrong->message);
  }
  return TRUE;
}

static gboolean
is_capture (const char *word)
{
  return g_str_equal (word, "-") || g_file_test (word, G_FILE_TEST_EXISTS);
}

static gboolean
take_pair (PenArguments *arguments, char **words, GError **error)
{
  g_free (arguments->capture);
  arguments->capture = g_strdup (words[0]);
  arguments->other = g_strdup (words[1]);
  return !g_str_equal (words[0], "-") || !g_str_equal (words[1], "-")
         || refuse (error, _ ("only one of two recordings can be standard input"));
}

static gboolean
take_words (PenArguments *arguments, const PenCommand *command, char **words, GError **error)
{
  guint n = g_strv_length (words);
  gboolean is_query = (command->flags & PEN_COMMAND_QUERY) != 0;
  gboolean has_capture = (command->flags & (PEN_COMMAND_CACHE | PEN_COMMAND_WATCH)) == 0;
  gboolean may_have_target
      = (command->flags & (PEN_COMMAND_RENDER | PEN_COMMAND_FIND)) != 0 && n > 1;
  gboolean has_target = is_query || may_have_target || (command->flags & PEN_COMMAND_TARGET) != 0;

  if (n == 0 && !has_capture)
    return TRUE;
  if (n == 0)
    return refuse (error, _ ("missing recording: a perf.data file, a perf.data directory, a store, "
                             "or - for standard input"));
  if (is_query && n == 1)
    return refuse (error, _ ("missing query; put it in quotes: \"SELECT * FROM sample LIMIT 10\""));
  if (has_target && n == 1)
    return refuse (error, _ ("missing symbol or hexadecimal address (0x…)"));
  if (n == 3 && (command->flags & PEN_COMMAND_PAIR) != 0 && is_capture (words[0])
      && is_capture (words[1])) {
    arguments->target = g_strdup (words[2]);
    return take_pair (arguments, words, error);
  }
  if (n > (guint) has_capture + (guint) has_target)
    return refuse (error, _ ("unexpected argument “%s”"), words[has_capture + has_target]);

  arguments->capture = g_strdup (words[0]);
  arguments->target = has_target ? g_strdup (words[1]) : NULL;
  if ((command->flags & PEN_COMMAND_PAIR) != 0 && is_capture (words[0]) && is_capture (words[1])) {
    g_clear_pointer (&arguments->target, g_free);
    return take_pair (arguments, words, error);
  }
  /* Both orders are accepted: the file that exists is the recording. */
  if (has_target && !is_capture (words[0]) && is_capture (words[1])
      && !(command->flags & PEN_COMMAND_FIND)) {
    char *capture = arguments->target;

    arguments->target = arguments->capture;
    arguments->capture = capture;
  }
  return TRUE;
}

/* Tables for a database, or what it needs to know of them. */
static gboolean
is_fleet (const PenArguments *arguments)
{
  return arguments->fleet || arguments->prints_clickhouse || arguments->prints_duckdb;
}

/* Whole recordings are exported: no two of them differ in what they have. */
static gboolean
check_fleet (const PenOptions *raw, gboolean prints, GError **error)
{
  const struct {
    const char *given;
    const char *name;
  } others[] = {
    { raw->to, "--to" },
    { raw->grouping, "--by" },
    { raw->measure, "--measure" },
    { raw->suffix, "--suffix" },
    { prints ? NULL : raw->output, "-o" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++) {
    if (others[i].given)
      return refuse (error, _ ("--fleet and %s exclude each other"), others[i].name);
  }
  return TRUE;
}

static gboolean
take_fleet (PenArguments *arguments, PenOptions *raw, char **words, GError **error)
{
  gboolean prints = raw->clickhouse || raw->duckdb;

  arguments->fleet = g_steal_pointer (&raw->fleet);
  arguments->prints_clickhouse = raw->clickhouse;
  arguments->prints_duckdb = raw->duckdb;
  if (raw->clickhouse && raw->duckdb)
    return refuse (error, _ ("--clickhouse and --duckdb exclude each other"));
  if (raw->duckdb && !arguments->fleet)
    return refuse (error, _ ("--duckdb needs --fleet=DIR: views name the files"));
  if (prints && words[0])
    return refuse (error, _ ("unexpected argument “%s”"), words[0]);
  if (!prints && !words[0])
    return refuse (error, _ ("missing recordings: perf.data files, perf.data directories, stores"));
  arguments->captures = g_strdupv (words);
  arguments->capture = g_strdup (words[0]);
  return check_fleet (raw, prints, error);
}

/* Decimal, or hexadecimal with 0x. */
static gboolean
parse_length (const char *text, guint64 *length)
{
  if (g_ascii_strncasecmp (text, "0x", 2) == 0)
    return g_ascii_string_to_unsigned (text + 2, 16, 1, G_MAXUINT64, length, NULL);
  return g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT64, length, NULL);
}

static gboolean
take_text_options (PenArguments *arguments, const PenCommand *command, PenOptions *raw,
                   GError **error)
{
  guint n_moments = raw->at ? g_strv_length (raw->at) : 0;

  if (command->flags & PEN_COMMAND_TEXT && !raw->at)
    return refuse (error, _ ("missing --at=TIME: seconds, a percentage (30%%), start or end"));
  if (raw->length && !parse_length (raw->length, &arguments->length))
    return refuse (error, _ ("--length: “%s” is not a number of bytes"), raw->length);
  if (raw->is_raw && raw->format)
    return refuse (error, _ ("--raw and --format exclude each other"));
  if (n_moments > (command->flags & PEN_COMMAND_TEXT ? 2 : 1))
    return refuse (error, _ ("--at: too many moments"));
  if (n_moments == 2 && raw->is_raw)
    return refuse (error, _ ("--raw prints the bytes of one moment"));
  if (n_moments < 2 && raw->all)
    return refuse (error, _ ("--all requires two moments: --at=TIME --at=TIME"));
  arguments->is_raw = raw->is_raw;
  arguments->all_lines = raw->all;
  arguments->all_loads = raw->all_loads;
  arguments->at = g_steal_pointer (&raw->at);
  return TRUE;
}

static gboolean
take_suffixes (PenArguments *arguments, const char *list, GError **error)
{
  static const struct {
    const char *word;
    PenFoldSuffixes suffix;
  } known[] = {
    { "occupant", PEN_FOLD_OCCUPANT },
    { "version", PEN_FOLD_VERSION },
    { "cause", PEN_FOLD_CAUSE },
    { "offset", PEN_FOLD_OFFSET },
    { "none", 0 },
  };
  g_auto (GStrv) words = g_strsplit (list, ",", -1);

  for (char **word = words; *word; word++) {
    guint i = 0;

    while (i < G_N_ELEMENTS (known) && !g_str_equal (*word, known[i].word))
      i++;
    if (i == G_N_ELEMENTS (known))
      return refuse (
          error, _ ("--suffix: “%s” is not one of occupant, version, cause, offset, none"), *word);
    arguments->suffixes |= known[i].suffix;
  }
  arguments->has_suffixes = TRUE;
  return TRUE;
}

/* What two time ranges are compared by. */
static gboolean
take_windows (PenArguments *arguments, const PenOptions *raw, GError **error)
{
  double percent = PEN_FLAME_DIFF_LEAST * 100;

  if (raw->batch < 0)
    return refuse (error, _ ("--batch: %d is not a number of a batch; the first is 1"), raw->batch);
  if ((raw->before != NULL) != (raw->after != NULL))
    return refuse (error, _ ("--before and --after need each other"));
  if (raw->batch > 0 && raw->before)
    return refuse (error, _ ("--batch and --before exclude each other"));
  if (raw->across && raw->batch == 0)
    return refuse (error, _ ("--across needs --batch"));
  if (arguments->is_folded && (raw->batch > 0 || raw->before))
    return refuse (error, _ ("--format: compared call paths cannot be folded"));
  if (raw->least) {
    char *end;

    percent = g_ascii_strtod (raw->least, &end);
    if (end == raw->least || *end != '\0' || !(percent >= 0 && percent <= 100))
      return refuse (error, _ ("--least: “%s” is not a percentage"), raw->least);
  }
  arguments->batch = (guint) raw->batch;
  arguments->crosses = raw->across;
  arguments->before = g_strdup (raw->before);
  arguments->after = g_strdup (raw->after);
  arguments->least = percent / 100;
  return TRUE;
}

static gboolean
take_measure (PenArguments *arguments, const PenCommand *command, const char *word, GError **error)
{
  gboolean has_period = (command->flags & PEN_COMMAND_COUNTS) == 0;

  if (g_str_equal (word, "samples"))
    return TRUE;
  arguments->measure = g_str_equal (word, "off-cpu") ? PEN_STACK_OFF_CPU : PEN_STACK_PERIOD;
  if (arguments->measure == PEN_STACK_OFF_CPU || (has_period && g_str_equal (word, "period")))
    return TRUE;
  return has_period
             ? refuse (error, _ ("--measure: “%s” is not one of samples, period, off-cpu"), word)
             : refuse (error, _ ("--measure: “%s” is neither samples nor off-cpu"), word);
}

/* Two time ranges are compared by samples, which have a distribution. */
static gboolean
check_measure (const PenArguments *arguments, const PenCommand *command, GError **error)
{
  if (arguments->measure != PEN_STACK_OFF_CPU)
    return TRUE;
  if ((command->flags & PEN_COMMAND_TEXT) != 0 && !(arguments->at && arguments->at[1]))
    return refuse (error, _ ("--measure=off-cpu: only two --at count waits"));
  if (arguments->batch > 0 || arguments->before)
    return refuse (error, _ ("--measure=off-cpu: two time ranges are compared by samples only"));
  if ((arguments->more & PEN_SAMPLES_PAYLOAD) != 0)
    return refuse (error, _ ("--measure=off-cpu: waits have no payload"));
  return TRUE;
}

static gboolean
take_stacks (PenArguments *arguments, const PenOptions *raw, GError **error)
{
  if (raw->revision < -1 || raw->revision > G_MAXUINT32)
    return refuse (error, _ ("--revision: %" PRId64 " is not a revision; the original is 0"),
                   raw->revision);
  arguments->revision = raw->revision;
  if (raw->grouping && !pen_stack_grouping_from_string (raw->grouping, &arguments->grouping))
    return refuse (error, _ ("--by: “%s” is not one of function, occupant, file"), raw->grouping);
  arguments->has_versions = raw->versions;
  if (!take_windows (arguments, raw, error))
    return FALSE;
  return !raw->suffix || take_suffixes (arguments, raw->suffix, error);
}

static gboolean
take_kept (PenArguments *arguments, const char *list, GError **error)
{
  static const struct {
    const char *word;
    PenSanitizeKeep keep;
  } known[] = {
    { "tasks", PEN_SANITIZE_KEEP_TASKS },   { "symbols", PEN_SANITIZE_KEEP_SYMBOLS },
    { "paths", PEN_SANITIZE_KEEP_PATHS },   { "programs", PEN_SANITIZE_KEEP_PROGRAMS },
    { "events", PEN_SANITIZE_KEEP_EVENTS },
  };
  g_auto (GStrv) words = g_strsplit (list, ",", -1);

  for (char **word = words; *word; word++) {
    guint i = 0;

    while (i < G_N_ELEMENTS (known) && !g_str_equal (*word, known[i].word))
      i++;
    if (i == G_N_ELEMENTS (known))
      return refuse (
          error, _ ("--keep: “%s” is not one of tasks, symbols, paths, programs, events"), *word);
    arguments->kept |= known[i].keep;
  }
  return TRUE;
}

static gboolean
take_profile (PenArguments *arguments, const PenCommand *command, const char *word, GError **error)
{
  if (!(command->flags & PEN_COMMAND_EXPORT) || is_fleet (arguments))
    return TRUE;
  if (!word)
    return refuse (error,
                   _ ("missing --to=FORMAT: folded, pprof, firefox or speedscope; or --fleet=DIR"));
  return pen_profile_format_from_string (word, &arguments->profile)
         || refuse (error, _ ("--to: “%s” is not one of folded, pprof, firefox, speedscope"), word);
}

static gboolean
take_format (PenArguments *arguments, const PenCommand *command, const char *word, GError **error)
{
  gboolean may_fold = (command->flags & PEN_COMMAND_STACKS) != 0;

  if (may_fold && g_str_equal (word, "folded")) {
    arguments->is_folded = TRUE;
    return TRUE;
  }
  if (pen_format_from_string (word, &arguments->format))
    return TRUE;
  return may_fold
             ? refuse (error, _ ("--format: “%s” is not one of table, csv, json, folded"), word)
             : refuse (error, _ ("--format: “%s” is not one of table, csv, json"), word);
}

static gboolean
take_picture (PenRenderArguments *render, const PenOptions *raw, GError **error)
{
  if (raw->view && !pen_view_from_string (raw->view, &render->view))
    return refuse (error,
                   _ ("--view: “%s” is not one of overview, map, annotation, flame, chart, heat"),
                   raw->view);
  if (raw->width < 0)
    return refuse (error, _ ("--width: %d is not a number of pixels"), raw->width);
  if (raw->height < 0)
    return refuse (error, _ ("--height: %d is not a number of pixels"), raw->height);
  if (raw->scale < 1 || raw->scale > PEN_PICTURE_SCALES)
    return refuse (error, _ ("--scale: %d is not in the range 1 to %d"), raw->scale,
                   PEN_PICTURE_SCALES);
  if (raw->dark && raw->light)
    return refuse (error, _ ("--dark and --light exclude each other"));
  render->width = raw->width;
  render->height = raw->height;
  render->scale = raw->scale;
  render->dark = raw->dark;
  render->cpus = raw->cpus;
  render->processes = raw->processes;
  render->inverted = raw->inverted;
  render->icicle = raw->icicle;
  return TRUE;
}

/* Syntax is checked before the recording is opened: no time range is one for neither an empty
 * recording nor the longest. */
static gboolean
check_time (const char *time, GError **error)
{
  g_autoptr (PenFilter) trial = pen_filter_new ();
  g_autoptr (GError) wrong = NULL;

  return pen_filter_set_time_from_string (trial, time, 0, 0, NULL)
         || pen_filter_set_time_from_string (trial, time, 0, G_MAXINT64, &wrong)
         || refuse (error, "--time %s", wrong->message);
}

/* Of two recordings, each may have its own. */
static gboolean
take_times (PenArguments *arguments, char **times, GError **error)
{
  guint n = times ? g_strv_length (times) : 0;

  if (n > (arguments->other ? 2 : 1))
    return refuse (error, arguments->other ? _ ("--time: one for both recordings, or one for each")
                                           : _ ("--time: more than one time range"));
  for (guint i = 0; i < n; i++)
    if (!check_time (times[i], error))
      return FALSE;
  arguments->time = n > 0 ? g_strdup (times[0]) : NULL;
  arguments->other_time = n > 0 && arguments->other ? g_strdup (times[n - 1]) : NULL;
  return TRUE;
}

static gboolean
take_options (PenArguments *arguments, const PenCommand *command, PenOptions *raw, GError **error)
{
  if (raw->format && !take_format (arguments, command, raw->format, error))
    return FALSE;
  if (raw->syntax) {
    if (g_str_equal (raw->syntax, "intel"))
      arguments->syntax = PEN_SYNTAX_INTEL;
    else if (!g_str_equal (raw->syntax, "att"))
      return refuse (error, _ ("--syntax: “%s” is neither att nor intel"), raw->syntax);
  }
  if (raw->by && !pen_cause_grouping_from_string (raw->by, &arguments->by))
    return refuse (error, _ ("--by: “%s” is not one of key, task, function"), raw->by);
  if (raw->keep && !take_kept (arguments, raw->keep, error))
    return FALSE;
  if (!take_stacks (arguments, raw, error) || !take_profile (arguments, command, raw->to, error)
      || (raw->measure && !take_measure (arguments, command, raw->measure, error)))
    return FALSE;
  if (raw->cost_by && !pen_cost_grouping_from_string (raw->cost_by, &arguments->cost_by))
    return refuse (error, _ ("--by: “%s” is not one of site, cause, program"), raw->cost_by);
  if (raw->timeout < 0)
    return refuse (error, _ ("--timeout: %d is not a number of seconds"), raw->timeout);
  arguments->timeout = (guint) raw->timeout;
  if (raw->change < 0)
    return refuse (error, _ ("--change: %d is not a number of a change; the first is 1"),
                   raw->change);
  arguments->change = (guint) raw->change;
  arguments->has_phases = raw->phases;
  if (raw->phases && raw->change > 0)
    return refuse (error, _ ("--phases and --change exclude each other"));
  arguments->verifies = raw->verify;
  arguments->has_no_witness = raw->no_witness;
  arguments->has_user_witness = raw->witness_user;
  arguments->clears_cache = raw->clear;
  arguments->has_cache_limit = raw->limit != NULL;
  if (raw->limit && !pen_size_from_string (raw->limit, &arguments->cache_limit))
    return refuse (
        error, _ ("--limit: “%s” is neither a size with a unit, such as 500MB or 10GB, nor none"),
        raw->limit);
  if (!take_picture (&arguments->render, raw, error))
    return FALSE;
  arguments->is_strict = raw->strict;
  arguments->follows = raw->follow;
  arguments->has_batches = raw->batches;
  arguments->has_programs = raw->programs;
  arguments->more = (raw->callchain ? PEN_SAMPLES_CALLCHAIN : 0)
                    | (raw->payload ? PEN_SAMPLES_PAYLOAD : 0) | (raw->band ? PEN_SAMPLES_BAND : 0);
  if (!check_measure (arguments, command, error))
    return FALSE;
  if (raw->band_width < 0)
    return refuse (error, _ ("--band-width: %" PRId64 " is not a number of nanoseconds"),
                   raw->band_width);
  arguments->band = (guint64) raw->band_width;
  arguments->output = g_steal_pointer (&raw->output);
  if (!check_snapshots (raw->kallsyms, error) || !check_snapshots (raw->kcore, error)
      || !check_snapshots (raw->modules, error))
    return FALSE;
  arguments->kallsyms = g_steal_pointer (&raw->kallsyms);
  arguments->kcore = g_steal_pointer (&raw->kcore);
  arguments->modules = g_steal_pointer (&raw->modules);
  arguments->vmlinux = g_steal_pointer (&raw->vmlinux);
  arguments->symfs = g_steal_pointer (&raw->symfs);
  arguments->perf_map = g_steal_pointer (&raw->perf_map);
  arguments->wants_source_lines = raw->source_lines;
  arguments->asks_debuginfod = raw->debuginfod;
  arguments->filter = pen_filter_new ();
  if (!pen_filter_options_apply (&raw->filter, arguments->filter, error))
    return FALSE;
  return take_times (arguments, raw->filter.times, error);
}

/* What rows about two recordings are. */
static gboolean
take_pair_rows (PenArguments *arguments, const PenOptions *raw, GError **error)
{
  static const char *const words[] = { "", "function", "line", "path", "stack", "cause" };

  if (raw->pair_by) {
    while (arguments->pair_by < G_N_ELEMENTS (words)
           && !g_str_equal (raw->pair_by, words[arguments->pair_by]))
      arguments->pair_by++;
    if (arguments->pair_by == G_N_ELEMENTS (words) || raw->pair_by[0] == '\0')
      return refuse (error, _ ("--by: “%s” is not one of function, line, path, stack, cause"),
                     raw->pair_by);
    if (!arguments->other)
      return refuse (error, _ ("--by is about two recordings: compare A B --by=%s"), raw->pair_by);
  }
  if (arguments->pair_by == PEN_PAIR_ROWS_FUNCTION && arguments->target)
    return refuse (error, _ ("--by=function is about all functions, without a symbol"));
  if ((arguments->pair_by == PEN_PAIR_ROWS_CAUSE || arguments->pair_by == PEN_PAIR_ROWS_STACK)
      && arguments->target)
    return refuse (error, _ ("--by=%s is about all functions: --symbol=%s selects one"),
                   raw->pair_by, arguments->target);
  if (raw->least && arguments->pair_by != PEN_PAIR_ROWS_PATH
      && arguments->pair_by != PEN_PAIR_ROWS_STACK)
    return refuse (error, _ ("--least needs --by=path or --by=stack"));
  return TRUE;
}

/* What is about one recording. */
static gboolean
check_pair (const PenArguments *arguments, GError **error)
{
  const struct {
    const char *name;
    gboolean is_given;
  } options[] = {
    { "change", arguments->change > 0 },       { "phases", arguments->has_phases },
    { "follow", arguments->follows },          { "kallsyms", arguments->kallsyms != NULL },
    { "kcore", arguments->kcore != NULL },     { "modules", arguments->modules != NULL },
    { "vmlinux", arguments->vmlinux != NULL }, { "perf-map", arguments->perf_map != NULL },
  };

  if (!arguments->other)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (options[i].is_given)
      return refuse (error, _ ("--%s is about one recording, and two are compared"),
                     options[i].name);
  return TRUE;
}

/* The text of one moment has no samples to select from. */
static gboolean
check_filter (const PenArguments *arguments, const PenCommand *command, GError **error)
{
  g_autoptr (PenFilter) none = pen_filter_new ();
  gboolean has_filter = arguments->time || !pen_filter_equal (arguments->filter, none);

  if (is_fleet (arguments) && has_filter)
    return refuse (error, _ ("--fleet exports whole recordings, without filters"));
  if (!(command->flags & PEN_COMMAND_TEXT) || g_strv_length (arguments->at) == 2 || !has_filter)
    return TRUE;
  return refuse (error, _ ("filters require two moments: --at=TIME --at=TIME"));
}

/* Returns: (transfer full). Options of other programs stay among the words. */
static GOptionContext *
make_context (const PenCommand *command, const GArray *options)
{
  GOptionContext *context = g_option_context_new (NULL);
  g_autoptr (GArray) entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));

  for (guint i = 0; i < options->len; i++)
    g_array_append_val (entries, g_array_index (options, PenOption, i).entry);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_ignore_unknown_options (context, (command->flags & PEN_COMMAND_RECORD) != 0);
  g_option_context_add_main_entries (context, (const GOptionEntry *) entries->data, NULL);
  return context;
}

/* For the first unknown option of @words, with similar names. */
static gboolean
refuse_unknown_option (const PenCommand *command, const GArray *options, char **words,
                       const GError *wrong, GError **error)
{
  for (guint i = 0; words[i] && !g_str_equal (words[i], "--"); i++) {
    g_auto (GStrv) parts = g_strsplit (words[i], "=", 2);
    g_autoptr (PenNearWords) near = NULL;
    g_autofree char *list = NULL;

    if (!g_str_has_prefix (words[i], "--") || pen_options_find (options, parts[0] + 2))
      continue;
    if (command->samples_only && g_str_equal (parts[0], "--measure"))
      return refuse (error, "--measure: %s", _ (command->samples_only));
    near = pen_near_words_new (parts[0]);
    for (guint k = 0; k < options->len; k++) {
      g_autofree char *name
          = g_strconcat ("--", g_array_index (options, PenOption, k).entry.long_name, NULL);

      pen_near_words_offer (near, name, 0);
    }
    list = pen_near_words_list (near);
    return list ? refuse (error, _ ("unknown option %s of %s; similar: %s"), parts[0],
                          command->name, list)
                : refuse (error, _ ("unknown option %s of %s"), parts[0], command->name);
  }
  return refuse (error, "%s", wrong->message);
}

/* The words after the first “--” are the program's own. Returns: (transfer full): those before */
static char **
take_program (PenArguments *arguments, char **words)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  while (*words && !g_str_equal (*words, "--"))
    g_strv_builder_add (builder, *words++);
  if (*words)
    arguments->program = g_strdupv (words + 1);
  return g_strv_builder_end (builder);
}

PenArguments *
pen_arguments_parse (const PenCommand *command, char **words, char **answer, GError **error)
{
  g_auto (PenOptions) given = { 0 };
  g_autoptr (GArray) options = pen_options_list (&given, command);
  g_autoptr (GOptionContext) context = make_context (command, options);
  g_autoptr (PenArguments) arguments = g_new0 (PenArguments, 1);
  g_autoptr (GError) wrong = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) own = NULL;
  g_auto (GStrv) rest = NULL;

  pen_options_init (&given);
  arguments->words = words;
  /* GOption takes the first word for the program's name. */
  g_strv_builder_add (builder, command->name);
  if (command->flags & PEN_COMMAND_RECORD)
    words = own = take_program (arguments, words);
  g_strv_builder_addv (builder, (const char **) words);
  rest = g_strv_builder_end (builder);

  if (!g_option_context_parse_strv (context, &rest, &wrong)) {
    if (g_error_matches (wrong, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
      refuse_unknown_option (command, options, words, wrong, error);
    else
      refuse (error, "%s", wrong->message);
    return NULL;
  }
  if (given.help || given.version) {
    *answer = given.help ? pen_help_new (command, options)
                         : g_strdup ("pentimento-cli " PEN_VERSION "\n");
    return NULL;
  }

  if (command->flags & PEN_COMMAND_RECORD) {
    arguments->perf_words = g_strdupv (rest + 1);
    return take_options (arguments, command, &given, error) ? g_steal_pointer (&arguments) : NULL;
  }

  char **first = rest + 1;

  /* -- ends the options. */
  if (*first && g_str_equal (*first, "--"))
    first++;
  if (!(given.fleet || given.clickhouse || given.duckdb
            ? take_fleet (arguments, &given, first, error)
            : take_words (arguments, command, first, error))
      || !take_text_options (arguments, command, &given, error)
      || !take_options (arguments, command, &given, error)
      || !check_filter (arguments, command, error) || !check_pair (arguments, error)
      || ((command->flags & PEN_COMMAND_PAIR) != 0 && !take_pair_rows (arguments, &given, error)))
    return NULL;
  return g_steal_pointer (&arguments);
}
