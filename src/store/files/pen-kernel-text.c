/* pen-kernel-text.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-kernel-text.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "pen-new-file.h"

#define MAGIC "PENKTXT1"
#define CHUNK (64u << 10)
#define PAGES_OF_CHUNK (CHUNK / PEN_KERNEL_TEXT_PAGE)
#define LEVEL 1
#define NO_CHUNK G_MAXUINT

/* All numbers are little-endian. After it, of each chunk: Chunk. */
typedef struct {
  char magic[8];
  char id[PEN_KERNEL_TEXT_ID];
  guint64 start;
  guint64 length;
} Header;

/* @pages: a bit for each of its pages that is known. @length: packed */
typedef struct {
  guint32 length;
  guint32 pages;
} Chunk;

struct _PenKernelText {
  int fd;
  char id[PEN_KERNEL_TEXT_ID + 1];
  guint64 start;
  gsize length;
  guint n_chunks;
  Chunk *chunks;
  guint64 *offsets; /* in the file */
  guint loaded;     /* the chunk in bytes, or NO_CHUNK */
  gboolean is_good;
  guint8 bytes[CHUNK];
};

static guint
count_chunks (gsize length)
{
  return (guint) ((length + CHUNK - 1) / CHUNK);
}

static gsize
get_chunk_length (gsize length, guint chunk)
{
  return MIN (length - (gsize) chunk * CHUNK, CHUNK);
}

static gboolean
read_all (int fd, void *buffer, gsize length, guint64 offset)
{
  gsize done = 0;

  while (done < length) {
    gssize got = pread (fd, (guint8 *) buffer + done, length - done, (off_t) (offset + done));

    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return FALSE;
    done += (gsize) got;
  }
  return TRUE;
}

/* ---- reading ---- */

static gboolean
set_damaged (GError **error, const char *path)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "“%s” is not a kernel's text", path);
  return FALSE;
}

static gboolean
is_own (const struct stat *status)
{
  return S_ISREG (status->st_mode) && status->st_uid == geteuid () && (status->st_mode & 022) == 0;
}

static gboolean
read_header (PenKernelText *self, guint64 size, const char *path, GError **error)
{
  Header header;
  guint64 offset = sizeof header;

  if (!read_all (self->fd, &header, sizeof header, 0)
      || memcmp (header.magic, MAGIC, sizeof header.magic) != 0)
    return set_damaged (error, path);

  memcpy (self->id, header.id, sizeof header.id);
  self->start = GUINT64_FROM_LE (header.start);
  header.length = GUINT64_FROM_LE (header.length);
  if (header.length == 0 || header.length > PEN_KERNEL_TEXT_MAX
      || header.length % PEN_KERNEL_TEXT_PAGE != 0 || header.length > G_MAXUINT64 - self->start)
    return set_damaged (error, path);

  self->length = (gsize) header.length;
  self->n_chunks = count_chunks (self->length);
  self->chunks = g_new0 (Chunk, self->n_chunks);
  self->offsets = g_new0 (guint64, self->n_chunks);
  if (!read_all (self->fd, self->chunks, self->n_chunks * sizeof (Chunk), offset))
    return set_damaged (error, path);

  offset += self->n_chunks * sizeof (Chunk);
  for (guint i = 0; i < self->n_chunks; i++) {
    self->chunks[i].length = GUINT32_FROM_LE (self->chunks[i].length);
    self->chunks[i].pages = GUINT32_FROM_LE (self->chunks[i].pages);
    self->offsets[i] = offset;
    offset += self->chunks[i].length;
  }
  return offset == size || set_damaged (error, path);
}

PenKernelText *
pen_kernel_text_open (const char *path, GError **error)
{
  g_autoptr (PenKernelText) self = g_new0 (PenKernelText, 1);
  struct stat status;

  self->loaded = NO_CHUNK;
  self->fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);
  if (self->fd < 0) {
    int code = errno;

    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "Cannot open “%s”: %s", path,
                 g_strerror (code));
    return NULL;
  }
  if (fstat (self->fd, &status) != 0 || !is_own (&status)) {
    set_damaged (error, path);
    return NULL;
  }
  if (!read_header (self, (guint64) status.st_size, path, error))
    return NULL;
  /* It is used: the cache removes first what was not for long. */
  if (futimens (self->fd, NULL) != 0)
    g_debug ("“%s”: the time of its use is not kept: %s", path, g_strerror (errno));
  return g_steal_pointer (&self);
}

void
pen_kernel_text_free (PenKernelText *self)
{
  if (!self)
    return;

  if (self->fd >= 0)
    close (self->fd);
  g_free (self->chunks);
  g_free (self->offsets);
  g_free (self);
}

const char *
pen_kernel_text_get_id (PenKernelText *self)
{
  return self->id;
}

guint64
pen_kernel_text_get_start (PenKernelText *self)
{
  return self->start;
}

gsize
pen_kernel_text_get_length (PenKernelText *self)
{
  return self->length;
}

static gboolean
unpack (PenKernelText *self, guint chunk)
{
  gsize length = self->chunks[chunk].length;
  gsize wanted = get_chunk_length (self->length, chunk);
  g_autofree guint8 *packed = NULL;

  if (length == 0 || length > ZSTD_compressBound (CHUNK))
    return FALSE;

  packed = g_malloc (length);
  return read_all (self->fd, packed, length, self->offsets[chunk])
         && ZSTD_decompress (self->bytes, sizeof self->bytes, packed, length) == wanted;
}

static gboolean
load_chunk (PenKernelText *self, guint chunk)
{
  if (self->loaded != chunk) {
    self->is_good = unpack (self, chunk);
    self->loaded = chunk;
  }
  return self->is_good;
}

static gboolean
is_known (PenKernelText *self, gsize at)
{
  guint page = (guint) (at / PEN_KERNEL_TEXT_PAGE);

  return (self->chunks[page / PAGES_OF_CHUNK].pages >> page % PAGES_OF_CHUNK & 1) != 0;
}

void
pen_kernel_text_read (PenKernelText *self, guint64 address, gsize length, guint8 *bytes,
                      guint8 *known)
{
  guint64 from = MAX (address, self->start);
  guint64 to = MIN (address + MIN (length, G_MAXUINT64 - address), self->start + self->length);

  memset (bytes, 0, length);
  memset (known, 0, length);
  for (guint64 next; from < to; from = next) {
    gsize at = (gsize) (from - self->start);
    gsize in_page = PEN_KERNEL_TEXT_PAGE - at % PEN_KERNEL_TEXT_PAGE;

    next = MIN (to, from + in_page);
    if (!is_known (self, at) || !load_chunk (self, (guint) (at / CHUNK)))
      continue;
    memcpy (bytes + (from - address), self->bytes + at % CHUNK, next - from);
    memset (known + (from - address), 1, next - from);
  }
}

/* ---- writing ---- */

static guint32
join_pages (const guint8 *pages, gsize length, guint chunk)
{
  guint32 bits = 0;

  for (guint i = 0; i < PAGES_OF_CHUNK; i++) {
    gsize page = (gsize) chunk * PAGES_OF_CHUNK + i;

    if (page < length / PEN_KERNEL_TEXT_PAGE && pages[page])
      bits |= 1u << i;
  }
  return bits;
}

static GByteArray *
pack (const char *id, guint64 start, const guint8 *bytes, gsize length, const guint8 *pages)
{
  guint n = count_chunks (length);
  gsize bound = ZSTD_compressBound (CHUNK);
  GByteArray *all = g_byte_array_new ();
  g_autofree Chunk *chunks = g_new0 (Chunk, n);
  g_autofree guint8 *packed = g_malloc (bound);
  ZSTD_CCtx *context = ZSTD_createCCtx ();
  Header header = { .start = GUINT64_TO_LE (start), .length = GUINT64_TO_LE ((guint64) length) };

  ZSTD_CCtx_setParameter (context, ZSTD_c_compressionLevel, LEVEL);
  ZSTD_CCtx_setParameter (context, ZSTD_c_checksumFlag, 1);
  memcpy (header.magic, MAGIC, sizeof header.magic);
  memcpy (header.id, id, sizeof header.id);
  g_byte_array_append (all, (const guint8 *) &header, sizeof header);
  g_byte_array_append (all, (const guint8 *) chunks, (guint) (n * sizeof *chunks));
  for (guint i = 0; i < n; i++) {
    guint32 known = join_pages (pages, length, i);
    gsize got = 0;

    if (known != 0)
      got = ZSTD_compress2 (context, packed, bound, bytes + (gsize) i * CHUNK,
                            get_chunk_length (length, i));
    if (ZSTD_isError (got))
      got = known = 0;
    chunks[i] = (Chunk){ GUINT32_TO_LE ((guint32) got), GUINT32_TO_LE (known) };
    g_byte_array_append (all, packed, (guint) got);
  }
  ZSTD_freeCCtx (context);
  memcpy (all->data + sizeof header, chunks, n * sizeof *chunks);
  return all;
}

static gboolean
write_all (int fd, const guint8 *bytes, gsize length)
{
  while (length > 0) {
    gssize done = write (fd, bytes, length);

    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return FALSE;
    bytes += done;
    length -= (gsize) done;
  }
  return TRUE;
}

char *
pen_kernel_text_write (const char *directory, const char *key, guint64 start, const guint8 *bytes,
                       gsize length, const guint8 *pages, GError **error)
{
  g_autofree char *uuid = g_uuid_string_random ();
  g_auto (GStrv) digits = g_strsplit (uuid, "-", -1);
  g_autofree char *id = g_strjoinv ("", digits);
  g_autofree char *name
      = g_strconcat (PEN_KERNEL_TEXT_PREFIX, key, "-", id, PEN_KERNEL_TEXT_SUFFIX, NULL);
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autoptr (PenNewFile) file = NULL;
  g_autoptr (GByteArray) all = NULL;

  g_return_val_if_fail (
      length > 0 && length <= PEN_KERNEL_TEXT_MAX && length % PEN_KERNEL_TEXT_PAGE == 0, NULL);
  file = pen_new_file_create (path, 0600, error);
  if (!file)
    return NULL;

  all = pack (id, start, bytes, length, pages);
  if (!write_all (file->fd, all->data, all->len)) {
    int code = errno;

    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "Cannot write “%s”: %s", path,
                 g_strerror (code));
    return NULL;
  }
  pen_new_file_begin_sync (file, NULL);
  return pen_new_file_finish (file, error) ? g_steal_pointer (&name) : NULL;
}

gboolean
pen_kernel_text_is_name (const char *name)
{
  return g_str_has_prefix (name, PEN_KERNEL_TEXT_PREFIX)
         && g_str_has_suffix (name, PEN_KERNEL_TEXT_SUFFIX) && !strchr (name, '/');
}
