/* pen-test-growing.c
 *
 * The layout is described in the kernel's tools/perf/Documentation/perf.data-file-format.txt.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-test-growing.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "PERFILE2"
#define AT_DATA 40
/* Both are zero until the recorder ends. */
#define AT_DATA_SIZE 48
#define AT_FEATURES 72
#define FEATURES_SIZE 32
#define HEADER_SIZE (AT_FEATURES + FEATURES_SIZE)

struct _PenTestGrowing {
  char *path;
  char *bytes;
  gsize length;
  gsize begin; /* of the records */
  gsize end;
  gsize written;
  int fd;
};

static void
write_bytes (PenTestGrowing *self, const char *bytes, gsize at, gsize length)
{
  if (pwrite (self->fd, bytes, length, (off_t) at) != (gssize) length)
    g_error ("%s: %s", self->path, g_strerror (errno));
}

PenTestGrowing *
pen_test_growing_new (const char *place, const char *capture, guint number)
{
  g_autoptr (PenTestGrowing) self = g_new0 (PenTestGrowing, 1);
  g_autofree char *name = g_strdup_printf ("growing-%u.data", number);
  g_autofree char *data = g_build_filename (capture, "data", NULL);
  guint64 where[2];

  self->fd = -1;
  if (!g_file_get_contents (g_file_test (capture, G_FILE_TEST_IS_DIR) ? data : capture,
                            &self->bytes, &self->length, NULL)
      || self->length < HEADER_SIZE || memcmp (self->bytes, MAGIC, strlen (MAGIC)) != 0)
    return NULL;
  memcpy (where, self->bytes + AT_DATA, sizeof where);
  if (where[0] < HEADER_SIZE || where[0] > self->length || where[1] == 0
      || where[1] > self->length - where[0])
    return NULL;
  self->begin = where[0];
  self->end = where[0] + where[1];
  self->path = g_build_filename (place, name, NULL);
  self->fd = open (self->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (self->fd < 0)
    g_error ("%s: %s", self->path, g_strerror (errno));
  return g_steal_pointer (&self);
}

void
pen_test_growing_free (PenTestGrowing *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->path);
  g_free (self->bytes);
  g_free (self);
}

const char *
pen_test_growing_get_path (const PenTestGrowing *self)
{
  return self->path;
}

static void
begin (PenTestGrowing *self)
{
  g_autofree char *head = g_memdup2 (self->bytes, self->begin);

  memset (head + AT_DATA_SIZE, 0, sizeof (guint64));
  memset (head + AT_FEATURES, 0, FEATURES_SIZE);
  write_bytes (self, head, 0, self->begin);
  self->written = self->begin;
}

void
pen_test_growing_write (PenTestGrowing *self, double share)
{
  gsize up_to = self->begin + (gsize) (share * (double) (self->end - self->begin));

  if (self->written == 0)
    begin (self);
  if (share >= 1)
    up_to = self->length;
  if (up_to > self->written) {
    write_bytes (self, self->bytes + self->written, self->written, up_to - self->written);
    self->written = up_to;
  }
  if (share >= 1)
    write_bytes (self, self->bytes, 0, HEADER_SIZE);
}
