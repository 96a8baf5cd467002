/* pen-filter-options.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-filter-options.h"

#include "pen-command.h"

/* "0-4294967295" is a mistake, not a machine. */
#define MAX_CPUS 65536

void
pen_filter_options_add (PenFilterOptions *self, GOptionGroup *group)
{
  const GOptionEntry entries[] = {
    { "time", 0, 0, G_OPTION_ARG_FILENAME, &self->time,
      "Seconds as perf prints them (4.81,7.29), or per cent of the capture (10%,20%)", "FROM,TO" },
    { "cpu", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->cpus, "CPUs (0,2-5)", "LIST" },
    { "pid", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->pids, "Processes (126,127)", "LIST" },
    { "tid", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->tids, "Threads", "LIST" },
    { "comm", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->comms, "Command name", "NAME" },
    { "event", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->events, "Event", "NAME" },
    { "kind", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->kinds,
      "Kinds: kernel, module, bpf, stub, dso, vdso, anon, guest, unknown", "LIST" },
    { "occupant", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->occupants,
      "Occupant ([kernel.kallsyms], [module], a program's name, a file)", "NAME" },
    { "symbol", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->symbols, "Symbol", "NAME" },
    { "address", 0, 0, G_OPTION_ARG_FILENAME, &self->address, "Addresses, hexadecimal", "FROM-TO" },
    { "cause", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->causes,
      "Text patched for a cause: static-key, static-call, ftrace, kprobe, optprobe, bpf, unknown",
      "LIST" },
    { "changed", 0, 0, G_OPTION_ARG_NONE, &self->changed,
      "Only text that had more than one occupant or revision", NULL },
    { NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
  };

  g_option_group_add_entries (group, entries);
}

void
pen_filter_options_clear (PenFilterOptions *self)
{
  g_clear_pointer (&self->time, g_free);
  g_clear_pointer (&self->address, g_free);
  g_clear_pointer (&self->cpus, g_strfreev);
  g_clear_pointer (&self->pids, g_strfreev);
  g_clear_pointer (&self->tids, g_strfreev);
  g_clear_pointer (&self->comms, g_strfreev);
  g_clear_pointer (&self->events, g_strfreev);
  g_clear_pointer (&self->kinds, g_strfreev);
  g_clear_pointer (&self->occupants, g_strfreev);
  g_clear_pointer (&self->symbols, g_strfreev);
  g_clear_pointer (&self->causes, g_strfreev);
}

static gboolean
refuse (const char *option, const char *word, const char *what, GError **error)
{
  g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE, "%s “%s”: %s", option, word,
               what);
  return FALSE;
}

/* Calls @func for each word of each value, at the commas. */
typedef gboolean (*WordFunc) (const char *option, const char *word, gpointer user_data,
                              GError **error);

static gboolean
foreach_word (const char *option, char **values, WordFunc func, gpointer user_data, GError **error)
{
  for (guint i = 0; values != NULL && values[i] != NULL; i++) {
    g_auto (GStrv) words = g_strsplit (values[i], ",", -1);

    if (words[0] == NULL)
      return refuse (option, values[i], "is empty", error);
    for (guint j = 0; words[j] != NULL; j++) {
      if (!func (option, g_strstrip (words[j]), user_data, error))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
add_cpus (const char *option, const char *word, gpointer user_data, GError **error)
{
  GArray *cpus = user_data;
  g_auto (GStrv) ends = g_strsplit (word, "-", 2);
  guint64 first;
  guint64 last;

  if (ends[0] == NULL || !g_ascii_string_to_unsigned (ends[0], 10, 0, G_MAXINT32, &first, NULL))
    return refuse (option, word, "is not a list of CPUs like 0,2-5", error);
  last = first;
  if (ends[1] != NULL && !g_ascii_string_to_unsigned (ends[1], 10, 0, G_MAXINT32, &last, NULL))
    return refuse (option, word, "is not a list of CPUs like 0,2-5", error);
  if (last < first || last - first >= MAX_CPUS)
    return refuse (option, word, "is not a range of CPUs", error);
  for (guint32 cpu = (guint32) first; cpu <= last; cpu++)
    g_array_append_val (cpus, cpu);
  return TRUE;
}

static gboolean
add_task (const char *option, const char *word, gpointer user_data, GError **error)
{
  gint64 number;
  gint32 task;

  if (!g_ascii_string_to_signed (word, 10, G_MININT32, G_MAXINT32, &number, NULL))
    return refuse (option, word, "is not a list of numbers like 126,127", error);
  task = (gint32) number;
  g_array_append_val (user_data, task);
  return TRUE;
}

static gboolean
add_kind (const char *option, const char *word, gpointer user_data, GError **error)
{
  PenKind kind;
  guint32 *kinds = user_data;

  if (!pen_kind_from_string (word, &kind))
    return refuse (option, word,
                   "is none of kernel, module, bpf, stub, dso, vdso, anon, guest, unknown", error);
  *kinds |= 1u << kind;
  return TRUE;
}

static gboolean
add_cause (const char *option, const char *word, gpointer user_data, GError **error)
{
  PenCause cause;
  guint32 *causes = user_data;

  if (!pen_cause_from_string (word, &cause))
    return refuse (option, word,
                   "is none of static-key, static-call, ftrace, kprobe, optprobe, bpf, unknown",
                   error);
  *causes |= 1u << cause;
  return TRUE;
}

static gboolean
parse_address (const char *text, guint64 *address)
{
  if (g_str_has_prefix (text, "0x") || g_str_has_prefix (text, "0X"))
    text += 2;
  return g_ascii_string_to_unsigned (text, 16, 0, G_MAXUINT64, address, NULL);
}

static gboolean
set_addresses (PenFilter *filter, const char *range, GError **error)
{
  g_auto (GStrv) ends = g_strsplit (range, "-", -1);
  guint n = g_strv_length (ends);

  if (n < 1 || n > 2 || !parse_address (g_strstrip (ends[0]), &filter->address_from))
    return refuse ("--address", range, "is not FROM-TO in hexadecimal", error);
  filter->address_to = filter->address_from;
  if (n == 2 && !parse_address (g_strstrip (ends[1]), &filter->address_to))
    return refuse ("--address", range, "is not FROM-TO in hexadecimal", error);
  if (filter->address_to < filter->address_from)
    return refuse ("--address", range, "ends before it begins", error);
  filter->has_address = TRUE;
  return TRUE;
}

static GArray *
new_numbers (char **values)
{
  return values != NULL ? g_array_new (FALSE, FALSE, sizeof (gint32)) : NULL;
}

static GPtrArray *
new_words (char **values)
{
  if (values == NULL)
    return NULL;

  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; values[i] != NULL; i++)
    g_ptr_array_add (words, g_strdup (values[i]));
  return words;
}

gboolean
pen_filter_options_apply (const PenFilterOptions *self, PenFilter *filter, GError **error)
{
  filter->cpus = new_numbers (self->cpus);
  filter->pids = new_numbers (self->pids);
  filter->tids = new_numbers (self->tids);
  filter->comms = new_words (self->comms);
  filter->events = new_words (self->events);
  filter->occupants = new_words (self->occupants);
  filter->symbols = new_words (self->symbols);
  filter->changed = self->changed;

  return foreach_word ("--cpu", self->cpus, add_cpus, filter->cpus, error)
         && foreach_word ("--pid", self->pids, add_task, filter->pids, error)
         && foreach_word ("--tid", self->tids, add_task, filter->tids, error)
         && foreach_word ("--kind", self->kinds, add_kind, &filter->kinds, error)
         && foreach_word ("--cause", self->causes, add_cause, &filter->causes, error)
         && (self->address == NULL || set_addresses (filter, self->address, error));
}
