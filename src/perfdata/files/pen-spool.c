/* pen-spool.c: a capture that cannot be read where it is, put into a temporary file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-spool.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "pen-reader.h"
#include "pen-reason.h"
#include "pen-decompressor.h"

#define INPUT_SIZE (64 * 1024)
#define OUTPUT_SIZE (256 * 1024)

#define RATIO_MAX 200
#define SIZE_ALWAYS_ALLOWED (256ull * 1024 * 1024)

/*
 * @offset: of the source, up to which it has been read into @input
 * @taken, @filled: what of @input has been used, and how much is in it
 */
typedef struct {
  PenFile *source;
  PenWrapper wrapper;
  PenDecompressor *decompressor;
  GCancellable *cancellable;
  guint64 offset;
  guint8 *input;
  gsize taken;
  gsize filled;
  gboolean is_last;
  guint8 *output;
  int fd;
  guint64 written;
  guint64 written_max;
  guint8 head[PEN_MAGIC_LENGTH];
  gsize head_length;
} Spool;

static const char *
get_directory (void)
{
  const char *chosen = g_getenv ("TMPDIR");

  if (chosen && *chosen)
    return chosen;
  return g_access ("/var/tmp", W_OK | X_OK) == 0 ? "/var/tmp" : g_get_tmp_dir ();
}

static gboolean
set_write_error (const Spool *self, int saved_errno, GError **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved_errno),
               _ ("“%s” needs a temporary file, and “%s” cannot be written: %s. Set TMPDIR to a "
                  "directory with free space"),
               self->source->path, get_directory (), g_strerror (saved_errno));
  return FALSE;
}

static gboolean
open_temporary (Spool *self, GError **error)
{
  const char *directory = get_directory ();
  g_autofree char *template = NULL;
  struct statvfs info;

  self->fd = open (directory, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (self->fd < 0) {
    /* Not all file systems have files without a name. */
    template = g_build_filename (directory, "pentimento-XXXXXX", NULL);
    self->fd = g_mkstemp_full (template, O_RDWR | O_CLOEXEC, 0600);
    if (self->fd < 0)
      return set_write_error (self, errno, error);
    g_unlink (template);
  }
  if (fstatvfs (self->fd, &info) < 0)
    return set_write_error (self, errno, error);
  self->written_max = (guint64) info.f_bavail * info.f_frsize / 2;
  return TRUE;
}

/* Checks the first bytes: a file that is not perf.data is not unpacked to its end. */
static gboolean
check_contents (Spool *self, GError **error)
{
  if (pen_magic_is_perf_data (self->head, self->head_length))
    return TRUE;

  if (self->written == 0)
    g_set_error (error, PEN_READER_ERROR, PEN_READER_ERROR_EMPTY,
                 _ ("“%s” is compressed by %s, and empty"), self->source->path,
                 pen_wrapper_get_name (self->wrapper));
  else
    g_set_error (error, PEN_READER_ERROR, PEN_READER_ERROR_NOT_PERF_DATA,
                 _ ("“%s” is compressed by %s, and does not contain a perf.data file: %s"),
                 self->source->path, pen_wrapper_get_name (self->wrapper),
                 pen_magic_describe (self->head, self->head_length));
  return FALSE;
}

static gboolean
check_size (Spool *self, GError **error)
{
  guint64 used = self->offset - (self->filled - self->taken);

  if (self->written > self->written_max) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                 _ ("“%s” needs a temporary file of more than half of the free space in “%s”. Set "
                    "TMPDIR to a directory with more free space"),
                 self->source->path, get_directory ());
    return FALSE;
  }
  if (self->wrapper != PEN_WRAPPER_NONE && self->written > SIZE_ALWAYS_ALLOWED
      && self->written / RATIO_MAX > used) {
    g_set_error (error, PEN_READER_ERROR, PEN_READER_ERROR_DAMAGED,
                 _ ("“%s” is more than %u times as large when unpacked, unlike any recording: it "
                    "is damaged, or made to fill the disk. If you trust it, unpack it first"),
                 self->source->path, RATIO_MAX);
    return FALSE;
  }
  return TRUE;
}

static gboolean
fill_input (Spool *self, GError **error)
{
  gssize got;

  memmove (self->input, self->input + self->taken, self->filled - self->taken);
  self->filled -= self->taken;
  self->taken = 0;
  if (self->is_last)
    return TRUE;
  if (self->filled == INPUT_SIZE) {
    g_set_error (
        error, PEN_READER_ERROR, PEN_READER_ERROR_DAMAGED,
        _ ("“%s” is compressed by %s, and the compressed data is damaged: get another copy"),
        self->source->path, pen_wrapper_get_name (self->wrapper));
    return FALSE;
  }

  got = pen_file_read (self->source, self->offset, self->input + self->filled,
                       INPUT_SIZE - self->filled, error);
  if (got < 0)
    return FALSE;
  self->is_last = (gsize) got < INPUT_SIZE - self->filled;
  self->filled += (gsize) got;
  self->offset += (guint64) got;
  return TRUE;
}

static gboolean
put_output (Spool *self, gsize length, GError **error)
{
  gboolean had_head = self->head_length == sizeof self->head;
  gsize missing = MIN (length, sizeof self->head - self->head_length);

  memcpy (self->head + self->head_length, self->output, missing);
  self->head_length += missing;
  for (gsize done = 0; done < length;) {
    ssize_t n = write (self->fd, self->output + done, length - done);

    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return set_write_error (self, errno, error);
    done += (gsize) n;
  }
  self->written += length;
  if (!had_head && self->head_length == sizeof self->head && !check_contents (self, error))
    return FALSE;
  return check_size (self, error);
}

static const char *
describe_damage (const char *reason)
{
  if (g_str_equal (reason, PEN_REASON_PACKED_CUT_OFF))
    return _ ("ends too early");
  if (g_str_equal (reason, PEN_REASON_PACKED_TOO_LARGE))
    return _ ("needs more memory than any recording's would");
  return _ ("is damaged");
}

/* TRUE: all that there is, or all that is good, has been written. */
static gboolean
run (Spool *self, PenProblems *problems, GError **error)
{
  PenDecompressorState state = PEN_DECOMPRESSOR_GOES_ON;

  if (!fill_input (self, error))
    return FALSE;
  while (state == PEN_DECOMPRESSOR_GOES_ON) {
    gsize taken, made;

    if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
      return FALSE;
    state = pen_decompressor_run (self->decompressor, self->input + self->taken,
                                  self->filled - self->taken, self->is_last, self->output,
                                  OUTPUT_SIZE, &taken, &made);
    self->taken += taken;
    if (made > 0 && !put_output (self, made, error))
      return FALSE;
    if (made == 0 && state == PEN_DECOMPRESSOR_GOES_ON && !fill_input (self, error))
      return FALSE;
  }

  if (state == PEN_DECOMPRESSOR_DAMAGED) {
    const char *reason = pen_decompressor_get_reason (self->decompressor);
    g_autofree char *text = pen_reason_new (reason, pen_wrapper_get_name (self->wrapper), NULL);

    if (self->written == 0) {
      g_set_error (error, PEN_READER_ERROR, PEN_READER_ERROR_DAMAGED,
                   _ ("“%s” is compressed by %s, and the compressed data %s: get another copy"),
                   self->source->path, pen_wrapper_get_name (self->wrapper),
                   describe_damage (reason));
      return FALSE;
    }
    pen_problems_add (problems, PEN_PROBLEM_ENDED, 0, self->offset - (self->filled - self->taken),
                      0, text);
  }
  return TRUE;
}

PenFile *
pen_spool (PenFile *source, PenWrapper wrapper, PenProblems *problems, GCancellable *cancellable,
           GError **error)
{
  g_autoptr (PenDecompressor) decompressor = pen_decompressor_new (wrapper);
  g_autofree guint8 *input = g_malloc (INPUT_SIZE);
  g_autofree guint8 *output = g_malloc (OUTPUT_SIZE);
  Spool self = { .source = source,
                 .wrapper = wrapper,
                 .decompressor = decompressor,
                 .cancellable = cancellable,
                 .input = input,
                 .output = output,
                 .fd = -1 };

  if (open_temporary (&self, error) && run (&self, problems, error)
      && (wrapper == PEN_WRAPPER_NONE || check_contents (&self, error)))
    return pen_file_new_for_temporary (self.fd, source, self.written);

  if (self.fd >= 0)
    close (self.fd);
  return NULL;
}
