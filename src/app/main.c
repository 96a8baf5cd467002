/* main.c: pentimento, the application
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-application.h"
#include "pen-dragged-file.h"
#include "pen-last-view.h"
#include "pen-layout.h"
#include "pen-translations.h"
#include "pen-user-directories.h"
#include "pen-worker.h"

/* Whoever took a drop has opened the file by then. */
#define OPENED_WITHIN_US (60 * G_USEC_PER_SEC)

int
main (int argc, char **argv)
{
  g_autoptr (PenApplication) application = NULL;
  int status;

  pen_user_directories_ignore_relative ();
  pen_translations_init ();
  g_set_application_name ("Pentimento");
  application = pen_application_new (G_APPLICATION_DEFAULT_FLAGS);
  status = g_application_run (G_APPLICATION (application), argc, argv);

  /* An import that was stopped takes its unfinished files away. */
  pen_worker_wait_all ();
  pen_last_view_wait_all ();
  pen_dragged_file_remove_all (OPENED_WITHIN_US);
  pen_layout_flush (pen_layout_get_default ());
  return status != 0 ? status : pen_application_get_exit_status (application);
}
