/* main.c: pentimento-cli
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

#include "pen-arguments.h"
#include "pen-command.h"
#include "pen-completion.h"
#include "pen-interrupt.h"
#include "pen-memory.h"
#include "pen-near-words.h"
#include "pen-sql-query.h"
#include "pen-translations.h"
#include "pen-user-directories.h"

static void
print_help (FILE *stream)
{
  fputs (
      _ ("Usage: pentimento-cli COMMAND CAPTURE [FILTER…] [--format=table|csv|json] [-o FILE]\n\n"
         "Shows which code was actually at each address when each sample of a perf\n"
         "recording was taken. CAPTURE is a perf.data file (also .gz, .xz, .zst), a\n"
         "perf.data directory, a store (*.pentimento), a named pipe, or - for standard\n"
         "input.\n\n"
         "Commands:\n"),
      stream);
  for (guint i = 0; i < PEN_N_COMMANDS; i++)
    fprintf (stream, "  %-14s  %s\n", pen_commands[i].name, _ (pen_commands[i].summary));
  fputs (_ ("\n“pentimento-cli COMMAND --help” prints the options of a command, with examples.\n"
            "“pentimento-cli --version” prints the version.\n\n"
            "Examples:\n"),
         stream);
  fputs ("  pentimento-cli info perf.data\n"
         "  pentimento-cli functions perf.data --changed\n"
         "  pentimento-cli annotate perf.data vfs_read\n"
         "  pentimento-cli history perf.data vfs_read+0x5\n"
         "  pentimento-cli text perf.data vfs_read --at=6.2\n"
         "  ssh machine cat perf.data | pentimento-cli info -\n"
         "  pentimento-cli sql perf.data \"SELECT * FROM patch_total\"\n"
         "  pentimento-cli samples perf.data --time 5.8,7 --format=csv -o samples.csv\n",
         stream);
}

static void
print_completions (char **words)
{
  g_autoptr (GPtrArray) found = pen_completion_list (words);

  for (guint i = 0; i < found->len; i++)
    puts (found->pdata[i]);
}

static int
refuse_command (const char *name)
{
  g_autofree char *shown = pen_display_text (name);
  g_autoptr (PenNearWords) near = pen_near_words_new (name);
  g_autofree char *list = NULL;

  for (guint i = 0; i < PEN_N_COMMANDS; i++)
    pen_near_words_offer (near, pen_commands[i].name, 0);
  list = pen_near_words_list (near);
  if (list)
    fprintf (stderr, _ ("pentimento-cli: unknown command “%s”; similar: %s\n"), shown, list);
  else
    fprintf (stderr, _ ("pentimento-cli: unknown command “%s”\n"), shown);
  fputs (_ ("Try “pentimento-cli --help”.\n"), stderr);
  return PEN_EXIT_USAGE;
}

static const PenCommand *
find_command (const char *name)
{
  for (guint i = 0; i < PEN_N_COMMANDS; i++) {
    if (g_str_equal (pen_commands[i].name, name))
      return &pen_commands[i];
  }
  return NULL;
}

static int
run (const PenCommand *command, char **words, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = NULL;
  g_autoptr (PenArguments) arguments = pen_arguments_parse (command, words, &answer, &error);
  int status = PEN_EXIT_USAGE;

  if (answer) {
    fputs (answer, stdout);
    return PEN_EXIT_DONE;
  }
  if (arguments) {
    arguments->cancellable = g_object_ref (cancellable);
    status = pen_command_run (command, arguments, &error);
  }
  if (!error)
    return status;
  /* The reader of the pipe has read enough. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE))
    return PEN_EXIT_DONE;

  pen_command_print_error (error);
  if (status == PEN_EXIT_USAGE)
    fprintf (stderr, _ ("Try “pentimento-cli %s --help”.\n"), command->name);
  return status;
}

int
main (int argc, char **argv)
{
  g_autoptr (GCancellable) cancellable = NULL;
  const PenCommand *command;

  pen_user_directories_ignore_relative ();
  /* The thread that waits for signals is the first one. */
  if (argc > 1 && g_str_equal (argv[1], "import")) {
    pen_memory_prepare_for_import ();
    pen_sql_forgo_limit ();
  }
  cancellable = pen_interrupt_watch ();
  pen_translations_init ();
  if (argc < 2) {
    print_help (stderr);
    return PEN_EXIT_USAGE;
  }
  if (g_str_equal (argv[1], "--version")) {
    puts ("pentimento-cli " PEN_VERSION);
    return PEN_EXIT_DONE;
  }
  if (g_str_equal (argv[1], "--help") || g_str_equal (argv[1], "-h")
      || (g_str_equal (argv[1], "help") && argc == 2)) {
    print_help (stdout);
    return PEN_EXIT_DONE;
  }
  if (g_str_equal (argv[1], "complete")) {
    print_completions (argv + 2);
    return PEN_EXIT_DONE;
  }

  gboolean asks_help = g_str_equal (argv[1], "help");
  char *help[] = { (char *) "--help", NULL };

  command = find_command (argv[asks_help ? 2 : 1]);
  if (!command)
    return refuse_command (argv[asks_help ? 2 : 1]);
  return run (command, asks_help ? help : argv + 2, cancellable);
}
