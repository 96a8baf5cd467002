/* main.c: pentimento, the application
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <string.h>

#include "pen-application.h"
#include "pen-worker.h"

/* Before anything needs a display. */
static gboolean
wants_version (int argc, char **argv)
{
  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++) {
    if (strcmp (argv[i], "--version") == 0)
      return TRUE;
  }
  return FALSE;
}

int
main (int argc, char **argv)
{
  g_autoptr (PenApplication) application = NULL;
  int status;

  if (wants_version (argc, argv)) {
    g_print ("pentimento %s (GTK %u.%u.%u, libadwaita %u.%u.%u)\n", PEN_VERSION,
             gtk_get_major_version (), gtk_get_minor_version (), gtk_get_micro_version (),
             adw_get_major_version (), adw_get_minor_version (), adw_get_micro_version ());
    return 0;
  }

  g_set_application_name ("Pentimento");
  application = pen_application_new (G_APPLICATION_DEFAULT_FLAGS);
  status = g_application_run (G_APPLICATION (application), argc, argv);

  /* An import that was stopped takes its unfinished files away. */
  pen_worker_wait_all ();
  return status != 0 ? status : pen_application_get_exit_status (application);
}
