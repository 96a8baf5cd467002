/* main.c: pentimento-cli
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <string.h>

#include "pen-arguments.h"
#include "pen-command.h"
#include "pen-completion.h"
#include "pen-interrupt.h"
#include "pen-near-words.h"
#include "pen-translations.h"

static const PenCommand *const commands[] = {
  &pen_command_import,    &pen_command_info,      &pen_command_samples,        &pen_command_changes,
  &pen_command_occupants, &pen_command_functions, &pen_command_annotate,       &pen_command_history,
  &pen_command_text,      &pen_command_compare,   &pen_command_misattribution, &pen_command_render,
  &pen_command_notes,     &pen_command_sql,       &pen_command_cache,
};

static void
print_help (FILE *stream)
{
  fputs ("Usage: pentimento-cli COMMAND CAPTURE [FILTER…] [--format=table|csv|json] [-o FILE]\n\n"
         "Shows what was really there when each sample of a perf recording landed.\n"
         "CAPTURE is a perf.data file (also .gz, .xz, .zst), a perf.data directory, a store\n"
         "(*.pentimento), a named pipe, or - for standard input.\n\n"
         "Commands:\n",
         stream);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (stream, "  %-14s %s\n", commands[i]->name, commands[i]->summary);
  fputs ("\n“pentimento-cli COMMAND --help” lists what a command takes, with examples.\n"
         "“pentimento-cli --version” tells the version.\n\n"
         "Examples:\n"
         "  pentimento-cli info perf.data\n"
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
  g_autoptr (GPtrArray) found = pen_completion_list (commands, G_N_ELEMENTS (commands), words);

  for (guint i = 0; i < found->len; i++)
    puts (found->pdata[i]);
}

static int
refuse_command (const char *name)
{
  g_autofree char *shown = pen_display_text (name);
  g_autoptr (PenNearWords) near = pen_near_words_new (name);
  g_autofree char *list = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    pen_near_words_offer (near, commands[i]->name, 0);
  list = pen_near_words_list (near);
  fprintf (stderr, "pentimento-cli: “%s” is no command%s%s; “pentimento-cli --help” lists them\n",
           shown, list != NULL ? "; near it: " : "", list != NULL ? list : "");
  return PEN_EXIT_USAGE;
}

static const PenCommand *
find_command (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    if (g_str_equal (commands[i]->name, name))
      return commands[i];
  }
  return NULL;
}

static void
print_error (const GError *error)
{
  g_autofree char *shown = pen_display_text (error->message);

  fprintf (stderr, "pentimento-cli: %s\n", shown);
}

static int
run (const PenCommand *command, char **words, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = NULL;
  g_autoptr (PenArguments) arguments = pen_arguments_parse (command, words, &answer, &error);
  int status = PEN_EXIT_USAGE;

  if (answer != NULL) {
    fputs (answer, stdout);
    return PEN_EXIT_DONE;
  }
  if (arguments != NULL) {
    arguments->cancellable = g_object_ref (cancellable);
    status = command->run (arguments, &error);
  }
  if (error == NULL)
    return status;
  /* Whoever closed the pipe has read enough. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE))
    return PEN_EXIT_DONE;

  print_error (error);
  if (status == PEN_EXIT_USAGE)
    fprintf (stderr, "“pentimento-cli %s --help” says how it is used.\n", command->name);
  return status;
}

int
main (int argc, char **argv)
{
  g_autoptr (GCancellable) cancellable = pen_interrupt_watch ();
  const PenCommand *command;

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
  if (command == NULL)
    return refuse_command (argv[asks_help ? 2 : 1]);
  return run (command, asks_help ? help : argv + 2, cancellable);
}
