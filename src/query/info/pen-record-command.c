/* pen-record-command.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-command.h"

#include <string.h>

#include "pen-perf-option.h"

/* Longer values and lists of options are nobody's. */
#define VALUE_MAX 256u
#define OPTIONS_MAX 64u
#define DIGITS_MAX 9u

typedef enum {
  ABOUT_NOTHING,
  ABOUT_ALL_CPUS,
  ABOUT_KCORE,
  ABOUT_BUFFERS,
  ABOUT_TASKS,
  ABOUT_TIMES,
  ABOUT_FILE,
  ABOUT_LEFT_OUT, /* further files, a server, the opposite of -a */
} About;

static const struct {
  const char *name;
  About about;
} told[] = {
  { "all-cpus", ABOUT_ALL_CPUS },
  { "cpu", ABOUT_ALL_CPUS },
  { "debuginfod", ABOUT_LEFT_OUT },
  { "kcore", ABOUT_KCORE },
  { "mmap-pages", ABOUT_BUFFERS },
  { "no-all-cpus", ABOUT_LEFT_OUT },
  { "output", ABOUT_FILE },
  { "pid", ABOUT_TASKS },
  { "switch-output", ABOUT_LEFT_OUT },
  { "tid", ABOUT_TASKS },
  { "timestamp", ABOUT_TIMES },
  { "timestamp-filename", ABOUT_LEFT_OUT },
  { "uid", ABOUT_TASKS },
};

void
pen_record_command_free (PenRecordCommand *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->options);
  g_free (self->program);
  g_free (self);
}

/* ---- values ---- */

static gboolean
has_only (const char *value, const char *others)
{
  gsize n = 0;

  for (const char *p = value; *p != '\0'; p++, n++) {
    if (!g_ascii_isalnum (*p) && !strchr (others, *p))
      return FALSE;
  }
  return n > 0 && n <= VALUE_MAX;
}

/* perf compiles and loads what ends like a program for BPF, and opens what looks like a path. */
static gboolean
is_event (const char *value)
{
  static const char *const endings[] = { ".c", ".o", ".bpf", ".obj", ".so" };
  g_auto (GStrv) parts = g_strsplit_set (value, ",{}", -1);

  if (!has_only (value, "-_.:=,@%^/*{}?"))
    return FALSE;
  for (guint i = 0; parts[i]; i++) {
    /* What follows a group begins with a colon. */
    if (parts[i][0] != '\0' && !g_ascii_isalnum (parts[i][0]) && !strchr ("_:", parts[i][0]))
      return FALSE;
    for (guint k = 0; k < G_N_ELEMENTS (endings); k++) {
      if (g_str_has_suffix (parts[i], endings[k]))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
may_have (PenPerfValue kind, const char *value)
{
  switch (kind) {
  case PEN_PERF_VALUE_NUMBER:
    return has_only (value, "") && strlen (value) <= DIGITS_MAX;
  case PEN_PERF_VALUE_OPTIONAL:
  case PEN_PERF_VALUE_LIST:
    return has_only (value, ",-_") && value[0] != '-';
  case PEN_PERF_VALUE_EVENT:
    return is_event (value);
  case PEN_PERF_VALUE_NONE:
  case PEN_PERF_VALUE_TEXT:
  default:
    return FALSE;
  }
}

/* ---- options ---- */

static About
find_about (const PenPerfOption *option)
{
  for (guint i = 0; i < G_N_ELEMENTS (told); i++) {
    if (g_strcmp0 (told[i].name, option->name) == 0)
      return told[i].about;
  }
  return ABOUT_NOTHING;
}

/* Only those are kept that say how to record. */
static gboolean
is_left_out (const PenPerfOption *option)
{
  return option->value == PEN_PERF_VALUE_TEXT || find_about (option) == ABOUT_LEFT_OUT;
}

static void
look_at (PenRecordCommand *self, const PenPerfOption *option, const char *value)
{
  switch (find_about (option)) {
  case ABOUT_ALL_CPUS:
    self->has_all_cpus = TRUE;
    break;
  case ABOUT_KCORE:
    self->has_kcore = TRUE;
    break;
  case ABOUT_TASKS:
    self->has_tasks = TRUE;
    break;
  case ABOUT_TIMES:
    self->has_times = TRUE;
    break;
  case ABOUT_FILE:
    self->has_file = TRUE;
    self->is_pipe |= g_strcmp0 (value, "-") == 0;
    break;
  case ABOUT_BUFFERS:
  case ABOUT_LEFT_OUT:
  case ABOUT_NOTHING:
  default:
    break;
  }
}

/* @joint: between the option and its value */
static void
keep (PenRecordCommand *self, const PenPerfOption *option, const char *spelled, const char *joint,
      const char *value)
{
  g_autofree char *quoted = NULL;

  if (!is_left_out (option) && value && !may_have (option->value, value))
    return;
  look_at (self, option, value);
  if (is_left_out (option) || self->options->len >= OPTIONS_MAX)
    return;
  if (find_about (option) == ABOUT_BUFFERS)
    self->buffers = (int) self->options->len;
  /* Braces and stars are the shell's, too. */
  quoted = value && strpbrk (value, "{}*?^") ? g_shell_quote (value) : g_strdup (value);
  g_ptr_array_add (self->options, g_strconcat (spelled, quoted ? joint : "", quoted, NULL));
}

/* @next: (nullable): the next word. Returns: how many words it takes; 0: it is unknown */
static guint
take_long (PenRecordCommand *self, const char *word, const char *next)
{
  g_auto (GStrv) halves = g_strsplit (word + 2, "=", 2);
  const PenPerfOption *option = pen_perf_option_find_name (halves[0]);
  g_autofree char *spelled = g_strconcat ("--", halves[0], NULL);

  if (!option)
    return 0;
  if (halves[1] || !pen_perf_option_takes_word (option)) {
    keep (self, option, spelled, "=", halves[1]);
    return 1;
  }
  keep (self, option, spelled, " ", next ? next : "");
  return 2;
}

/* "-ag", "-F99", "-agF 99". Those without values stay together. Returns: as above */
static guint
take_short (PenRecordCommand *self, const char *word, const char *next)
{
  g_autoptr (GString) flags = g_string_new ("-");
  const PenPerfOption *option = NULL;
  const char *p;

  for (p = word + 1; *p != '\0'; p++) {
    option = pen_perf_option_find_letter (*p);
    if (!option || option->value != PEN_PERF_VALUE_NONE)
      break;
    look_at (self, option, NULL);
    g_string_append_c (flags, *p);
  }
  if (flags->len > 1 && self->options->len < OPTIONS_MAX)
    g_ptr_array_add (self->options, g_strdup (flags->str));
  if (*p == '\0')
    return flags->len > 1;
  if (!option)
    return 0;

  char spelled[] = { '-', option->letter, '\0' };
  const char *value = p[1] != '\0' ? p + 1 : NULL;

  if (value || !pen_perf_option_takes_word (option)) {
    keep (self, option, spelled, pen_perf_option_takes_word (option) ? " " : "", value);
    return 1;
  }
  keep (self, option, spelled, " ", next ? next : "");
  return 2;
}

/* ---- the whole ---- */

/* src/record/plan/pen-record-plan.c: a shell that becomes the program. Returns: the program's words
 */
static char **
skip_our_shell (PenRecordCommand *self, char **words)
{
  if (g_strv_length (words) < 4 || !g_str_equal (words[0], "/bin/sh")
      || !g_str_equal (words[1], "-c") || !g_str_equal (words[3], "pentimento"))
    return words;
  self->is_ours = TRUE;
  return words + 4;
}

/* What pentimento-cli record adds to the options that are given to it. */
static gboolean
is_added (const char *option)
{
  static const char *const added[] = { "--kcore",
                                       "-a",
                                       "--buildid-mmap",
                                       "-k CLOCK_MONOTONIC",
                                       "-e module:module_load",
                                       "-e module:module_free" };

  for (guint i = 0; i < G_N_ELEMENTS (added); i++) {
    if (g_str_equal (option, added[i]))
      return TRUE;
  }
  return g_str_has_prefix (option, "-e cpu-clock/name=look,")
         || g_str_has_prefix (option, "-e bpf-output/no-inherit=1,name=witness,");
}

static void
take_program (PenRecordCommand *self, char **words)
{
  words = skip_our_shell (self, words);
  if (!words[0])
    return;
  /* The only one whose name says what it does. */
  if (g_str_equal (words[0], "sleep") && words[1] && !words[2]
      && strspn (words[1], "0123456789") == strlen (words[1]) && words[1][0] != '\0'
      && strlen (words[1]) <= DIGITS_MAX)
    self->program = g_strconcat ("sleep ", words[1], NULL);
  else
    self->program = g_strdup ("COMMAND");
}

static void
take_options (PenRecordCommand *self, char **words, guint n)
{
  guint i = 0;

  while (i < n && words[i][0] == '-' && words[i][1] != '\0') {
    const char *next = i + 1 < n ? words[i + 1] : NULL;
    gboolean is_long = words[i][1] == '-';
    guint taken;

    if (g_str_equal (words[i], "--")) {
      i++;
      break;
    }
    taken = is_long ? take_long (self, words[i], next) : take_short (self, words[i], next);
    /* Unknown options are left out; whether they have a value is unknown, too. */
    i += MAX (taken, 1);
  }
  take_program (self, words + MIN (i, n));
}

PenRecordCommand *
pen_record_command_parse (const char *command_line)
{
  g_auto (GStrv) words = NULL;
  PenRecordCommand *self;
  int n = 0;
  int record = 1;

  if (!command_line || *command_line == '\0'
      || !g_shell_parse_argv (command_line, &n, &words, NULL))
    return NULL;
  while (record < n && !g_str_equal (words[record], "record"))
    record++;
  if (record >= n)
    return NULL;

  self = g_new0 (PenRecordCommand, 1);
  self->options = g_ptr_array_new_with_free_func (g_free);
  self->buffers = -1;
  take_options (self, words + record + 1, (guint) (n - record - 1));
  return self;
}

void
pen_record_command_append (const PenRecordCommand *self, gboolean without_buffers, GString *command)
{
  for (guint i = 0; i < self->options->len; i++) {
    const char *option = self->options->pdata[i];

    if ((!without_buffers || (int) i != self->buffers) && !(self->is_ours && is_added (option)))
      g_string_append_printf (command, " %s", option);
  }
  if (self->has_file && !self->is_ours)
    g_string_append (command, " -o FILE");
  if (self->program)
    g_string_append_printf (command, " -- %s", self->program);
}
