/* pen-completion.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-completion.h"

#include <string.h>

#include "pen-options.h"

static void
offer (GPtrArray *found, const char *typed, const char *before, const char *word)
{
  g_autofree char *whole = g_strconcat (before, word, NULL);

  if (g_str_has_prefix (whole, typed))
    g_ptr_array_add (found, g_steal_pointer (&whole));
}

/* In a list, the part after the last comma is completed. */
static void
offer_values (GPtrArray *found, const PenOption *option, const char *typed)
{
  const char *comma = option->is_list ? strrchr (typed, ',') : NULL;
  g_autofree char *before = comma ? g_strndup (typed, (gsize) (comma + 1 - typed)) : NULL;
  g_auto (GStrv) values = g_strsplit (option->values ? option->values : "", ",", -1);

  for (guint i = 0; values[i]; i++)
    offer (found, typed, before ? before : "", values[i]);
}

static void
offer_options (GPtrArray *found, const GArray *options, const char *typed)
{
  for (guint i = 0; i < options->len; i++) {
    const PenOption *option = &g_array_index (options, PenOption, i);
    g_autofree char *name
        = g_strconcat (option->entry.long_name, pen_option_takes_value (option) ? "=" : "", NULL);

    offer (found, typed, "--", name);
  }
}

static void
offer_commands (GPtrArray *found, const char *typed)
{
  for (guint i = 0; i < PEN_N_COMMANDS; i++)
    offer (found, typed, "", pen_commands[i].name);
}

/* The option whose value is the last of @words, and that value; NULL: none. */
static const PenOption *
find_open_option (const GArray *options, char **words, guint n, const char **typed)
{
  gboolean ends_in_sign = g_str_equal (words[n - 1], "=");
  guint last = ends_in_sign ? n : n - 1; /* of the value */
  guint before = last;
  const PenOption *option;

  *typed = ends_in_sign ? "" : words[n - 1];
  if (before > 0 && g_str_equal (words[before - 1], "="))
    before--;
  if (before == 0 || !g_str_has_prefix (words[before - 1], "--"))
    return NULL;
  option = pen_options_find (options, words[before - 1] + 2);
  return option && pen_option_takes_value (option) ? option : NULL;
}

static void
complete_command (GPtrArray *found, const PenCommand *command, char **words, guint n)
{
  g_auto (PenOptions) values = { 0 };
  g_autoptr (GArray) options = pen_options_list (&values, command);
  const char *typed;
  const PenOption *option = find_open_option (options, words, n, &typed);

  if (option)
    offer_values (found, option, typed);
  else if (words[n - 1][0] == '-')
    offer_options (found, options, words[n - 1]);
}

GPtrArray *
pen_completion_list (char **words)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  guint n = g_strv_length (words);

  if (n == 0)
    return found;
  if (n == 1) {
    offer_commands (found, words[0]);
    offer (found, words[0], "", "help");
    offer (found, words[0], "", "--help");
    offer (found, words[0], "", "--version");
    return found;
  }
  if (g_str_equal (words[0], "help") && n == 2)
    offer_commands (found, words[1]);
  for (guint i = 0; i < PEN_N_COMMANDS; i++) {
    if (g_str_equal (pen_commands[i].name, words[0]))
      complete_command (found, &pen_commands[i], words + 1, n - 1);
  }
  return found;
}
