/* pen-kernel-watch.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-watch.h"

#include <glib/gi18n-lib.h>
#include <linux/perf_event.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "pen-list-book.h"
#include "pen-module-watch.h"
#include "pen-patch-file.h"
#include "pen-snapshots.h"
#include "pen-text-rings.h"

/* While something happens, it is looked at as often. */
#define ROUND_NS 20000000
/* Newer than the headers of some systems. */
#define RECORD_TEXT_POKE 20u

/*
 * @all: descriptors of modules, timer and rings; -1: none
 * @is_busy: the timer runs, and the rings do not wake
 * @has_news: since the lists were read
 */
struct _PenKernelWatch {
  char *directory;
  int all;
  int modules;
  int timer;
  PenTextRings *rings;
  PenListBook *lists;
  PenPatchFile *patches; /* NULL: they are not kept */
  gboolean is_busy;
  gboolean has_news;
};

/* ---- descriptors ---- */

static void
add_descriptor (PenKernelWatch *self, int descriptor)
{
  struct epoll_event event = { .events = EPOLLIN, .data.fd = descriptor };

  if (descriptor >= 0)
    epoll_ctl (self->all, EPOLL_CTL_ADD, descriptor, &event);
}

/* A burst would wake for each record. Setting the timer takes back that it went off. */
static void
set_busy (PenKernelWatch *self, gboolean is_busy)
{
  const struct itimerspec next = { .it_value.tv_nsec = is_busy ? ROUND_NS : 0 };
  guint n = self->rings ? pen_text_rings_get_n_cpus (self->rings) : 0;

  timerfd_settime (self->timer, 0, &next, NULL);
  for (guint i = 0; self->is_busy != is_busy && i < n; i++) {
    int ring = pen_text_rings_get_descriptor (self->rings, i);
    struct epoll_event event = { .events = is_busy ? 0 : EPOLLIN, .data.fd = ring };

    epoll_ctl (self->all, EPOLL_CTL_MOD, ring, &event);
  }
  self->is_busy = is_busy;
}

static void
close_one (int descriptor)
{
  if (descriptor >= 0)
    close (descriptor);
}

/* ---- all ---- */

static void
open_rings (PenKernelWatch *self, const GArray *cpus, gboolean keeps_patches, GPtrArray *lacks)
{
  g_autoptr (GError) wrong = NULL;
  const char *why = NULL;

  self->rings = pen_text_rings_open (
      cpus, keeps_patches ? PEN_TEXT_RINGS_ALL_NEWS : PEN_TEXT_RINGS_NEWS, &wrong);
  if (!self->rings)
    why = wrong->message;
  else if (keeps_patches && !pen_text_rings_has_pokes (self->rings))
    why = _ ("the kernel does not record them: they need Linux 5.9");
  else if (keeps_patches)
    self->patches = pen_patch_file_new (self->directory, self->rings);
  if (why)
    pen_record_lacks_add (lacks, keeps_patches ? PEN_LACK_PATCHES : PEN_LACK_LISTS, why);
}

PenKernelWatch *
pen_kernel_watch_new (const char *directory, const GArray *cpus, gboolean keeps_patches,
                      GPtrArray *lacks)
{
  PenKernelWatch *self = g_new0 (PenKernelWatch, 1);

  self->directory = g_strdup (directory);
  self->all = epoll_create1 (EPOLL_CLOEXEC);
  self->timer = timerfd_create (CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  self->modules = pen_module_watch_open ();
  open_rings (self, cpus, keeps_patches, lacks);
  self->lists = pen_list_book_new (directory);
  add_descriptor (self, self->timer);
  add_descriptor (self, self->modules);
  for (guint i = 0; self->rings && i < pen_text_rings_get_n_cpus (self->rings); i++)
    add_descriptor (self, pen_text_rings_get_descriptor (self->rings, i));
  return self;
}

int
pen_kernel_watch_get_descriptor (PenKernelWatch *self)
{
  return self ? self->all : -1;
}

/* ---- what happens ---- */

/* Modules that are gone again before the end are in no snapshot. */
static void
take_modules (PenKernelWatch *self)
{
  char name[PEN_MODULE_NAME_MAX];

  while (self->modules >= 0 && pen_module_watch_next (self->modules, name)) {
    pen_snapshots_add_module (self->directory, name);
    self->has_news = TRUE;
  }
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
  PenKernelWatch *self = user_data;
  const struct perf_event_header *header = (gconstpointer) record;

  if (header->type == RECORD_TEXT_POKE || header->type == PERF_RECORD_BPF_EVENT
      || header->type == PERF_RECORD_LOST)
    self->has_news = TRUE;
  if (self->patches)
    pen_patch_file_add (self->patches, record, size);
}

static void
take_records (PenKernelWatch *self)
{
  gsize given_up;

  if (!self->rings)
    return;
  given_up = pen_text_rings_drain (self->rings, take_record, self);
  if (self->patches)
    pen_patch_file_end_round (self->patches, given_up == 0);
}

void
pen_kernel_watch_take (PenKernelWatch *self)
{
  gboolean had_news = self->has_news;

  remove_ended (self);
  take_modules (self);
  take_records (self);
  had_news |= self->has_news;
  if (self->has_news && pen_list_book_may_add (self->lists, pen_snapshots_read_clock ())) {
    pen_list_book_add (self->lists);
    self->has_news = FALSE;
  }
  if (pen_list_book_is_over (self->lists))
    self->has_news = FALSE;
  set_busy (self, had_news);
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
