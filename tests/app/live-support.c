/* live-support.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "live-support.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define KERNEL 0xffffffff81000000
#define PROGRAMS 0xffffffffc0010000
#define N_PROGRAMS 80u
#define SPACING (LIVE_SECOND / 1000)
/* Looked at: neither the first nor the last. */
#define CHOSEN 40u
/* The layout is described in the kernel's tools/perf/Documentation/perf.data-file-format.txt. */
#define AT_DATA 40
#define AT_DATA_SIZE 48

/* Later ones lie below. */
static void
add_program (PenTestCapture *capture, guint i)
{
  g_autofree char *name = g_strdup_printf ("bpf_prog_%02u", i);

  pen_test_capture_add_ksymbol (capture, PROGRAMS - i * 0x100, 0x80, 1, 0, name);
}

static PenTestCapture *
make_capture (void)
{
  static const guint8 nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  static const guint8 call[] = { 0xe8, 0x10, 0x20, 0x30, 0x00 };
  PenTestCapture *capture = pen_test_capture_new ();

  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_CLOCK);
  pen_test_capture_add_event (capture, &PEN_TEST_EVENT_DUMMY);
  pen_test_capture_as_recorder (capture);
  pen_test_capture_add_mmap (capture, PEN_TEST_KERNEL, -1, 0, KERNEL, 0xe00000, KERNEL,
                             "[kernel.kallsyms]_text");
  pen_test_capture_add_comm (capture, 42, 42, FALSE, "worker");
  pen_test_capture_at (capture, LIVE_START, 42, 42, 0);
  for (guint i = 0; i < N_PROGRAMS / 2; i++)
    add_program (capture, i);
  add_program (capture, CHOSEN);
  for (guint i = 0; i < LIVE_SAMPLES; i++) {
    guint program = i % (i < LIVE_SAMPLES / 2 ? N_PROGRAMS / 2 : N_PROGRAMS);

    pen_test_capture_at (capture, LIVE_START + i * SPACING, 42, 42, i % PEN_TEST_CPUS);
    if (i == LIVE_SAMPLES / 2)
      for (guint k = CHOSEN + 1; k < N_PROGRAMS; k++)
        add_program (capture, k);
    if (i % 1000 == 500)
      pen_test_capture_add_text_poke (capture, PROGRAMS - CHOSEN * 0x100,
                                      i % 2000 == 500 ? nop : call, 5, i % 2000 == 500 ? call : nop,
                                      5);
    pen_test_capture_add_sample (capture, PEN_TEST_KERNEL,
                                 PROGRAMS - (i % 5 == 0 ? CHOSEN : program) * 0x100 + 0x10, 1);
  }
  return capture;
}

void
live_recorder_init (LiveRecorder *self)
{
  g_autoptr (PenTestCapture) capture = make_capture ();
  g_autofree char *written = app_support_temporary ("written.data");
  g_autoptr (GError) error = NULL;

  pen_test_capture_write (capture, written, PEN_TEST_CAPTURE_UNTERMINATED, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (written, &self->bytes, &self->length, NULL));
  self->path = app_support_temporary ("growing.data");
  self->fd = open (self->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  self->done = 0;
}

void
live_recorder_write (LiveRecorder *self, guint share)
{
  gsize end = self->length * share / 100;

  g_assert_cmpint (write (self->fd, self->bytes + self->done, end - self->done), ==,
                   (gssize) (end - self->done));
  self->done = end;
}

void
live_recorder_end (LiveRecorder *self)
{
  guint64 begin;
  guint64 size;

  live_recorder_write (self, 100);
  memcpy (&begin, self->bytes + AT_DATA, sizeof begin);
  size = self->length - begin;
  g_assert_cmpint (pwrite (self->fd, &size, sizeof size, AT_DATA_SIZE), ==, sizeof size);
  close (self->fd);
}

void
live_recorder_clear (LiveRecorder *self)
{
  g_unlink (self->path);
  g_free (self->path);
  g_free (self->bytes);
}

PenWindow *
live_recorder_open (LiveRecorder *self, guint share)
{
  PenWindow *window;

  live_recorder_init (self);
  live_recorder_write (self, share);
  window = window_support_open_path (self->path);
  g_assert_cmpint (pen_session_get_live (window->session), ==, PEN_LIVE_RUNNING);
  return window;
}
