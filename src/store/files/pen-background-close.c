/* pen-background-close.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-background-close.h"

#include <sys/stat.h>
#include <unistd.h>

/* Closing less than that takes some milliseconds at most. */
#define LARGE (16 << 20)

static gpointer
close_file (gpointer data)
{
  close (GPOINTER_TO_INT (data));
  return NULL;
}

void
pen_background_close (int fd)
{
  struct stat status;
  GThread *thread = NULL;

  if (fstat (fd, &status) == 0 && status.st_size >= LARGE)
    thread = g_thread_try_new ("close", close_file, GINT_TO_POINTER (fd), NULL);

  if (thread)
    g_thread_unref (thread);
  else
    close (fd);
}
