/* pen-command-verify.c: import --verify
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command.h"

#include <stdio.h>

#include "pen-capture.h"
#include "pen-store-verify.h"

static void
tell (const char *damage, gpointer user_data)
{
  const char *name = user_data;
  g_autofree char *shown = pen_display_text (damage);

  fprintf (stderr, "pentimento-cli: %s: %s\n", name, shown);
}

static PenStore *
open_store (const PenArguments *arguments, GError **error)
{
  if (arguments->output != NULL) {
    g_set_error_literal (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE,
                         "--verify writes nothing: it takes no -o");
    return NULL;
  }
  /* Even to look into a stream is to take from it. */
  if (pen_import_is_stream (arguments->capture)) {
    g_set_error_literal (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE,
                         "--verify looks at a store, which is a file");
    return NULL;
  }
  return pen_store_open (arguments->capture, error);
}

int
pen_command_verify (const PenArguments *arguments, GError **error)
{
  g_autoptr (PenStore) store = open_store (arguments, error);
  g_autofree char *name = pen_capture_display_name (arguments->capture);
  g_autofree char *shown = pen_display_text (name);
  g_autofree char *size = NULL;
  PenVerified verified;

  if (store == NULL)
    return error != NULL && g_error_matches (*error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE)
               ? PEN_EXIT_USAGE
               : PEN_EXIT_FAILED;

  pen_store_set_cancellable (store, arguments->cancellable);
  if (!pen_store_verify (store, tell, shown, &verified, error)) {
    pen_capture_name_in_error (arguments, error);
    return PEN_EXIT_FAILED;
  }
  if (verified.damages > 0) {
    g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_FAILED,
                 "%s: is damaged, see above; import the capture again", name);
    return PEN_EXIT_FAILED;
  }

  size = g_format_size (verified.bytes);
  fprintf (stderr,
           "%s: is whole: %" G_GUINT64_FORMAT " samples; %" G_GUINT64_FORMAT
           " blocks, %s, with the right checksums\n",
           shown, verified.samples, verified.packs, size);
  return PEN_EXIT_DONE;
}
