/* pen-fuzz.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_FILES 6

volatile guint64 pen_fuzz_sink;
gboolean pen_fuzz_is_replay;
guint pen_fuzz_mutations = 16;

static char *directory;
/* What pen_fuzz_write_capture() makes: all below @directory, made once. */
static char *capture;
static char *files[MAX_FILES];

static void
remove_directory (void)
{
  g_autofree char *kcore_dir = g_build_filename (capture, "kcore_dir", NULL);
  const char *const directories[] = { kcore_dir, capture, directory };

  for (guint i = 0; i < G_N_ELEMENTS (directories); i++) {
    g_autoptr (GDir) dir = g_dir_open (directories[i], 0, NULL);
    const char *name;

    while (dir && (name = g_dir_read_name (dir))) {
      g_autofree char *path = g_build_filename (directories[i], name, NULL);

      g_unlink (path);
    }
    g_rmdir (directories[i]);
  }
}

static void
make_directory (void)
{
  static const char *const names[MAX_FILES] = {
    "data", "kcore_dir/kallsyms", "kcore_dir/modules", "kcore_dir/kcore", "data.0", "data.1"
  };
  const char *parent = g_access ("/dev/shm", W_OK) == 0 ? "/dev/shm" : g_get_tmp_dir ();
  g_autofree char *kcore_dir = NULL;

  directory = g_build_filename (parent, "pen-fuzz-XXXXXX", NULL);
  g_assert_nonnull (g_mkdtemp (directory));
  capture = g_build_filename (directory, "capture", NULL);
  kcore_dir = g_build_filename (capture, "kcore_dir", NULL);
  g_assert_cmpint (g_mkdir_with_parents (kcore_dir, 0700), ==, 0);
  for (guint i = 0; i < MAX_FILES; i++)
    files[i] = g_build_filename (capture, names[i], NULL);
  atexit (remove_directory);
}

const char *
pen_fuzz_get_directory (void)
{
  if (!directory)
    make_directory ();
  return directory;
}

int
LLVMFuzzerInitialize (G_GNUC_UNUSED int *argc, G_GNUC_UNUSED char ***argv)
{
  /* A caller that broke a rule of GLib's or of ours is a finding, too. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
  return 0;
}

guint
pen_fuzz_hash (const guint8 *data, gsize size)
{
  guint hash = 5381;

  for (gsize i = 0; i < size; i++)
    hash = hash * 33 + data[i];
  return hash;
}

static void
write_all (int fd, const guint8 *data, gsize size)
{
  gsize done = 0;

  while (done < size) {
    ssize_t n = pwrite (fd, data + done, size - done, (off_t) done);

    if (n < 0 && errno == EINTR)
      continue;
    g_assert_cmpint (n, >, 0);
    done += (gsize) n;
  }
  /* Afterwards: pages that are written again need not be made again. */
  g_assert_cmpint (ftruncate (fd, (off_t) size), ==, 0);
}

void
pen_fuzz_write (const char *path, const guint8 *data, gsize size)
{
  int fd = g_open (path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  write_all (fd, data, size);
  close (fd);
}

const char *
pen_fuzz_write_memory (const guint8 *data, gsize size)
{
  static char path[64];
  static int fd = -1;

  if (fd < 0) {
    fd = memfd_create ("capture", MFD_CLOEXEC);
    g_assert_cmpint (fd, >=, 0);
    g_snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  }
  write_all (fd, data, size);
  return path;
}

guint64
pen_fuzz_take (PenFuzzBytes *self, guint n_bytes)
{
  guint64 value = 0;

  for (guint i = 0; i < n_bytes && self->at < self->end; i++)
    value |= (guint64) *self->at++ << (8 * i);
  return value;
}

const guint8 *
pen_fuzz_take_bytes (PenFuzzBytes *self, gsize *length)
{
  const guint8 *bytes = self->at;

  *length = MIN (*length, (gsize) (self->end - self->at));
  self->at += *length;
  return bytes;
}

gboolean
pen_fuzz_next_file (PenFuzzBytes *self, const guint8 **file, gsize *length)
{
  const guint8 *separator;

  if (!self->at)
    return FALSE;

  *file = self->at;
  separator = memmem (self->at, (gsize) (self->end - self->at), PEN_FUZZ_SEPARATOR,
                      strlen (PEN_FUZZ_SEPARATOR));
  *length = (gsize) ((separator != NULL ? separator : self->end) - self->at);
  self->at = separator ? separator + strlen (PEN_FUZZ_SEPARATOR) : NULL;
  return TRUE;
}

const char *
pen_fuzz_write_capture (const guint8 *data, gsize size)
{
  PenFuzzBytes bytes = { data, data + size };
  const guint8 *file;
  gsize length;

  /* libFuzzer's first input is empty, and may be NULL. */
  if (size == 0 || !memmem (data, size, PEN_FUZZ_SEPARATOR, strlen (PEN_FUZZ_SEPARATOR)))
    return pen_fuzz_write_memory (data, size);

  pen_fuzz_get_directory ();
  for (guint i = 0; i < MAX_FILES; i++) {
    if (pen_fuzz_next_file (&bytes, &file, &length))
      pen_fuzz_write (files[i], file, length);
    else
      g_unlink (files[i]);
  }
  return capture;
}

void
pen_fuzz_touch_bytes (const guint8 *bytes, gsize length)
{
  guint64 sum = 0;

  for (gsize i = 0; i < length; i++)
    sum += bytes[i];
  pen_fuzz_touch (sum);
}

void
pen_fuzz_touch_string (const char *text)
{
  if (text)
    pen_fuzz_touch_bytes ((const guint8 *) text, strlen (text));
}
