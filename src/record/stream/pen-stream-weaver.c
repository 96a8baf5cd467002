/* pen-stream-weaver.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-stream-weaver.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "pen-text-rings.h"
#include "pen-weave.h"

#define ROUND_MS 100
#define READ_BYTES (256u << 10)
/* perf ends a round whenever it has read its own rings. */
#define WAITING_MAX (16u << 20)

/*
 * @input: read here; @given: perf's
 * @waiting: records of the rings that are not in the stream yet
 */
struct _PenStreamWeaver {
  PenTextRings *rings;
  PenWeave *weave;
  int input;
  int given;
  GThread *thread;
  int is_over; /* atomic: perf has ended */
  GByteArray *waiting;
  GByteArray *out;
  int error; /* of writing */
};

static void
close_one (int *descriptor)
{
  if (*descriptor >= 0)
    close (*descriptor);
  *descriptor = -1;
}

/* ---- what is added ---- */

static void
add_events (GByteArray *to, gpointer user_data)
{
  pen_text_rings_describe (((PenStreamWeaver *) user_data)->rings, PEN_TEXT_EVENT_CHANGES, to);
}

static void
keep_record (const guint8 *record, guint32 size, gpointer user_data)
{
  PenStreamWeaver *self = user_data;

  g_byte_array_append (self->waiting, record, size);
}

static void
add_records (GByteArray *to, gpointer user_data)
{
  PenStreamWeaver *self = user_data;

  pen_text_rings_drain (self->rings, keep_record, self);
  g_byte_array_append (to, self->waiting->data, self->waiting->len);
  g_byte_array_set_size (self->waiting, 0);
}

/* ---- the thread ---- */

static gboolean
write_out (PenStreamWeaver *self)
{
  gsize at = 0;

  while (at < self->out->len) {
    gssize n = write (STDOUT_FILENO, self->out->data + at, self->out->len - at);

    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      self->error = errno;
      return FALSE;
    }
    at += (gsize) n;
  }
  g_byte_array_set_size (self->out, 0);
  return TRUE;
}

/* What waits is bounded also while perf writes nothing, or nothing that it could be put into. */
static gboolean
bound_waiting (PenStreamWeaver *self)
{
  if (pen_weave_is_plain (self->weave))
    g_byte_array_set_size (self->waiting, 0);
  if (self->waiting->len > WAITING_MAX)
    pen_weave_add_records (self->weave, self->out);
  return write_out (self);
}

static gboolean
can_read (PenStreamWeaver *self)
{
  struct pollfd polled = { .fd = self->input, .events = POLLIN };

  return poll (&polled, 1, 0) > 0;
}

static gpointer
run (gpointer data)
{
  PenStreamWeaver *self = data;
  g_autofree guint8 *bytes = g_malloc (READ_BYTES);
  gssize n = 1;

  while (n != 0) {
    gboolean is_over = g_atomic_int_get (&self->is_over) != 0;

    pen_text_rings_wait (self->rings, is_over ? 0 : ROUND_MS, self->input);
    pen_text_rings_drain (self->rings, keep_record, self);
    if (!bound_waiting (self))
      break;
    if (!can_read (self)) {
      /* Whoever else has it open writes no recording. */
      n = is_over ? 0 : 1;
      continue;
    }
    n = read (self->input, bytes, READ_BYTES);
    if (n < 0 && errno == EINTR)
      continue;
    n = MAX (n, 0);
    pen_weave_feed (self->weave, bytes, (gsize) n, self->out);
    if (!write_out (self))
      break;
  }
  if (self->error == 0) {
    pen_weave_end (self->weave, self->out);
    write_out (self);
  }
  close_one (&self->input);
  return NULL;
}

/* ---- all ---- */

PenStreamWeaver *
pen_stream_weaver_new (const GArray *cpus, GError **error)
{
  g_autoptr (PenStreamWeaver) self = g_new0 (PenStreamWeaver, 1);
  const PenWeaveFuncs funcs
      = { .add_events = add_events, .add_records = add_records, .user_data = self };
  int ends[2];

  self->input = self->given = -1;
  self->weave = pen_weave_new (&funcs);
  self->waiting = g_byte_array_new ();
  self->out = g_byte_array_new ();
  self->rings = pen_text_rings_open (cpus, PEN_TEXT_RINGS_PATCHES, error);
  if (!self->rings)
    return NULL;
  if (!pen_text_rings_has_pokes (self->rings)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                         _ ("the kernel does not record them: they need Linux 5.9"));
    return NULL;
  }
  if (!g_unix_open_pipe (ends, FD_CLOEXEC, error))
    return NULL;
  self->input = ends[0];
  self->given = ends[1];
  return g_steal_pointer (&self);
}

int
pen_stream_weaver_get_input (PenStreamWeaver *self)
{
  return self->given;
}

void
pen_stream_weaver_start (PenStreamWeaver *self)
{
  close_one (&self->given);
  self->thread = g_thread_new ("pen-stream", run, self);
}

gboolean
pen_stream_weaver_finish (PenStreamWeaver *self, gboolean *has_patches, GError **error)
{
  g_atomic_int_set (&self->is_over, 1);
  g_clear_pointer (&self->thread, g_thread_join);
  *has_patches = pen_weave_has_events (self->weave);
  if (self->error == 0 || self->error == EPIPE)
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (self->error), _ ("standard output: %s"),
               g_strerror (self->error));
  return FALSE;
}

void
pen_stream_weaver_free (PenStreamWeaver *self)
{
  if (!self)
    return;
  g_atomic_int_set (&self->is_over, 1);
  g_clear_pointer (&self->thread, g_thread_join);
  close_one (&self->input);
  close_one (&self->given);
  g_clear_pointer (&self->rings, pen_text_rings_free);
  g_clear_pointer (&self->weave, pen_weave_free);
  g_byte_array_unref (self->waiting);
  g_byte_array_unref (self->out);
  g_free (self);
}
