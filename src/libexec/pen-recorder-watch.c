/* pen-recorder-watch.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-recorder-watch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define LOOK_MS 200

enum { QUIT, SOCKET, PROCESS, TIMER, SIGNALS, WATCHED };

struct PenRecorderWatch {
  GThread *thread;
  int descriptors[WATCHED];
  guint seconds;
  PenRecorderPlace *place;
  GCancellable *cancellable;
  PenRecorderEnd end; /* of the thread, until it ends */
};

/* Returns: FALSE: nothing has come yet */
static gboolean
find_end (PenRecorderWatch *self, const struct pollfd *polled)
{
  if (polled[SOCKET].revents != 0 || polled[SIGNALS].revents != 0)
    self->end = PEN_RECORDER_STOPPED;
  else if (polled[PROCESS].revents != 0)
    self->end = PEN_RECORDER_GONE;
  else if (polled[TIMER].revents != 0)
    self->end = PEN_RECORDER_TIME;
  else if (!pen_recorder_place_has_space (self->place))
    self->end = PEN_RECORDER_FULL;
  else
    return FALSE;
  return TRUE;
}

static gpointer
watch (gpointer data)
{
  PenRecorderWatch *self = data;
  struct pollfd polled[WATCHED];
  gboolean has_end = FALSE;

  for (guint i = 0; i < WATCHED; i++)
    polled[i] = (struct pollfd){ .fd = self->descriptors[i], .events = POLLIN };
  while (!has_end) {
    int n = poll (polled, WATCHED, LOOK_MS);

    if (n < 0 && errno != EINTR)
      return NULL;
    if (n > 0 && polled[QUIT].revents != 0)
      return NULL;
    has_end = n >= 0 && find_end (self, polled);
  }
  g_cancellable_cancel (self->cancellable);
  return NULL;
}

static int
open_signals (void)
{
  sigset_t set;

  sigemptyset (&set);
  sigaddset (&set, SIGHUP);
  sigaddset (&set, SIGINT);
  sigaddset (&set, SIGTERM);
  return signalfd (-1, &set, SFD_CLOEXEC);
}

PenRecorderWatch *
pen_recorder_watch_new (int socket, int process, PenRecorderPlace *place, guint seconds,
                        GCancellable *cancellable)
{
  PenRecorderWatch *self = g_new0 (PenRecorderWatch, 1);

  self->descriptors[QUIT] = eventfd (0, EFD_CLOEXEC);
  self->descriptors[SOCKET] = socket;
  self->descriptors[PROCESS] = process;
  self->descriptors[TIMER] = timerfd_create (CLOCK_BOOTTIME, TFD_CLOEXEC);
  self->descriptors[SIGNALS] = open_signals ();
  self->seconds = seconds;
  self->place = place;
  self->cancellable = g_object_ref (cancellable);
  self->end = PEN_RECORDER_PERF;
  self->thread = g_thread_new ("watch", watch, self);
  return self;
}

void
pen_recorder_watch_begin (PenRecorderWatch *self)
{
  const struct itimerspec end = { .it_value.tv_sec = self->seconds };

  timerfd_settime (self->descriptors[TIMER], 0, &end, NULL);
}

PenRecorderEnd
pen_recorder_watch_free (PenRecorderWatch *self)
{
  PenRecorderEnd end;
  const guint64 one = 1;

  (void) !write (self->descriptors[QUIT], &one, sizeof one);
  g_thread_join (self->thread);
  end = self->end;
  for (guint i = 0; i < WATCHED; i++) {
    if (i != SOCKET && i != PROCESS && self->descriptors[i] >= 0)
      close (self->descriptors[i]);
  }
  g_object_unref (self->cancellable);
  g_free (self);
  return end;
}
