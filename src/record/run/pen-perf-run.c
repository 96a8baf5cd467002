/* pen-perf-run.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-perf-run.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pen-record-error.h"

/* A longer line is cut. */
#define LINE_MAX_BYTES 4096u
#define EARLY_LINES_MAX 256u

/* perf writes the buffer of a CPU when it is half full: at 99 Hz after half a minute. Any order
 * wakes it, and it writes them all. Where perf does not know this one (before 5.12), it does
 * nothing else. */
#define PING "ping\n"
#define PING_NS 250000000

/* Of perf, after it was told to end. It may have gigabytes to look through for build IDs. */
#define PATIENCE_MS (10 * 60 * 1000)

/*
 * @process, @command: pidfds; -1: none, or seen to have ended
 * @control, @hold: written to; @answer, @report, @messages: read
 * @timer: when perf is woken; -1: not yet
 * @early: (nullable): lines that perf wrote before it answered; it may end instead, and say why
 * @status: -1: it runs
 */
struct PenPerfRun {
  GPid pid;
  int process;
  int command;
  int control;
  int answer;
  int hold;
  int report;
  int messages;
  int timer;
  int status;
  GString *line;
  GPtrArray *early;
  PenPerfMessageFunc func;
  gpointer user_data;
};

static void
close_one (int *descriptor)
{
  if (*descriptor >= 0)
    close (*descriptor);
  *descriptor = -1;
}

/* ---- messages ---- */

static void
hand_on (PenPerfRun *self)
{
  if (self->line->len > 0 && !self->early)
    self->func (self->line->str, self->user_data);
  else if (self->line->len > 0 && self->early->len < EARLY_LINES_MAX)
    g_ptr_array_add (self->early, g_strdup (self->line->str));
  g_string_truncate (self->line, 0);
}

static void
hand_on_early (PenPerfRun *self)
{
  for (guint i = 0; self->early && i < self->early->len; i++)
    self->func (self->early->pdata[i], self->user_data);
  g_clear_pointer (&self->early, g_ptr_array_unref);
}

/* What perf says before it prints all of its options, or how the system's settings could be
 * changed.
 * @is_forbidden: (out): it said the latter
 * Returns: (transfer full) */
static char *
join_early (PenPerfRun *self, gboolean *is_forbidden)
{
  GString *text = g_string_new (NULL);

  *is_forbidden = FALSE;
  for (guint i = 0; self->early && i < self->early->len; i++) {
    const char *line = g_strstrip (self->early->pdata[i]);

    *is_forbidden = strstr (line, "perf_event_paranoid") != NULL;
    if (*is_forbidden || g_str_has_prefix (line, "Usage: "))
      break;
    if (g_str_equal (line, "Error:"))
      continue;
    if (text->len > 0)
      g_string_append_c (text, ' ');
    g_string_append (text, line);
  }
  return g_string_free (text, FALSE);
}

static void
read_messages (PenPerfRun *self)
{
  char bytes[1024];
  gssize n;

  while (self->messages >= 0 && (n = read (self->messages, bytes, sizeof bytes)) != 0) {
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return;
    for (gssize i = 0; i < n; i++) {
      if (bytes[i] == '\n')
        hand_on (self);
      else if (self->line->len < LINE_MAX_BYTES && bytes[i] != '\0')
        g_string_append_c (self->line, bytes[i]);
    }
  }
  close_one (&self->messages);
  hand_on (self);
}

static void
reap (PenPerfRun *self)
{
  while (waitpid (self->pid, &self->status, 0) < 0 && errno == EINTR)
    ;
  read_messages (self);
  close_one (&self->process);
}

/* ---- start ---- */

enum { CONTROL, ANSWER, HOLD, REPORT, MESSAGES, PIPES };

/* The other process's end, and ours: out of the way of the numbers that are given to perf. */
typedef struct {
  int given;
  int kept;
} Pipe;

/* perf finishes its file also when this process was killed. So it has both ends of what it would
 * miss: without orders, perf 6.1 leaves its file unfinished; a write that nobody can read would end
 * it. */
static int
open_both_ends (int end)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", end);

  return open (path, O_RDWR | O_CLOEXEC);
}

static gboolean
make_pipe (Pipe *made, guint which, GError **error)
{
  gboolean is_read_here = which != CONTROL && which != HOLD;
  gboolean has_both_ends = which != HOLD && which != REPORT;
  int ends[2];
  int both = -1;

  made->given = made->kept = -1;
  if (!g_unix_open_pipe (ends, FD_CLOEXEC, error))
    return FALSE;
  if (has_both_ends)
    both = open_both_ends (ends[0]);
  made->given = fcntl (has_both_ends ? both : ends[is_read_here ? 1 : 0], F_DUPFD_CLOEXEC,
                       PEN_RECORD_DESCRIPTORS);
  made->kept = fcntl (ends[is_read_here ? 0 : 1], F_DUPFD_CLOEXEC, PEN_RECORD_DESCRIPTORS);
  close (ends[0]);
  close (ends[1]);
  close_one (&both);
  if (made->given >= 0 && made->kept >= 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s", g_strerror (errno));
  return FALSE;
}

/* What this program ignores or blocks, perf and its command do not. */
static void
set_attributes (posix_spawnattr_t *attributes, gboolean has_command)
{
  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  sigset_t set;

  sigemptyset (&set);
  posix_spawnattr_setsigmask (attributes, &set);
  sigaddset (&set, SIGPIPE);
  sigaddset (&set, SIGXFSZ);
  posix_spawnattr_setsigdefault (attributes, &set);
  if (!has_command) {
    flags |= POSIX_SPAWN_SETPGROUP;
    posix_spawnattr_setpgroup (attributes, 0);
  }
  posix_spawnattr_setflags (attributes, flags);
}

static gboolean
spawn (PenPerfRun *self, const PenRecordPlan *plan, const Pipe *pipes, int output, GError **error)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int number;

  posix_spawn_file_actions_init (&actions);
  /* First: its number may be one of those that are given below. */
  if (output >= 0)
    posix_spawn_file_actions_adddup2 (&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2 (&actions, pipes[CONTROL].given, PEN_RECORD_CONTROL);
  posix_spawn_file_actions_adddup2 (&actions, pipes[ANSWER].given, PEN_RECORD_ANSWER);
  posix_spawn_file_actions_adddup2 (&actions, pipes[HOLD].given, PEN_RECORD_HOLD);
  posix_spawn_file_actions_adddup2 (&actions, STDERR_FILENO, PEN_RECORD_STDERR);
  posix_spawn_file_actions_adddup2 (&actions, pipes[REPORT].given, PEN_RECORD_REPORT);
  posix_spawn_file_actions_adddup2 (&actions, pipes[MESSAGES].given, STDERR_FILENO);
  posix_spawnattr_init (&attributes);
  set_attributes (&attributes, plan->has_command);
  number = posix_spawn (&self->pid, plan->argv[0], &actions, &attributes, plan->argv, environ);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  if (number == 0)
    return TRUE;
  self->pid = 0;
  g_set_error (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_FAILED, "%s: %s", plan->argv[0],
               g_strerror (number));
  return FALSE;
}

PenPerfRun *
pen_perf_run_start (const PenRecordPlan *plan, int output, PenPerfMessageFunc func,
                    gpointer user_data, GError **error)
{
  g_autoptr (PenPerfRun) self = g_new0 (PenPerfRun, 1);
  Pipe pipes[PIPES];
  gboolean is_started = TRUE;
  guint n = 0;

  self->func = func;
  self->user_data = user_data;
  self->line = g_string_new (NULL);
  self->early = g_ptr_array_new_with_free_func (g_free);
  self->process = self->command = self->timer = -1;
  self->status = -1;
  for (; is_started && n < PIPES; n++)
    is_started = make_pipe (&pipes[n], n, error);
  for (guint i = n; i < PIPES; i++)
    pipes[i] = (Pipe){ -1, -1 };
  /* A write to perf's standard error waits for nobody; nor do orders, and looks for answers. */
  is_started = is_started && g_unix_set_fd_nonblocking (pipes[MESSAGES].given, TRUE, error)
               && g_unix_set_fd_nonblocking (pipes[MESSAGES].kept, TRUE, error)
               && g_unix_set_fd_nonblocking (pipes[ANSWER].kept, TRUE, error)
               && g_unix_set_fd_nonblocking (pipes[CONTROL].kept, TRUE, error);
  is_started = is_started && spawn (self, plan, pipes, output, error);
  for (guint i = 0; i < PIPES; i++)
    close_one (&pipes[i].given);
  self->control = pipes[CONTROL].kept;
  self->answer = pipes[ANSWER].kept;
  self->hold = pipes[HOLD].kept;
  self->report = pipes[REPORT].kept;
  self->messages = pipes[MESSAGES].kept;
  if (!is_started)
    return NULL;
  self->process = (int) syscall (SYS_pidfd_open, self->pid, 0);
  if (self->process < 0) {
    g_set_error (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_FAILED,
                 _ ("Linux is older than 5.3: %s"), g_strerror (errno));
    kill (self->pid, SIGKILL);
    reap (self);
    return NULL;
  }
  return g_steal_pointer (&self);
}

/* ---- waiting ---- */

/* What perf answers is taken away, or one day it would wait for room. */
static void
ping (PenPerfRun *self)
{
  guint64 times;
  char answers[256];

  (void) !read (self->timer, &times, sizeof times);
  while (read (self->answer, answers, sizeof answers) > 0)
    ;
  (void) !write (self->control, PING, strlen (PING));
}

/* Without the timer, perf writes when it likes. */
static void
start_pings (PenPerfRun *self)
{
  const struct timespec time = { .tv_nsec = PING_NS };
  const struct itimerspec often = { .it_interval = time, .it_value = time };

  self->timer = timerfd_create (CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (self->timer >= 0)
    timerfd_settime (self->timer, 0, &often, NULL);
}

/* @other: (nullable): a descriptor that is waited for, too. @timeout: ms; -1: none
 * Returns: PEN_PERF_READABLE if @other can be read; PEN_PERF_CANCELLED also after @timeout */
static PenPerfEvent
wait_for (PenPerfRun *self, int other, int timeout, GCancellable *cancellable)
{
  struct pollfd polled[] = {
    { .fd = self->process, .events = POLLIN },
    { .fd = -1, .events = POLLIN }, /* messages */
    { .fd = other, .events = POLLIN },
    { .fd = self->command, .events = POLLIN },
    { .fd = cancellable ? g_cancellable_get_fd (cancellable) : -1, .events = POLLIN },
    { .fd = self->timer, .events = POLLIN },
  };
  PenPerfEvent event = PEN_PERF_CANCELLED;
  int n = 1;

  for (gboolean is_waiting = self->process >= 0; is_waiting;) {
    polled[1].fd = self->messages;
    n = poll (polled, G_N_ELEMENTS (polled), timeout);
    if (n < 0 && errno == EINTR)
      continue;
    if (polled[1].revents != 0)
      read_messages (self);
    if (polled[5].revents != 0)
      ping (self);
    is_waiting = FALSE;
    if (n <= 0)
      event = PEN_PERF_CANCELLED;
    /* Too many announcements of modules are an error of their socket. */
    else if (other >= 0 && (polled[2].revents & (POLLIN | POLLERR)) != 0)
      event = PEN_PERF_READABLE;
    else if (polled[0].revents != 0)
      event = PEN_PERF_ENDED;
    else if (polled[3].revents != 0)
      event = PEN_PERF_COMMAND_ENDED;
    else
      is_waiting = polled[4].revents == 0;
  }
  if (polled[4].fd >= 0)
    g_cancellable_release_fd (cancellable);
  if (self->process < 0)
    return PEN_PERF_ENDED;
  if (event == PEN_PERF_ENDED)
    reap (self);
  else if (event == PEN_PERF_COMMAND_ENDED)
    close_one (&self->command);
  return event;
}

PenPerfEvent
pen_perf_run_wait (PenPerfRun *self, int other, GCancellable *cancellable)
{
  if (self->timer < 0)
    start_pings (self);
  return wait_for (self, other, -1, cancellable);
}

static gboolean
set_ended (PenPerfRun *self, PenPerfEvent event, GError **error)
{
  gboolean is_forbidden;
  g_autofree char *said = join_early (self, &is_forbidden);

  if (event == PEN_PERF_CANCELLED)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Cancelled"));
  else if (*said && is_forbidden)
    g_set_error (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_FAILED,
                 _ ("perf does not record: %s It needs root (sudo) or CAP_PERFMON; "
                    "perf_event_paranoid need not change"),
                 said);
  else if (*said)
    g_set_error (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_FAILED, _ ("perf does not record: %s"),
                 said);
  else
    g_set_error_literal (error, PEN_RECORD_ERROR, PEN_RECORD_ERROR_FAILED,
                         _ ("perf ended before it recorded anything"));
  return FALSE;
}

/* The pid that the shell wrote which becomes the command. */
static void
find_command (PenPerfRun *self, GCancellable *cancellable)
{
  char text[16] = "";

  if (self->report < 0 || wait_for (self, self->report, -1, cancellable) != PEN_PERF_READABLE)
    return;
  if (read (self->report, text, sizeof text - 1) > 0) {
    gint64 pid = g_ascii_strtoll (text, NULL, 10);

    if (pid > 1 && pid <= G_MAXINT)
      self->command = (int) syscall (SYS_pidfd_open, (pid_t) pid, 0);
  }
  close_one (&self->report);
}

gboolean
pen_perf_run_order (PenPerfRun *self, const char *order, GCancellable *cancellable, GError **error)
{
  g_autofree char *line = g_strconcat (order, "\n", NULL);
  gsize length = strlen (line);
  char answer[64];
  PenPerfEvent event;

  /* If perf has ended, the wait says so. */
  if (write (self->control, line, length) != (gssize) length && errno != EPIPE)
    return set_ended (self, PEN_PERF_ENDED, error);
  do {
    event = wait_for (self, self->answer, -1, cancellable);
  } while (event == PEN_PERF_COMMAND_ENDED);
  if (event != PEN_PERF_READABLE || read (self->answer, answer, sizeof answer) <= 0)
    return set_ended (self, event, error);
  hand_on_early (self);
  find_command (self, cancellable);
  return TRUE;
}

void
pen_perf_run_release (PenPerfRun *self)
{
  if (write (self->hold, "go\n", 3) != 3)
    close_one (&self->hold);
}

void
pen_perf_run_let_end (PenPerfRun *self)
{
  close_one (&self->hold);
}

void
pen_perf_run_interrupt (PenPerfRun *self)
{
  if (self->process >= 0)
    kill (self->pid, SIGINT);
}

GPid
pen_perf_run_get_pid (PenPerfRun *self)
{
  return self->pid;
}

int
pen_perf_run_get_status (PenPerfRun *self)
{
  return self->status;
}

/* perf ends its command; one that perf left is ended here. */
static void
end_all (PenPerfRun *self)
{
  close_one (&self->hold);
  close_one (&self->timer);
  if (self->process >= 0) {
    PenPerfEvent event;

    pen_perf_run_interrupt (self);
    do {
      event = wait_for (self, -1, PATIENCE_MS, NULL);
    } while (event == PEN_PERF_COMMAND_ENDED);
    if (event != PEN_PERF_ENDED) {
      kill (self->pid, SIGKILL);
      reap (self);
    }
  }
  if (self->command >= 0)
    syscall (SYS_pidfd_send_signal, self->command, SIGTERM, NULL, 0);
}

void
pen_perf_run_free (PenPerfRun *self)
{
  if (!self)
    return;
  if (self->pid > 0)
    end_all (self);
  close_one (&self->command);
  close_one (&self->control);
  close_one (&self->answer);
  close_one (&self->hold);
  close_one (&self->report);
  close_one (&self->messages);
  close_one (&self->timer);
  g_string_free (self->line, TRUE);
  g_clear_pointer (&self->early, g_ptr_array_unref);
  g_free (self);
}
