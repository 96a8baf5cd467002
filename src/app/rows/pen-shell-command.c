/* pen-shell-command.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-shell-command.h"

#include <string.h>

#include "pen-display.h"
#include "pen-filter-term.h"

/* Words that need no quotes are easier to read without them. */
static gboolean
is_plain (const char *word)
{
  return word[0] != '\0'
         && strspn (word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                          "_-+=./:,@%")
                == strlen (word);
}

/* A terminal acts on control characters where a command is pasted, before a shell reads its quotes;
 * and a person must see what is run. $'…' with octal numbers is what bash, ksh, zsh and
 * POSIX.1-2024 have for that. */
static char *
quote_bytes (const char *word)
{
  GString *quoted = g_string_new ("$'");

  for (const char *p = word; *p != '\0'; p++) {
    guchar c = *p;

    if (c == '\'' || c == '\\')
      g_string_append_printf (quoted, "\\%c", c);
    else if (c >= 0x20 && c < 0x7f)
      g_string_append_c (quoted, c);
    else
      g_string_append_printf (quoted, "\\%03o", c);
  }
  g_string_append_c (quoted, '\'');
  return g_string_free (quoted, FALSE);
}

static char *
quote (const char *word)
{
  g_autofree char *shown = pen_display_text (word);

  if (is_plain (word))
    return g_strdup (word);
  return g_str_equal (shown, word) ? g_shell_quote (word) : quote_bytes (word);
}

static void
append (GString *command, const char *word)
{
  g_autofree char *quoted = quote (word);

  g_string_append_c (command, ' ');
  g_string_append (command, quoted);
}

char *
pen_shell_command_new (const char *const *words, const char *capture, const PenFilter *filter,
                       const char *const *options)
{
  GString *command = g_string_new ("pentimento-cli");
  g_autoptr (GPtrArray) terms = filter ? pen_filter_dup_terms (filter) : NULL;

  append (command, words[0]);
  /* A name that begins with a dash is no option. */
  if (capture[0] == '-' && capture[1] != '\0') {
    g_autofree char *path = g_strconcat ("./", capture, NULL);

    append (command, path);
  } else {
    append (command, capture);
  }
  for (guint i = 1; words[i]; i++)
    append (command, words[i]);
  for (guint i = 0; terms && i < terms->len; i++) {
    g_autofree char *argument = pen_filter_term_to_argument (terms->pdata[i]);

    append (command, argument);
  }
  for (guint i = 0; options && options[i]; i++)
    append (command, options[i]);
  return g_string_free (command, FALSE);
}

char *
pen_shell_command_target (const PenAnnotated *annotated)
{
  if (annotated->symbol && annotated->symbol[0] != '\0' && annotated->symbol[0] != '-')
    return g_strdup (annotated->symbol);
  return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", annotated->start);
}
