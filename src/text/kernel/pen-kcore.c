/* pen-kcore.c: bytes: an ELF core as perf copies /proc/kcore
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kcore.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "pen-binary-search.h"
#include "pen-reason.h"
#include "pen-regular-file.h"

#define MAX_SEGMENTS 65536u
/* So much is read at once where less is asked for: what is asked for next is near, as a rule. */
#define WINDOW 16384u

typedef struct {
  guint64 start;
  guint64 end;
  guint64 offset; /* of start in the file */
} Segment;

struct _PenKcore {
  int fd;
  GArray *segments; /* Segment; by address, no two overlap */

  guint8 window[WINDOW]; /* read last, from window_offset on */
  guint64 window_offset;
  gsize window_length;
  gboolean has_window;
};

static int
compare_segments (gconstpointer a, gconstpointer b)
{
  const Segment *x = a;
  const Segment *y = b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void
add_segment (PenKcore *self, const GElf_Phdr *header, guint64 size)
{
  Segment segment = { .start = header->p_vaddr, .offset = header->p_offset };
  guint64 length = header->p_filesz;

  if (header->p_type != PT_LOAD || length == 0)
    return;

  if (header->p_offset >= size)
    return;

  length = MIN (length, size - header->p_offset);
  length = MIN (length, G_MAXUINT64 - header->p_vaddr);
  segment.end = segment.start + length;
  if (length > 0)
    g_array_append_val (self->segments, segment);
}

static void
cut_overlaps (GArray *segments)
{
  guint64 end = 0;
  guint n = 0;

  g_array_sort (segments, compare_segments);
  for (guint i = 0; i < segments->len; i++) {
    Segment segment = g_array_index (segments, Segment, i);

    if (segment.end <= end)
      continue;
    if (segment.start < end) {
      segment.offset += end - segment.start;
      segment.start = end;
    }
    end = segment.end;
    g_array_index (segments, Segment, n++) = segment;
  }
  g_array_set_size (segments, n);
}

static gboolean
set_invalid (GError **error, const char *path, const char *word)
{
  return pen_reason_set_error (error, G_IO_ERROR_INVALID_DATA, word, path, NULL);
}

static gboolean
read_headers (PenKcore *self, Elf *elf, const char *path, guint64 size, GError **error)
{
  GElf_Ehdr header;
  size_t n;

  if (!elf || elf_kind (elf) != ELF_K_ELF || !gelf_getehdr (elf, &header))
    return set_invalid (error, path, PEN_REASON_NOT_ELF);
  if (header.e_type != ET_CORE)
    return set_invalid (error, path, PEN_REASON_NOT_CORE);
  if (elf_getphdrnum (elf, &n) != 0)
    return set_invalid (error, path, PEN_REASON_SEGMENTS_UNREADABLE);
  if (n > MAX_SEGMENTS)
    return set_invalid (error, path, PEN_REASON_TOO_MANY_SEGMENTS);

  for (size_t i = 0; i < n; i++) {
    GElf_Phdr segment;

    if (!gelf_getphdr (elf, (int) i, &segment))
      return set_invalid (error, path, PEN_REASON_SEGMENTS_OUTSIDE);
    add_segment (self, &segment, size);
  }
  cut_overlaps (self->segments);
  return TRUE;
}

PenKcore *
pen_kcore_open (const char *path, GError **error)
{
  g_autoptr (PenKcore) self = NULL;
  guint64 size;
  Elf *elf;
  gboolean ok;
  int fd = pen_regular_file_open (path, &size, error);

  if (fd < 0)
    return NULL;

  self = g_new0 (PenKcore, 1);
  self->fd = fd;
  self->segments = g_array_new (FALSE, FALSE, sizeof (Segment));

  elf_version (EV_CURRENT);
  elf = elf_begin (fd, ELF_C_READ, NULL);
  ok = read_headers (self, elf, path, size, error);
  elf_end (elf);
  return ok ? g_steal_pointer (&self) : NULL;
}

void
pen_kcore_free (PenKcore *self)
{
  if (!self)
    return;
  close (self->fd);
  g_array_unref (self->segments);
  g_free (self);
}

/* The first segment that ends after @address. */
static guint
find_segment (PenKcore *self, guint64 address)
{
  return PEN_BINARY_SEARCH (i, 0, self->segments->len,
                            g_array_index (self->segments, Segment, i).end <= address);
}

static gsize
read_at (int fd, guint64 offset, guint8 *buffer, gsize length)
{
  gsize done = 0;

  while (done < length) {
    gssize got = pread (fd, buffer + done, length - done, (off_t) (offset + done));

    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    done += (gsize) got;
  }
  return done;
}

/* Patches are small, many, and close together. */
static gsize
read_small (PenKcore *self, guint64 offset, guint8 *buffer, gsize length)
{
  guint64 window = offset & ~(guint64) (WINDOW - 1);

  if (offset - window + length > WINDOW)
    return read_at (self->fd, offset, buffer, length);

  if (!self->has_window || self->window_offset != window) {
    self->window_length = read_at (self->fd, window, self->window, WINDOW);
    self->window_offset = window;
    self->has_window = TRUE;
  }
  if (offset - window >= self->window_length)
    return 0;
  length = MIN (length, self->window_length - (gsize) (offset - window));
  memcpy (buffer, self->window + (offset - window), length);
  return length;
}

gsize
pen_kcore_read (PenKcore *self, guint64 address, guint8 *buffer, gsize length)
{
  gsize done = 0;

  for (guint i = find_segment (self, address); i < self->segments->len && done < length; i++) {
    const Segment *segment = &g_array_index (self->segments, Segment, i);
    guint64 at = address + done;
    gsize want;
    gsize got;

    if (at < segment->start)
      break;
    want = (gsize) MIN (length - done, segment->end - at);
    got = read_small (self, segment->offset + (at - segment->start), buffer + done, want);
    done += got;
    if (got < want)
      break;
  }
  return done;
}

gboolean
pen_kcore_overlaps (PenKcore *self, guint64 start, guint64 end)
{
  for (guint i = 0; i < self->segments->len; i++) {
    const Segment *segment = &g_array_index (self->segments, Segment, i);

    if (segment->start < end && start < segment->end)
      return TRUE;
  }
  return FALSE;
}
