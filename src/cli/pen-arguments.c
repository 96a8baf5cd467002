/* pen-arguments.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-arguments.h"

#include "pen-cache-settings.h"
#include "pen-filter-options.h"

G_DEFINE_QUARK (pen_command_error_quark, pen_command_error)

/* Enough to look at each of 100 million samples. */
#define DEFAULT_TIMEOUT 120

/* What GOption fills in, before it is checked. */
typedef struct {
  gboolean help;
  char *output;
  char *format;
  char *syntax;
  gboolean strict;
  gboolean callchain;
  gboolean batches;
  gboolean programs;
  gboolean payload;
  gboolean band;
  gint64 band_width;
  int timeout;
  char *at;
  char *length;
  gboolean is_raw;
  int change;
  gboolean verify;
  gboolean clear;
  char *limit;
  char *view;
  int width;
  int height;
  int scale;
  gboolean dark;
  gboolean light;
  gboolean cpus;
  gboolean processes;
  char *kallsyms;
  char *kcore;
  char *modules;
  char *vmlinux;
  char *symfs;
  char *perf_map;
  gboolean source_lines;
  gboolean debuginfod;
  PenFilterOptions filter;
} RawOptions;

static void
raw_options_clear (RawOptions *raw)
{
  g_clear_pointer (&raw->output, g_free);
  g_clear_pointer (&raw->format, g_free);
  g_clear_pointer (&raw->syntax, g_free);
  g_clear_pointer (&raw->limit, g_free);
  g_clear_pointer (&raw->at, g_free);
  g_clear_pointer (&raw->length, g_free);
  g_clear_pointer (&raw->view, g_free);
  g_clear_pointer (&raw->kallsyms, g_free);
  g_clear_pointer (&raw->kcore, g_free);
  g_clear_pointer (&raw->modules, g_free);
  g_clear_pointer (&raw->vmlinux, g_free);
  g_clear_pointer (&raw->symfs, g_free);
  g_clear_pointer (&raw->perf_map, g_free);
  pen_filter_options_clear (&raw->filter);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (RawOptions, raw_options_clear)

void
pen_arguments_free (PenArguments *arguments)
{
  if (arguments == NULL)
    return;
  g_free (arguments->capture);
  g_free (arguments->target);
  g_free (arguments->output);
  g_free (arguments->time);
  g_free (arguments->at);
  g_free (arguments->kallsyms);
  g_free (arguments->kcore);
  g_free (arguments->modules);
  g_free (arguments->vmlinux);
  g_free (arguments->symfs);
  g_free (arguments->perf_map);
  pen_filter_free (arguments->filter);
  g_clear_object (&arguments->cancellable);
  g_free (arguments);
}

static void
add_general_options (GOptionContext *context, const PenCommand *command, RawOptions *raw)
{
  const GOptionEntry common[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, &raw->help, "Show this help", NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &raw->output, "Write to FILE", "FILE" },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  const GOptionEntry capture[] = {
    { "strict", 0, 0, G_OPTION_ARG_NONE, &raw->strict,
      "Exit with 3 when records were repaired, set aside or lost", NULL },
    { "kallsyms", 0, 0, G_OPTION_ARG_FILENAME, &raw->kallsyms,
      "A copy of the recorded machine's /proc/kallsyms", "FILE" },
    { "kcore", 0, 0, G_OPTION_ARG_FILENAME, &raw->kcore,
      "A copy of its /proc/kcore, made as perf makes it", "FILE" },
    { "modules", 0, 0, G_OPTION_ARG_FILENAME, &raw->modules, "A copy of its /proc/modules",
      "FILE" },
    { "vmlinux", 0, 0, G_OPTION_ARG_FILENAME, &raw->vmlinux,
      "Its kernel's ELF file, of the build-id that was recorded", "FILE" },
    { "symfs", 0, 0, G_OPTION_ARG_FILENAME, &raw->symfs,
      "Look for its kernel, modules, programs and libraries below DIR, not on this machine",
      "DIR" },
    { "perf-map", 0, 0, G_OPTION_ARG_FILENAME, &raw->perf_map,
      "Names of code that runtimes made: a file perf-PID.map, or a directory with such files",
      "PATH" },
    { "source-lines", 0, 0, G_OPTION_ARG_NONE, &raw->source_lines,
      "Read lines of source from large debug information, too, which takes its time", NULL },
    { "debuginfod", 0, 0, G_OPTION_ARG_NONE, &raw->debuginfod,
      "Ask the servers of DEBUGINFOD_URLS for files that are not here", NULL },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  const GOptionEntry format[] = {
    { "format", 0, 0, G_OPTION_ARG_FILENAME, &raw->format, "table (default), csv or json",
      "FORMAT" },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  const GOptionEntry wide[] = {
    { "callchain", 0, 0, G_OPTION_ARG_NONE, &raw->callchain,
      "A last column: the sample's place, and what called it", NULL },
    { "band", 0, 0, G_OPTION_ARG_NONE, &raw->band,
      "Two more columns: ns since and until the nearest changes of the byte", NULL },
    { "payload", 0, 0, G_OPTION_ARG_NONE, &raw->payload,
      "A last column: what a tracepoint or a BPF program put into the sample", NULL },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  const GOptionEntry batches[] = {
    { "batches", 0, 0, G_OPTION_ARG_NONE, &raw->batches,
      "More columns: how sure each cause is, and what was patched together", NULL },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  const GOptionEntry programs[] = {
    { "programs", 0, 0, G_OPTION_ARG_NONE, &raw->programs, "More columns: which BPF program it was",
      NULL },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  const GOptionEntry band[] = {
    { "band-width", 0, 0, G_OPTION_ARG_INT64, &raw->band_width,
      "How far from its change a sample is near it, in nanoseconds: 1000000, unless given", "NS" },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  const GOptionEntry import[] = {
    { "verify", 0, 0, G_OPTION_ARG_NONE, &raw->verify,
      "Import nothing: look whether a store is damaged", NULL },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  const GOptionEntry cache[] = {
    { "clear", 0, 0, G_OPTION_ARG_NONE, &raw->clear, "Remove all that is not in use", NULL },
    { "limit", 0, 0, G_OPTION_ARG_FILENAME, &raw->limit,
      "Let it take no more than SIZE (500MB, 10GB, 2GiB, none), now and from now on", "SIZE" },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  const GOptionEntry timeout[] = {
    { "timeout", 0, 0, G_OPTION_ARG_INT, &raw->timeout,
      "Stop a query that works longer (" G_STRINGIFY (DEFAULT_TIMEOUT) "); 0: never", "SECONDS" },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  const GOptionEntry at[] = {
    { "at", 0, 0, G_OPTION_ARG_FILENAME, &raw->at,
      "As of then: seconds (4.81), per cent (30%), start, end; 4.81- is just before", "TIME" },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  const GOptionEntry text[] = {
    { "length", 0, 0, G_OPTION_ARG_FILENAME, &raw->length,
      "So many bytes from there on, whatever they belong to", "BYTES" },
    { "raw", 0, 0, G_OPTION_ARG_NONE, &raw->is_raw, "The bytes themselves, and nothing else",
      NULL },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  const GOptionEntry render[] = {
    { "view", 0, 0, G_OPTION_ARG_FILENAME, &raw->view, "overview (default), map or annotation",
      "VIEW" },
    { "width", 0, 0, G_OPTION_ARG_INT, &raw->width,
      "So many pixels wide (" G_STRINGIFY (PEN_PICTURE_WIDTH) ")", "PIXELS" },
    { "height", 0, 0, G_OPTION_ARG_INT, &raw->height, "So many high (as there is to show)",
      "PIXELS" },
    { "scale", 0, 0, G_OPTION_ARG_INT, &raw->scale,
      "Pixels of a PNG to each of these, 1 (default) to " G_STRINGIFY (PEN_PICTURE_SCALES), "N" },
    { "dark", 0, 0, G_OPTION_ARG_NONE, &raw->dark, "Light on dark", NULL },
    { "light", 0, 0, G_OPTION_ARG_NONE, &raw->light, "Dark on light (default)", NULL },
    { "cpus", 0, 0, G_OPTION_ARG_NONE, &raw->cpus, "An overview has a row for each CPU", NULL },
    { "processes", 0, 0, G_OPTION_ARG_NONE, &raw->processes,
      "An overview has rows for the busiest processes", NULL },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  const GOptionEntry change[] = {
    { "change", 0, 0, G_OPTION_ARG_INT, &raw->change, "Only the change of that number, from 1",
      "NUMBER" },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };
  const GOptionEntry syntax[] = {
    { "syntax", 0, 0, G_OPTION_ARG_FILENAME, &raw->syntax, "att (default) or intel", "SYNTAX" },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };

  g_option_context_add_main_entries (context, common, NULL);
  g_option_context_add_main_entries (context, command->flags & PEN_COMMAND_CACHE ? cache : capture,
                                     NULL);
  if (command->flags & PEN_COMMAND_IMPORT)
    g_option_context_add_main_entries (context, import, NULL);
  if (command->flags & PEN_COMMAND_TABLE)
    g_option_context_add_main_entries (context, format, NULL);
  if (command->flags & PEN_COMMAND_WIDE)
    g_option_context_add_main_entries (context, wide, NULL);
  if (command->flags & PEN_COMMAND_BAND)
    g_option_context_add_main_entries (context, band, NULL);
  if (command->flags & PEN_COMMAND_PROGRAMS)
    g_option_context_add_main_entries (context, programs, NULL);
  if (command->flags & PEN_COMMAND_BATCHES)
    g_option_context_add_main_entries (context, batches, NULL);
  if (command->flags & PEN_COMMAND_QUERY)
    g_option_context_add_main_entries (context, timeout, NULL);
  if (command->flags & (PEN_COMMAND_AT | PEN_COMMAND_TEXT))
    g_option_context_add_main_entries (context, at, NULL);
  if (command->flags & PEN_COMMAND_TEXT)
    g_option_context_add_main_entries (context, text, NULL);
  if (command->flags & PEN_COMMAND_RENDER)
    g_option_context_add_main_entries (context, render, NULL);
  if (command->flags & PEN_COMMAND_CHANGE)
    g_option_context_add_main_entries (context, change, NULL);
  if (command->flags & PEN_COMMAND_SYNTAX)
    g_option_context_add_main_entries (context, syntax, NULL);
}

static GOptionContext *
make_context (const PenCommand *command, RawOptions *raw)
{
  GOptionContext *context = g_option_context_new (command->arguments);

  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_summary (context, command->summary);
  g_option_context_set_description (context, command->details);
  add_general_options (context, command, raw);
  if (command->flags & PEN_COMMAND_FILTER) {
    GOptionGroup *group = g_option_group_new (
        "filter", "Filters (all that are given must hold):", "Filters", NULL, NULL);

    pen_filter_options_add (&raw->filter, group);
    g_option_context_add_group (context, group);
  }
  return context;
}

static gboolean refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  if (error != NULL)
    *error = g_error_new_valist (PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE, format, values);
  va_end (values);
  return FALSE;
}

static gboolean
is_capture (const char *word)
{
  return g_str_equal (word, "-") || g_file_test (word, G_FILE_TEST_EXISTS);
}

static gboolean
take_words (PenArguments *arguments, const PenCommand *command, char **words, GError **error)
{
  guint n = g_strv_length (words);
  gboolean is_query = (command->flags & PEN_COMMAND_QUERY) != 0;
  gboolean has_capture = (command->flags & PEN_COMMAND_CACHE) == 0;
  gboolean may_have_target = (command->flags & PEN_COMMAND_RENDER) != 0 && n > 1;
  gboolean has_target = is_query || may_have_target || (command->flags & PEN_COMMAND_TARGET) != 0;

  if (n == 0 && !has_capture)
    return TRUE;
  if (n == 0)
    return refuse (error, "which capture? A perf.data file, a perf.data directory, a store, or - "
                          "for standard input");
  if (is_query && n == 1)
    return refuse (error, "which query? Put it in quotes: \"SELECT * FROM sample LIMIT 10\"");
  if (has_target && n == 1)
    return refuse (error, "which address? A symbol, or an address in hexadecimal (0x…)");
  if (n > (guint) has_capture + (guint) has_target)
    return refuse (error, "“%s” is one argument too many", words[has_capture + has_target]);

  arguments->capture = g_strdup (words[0]);
  arguments->target = has_target ? g_strdup (words[1]) : NULL;
  /* Both orders come to mind; a file that exists tells which was meant. */
  if (has_target && !is_capture (words[0]) && is_capture (words[1])) {
    char *capture = arguments->target;

    arguments->target = arguments->capture;
    arguments->capture = capture;
  }
  return TRUE;
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
take_text_options (PenArguments *arguments, const PenCommand *command, RawOptions *raw,
                   GError **error)
{
  if (command->flags & PEN_COMMAND_TEXT && raw->at == NULL)
    return refuse (error, "as of when? --at=TIME: seconds, per cent (30%%), start or end");
  if (raw->length != NULL && !parse_length (raw->length, &arguments->length))
    return refuse (error, "--length “%s”: is no number of bytes", raw->length);
  if (raw->is_raw && raw->format != NULL)
    return refuse (error, "--raw and --format: it is one or the other");
  arguments->is_raw = raw->is_raw;
  arguments->at = g_steal_pointer (&raw->at);
  return TRUE;
}

static gboolean
take_picture (PenRenderArguments *render, const RawOptions *raw, GError **error)
{
  if (raw->view != NULL && !pen_view_from_string (raw->view, &render->view))
    return refuse (error, "--view “%s”: is none of overview, map, annotation", raw->view);
  if (raw->width < 0)
    return refuse (error, "--width %d: is no number of pixels", raw->width);
  if (raw->height < 0)
    return refuse (error, "--height %d: is no number of pixels", raw->height);
  if (raw->scale < 1 || raw->scale > PEN_PICTURE_SCALES)
    return refuse (error, "--scale %d: is not from 1 to %d", raw->scale, PEN_PICTURE_SCALES);
  if (raw->dark && raw->light)
    return refuse (error, "--dark and --light: one of them");
  render->width = raw->width;
  render->height = raw->height;
  render->scale = raw->scale;
  render->dark = raw->dark;
  render->cpus = raw->cpus;
  render->processes = raw->processes;
  return TRUE;
}

static gboolean
take_options (PenArguments *arguments, RawOptions *raw, GError **error)
{
  if (raw->format != NULL && !pen_format_from_string (raw->format, &arguments->format))
    return refuse (error, "--format “%s”: is none of table, csv, json", raw->format);
  if (raw->syntax != NULL) {
    if (g_str_equal (raw->syntax, "intel"))
      arguments->syntax = PEN_SYNTAX_INTEL;
    else if (!g_str_equal (raw->syntax, "att"))
      return refuse (error, "--syntax “%s”: is neither att nor intel", raw->syntax);
  }
  if (raw->timeout < 0)
    return refuse (error, "--timeout %d: is no number of seconds", raw->timeout);
  arguments->timeout = (guint) raw->timeout;
  if (raw->change < 0)
    return refuse (error, "--change %d: changes are numbered from 1", raw->change);
  arguments->change = (guint) raw->change;
  arguments->verifies = raw->verify;
  arguments->clears_cache = raw->clear;
  arguments->has_cache_limit = raw->limit != NULL;
  if (raw->limit != NULL && !pen_size_from_string (raw->limit, &arguments->cache_limit))
    return refuse (error, "--limit “%s”: is no size with its unit, such as 500MB or 10GB, nor none",
                   raw->limit);
  if (!take_picture (&arguments->render, raw, error))
    return FALSE;
  arguments->is_strict = raw->strict;
  arguments->has_batches = raw->batches;
  arguments->has_programs = raw->programs;
  arguments->more = (raw->callchain ? PEN_SAMPLES_CALLCHAIN : 0)
                    | (raw->payload ? PEN_SAMPLES_PAYLOAD : 0) | (raw->band ? PEN_SAMPLES_BAND : 0);
  if (raw->band_width < 0)
    return refuse (error, "--band-width %" G_GINT64_FORMAT ": is no number of nanoseconds",
                   raw->band_width);
  arguments->band = (guint64) raw->band_width;
  arguments->output = g_steal_pointer (&raw->output);
  arguments->kallsyms = g_steal_pointer (&raw->kallsyms);
  arguments->kcore = g_steal_pointer (&raw->kcore);
  arguments->modules = g_steal_pointer (&raw->modules);
  arguments->vmlinux = g_steal_pointer (&raw->vmlinux);
  arguments->symfs = g_steal_pointer (&raw->symfs);
  arguments->perf_map = g_steal_pointer (&raw->perf_map);
  arguments->wants_source_lines = raw->source_lines;
  arguments->asks_debuginfod = raw->debuginfod;
  arguments->time = g_steal_pointer (&raw->filter.time);
  arguments->filter = pen_filter_new ();
  if (!pen_filter_options_apply (&raw->filter, arguments->filter, error))
    return FALSE;
  if (arguments->time != NULL) {
    /* Whether it is a time at all shows without the capture. */
    g_autoptr (PenFilter) trial = pen_filter_new ();
    g_autoptr (GError) wrong = NULL;

    if (!pen_filter_set_time_from_string (trial, arguments->time, 0, 0, &wrong))
      return strchr (arguments->time, '%') != NULL || refuse (error, "--time %s", wrong->message);
  }
  return TRUE;
}

PenArguments *
pen_arguments_parse (const PenCommand *command, char **words, char **help, GError **error)
{
  g_auto (RawOptions) raw = { .timeout = DEFAULT_TIMEOUT, .band_width = PEN_BAND, .scale = 1 };
  g_autoptr (GOptionContext) context = make_context (command, &raw);
  g_autoptr (PenArguments) arguments = g_new0 (PenArguments, 1);
  g_autoptr (GError) wrong = NULL;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) rest = NULL;

  /* GOption takes the first word for the program's name. */
  g_autofree char *name = g_strdup_printf ("pentimento-cli %s", command->name);

  g_strv_builder_add (builder, name);
  g_strv_builder_addv (builder, (const char **) words);
  rest = g_strv_builder_end (builder);
  g_set_prgname (name);

  if (!g_option_context_parse_strv (context, &rest, &wrong)) {
    refuse (error, "%s", wrong->message);
    return NULL;
  }
  if (raw.help) {
    *help = g_option_context_get_help (context, FALSE, NULL);
    return NULL;
  }

  char **first = rest + 1;

  /* A lone -- ends the options. */
  if (*first != NULL && g_str_equal (*first, "--"))
    first++;
  if (!take_words (arguments, command, first, error)
      || !take_text_options (arguments, command, &raw, error)
      || !take_options (arguments, &raw, error))
    return NULL;
  return g_steal_pointer (&arguments);
}
