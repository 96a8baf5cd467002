/* pen-helper.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pen-installed.h"
#include "pen-reason.h"

struct _PenHelper {
  pid_t pid; /* -1: none */
  int socket;
  GCancellable *cancellable;
  guint8 buffer[32 << 10];
  gsize position; /* of what comes next in @buffer */
  gsize length;
};

char *
pen_helper_find (const char *name)
{
  return pen_installed_find ("PENTIMENTO_LIBEXEC", "libexec", PEN_LIBEXECDIR, name);
}

/* Neither @input nor @talk is one of the three standard files. Returns: 0, or an errno */
static int
spawn (pid_t *pid, char *const *arguments, int input, int talk)
{
  /* With it, elfutils gets ready to ask a server. */
  g_auto (GStrv) environment = g_environ_unsetenv (g_get_environ (), "DEBUGINFOD_URLS");
  posix_spawn_file_actions_t actions;
  int status;

  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_adddup2 (&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2 (&actions, talk, STDOUT_FILENO);
  /* A library's messages before it aborts are of no use. */
  posix_spawn_file_actions_addopen (&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np (&actions, STDERR_FILENO + 1);
  status = posix_spawn (pid, arguments[0], &actions, NULL, arguments, environment);
  posix_spawn_file_actions_destroy (&actions);
  return status;
}

static int
dup_high (int fd)
{
  return fcntl (fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

static void
close_if_open (int fd)
{
  if (fd >= 0)
    close (fd);
}

/* Returns: 0, or an errno */
static int
start (PenHelper *self, char *const *arguments, int input)
{
  int ends[2] = { -1, -1 };
  int file = dup_high (input);
  int talk = -1;
  int status;

  if (file >= 0 && socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0)
    talk = dup_high (ends[1]);
  status = talk >= 0 ? spawn (&self->pid, arguments, file, talk) : errno;
  if (status != 0)
    self->pid = -1;
  self->socket = ends[0];
  close_if_open (ends[1]);
  close_if_open (talk);
  close_if_open (file);
  return status;
}

/* ---- this process, while it has one ---- */

static GMutex lock;
static guint n_helpers;
static int was_dumpable;

/* Files of a process that cannot be dumped are root's in /proc, and no process of the same user may
 * trace it or read its memory. In a Flatpak the portals look there for who asks
 * (/proc/PID/root/.flatpak-info), and would take us for someone else. */
static void
close_process (void)
{
  g_mutex_lock (&lock);
  if (n_helpers++ == 0) {
    was_dumpable = prctl (PR_GET_DUMPABLE, 0, 0, 0, 0);
    if (!g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS))
      prctl (PR_SET_DUMPABLE, 0, 0, 0, 0);
  }
  g_mutex_unlock (&lock);
}

/* The kernel lets nobody set what else there is: 2, for what only root may dump. */
static void
open_process (void)
{
  g_mutex_lock (&lock);
  if (--n_helpers == 0 && was_dumpable == 1)
    prctl (PR_SET_DUMPABLE, 1, 0, 0, 0);
  g_mutex_unlock (&lock);
}

/* ---- */

PenHelper *
pen_helper_start (const char *name, int input, guint64 memory, guint64 seconds,
                  GCancellable *cancellable, GError **error)
{
  g_autoptr (PenHelper) self = g_new0 (PenHelper, 1);
  g_autofree char *program = pen_helper_find (name);
  g_autofree char *bytes = g_strdup_printf ("%" G_GUINT64_FORMAT, memory);
  g_autofree char *time = g_strdup_printf ("%" G_GUINT64_FORMAT, seconds);
  char *const arguments[] = { program, bytes, time, NULL };
  int status;

  close_process ();
  status = start (self, arguments, input);
  self->cancellable = cancellable ? g_object_ref (cancellable) : NULL;
  if (status == 0)
    return g_steal_pointer (&self);

  pen_reason_set_error (error, g_io_error_from_errno (status), PEN_REASON_SYSTEM, program,
                        pen_reason_name_errno (status), NULL);
  return NULL;
}

void
pen_helper_free (PenHelper *self)
{
  if (!self)
    return;

  close_if_open (self->socket);
  if (self->pid > 0) {
    kill (self->pid, SIGKILL);
    while (waitpid (self->pid, NULL, 0) < 0 && errno == EINTR)
      ;
  }
  open_process ();
  g_clear_object (&self->cancellable);
  g_free (self);
}

gboolean
pen_helper_send (PenHelper *self, gconstpointer data, gsize length)
{
  return send (self->socket, data, length, MSG_NOSIGNAL) == (ssize_t) length;
}

/* Returns: FALSE: cancelled */
static gboolean
wait_for_more (PenHelper *self)
{
  struct pollfd fds[2] = { { .fd = self->socket, .events = POLLIN }, { .fd = -1 } };
  GPollFD cancelled;

  if (self->cancellable && g_cancellable_make_pollfd (self->cancellable, &cancelled)) {
    fds[1].fd = cancelled.fd;
    fds[1].events = POLLIN;
  }
  while (poll (fds, G_N_ELEMENTS (fds), -1) < 0 && errno == EINTR)
    ;
  if (fds[1].fd >= 0)
    g_cancellable_release_fd (self->cancellable);
  return !g_cancellable_is_cancelled (self->cancellable);
}

gboolean
pen_helper_receive (PenHelper *self, gpointer data, gsize length)
{
  guint8 *to = data;

  while (length > 0) {
    gsize part = MIN (length, self->length - self->position);
    ssize_t got;

    memcpy (to, self->buffer + self->position, part);
    self->position += part;
    to += part;
    length -= part;
    if (length == 0)
      break;

    if (!wait_for_more (self))
      return FALSE;
    got = recv (self->socket, self->buffer, sizeof self->buffer, 0);
    if (got <= 0)
      return FALSE;
    self->position = 0;
    self->length = (gsize) got;
  }
  return TRUE;
}
