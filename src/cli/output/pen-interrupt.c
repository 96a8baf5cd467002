/* pen-interrupt.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-interrupt.h"

#include <signal.h>

/* A shell ignores them for background jobs: that stays so. */
static void
add_unless_ignored (sigset_t *set, int number)
{
  struct sigaction action;

  if (sigaction (number, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
    sigaddset (set, number);
}

/* Unlike a handler, a thread that waits for the signals may lock and wake others. */
static gpointer
wait_for_signals (gpointer user_data)
{
  g_autoptr (GCancellable) cancellable = user_data;
  sigset_t set;
  int number;

  pthread_sigmask (SIG_BLOCK, NULL, &set);
  if (sigwait (&set, &number) != 0)
    return NULL;
  g_cancellable_cancel (cancellable);

  if (sigwait (&set, &number) != 0)
    return NULL;
  signal (number, SIG_DFL);
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
  raise (number);
  return NULL;
}

GCancellable *
pen_interrupt_watch (void)
{
  GCancellable *cancellable = g_cancellable_new ();
  sigset_t set;

  signal (SIGPIPE, SIG_IGN);
  /* Beyond a limit on file sizes, write() fails instead. */
  signal (SIGXFSZ, SIG_IGN);
  sigemptyset (&set);
  add_unless_ignored (&set, SIGINT);
  add_unless_ignored (&set, SIGTERM);
  pthread_sigmask (SIG_BLOCK, &set, NULL);
  g_thread_unref (g_thread_new ("signals", wait_for_signals, g_object_ref (cancellable)));
  return cancellable;
}
