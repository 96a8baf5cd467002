/* pen-command-verify.c: import --verify
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-command-run.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdio.h>

#include "pen-capture.h"
#include "pen-store-verify.h"

static void
print_damage (const char *damage, gpointer user_data)
{
  const char *name = user_data;
  g_autofree char *shown = pen_display_text (damage);

  fprintf (stderr, "pentimento-cli: %s: %s\n", name, shown);
}

static PenStore *
open_store (const PenArguments *arguments, GError **error)
{
  if (arguments->output) {
    g_set_error_literal (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE,
                         _ ("--verify does not take -o: it has no output"));
    return NULL;
  }
  /* A stream cannot be peeked at without consuming it. */
  if (pen_import_is_stream (arguments->capture)) {
    g_set_error_literal (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE,
                         _ ("--verify needs a store, which is a file"));
    return NULL;
  }
  return pen_store_open (arguments->capture, error);
}

int
pen_command_verify (const PenArguments *arguments, GError **error)
{
  g_autoptr (PenStore) store = open_store (arguments, error);
  g_autofree char *name = pen_capture_display_name (arguments->capture);
  g_autofree char *size = NULL;
  PenVerified verified;

  if (!store)
    return error && g_error_matches (*error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_USAGE)
               ? PEN_EXIT_USAGE
               : PEN_EXIT_FAILED;

  pen_store_set_cancellable (store, arguments->cancellable);
  if (!pen_store_verify (store, print_damage, name, &verified, error)) {
    pen_capture_name_in_error (arguments, error);
    return PEN_EXIT_FAILED;
  }
  if (verified.damages > 0) {
    g_set_error (error, PEN_COMMAND_ERROR, PEN_COMMAND_ERROR_FAILED,
                 _ ("%s: the store is damaged, see above; import the recording again"), name);
    return PEN_EXIT_FAILED;
  }

  size = g_format_size (verified.bytes);
  fprintf (stderr,
           _ ("%s: the store is intact: %" PRIu64 " samples; the checksums of %" PRIu64
              " blocks (%s) match\n"),
           name, verified.samples, verified.packs, size);
  return PEN_EXIT_DONE;
}
