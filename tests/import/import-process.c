/* import-process.c: a process that opens a capture, for tests that kill it
 *
 * import-process open CAPTURE | import CAPTURE STORE
 *
 * Says on stdout, a line each, how far it is: "waiting", "stage N", "note N"; at last "store PATH"
 * or "error DOMAIN CODE MESSAGE". With IMPORT_PROCESS_HOLD it stops at the first progress of the
 * stage of that number until a line comes on stdin.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pen-import.h"

typedef struct {
  gboolean is_waiting;
  int stage;
  guint32 notes;
  int hold;
} Told;

static void
tell (const PenImportProgress *progress, gpointer user_data)
{
  Told *told = user_data;
  char line[16];

  if (progress->is_waiting != told->is_waiting && progress->is_waiting)
    puts ("waiting");
  told->is_waiting = progress->is_waiting;
  for (guint i = 0; i < PEN_IMPORT_NOTES; i++)
    if ((progress->notes & ~told->notes & 1u << i) != 0)
      printf ("note %u\n", i);
  told->notes |= progress->notes;
  if (!progress->is_waiting && (int) progress->stage != told->stage) {
    told->stage = (int) progress->stage;
    printf ("stage %d\n", told->stage);
    fflush (stdout);
    if (told->stage == told->hold && !fgets (line, sizeof line, stdin))
      exit (2);
  }
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  const char *hold = g_getenv ("IMPORT_PROCESS_HOLD");
  Told told = { .stage = -1, .hold = hold ? atoi (hold) : -1 };
  g_autoptr (GError) error = NULL;
  g_autofree char *store = NULL;

  if (argc == 3 && strcmp (argv[1], "open") == 0)
    store = pen_import_open (argv[2], NULL, tell, &told, NULL, &error);
  else if (argc == 4 && strcmp (argv[1], "import") == 0
           && pen_import (argv[2], argv[3], NULL, tell, &told, NULL, &error))
    store = g_strdup (argv[3]);

  if (store)
    printf ("store %s\n", store);
  else if (error)
    printf ("error %s %d %s\n", g_quark_to_string (error->domain), error->code, error->message);
  return store ? 0 : 1;
}
