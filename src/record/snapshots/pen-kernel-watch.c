/* pen-kernel-watch.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-watch.h"

#include <glib/gi18n-lib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "pen-list-book.h"
#include "pen-module-watch.h"
#include "pen-patch-file.h"
#include "pen-snapshots.h"
#include "pen-text-rings.h"

/* An event of our own that tells of programs or patches would tell when something happens. But
 * before a record of these is written for a second event, the kernel adds to its size once more
 * (perf_event_bpf_output() in kernel/events/core.c): perf could not read its own any more. */
#define ROUND_NS 100000000

/*
 * @all: descriptors of modules, timer and rings; -1: none
 * @rings, @patches: NULL: patches are not kept
 */
struct _PenKernelWatch {
  char *directory;
  int all;
  int modules;
  int timer;
  PenTextRings *rings;
  PenListBook *lists;
  PenPatchFile *patches;
};

/* ---- descriptors ---- */

static void
add_descriptor (PenKernelWatch *self, int descriptor)
{
  struct epoll_event event = { .events = EPOLLIN, .data.fd = descriptor };

  if (descriptor >= 0)
    epoll_ctl (self->all, EPOLL_CTL_ADD, descriptor, &event);
}

static void
close_one (int descriptor)
{
  if (descriptor >= 0)
    close (descriptor);
}

/* ---- all ---- */

/* perf has no such event: ours is the only one. */
static void
open_patches (PenKernelWatch *self, const GArray *cpus, GPtrArray *lacks)
{
  g_autoptr (GError) wrong = NULL;
  const char *why = NULL;

  self->rings = pen_text_rings_open (cpus, PEN_TEXT_RINGS_PATCHES, &wrong);
  if (!self->rings)
    why = wrong->message;
  else if (!pen_text_rings_has_pokes (self->rings))
    why = _ ("the kernel does not record them: they need Linux 5.9");
  else
    self->patches = pen_patch_file_new (self->directory, self->rings);
  if (why)
    pen_record_lacks_add (lacks, PEN_LACK_PATCHES, why);
  for (guint i = 0; self->rings && i < pen_text_rings_get_n_cpus (self->rings); i++)
    add_descriptor (self, pen_text_rings_get_descriptor (self->rings, i));
}

PenKernelWatch *
pen_kernel_watch_new (const char *directory, const GArray *cpus, gboolean keeps_patches,
                      GPtrArray *lacks)
{
  const struct itimerspec rounds
      = { .it_value.tv_nsec = ROUND_NS, .it_interval.tv_nsec = ROUND_NS };
  PenKernelWatch *self = g_new0 (PenKernelWatch, 1);

  self->directory = g_strdup (directory);
  self->all = epoll_create1 (EPOLL_CLOEXEC);
  self->timer = timerfd_create (CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  self->modules = pen_module_watch_open ();
  self->lists = pen_list_book_new (directory);
  add_descriptor (self, self->timer);
  add_descriptor (self, self->modules);
  if (keeps_patches)
    open_patches (self, cpus, lacks);
  timerfd_settime (self->timer, 0, &rounds, NULL);
  return self;
}

int
pen_kernel_watch_get_descriptor (PenKernelWatch *self)
{
  return self ? self->all : -1;
}

/* ---- what happens ---- */

/* Modules that are gone again before the end are in no snapshot. */
static gboolean
take_modules (PenKernelWatch *self)
{
  char name[PEN_MODULE_NAME_MAX];
  gboolean has_any = FALSE;

  while (self->modules >= 0 && pen_module_watch_next (self->modules, name)) {
    pen_snapshots_add_module (self->directory, name);
    has_any = TRUE;
  }
  return has_any;
}

/* An event of a CPU that went offline is ready for ever. */
static void
remove_ended (PenKernelWatch *self)
{
  struct epoll_event events[64];
  int n = epoll_wait (self->all, events, G_N_ELEMENTS (events), 0);

  for (int i = 0; i < n; i++)
    if ((events[i].events & EPOLLHUP) != 0)
      epoll_ctl (self->all, EPOLL_CTL_DEL, events[i].data.fd, NULL);
}

static void
take_record (const guint8 *record, guint32 size, gpointer user_data)
{
  pen_patch_file_add (user_data, record, size);
}

static void
take_records (PenKernelWatch *self)
{
  if (self->patches)
    pen_patch_file_end_round (self->patches,
                              pen_text_rings_drain (self->rings, take_record, self->patches) == 0);
}

void
pen_kernel_watch_take (PenKernelWatch *self)
{
  guint64 rounds;
  gboolean has_round = read (self->timer, &rounds, sizeof rounds) > 0;

  remove_ended (self);
  has_round |= take_modules (self);
  take_records (self);
  if (has_round && pen_list_book_may_add (self->lists, pen_snapshots_read_clock ()))
    pen_list_book_add (self->lists);
}

void
pen_kernel_watch_close (PenKernelWatch *self, GPtrArray *lacks)
{
  if (!self)
    return;
  take_records (self);
  pen_patch_file_close (self->patches, lacks);
  close_one (self->all);
  close_one (self->timer);
  close_one (self->modules);
  g_clear_pointer (&self->rings, pen_text_rings_free);
  pen_list_book_close (self->lists, lacks);
  g_free (self->directory);
  g_free (self);
}
