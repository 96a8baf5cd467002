/* pen-help.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-help.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define WIDTH 80
#define INDENT 24 /* of the descriptions of options */

/* Wraps @text at @width; further lines begin at @indent, the first at @column */
static void
fill (GString *out, const char *text, glong column, glong indent, glong width)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \n", -1);
  gboolean is_first = TRUE;

  for (guint i = 0; words[i]; i++) {
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
  if (option->entry.arg_description)
    g_string_append_printf (name, "=%s", option->entry.arg_description);
  if (name->len + 1 > INDENT)
    g_string_append_printf (out, "%s\n%*s", name->str, INDENT, "");
  else
    g_string_append_printf (out, "%-*s", INDENT, name->str);
  fill (out, _ (option->entry.description), INDENT, INDENT, WIDTH);
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
      g_string_append_printf (out, "\n%s\n", heading);
    append_option (out, option);
    has_any = TRUE;
  }
}

static void
append_details (GString *out, const PenCommand *command)
{
  g_auto (GStrv) paragraphs = g_strsplit (_ (command->details), "\n", -1);

  for (guint i = 0; paragraphs[i]; i++)
    fill (out, paragraphs[i], 0, 0, WIDTH);
  g_string_append_printf (out, "\n%s\n", _ ("Examples:"));
  for (guint i = 0; i < G_N_ELEMENTS (command->examples) && command->examples[i]; i++)
    g_string_append_printf (out, "  pentimento-cli %s%s%s\n", command->name,
                            *command->examples[i] ? " " : "", command->examples[i]);
}

char *
pen_help_new (const PenCommand *command, const GArray *options)
{
  static const char *const headings[PEN_OPTION_SETS] = {
    [PEN_OPTION_OWN] = N_ ("Options:"),
    [PEN_OPTION_FILTER] = N_ ("Filters (combined with AND; ! excludes):"),
    [PEN_OPTION_SOURCE] = N_ ("Sources of data missing from the recording:"),
    [PEN_OPTION_GENERAL] = N_ ("General options:"),
  };
  g_autofree char *arguments
      = g_strconcat (command->arguments, *command->arguments ? " " : NULL, NULL);
  GString *out = g_string_new (NULL);

  if (command->flags & PEN_COMMAND_RECORD)
    /* Translators: the options of another program, and then the program that is recorded */
    g_string_append_printf (out, _ ("Usage: pentimento-cli %s [OPTION…] %s"), command->name,
                            command->arguments);
  else
    /* Translators: the name of a command, and its arguments with a blank */
    g_string_append_printf (out, _ ("Usage: pentimento-cli %s %s[OPTION…]"), command->name,
                            arguments);
  g_string_append (out, "\n\n");
  fill (out, _ (command->summary), 0, 0, WIDTH);
  for (guint set = 0; set < PEN_OPTION_SETS; set++)
    append_options (out, options, (PenOptionSet) set, _ (headings[set]));
  g_string_append_c (out, '\n');
  append_details (out, command);
  return g_string_free (out, FALSE);
}
