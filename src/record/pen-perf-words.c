/* pen-perf-words.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-perf-words.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-record-error.h"

typedef enum {
  ABOUT_NOTHING,
  ABOUT_EVENT,
  ABOUT_CLOCK,
  ABOUT_TASKS,
  ABOUT_PERIOD,
  ABOUT_RATE,
  ABOUT_CPUS,
  ABOUT_THREADS,
  ABOUT_START, /* refused: the events start when all is attached */
  ABOUT_FILES, /* refused: one file, in a directory that is known */
} About;

typedef struct {
  char letter; /* '\0': none */
  const char *name;
  gboolean takes_word; /* in the same word or the next */
  About about;
} Option;

/* perf-record(1), Linux 6.12: those that take a word, and those that matter here. */
static const Option known[] = {
  { 'c', "count", TRUE, ABOUT_PERIOD },
  { 'C', "cpu", TRUE, ABOUT_CPUS },
  { 'D', "delay", TRUE, ABOUT_START },
  { 'e', "event", TRUE, ABOUT_EVENT },
  { 'F', "freq", TRUE, ABOUT_RATE },
  { 'G', "cgroup", TRUE, ABOUT_NOTHING },
  { 'j', "branch-filter", TRUE, ABOUT_NOTHING },
  { 'k', "clockid", TRUE, ABOUT_CLOCK },
  { 'm', "mmap-pages", TRUE, ABOUT_NOTHING },
  { 'p', "pid", TRUE, ABOUT_TASKS },
  { 'r', "realtime", TRUE, ABOUT_NOTHING },
  { 't', "tid", TRUE, ABOUT_TASKS },
  { 'u', "uid", TRUE, ABOUT_TASKS },
  { '\0', "affinity", TRUE, ABOUT_NOTHING },
  { '\0', "call-graph", TRUE, ABOUT_NOTHING },
  { '\0', "clang-opt", TRUE, ABOUT_NOTHING },
  { '\0', "clang-path", TRUE, ABOUT_NOTHING },
  { '\0', "control", TRUE, ABOUT_START },
  { '\0', "debuginfod", FALSE, ABOUT_NOTHING },
  { '\0', "filter", TRUE, ABOUT_NOTHING },
  { '\0', "for-each-cgroup", TRUE, ABOUT_NOTHING },
  { '\0', "max-size", TRUE, ABOUT_NOTHING },
  { '\0', "mmap-flush", TRUE, ABOUT_NOTHING },
  { '\0', "no-all-cpus", FALSE, ABOUT_TASKS },
  { '\0', "num-thread-synthesize", TRUE, ABOUT_NOTHING },
  { '\0', "off-cpu", FALSE, ABOUT_NOTHING },
  { '\0', "off-cpu-thresh", TRUE, ABOUT_NOTHING },
  { '\0', "output", TRUE, ABOUT_FILES },
  { '\0', "per-thread", FALSE, ABOUT_TASKS },
  { '\0', "proc-map-timeout", TRUE, ABOUT_NOTHING },
  { '\0', "switch-max-files", TRUE, ABOUT_FILES },
  { '\0', "switch-output", FALSE, ABOUT_FILES },
  { '\0', "switch-output-event", TRUE, ABOUT_FILES },
  { '\0', "synth", TRUE, ABOUT_NOTHING },
  { '\0', "threads", FALSE, ABOUT_THREADS },
  { 'T', "timestamp", FALSE, ABOUT_NOTHING },
  { '\0', "timestamp-boundary", FALSE, ABOUT_NOTHING },
  { '\0', "timestamp-filename", FALSE, ABOUT_FILES },
  { '\0', "vmlinux", TRUE, ABOUT_NOTHING },
};

/* perf takes the beginning of a name for it. */
#define SHORTENED_MIN 3u

void
pen_perf_words_clear (PenPerfWords *self)
{
  g_clear_pointer (&self->cpus, g_free);
}

static gboolean
refuse (GError **error, const char *format, const char *word)
{
  g_set_error (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_USAGE, format, word);
  return FALSE;
}

static gboolean
take (PenPerfWords *self, const Option *option, const char *spelled, const char *value,
      GError **error)
{
  switch (option->about) {
  case ABOUT_EVENT:
    self->has_event = TRUE;
    return TRUE;
  case ABOUT_CLOCK:
    self->has_clock = TRUE;
    return TRUE;
  case ABOUT_TASKS:
    self->has_tasks = TRUE;
    return TRUE;
  case ABOUT_PERIOD:
    self->has_period = g_strcmp0 (value, "1") != 0;
    return TRUE;
  case ABOUT_RATE:
    self->rate = value ? (guint) MIN (g_ascii_strtoull (value, NULL, 10), G_MAXUINT32) : 0;
    return TRUE;
  case ABOUT_CPUS:
    g_free (self->cpus);
    self->cpus = g_strdup (value);
    return TRUE;
  case ABOUT_THREADS:
    self->has_threads = TRUE;
    return TRUE;
  case ABOUT_START:
    return refuse (error, _ ("%s cannot be given: the events start when all is set up"), spelled);
  case ABOUT_FILES:
    return refuse (error, _ ("%s cannot be given: the recording is one directory (-o DIRECTORY)"),
                   spelled);
  case ABOUT_NOTHING:
  default:
    return TRUE;
  }
}

/* ---- words ---- */

static const Option *
find_name (const char *name)
{
  const Option *begun = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    if (g_str_equal (known[i].name, name))
      return &known[i];
    if (strlen (name) >= SHORTENED_MIN && g_str_has_prefix (known[i].name, name))
      begun = &known[i];
  }
  return begun;
}

static const Option *
find_letter (char letter)
{
  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    if (known[i].letter == letter)
      return &known[i];
  }
  return NULL;
}

static gboolean
is_option (const char *word)
{
  return word[0] == '-' && word[1] != '\0';
}

/* @n: (out): how many words it takes */
static gboolean
take_long (PenPerfWords *self, char **words, guint *n, GError **error)
{
  g_auto (GStrv) halves = g_strsplit (words[0] + 2, "=", 2);
  g_autofree char *spelled = g_strconcat ("--", halves[0], NULL);
  const Option *option = find_name (halves[0]);
  gboolean may_take_next = !halves[1] && words[1];

  *n = 1;
  if (!option)
    return TRUE;
  if (may_take_next && option->takes_word)
    *n = 2;
  return take (self, option, spelled, halves[1] ? halves[1] : *n == 2 ? words[1] : NULL, error);
}

/* Letters that take no word may be joined: -ag, -gF 99. */
static gboolean
take_letters (PenPerfWords *self, char **words, guint *n, GError **error)
{
  *n = 1;
  for (const char *letter = words[0] + 1; *letter != '\0'; letter++) {
    const Option *option = find_letter (*letter);
    const char spelled[] = { '-', *letter, '\0' };

    /* What may have a word in itself: registers, a level, a mode. */
    if (strchr ("ISz", *letter))
      return TRUE;
    if (!option || !option->takes_word)
      continue;
    if (letter[1] == '\0' && words[1])
      *n = 2;
    return take (self, option, spelled, *n == 2 ? words[1] : letter + 1, error);
  }
  return TRUE;
}

gboolean
pen_perf_words_parse (char **words, PenPerfWords *self, GError **error)
{
  *self = (PenPerfWords){ 0 };
  while (*words) {
    gboolean is_long = g_str_has_prefix (*words, "--");
    guint n;

    if (!is_option (*words))
      return refuse (error, _ ("“%s” is no option of perf record; a command follows after --"),
                     *words);
    if (!(is_long ? take_long (self, words, &n, error) : take_letters (self, words, &n, error)))
      return FALSE;
    words += n;
  }
  return TRUE;
}
