/* pen-record-choices.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-record-choices.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "pen-format.h"

static const guint durations[] = { 0, 5, 10, 30, 60, 300, 600, 3600 };
static const guint rates[] = { 99, 997, 4000, 10000, 25000 };

static char *
describe_duration (guint seconds)
{
  if (seconds == 0)
    return g_strdup (_ ("Until Stopped"));
  if (seconds < 60)
    return g_strdup_printf (ngettext ("%u Second", "%u Seconds", seconds), seconds);
  return g_strdup_printf (ngettext ("%u Minute", "%u Minutes", seconds / 60), seconds / 60);
}

GListModel *
pen_record_choices_list_durations (void)
{
  GtkStringList *list = gtk_string_list_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (durations); i++)
    gtk_string_list_take (list, describe_duration (durations[i]));
  return G_LIST_MODEL (list);
}

GListModel *
pen_record_choices_list_rates (void)
{
  GtkStringList *list = gtk_string_list_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    g_autofree char *count = pen_format_count (rates[i]);

    gtk_string_list_take (list, g_strdup_printf (_ ("%s Hz"), count));
  }
  return G_LIST_MODEL (list);
}

guint
pen_record_choices_get_duration (guint position)
{
  return durations[MIN (position, G_N_ELEMENTS (durations) - 1)];
}

guint
pen_record_choices_get_rate (guint position)
{
  return rates[MIN (position, G_N_ELEMENTS (rates) - 1)];
}

static guint
find (const guint *numbers, guint n, guint number)
{
  for (guint i = 0; i < n; i++)
    if (numbers[i] == number)
      return i;
  return 0;
}

guint
pen_record_choices_find_duration (guint seconds)
{
  return find (durations, G_N_ELEMENTS (durations), seconds);
}

guint
pen_record_choices_find_rate (guint rate)
{
  return find (rates, G_N_ELEMENTS (rates), rate);
}

static void
append_word (GString *text, const char *word)
{
  gsize plain = strspn (word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_-./+:@%=,");
  g_autofree char *quoted
      = *word != '\0' && word[plain] == '\0' ? g_strdup (word) : g_shell_quote (word);

  g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", quoted);
}

/* What ends the recording. */
static void
append_end (GString *text, const PenRecorderRequest *request, char **command)
{
  g_autofree char *seconds = g_strdup_printf ("%u", request->seconds);

  if (command || request->seconds > 0)
    append_word (text, "--");
  if (!command && request->seconds > 0) {
    append_word (text, "sleep");
    append_word (text, seconds);
  }
  for (guint i = 0; command && command[i]; i++)
    append_word (text, command[i]);
}

/* As the program makes it, see docs/recording.md; the witness needs more than words. A sandbox has
 * the same kernel. */
char *
pen_record_choices_make_command (const PenRecorderRequest *request, char **command,
                                 const char *path)
{
  g_auto (GStrv) words = pen_recorder_request_make_perf_words (
      request, g_file_test ("/proc/modules", G_FILE_TEST_EXISTS));
  GString *text = g_string_new ("sudo perf record");

  for (guint i = 0; words[i]; i++)
    append_word (text, words[i]);
  append_word (text, "-o");
  append_word (text, path);
  append_end (text, request, command);
  /* Also after Ctrl-C. */
  g_string_append (text, "; sudo chown -R \"$USER\"");
  append_word (text, path);
  return g_string_free (text, FALSE);
}

/* ssh joins its words, and a shell of that machine splits them. */
char *
pen_record_choices_make_remote_command (const PenRecorderRequest *request, char **command,
                                        const char *viewer)
{
  g_auto (GStrv) words = pen_recorder_request_make_words (request);
  g_autoptr (GString) there = g_string_new ("pentimento-cli record");
  g_autofree char *quoted = NULL;

  for (guint i = 0; words[i]; i++)
    append_word (there, words[i]);
  append_word (there, "-o");
  append_word (there, "-");
  append_end (there, request, command);
  quoted = strpbrk (there->str, "'\"") ? g_shell_quote (there->str) : g_strdup (there->str);
  return g_strdup_printf ("ssh root@MACHINE %s | %s", quoted, viewer);
}
