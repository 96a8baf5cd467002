/* pen-perf-words.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-perf-words.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-perf-option.h"
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
  ABOUT_LAST_EVENT, /* of the event before it */
  ABOUT_START,      /* refused: the events start when all is attached */
  ABOUT_FILES,      /* refused: one file, in a directory that is known */
} About;

/* The options that matter here; the others are perf's business. */
static const struct {
  const char *name;
  About about;
} told[] = {
  { "cgroup", ABOUT_LAST_EVENT },
  { "clockid", ABOUT_CLOCK },
  { "control", ABOUT_START },
  { "count", ABOUT_PERIOD },
  { "cpu", ABOUT_CPUS },
  { "delay", ABOUT_START },
  { "event", ABOUT_EVENT },
  { "exclude-perf", ABOUT_LAST_EVENT },
  { "filter", ABOUT_LAST_EVENT },
  { "freq", ABOUT_RATE },
  { "no-all-cpus", ABOUT_TASKS },
  { "output", ABOUT_FILES },
  { "per-thread", ABOUT_TASKS },
  { "pid", ABOUT_TASKS },
  { "switch-max-files", ABOUT_FILES },
  { "switch-output", ABOUT_FILES },
  { "switch-output-event", ABOUT_FILES },
  { "threads", ABOUT_THREADS },
  { "tid", ABOUT_TASKS },
  { "timestamp-filename", ABOUT_FILES },
  { "uid", ABOUT_TASKS },
};

void
pen_perf_words_clear (PenPerfWords *self)
{
  g_clear_pointer (&self->words, g_ptr_array_unref);
  g_clear_pointer (&self->events, g_ptr_array_unref);
  g_clear_pointer (&self->after, g_ptr_array_unref);
  g_clear_pointer (&self->rate, g_free);
  g_clear_pointer (&self->period, g_free);
  g_clear_pointer (&self->cpus, g_free);
}

static About
find_about (const PenPerfOption *option)
{
  for (guint i = 0; i < G_N_ELEMENTS (told); i++) {
    if (g_strcmp0 (told[i].name, option->name) == 0)
      return told[i].about;
  }
  return ABOUT_NOTHING;
}

static void
set (char **place, const char *value)
{
  g_free (*place);
  *place = g_strdup (value ? value : "");
}

static gboolean
refuse (GError **error, const char *format, const char *word)
{
  g_set_error (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_USAGE, format, word);
  return FALSE;
}

static void
add_event (PenPerfWords *self, const char *event)
{
  g_ptr_array_add (self->events, g_strdup (event ? event : ""));
  g_ptr_array_add (self->after, g_ptr_array_new_with_free_func (g_free));
}

static void
add_after_event (PenPerfWords *self, const PenPerfOption *option, const char *value)
{
  g_ptr_array_add (self->after->pdata[self->events->len],
                   option->value == PEN_PERF_VALUE_NONE
                       ? g_strconcat ("--", option->name, NULL)
                       : g_strconcat ("--", option->name, "=", value ? value : "", NULL));
}

static gboolean
take (PenPerfWords *self, const PenPerfOption *option, const char *spelled, const char *value,
      GError **error)
{
  switch (find_about (option)) {
  case ABOUT_EVENT:
    add_event (self, value);
    return TRUE;
  case ABOUT_LAST_EVENT:
    add_after_event (self, option, value);
    return TRUE;
  case ABOUT_CLOCK:
    self->has_clock = TRUE;
    return TRUE;
  case ABOUT_TASKS:
    self->has_tasks = TRUE;
    return TRUE;
  case ABOUT_PERIOD:
    set (&self->period, value);
    return TRUE;
  case ABOUT_RATE:
    set (&self->rate, value);
    return TRUE;
  case ABOUT_CPUS:
    set (&self->cpus, value);
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

static gboolean
is_option (const char *word)
{
  return word[0] == '-' && word[1] != '\0';
}

/* Events, their rates and what belongs to them are put together anew. */
static gboolean
is_kept (const PenPerfOption *option)
{
  About about = option ? find_about (option) : ABOUT_NOTHING;

  return about != ABOUT_EVENT && about != ABOUT_RATE && about != ABOUT_PERIOD
         && about != ABOUT_LAST_EVENT;
}

static void
keep (PenPerfWords *self, char **words, guint n)
{
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (self->words, g_strdup (words[i]));
}

/* @n: (out): how many words it takes */
static gboolean
take_long (PenPerfWords *self, char **words, guint *n, GError **error)
{
  g_auto (GStrv) halves = g_strsplit (words[0] + 2, "=", 2);
  g_autofree char *spelled = g_strconcat ("--", halves[0], NULL);
  const PenPerfOption *option = pen_perf_option_find_beginning (halves[0]);
  const char *value = halves[1];

  *n = 1;
  if (option && pen_perf_option_takes_word (option) && !value && words[1]) {
    value = words[1];
    *n = 2;
  }
  if (is_kept (option))
    keep (self, words, *n);
  return !option || take (self, option, spelled, value, error);
}

/* Letters that take no word may be joined: -ag, -gF 99. */
static gboolean
take_letters (PenPerfWords *self, char **words, guint *n, GError **error)
{
  const PenPerfOption *option = NULL;
  const char *letter = words[0] + 1;

  while (*letter != '\0') {
    option = pen_perf_option_find_letter (*letter);
    if (option && option->value != PEN_PERF_VALUE_NONE)
      break;
    option = NULL;
    letter++;
  }
  *n = 1;
  /* What follows in the same word may be the value: registers, a level, a mode. */
  if (!option || option->value == PEN_PERF_VALUE_OPTIONAL) {
    keep (self, words, 1);
    return TRUE;
  }

  const char spelled[] = { '-', *letter, '\0' };
  const char *value = letter[1] != '\0' ? letter + 1 : words[1];

  *n = letter[1] == '\0' && words[1] ? 2 : 1;
  if (is_kept (option))
    keep (self, words, *n);
  else if (letter > words[0] + 1)
    g_ptr_array_add (self->words, g_strndup (words[0], (gsize) (letter - words[0])));
  return take (self, option, spelled, value, error);
}

gboolean
pen_perf_words_parse (char **words, PenPerfWords *self, GError **error)
{
  *self = (PenPerfWords){ .words = g_ptr_array_new_with_free_func (g_free),
                          .events = g_ptr_array_new_with_free_func (g_free),
                          .after
                          = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref) };
  g_ptr_array_add (self->after, g_ptr_array_new_with_free_func (g_free));
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

/* ---- events ---- */

/* "cycles", "LLC-load-misses:u". What follows the colon of a tracepoint is a name. */
static char *
add_term (const char *part, const char *term)
{
  gsize name = strspn (part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
  const char *modifiers = part[name] == ':' ? part + name + 1 : part + name;

  if (name == 0 || modifiers[strspn (modifiers, "ukhGHIpPSDWebR")] != '\0'
      || (part[name] == ':') != (*modifiers != '\0'))
    return NULL;
  /* Without a name it would be that of all terms. */
  return g_strdup_printf ("%.*s/name=%.*s,%s/%s", (int) name, part, (int) name, part, term,
                          modifiers);
}

char *
pen_perf_words_add_term (const char *event, const char *term)
{
  g_auto (GStrv) parts = g_strsplit (event, ",", -1);
  GString *text = g_string_new (NULL);

  for (char **part = parts; *part; part++) {
    g_autofree char *added = add_term (*part, term);

    if (!added) {
      g_string_free (text, TRUE);
      return NULL;
    }
    g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "", added);
  }
  return g_string_free (text, FALSE);
}
