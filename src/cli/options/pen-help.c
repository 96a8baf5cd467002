/* pen-help.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-help.h"

#include <string.h>

#define WIDTH 80
#define INDENT 24 /* where what options do is told */

/* Words of @text up to @width; further lines begin at @indent. @column: where the first begins */
static void
fill (GString *out, const char *text, glong column, glong indent, glong width)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \n", -1);
  gboolean is_first = TRUE;

  for (guint i = 0; words[i] != NULL; i++) {
    glong n = g_utf8_strlen (words[i], -1);

    if (n == 0)
      continue;
    if (!is_first && column + 1 + n > width) {
      g_string_append_printf (out, "\n%*s", (int) indent, "");
      column = indent;
    } else if (!is_first) {
      g_string_append_c (out, ' ');
      column++;
    }
    g_string_append (out, words[i]);
    column += n;
    is_first = FALSE;
  }
  g_string_append_c (out, '\n');
}

static void
append_option (GString *out, const PenOption *option)
{
  g_autoptr (GString) name = g_string_new ("  ");

  if (option->entry.short_name != 0)
    g_string_append_printf (name, "-%c, ", option->entry.short_name);
  g_string_append_printf (name, "--%s", option->entry.long_name);
  if (option->entry.arg_description != NULL)
    g_string_append_printf (name, "=%s", option->entry.arg_description);
  if (name->len + 1 > INDENT)
    g_string_append_printf (out, "%s\n%*s", name->str, INDENT, "");
  else
    g_string_append_printf (out, "%-*s", INDENT, name->str);
  fill (out, option->entry.description, INDENT, INDENT, WIDTH);
}

static void
append_options (GString *out, const GArray *options, PenOptionSet set, const char *heading)
{
  gboolean has_any = FALSE;

  for (guint i = 0; i < options->len; i++) {
    const PenOption *option = &g_array_index (options, PenOption, i);

    if (option->set != set)
      continue;
    if (!has_any)
      g_string_append_printf (out, "\n%s:\n", heading);
    append_option (out, option);
    has_any = TRUE;
  }
}

static void
append_details (GString *out, const char *details)
{
  g_auto (GStrv) lines = g_strsplit (details, "\n", -1);
  g_autoptr (GString) paragraph = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++) {
    gboolean is_kept
        = lines[i][0] == ' ' || lines[i][0] == '\0' || g_str_has_suffix (lines[i], ":");

    if (!is_kept) {
      g_string_append_printf (paragraph, "%s ", lines[i]);
      continue;
    }
    if (paragraph->len > 0)
      fill (out, paragraph->str, 0, 0, WIDTH);
    g_string_truncate (paragraph, 0);
    if (lines[i][0] != '\0' || lines[i + 1] != NULL)
      g_string_append_printf (out, "%s\n", lines[i]);
  }
}

char *
pen_help_new (const PenCommand *command, const GArray *options)
{
  static const char *const headings[PEN_OPTION_SETS] = {
    [PEN_OPTION_OWN] = "Options",
    [PEN_OPTION_FILTER]
    = "Filters (all that are given must hold; a ! before a value leaves it out)",
    [PEN_OPTION_SOURCE] = "Sources, for a capture that did not bring them along",
    [PEN_OPTION_GENERAL] = "General options",
  };
  GString *out = g_string_new (NULL);
  g_autofree char *usage = g_strdup_printf ("Usage: pentimento-cli %s %s%s[OPTION…]", command->name,
                                            command->arguments, *command->arguments ? " " : "");
  g_autofree char *summary
      = g_strdup_printf ("%c%s.", g_ascii_toupper (command->summary[0]), command->summary + 1);

  g_string_append_printf (out, "%s\n\n", usage);
  fill (out, summary, 0, 0, WIDTH);
  for (guint set = 0; set < PEN_OPTION_SETS; set++)
    append_options (out, options, (PenOptionSet) set, headings[set]);
  g_string_append_c (out, '\n');
  append_details (out, command->details);
  return g_string_free (out, FALSE);
}
