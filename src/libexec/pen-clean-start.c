/* pen-clean-start.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-clean-start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

/* Above the numbers that perf is given, see PEN_RECORD_DESCRIPTORS. */
#define SOCKET_MIN 32

#define FILES_MAX 65536u

/* ---- descriptors ---- */

static void
close_others (void)
{
  struct rlimit limit;

  /* Linux 5.9 */
  if (syscall (SYS_close_range, 3u, ~0u, 0u) == 0)
    return;
  /* A descriptor can be above a limit that was lowered later. */
  if (getrlimit (RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max > FILES_MAX)
    limit.rlim_max = FILES_MAX;
  for (int fd = 3; fd < (int) limit.rlim_max; fd++)
    close (fd);
}

static gboolean
move_descriptors (PenCaller *caller)
{
  int null;

  close_others ();
  null = open ("/dev/null", O_RDWR);
  /* If standard input was closed, /dev/null is there now, which is no socket. */
  caller->socket = fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, SOCKET_MIN);
  if (null < 0 || caller->socket < 0)
    return FALSE;
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (dup2 (null, fd) < 0)
      return FALSE;
  }
  if (null > STDERR_FILENO)
    close (null);
  return TRUE;
}

static gboolean
has_option (int socket, int option, int wanted)
{
  int value;
  socklen_t length = sizeof value;

  return getsockopt (socket, SOL_SOCKET, option, &value, &length) == 0 && length == sizeof value
         && value == wanted;
}

/* Of a pair of sockets, both ends have who made it for a peer. */
static gboolean
find_caller (PenCaller *caller, const char *pkexec)
{
  struct ucred peer;
  socklen_t length = sizeof peer;
  guint64 uid;

  if (!has_option (caller->socket, SO_DOMAIN, AF_UNIX)
      || !has_option (caller->socket, SO_TYPE, SOCK_SEQPACKET)
      || getsockopt (caller->socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0
      || length != sizeof peer)
    return FALSE;
  caller->uid = peer.uid;
  caller->gid = peer.gid;
  /* What is recorded goes to this user: not to one whose socket was passed on. */
  if (pkexec
      && (!g_ascii_string_to_unsigned (pkexec, 10, 0, G_MAXUINT32, &uid, NULL) || uid != peer.uid))
    return FALSE;
  return geteuid () == 0 || geteuid () == peer.uid;
}

/* ---- the rest ---- */

static void
reset_signals (void)
{
  sigset_t set;

  for (int number = 1; number < NSIG; number++)
    signal (number, SIG_DFL);
  signal (SIGPIPE, SIG_IGN);
  signal (SIGXFSZ, SIG_IGN);
  /* A terminal's keys reach whoever is in its foreground, whatever user they run as. */
  signal (SIGTSTP, SIG_IGN);
  signal (SIGTTIN, SIG_IGN);
  signal (SIGTTOU, SIG_IGN);
  signal (SIGQUIT, SIG_IGN);
  sigemptyset (&set);
  sigaddset (&set, SIGHUP);
  sigaddset (&set, SIGINT);
  sigaddset (&set, SIGTERM);
  sigprocmask (SIG_SETMASK, &set, NULL);
}

/* They stay across exec(). */
static void
stop_timers (void)
{
  const struct itimerval none = { 0 };

  setitimer (ITIMER_REAL, &none, NULL);
  setitimer (ITIMER_VIRTUAL, &none, NULL);
  setitimer (ITIMER_PROF, &none, NULL);
}

static void
set_limit (__rlimit_resource_t resource, rlim_t soft, rlim_t hard)
{
  struct rlimit limit = { soft, hard };

  if (setrlimit (resource, &limit) == 0)
    return;
  /* Without root it can be raised as far as it goes. */
  if (getrlimit (resource, &limit) == 0) {
    limit.rlim_cur = soft == RLIM_INFINITY ? limit.rlim_max : MIN (soft, limit.rlim_max);
    setrlimit (resource, &limit);
  }
}

/* A limit on the size of files, or on time, would end perf in the middle. */
static void
reset_limits (void)
{
  set_limit (RLIMIT_AS, RLIM_INFINITY, RLIM_INFINITY);
  set_limit (RLIMIT_CPU, RLIM_INFINITY, RLIM_INFINITY);
  set_limit (RLIMIT_DATA, RLIM_INFINITY, RLIM_INFINITY);
  set_limit (RLIMIT_FSIZE, RLIM_INFINITY, RLIM_INFINITY);
  set_limit (RLIMIT_NPROC, RLIM_INFINITY, RLIM_INFINITY);
  set_limit (RLIMIT_STACK, 8 << 20, RLIM_INFINITY);
  set_limit (RLIMIT_NOFILE, FILES_MAX, FILES_MAX);
  /* A core has what was recorded in it. */
  set_limit (RLIMIT_CORE, 0, 0);
  setpriority (PRIO_PROCESS, 0, 0);
}

/* perf reads a file of settings, keeps copies of what it sees at HOME, and may ask servers. */
static gboolean
reset_environment (void)
{
  return clearenv () == 0 && setenv ("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1) == 0
         && setenv ("HOME", "/nonexistent", 1) == 0 && setenv ("PERF_CONFIG", "/dev/null", 1) == 0
         && setenv ("LC_ALL", "C.UTF-8", 1) == 0;
}

gboolean
pen_clean_start (PenCaller *caller)
{
  g_autofree char *pkexec = g_strdup (g_getenv ("PKEXEC_UID"));

  umask (077);
  reset_signals ();
  stop_timers ();
  reset_limits ();
  return move_descriptors (caller) && reset_environment () && chdir ("/") == 0
         && find_caller (caller, pkexec);
}
