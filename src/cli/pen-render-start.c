/* pen-render-start.c: pentimento-cli becomes pentimento-render
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "pen-helper.h"

int
pen_render_run (const PenArguments *arguments, GError **error)
{
  g_autofree char *program = pen_helper_find ("pentimento-render");
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  g_ptr_array_add (words, program);
  g_ptr_array_add (words, (char *) "render");
  for (guint i = 0; arguments->words[i]; i++)
    g_ptr_array_add (words, arguments->words[i]);
  g_ptr_array_add (words, NULL);
  execv (program, (char **) words->pdata);

  g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_FAILED,
               _ ("cannot start the program that draws: %s: %s"), program, g_strerror (errno));
  return PEN_EXIT_FAILED;
}
