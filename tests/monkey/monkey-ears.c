/* monkey-ears.c: what a process says on its standard error
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "monkey-ears.h"

#include <errno.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

/* Milliseconds from one look whether it has ended to the next. */
#define TURN_MS 100

/* What there is to read by then. Returns: FALSE: nothing more comes */
static gboolean
pass_on (int fd, int timeout, guint *n_lines)
{
  struct pollfd waiting = { .fd = fd, .events = POLLIN };
  char bytes[4096];
  gssize n;

  if (poll (&waiting, 1, timeout) <= 0)
    return TRUE;
  n = read (fd, bytes, sizeof bytes);
  if (n <= 0)
    return n < 0 && errno == EINTR;
  for (gssize i = 0; i < n; i++)
    *n_lines += bytes[i] == '\n';
  for (gssize written = 0, more; written < n; written += more) {
    more = write (STDERR_FILENO, bytes + written, (gsize) (n - written));
    if (more < 0)
      break;
  }
  return TRUE;
}

static gboolean
is_waiting (int fd)
{
  struct pollfd waiting = { .fd = fd, .events = POLLIN };

  return poll (&waiting, 1, 0) > 0 && waiting.revents & POLLIN;
}

/* Programs that it started may have the other end open for longer. */
guint
monkey_ears_listen (pid_t child, int fd, int *status)
{
  gboolean is_open = TRUE;
  guint n_lines = 0;
  pid_t ended;

  do {
    if (is_open)
      is_open = pass_on (fd, TURN_MS, &n_lines);
    ended = waitpid (child, status, is_open ? WNOHANG : 0);
  } while (ended == 0);
  if (ended < 0)
    g_error ("waitpid: %s", g_strerror (errno));
  while (is_open && is_waiting (fd))
    is_open = pass_on (fd, 0, &n_lines);
  close (fd);
  return n_lines;
}
