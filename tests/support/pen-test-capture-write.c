/* pen-test-capture-write.c: the shapes of a capture on disk
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <zstd.h>

#include "pen-test-capture-private.h"

#define THREAD_FILES 2
#define TYPE_HEADER_ATTR 64
#define TYPE_EVENT_UPDATE 78
#define TYPE_HEADER_FEATURE 80
#define TYPE_COMPRESSED 81
#define TYPE_COMPRESSED2 83

/* How much goes into one compressed record: small and odd, so that records straddle. */
#define COMPRESSED_PIECE 1021
#define COMPRESSED_MMAP_LENGTH 528384

/* One file of records. */
typedef struct {
  GByteArray *bytes;
  GByteArray *pending; /* waits to be compressed */
  ZSTD_CCtx *context;
  gboolean is_big;
  PenTestCaptureFlags flags;
} Stream;

static void
put_u16 (GByteArray *bytes, guint16 value, gboolean is_big)
{
  value = is_big ? GUINT16_TO_BE (value) : GUINT16_TO_LE (value);
  g_byte_array_append (bytes, (guint8 *) &value, sizeof value);
}

static void
put_u32 (GByteArray *bytes, guint32 value, gboolean is_big)
{
  value = is_big ? GUINT32_TO_BE (value) : GUINT32_TO_LE (value);
  g_byte_array_append (bytes, (guint8 *) &value, sizeof value);
}

static void
put_u64 (GByteArray *bytes, guint64 value, gboolean is_big)
{
  value = is_big ? GUINT64_TO_BE (value) : GUINT64_TO_LE (value);
  g_byte_array_append (bytes, (guint8 *) &value, sizeof value);
}

static void
put_header (GByteArray *bytes, guint32 type, guint16 misc, gsize size, gboolean is_big)
{
  g_assert_cmpuint (size, <=, G_MAXUINT16);
  put_u32 (bytes, type, is_big);
  put_u16 (bytes, misc, is_big);
  put_u16 (bytes, (guint16) size, is_big);
}

static void
put_zeros (GByteArray *bytes, gsize length)
{
  static const guint8 zeros[64];

  g_assert_cmpuint (length, <=, sizeof zeros);
  g_byte_array_append (bytes, zeros, (guint) length);
}

static void
stream_init (Stream *self, PenTestCaptureFlags flags)
{
  self->bytes = g_byte_array_new ();
  self->pending = g_byte_array_new ();
  self->context = ZSTD_createCCtx ();
  self->flags = flags;
  self->is_big = (flags & PEN_TEST_CAPTURE_BIG_ENDIAN) != 0;
}

static void
stream_clear (Stream *self)
{
  g_byte_array_unref (self->bytes);
  g_byte_array_unref (self->pending);
  ZSTD_freeCCtx (self->context);
}

static void
put_compressed (Stream *self, const guint8 *data, gsize length)
{
  guint8 output[COMPRESSED_PIECE * 4];
  ZSTD_inBuffer in = { data, length, 0 };
  ZSTD_outBuffer out = { output, sizeof output, 0 };
  size_t left = ZSTD_compressStream2 (self->context, &out, &in, ZSTD_e_flush);

  g_assert_cmpuint (left, ==, 0);
  g_assert_cmpuint (in.pos, ==, in.size);
  if (self->flags & PEN_TEST_CAPTURE_COMPRESSED2) {
    gsize padding = (8 - out.pos % 8) % 8;

    put_header (self->bytes, TYPE_COMPRESSED2, 0, 16 + out.pos + padding, self->is_big);
    put_u64 (self->bytes, out.pos, self->is_big);
    g_byte_array_append (self->bytes, output, (guint) out.pos);
    put_zeros (self->bytes, padding);
  } else {
    put_header (self->bytes, TYPE_COMPRESSED, 0, 8 + out.pos, self->is_big);
    g_byte_array_append (self->bytes, output, (guint) out.pos);
  }
}

static void
stream_flush (Stream *self)
{
  for (guint at = 0; at < self->pending->len; at += COMPRESSED_PIECE)
    put_compressed (self, self->pending->data + at,
                    MIN (COMPRESSED_PIECE, self->pending->len - at));
  g_byte_array_set_size (self->pending, 0);
}

/* What was in the ring buffer before: here, a pattern that is no valid id or time. */
static void
put_stale_bytes (GByteArray *bytes, guint length)
{
  for (guint i = 0; i < length; i++) {
    guint8 byte = (guint8) (0xd0 + i * 37);

    g_byte_array_append (bytes, &byte, 1);
  }
}

static void
stream_add (Stream *self, const TestRecord *record)
{
  gboolean compress = record->is_timed && (self->flags & PEN_TEST_CAPTURE_ZSTD);
  GByteArray *body = record->body->order[self->is_big];
  GByteArray *target = compress ? self->pending : self->bytes;
  guint surplus = 0;

  if (!compress)
    stream_flush (self);
  if ((self->flags & PEN_TEST_CAPTURE_INFLATED) && record->may_inflate && record->is_timed)
    surplus = record->trailer_size;

  put_header (target, record->type, record->misc, 8 + body->len + surplus, self->is_big);
  g_byte_array_append (target, body->data, body->len);
  put_stale_bytes (target, surplus);
  if (record->payload)
    g_byte_array_append (target, record->payload->order[self->is_big]->data,
                         record->payload->order[self->is_big]->len);
}

static void
put_event_description (PenTestCapture *self, PenTestBytes *bytes)
{
  pen_test_bytes_u32 (bytes, self->events->len);
  pen_test_bytes_u32 (bytes, 128);
  for (guint i = 0; i < self->events->len; i++) {
    const TestEvent *holder = g_ptr_array_index (self->events, i);
    PenTestEvent event = holder->event;

    event.attr_size = 128;
    pen_test_capture_put_attr (bytes, &event);
    pen_test_bytes_u32 (bytes, PEN_TEST_CPUS);
    pen_test_bytes_string (bytes, holder->name);
    for (guint cpu = 0; cpu < PEN_TEST_CPUS; cpu++)
      pen_test_bytes_u64 (bytes, pen_test_capture_get_id (i, cpu));
  }
}

static gboolean
have_names (PenTestCapture *self)
{
  for (guint i = 0; i < self->events->len; i++) {
    const TestEvent *holder = g_ptr_array_index (self->events, i);

    if (!holder->name)
      return FALSE;
  }
  return TRUE;
}

/* Features that follow from events and shape. */
static void
complete_features (PenTestCapture *self, PenTestCaptureFlags flags)
{
  static const guint of_shape[]
      = { TEST_FEATURE_EVENT_DESC, TEST_FEATURE_DIR_FORMAT, TEST_FEATURE_COMPRESSED };
  PenTestBytes *bytes;

  for (guint i = 0; i < G_N_ELEMENTS (of_shape); i++)
    g_clear_pointer (&self->features[of_shape[i]], pen_test_bytes_free);

  if (have_names (self) && !(flags & PEN_TEST_CAPTURE_PIPE)) {
    bytes = self->features[TEST_FEATURE_EVENT_DESC] = pen_test_bytes_new ();
    put_event_description (self, bytes);
  }
  if (flags & PEN_TEST_CAPTURE_THREADS) {
    bytes = self->features[TEST_FEATURE_DIR_FORMAT] = pen_test_bytes_new ();
    pen_test_bytes_u64 (bytes, 1);
  }
  if (flags & PEN_TEST_CAPTURE_ZSTD) {
    bytes = self->features[TEST_FEATURE_COMPRESSED] = pen_test_bytes_new ();
    pen_test_bytes_u32 (bytes, 1);
    pen_test_bytes_u32 (bytes, 1); /* zstd */
    pen_test_bytes_u32 (bytes, 1);
    pen_test_bytes_u32 (bytes, 5);
    pen_test_bytes_u32 (bytes, COMPRESSED_MMAP_LENGTH);
  }
}

static void
put_pipe_metadata (PenTestCapture *self, Stream *stream)
{
  gboolean is_big = stream->is_big;

  for (guint i = 0; i < self->events->len; i++) {
    const TestEvent *holder = g_ptr_array_index (self->events, i);
    g_autoptr (PenTestBytes) attr = pen_test_bytes_new ();

    pen_test_capture_put_attr (attr, &holder->event);
    for (guint cpu = 0; cpu < PEN_TEST_CPUS; cpu++)
      pen_test_bytes_u64 (attr, pen_test_capture_get_id (i, cpu));
    put_header (stream->bytes, TYPE_HEADER_ATTR, 0, 8 + attr->order[0]->len, is_big);
    g_byte_array_append (stream->bytes, attr->order[is_big]->data, attr->order[is_big]->len);
  }
  for (guint i = 0; i < TEST_FEATURES; i++) {
    if (!self->features[i])
      continue;
    put_header (stream->bytes, TYPE_HEADER_FEATURE, 0, 16 + self->features[i]->order[0]->len,
                is_big);
    put_u64 (stream->bytes, i, is_big);
    g_byte_array_append (stream->bytes, self->features[i]->order[is_big]->data,
                         self->features[i]->order[is_big]->len);
  }
  put_header (stream->bytes, TYPE_HEADER_FEATURE, 0, 16, is_big);
  put_u64 (stream->bytes, 256, is_big);

  for (guint i = 0; i < self->events->len; i++) {
    const TestEvent *holder = g_ptr_array_index (self->events, i);
    g_autoptr (PenTestBytes) name = pen_test_bytes_new ();

    if (!holder->name)
      continue;
    pen_test_bytes_name (name, holder->name, 8);
    put_header (stream->bytes, TYPE_EVENT_UPDATE, 0, 24 + name->order[0]->len, is_big);
    put_u64 (stream->bytes, 2, is_big); /* a name */
    put_u64 (stream->bytes, pen_test_capture_get_id (i, 0), is_big);
    g_byte_array_append (stream->bytes, name->order[0]->data, name->order[0]->len);
  }
}

static void
put_magic (GByteArray *bytes, PenTestCaptureFlags flags)
{
  if (flags & PEN_TEST_CAPTURE_VERSION_1)
    g_byte_array_append (bytes, (const guint8 *) "PERFFILE", 8);
  else
    put_u64 (bytes, 0x32454c4946524550, (flags & PEN_TEST_CAPTURE_BIG_ENDIAN) != 0);
}

static GByteArray *
make_pipe (PenTestCapture *self, Stream *stream)
{
  GByteArray *file = g_byte_array_new ();

  put_magic (file, stream->flags);
  put_u64 (file, 16, stream->is_big);
  put_pipe_metadata (self, stream);
  for (guint i = 0; i < self->records->len; i++)
    stream_add (stream, g_ptr_array_index (self->records, i));
  stream_flush (stream);
  g_byte_array_append (file, stream->bytes->data, stream->bytes->len);
  return file;
}

static void
put_features (PenTestCapture *self, GByteArray *file, gboolean is_big)
{
  guint count = 0;
  guint64 at;

  for (guint i = 0; i < TEST_FEATURES; i++)
    count += self->features[i] != NULL;
  at = file->len + 16 * count;
  for (guint i = 0; i < TEST_FEATURES; i++) {
    if (!self->features[i])
      continue;
    put_u64 (file, at, is_big);
    put_u64 (file, self->features[i]->order[0]->len, is_big);
    at += self->features[i]->order[0]->len;
  }
  for (guint i = 0; i < TEST_FEATURES; i++) {
    if (self->features[i])
      g_byte_array_append (file, self->features[i]->order[is_big]->data,
                           self->features[i]->order[is_big]->len);
  }
}

static guint
get_attr_size (PenTestCapture *self)
{
  const TestEvent *holder = g_ptr_array_index (self->events, 0);

  return holder->event.attr_size ? holder->event.attr_size : 128;
}

/* All events' ids, then all events; they start at @at. Returns where the events start. */
static guint64
put_events (PenTestCapture *self, GByteArray *bytes, guint64 at, gboolean is_big)
{
  guint64 ids_at = at;

  for (guint i = 0; i < self->events->len; i++) {
    for (guint cpu = 0; cpu < PEN_TEST_CPUS; cpu++)
      put_u64 (bytes, pen_test_capture_get_id (i, cpu), is_big);
  }
  at += 8ull * PEN_TEST_CPUS * self->events->len;
  for (guint i = 0; i < self->events->len; i++) {
    const TestEvent *holder = g_ptr_array_index (self->events, i);
    g_autoptr (PenTestBytes) attr = pen_test_bytes_new ();

    pen_test_capture_put_attr (attr, &holder->event);
    g_assert_cmpuint (pen_test_bytes_get_length (attr), ==, get_attr_size (self));
    g_byte_array_append (bytes, attr->order[is_big]->data, attr->order[is_big]->len);
    put_u64 (bytes, ids_at + 8ull * PEN_TEST_CPUS * i, is_big);
    put_u64 (bytes, 8ull * PEN_TEST_CPUS, is_big);
  }
  return at;
}

static guint64
get_feature_bits (PenTestCapture *self)
{
  guint64 bits = 0;

  for (guint i = 0; i < TEST_FEATURES; i++)
    bits |= (guint64) (self->features[i] != NULL) << i;
  return bits;
}

static GByteArray *
make_file (PenTestCapture *self, const GByteArray *records, PenTestCaptureFlags flags)
{
  gboolean is_big = (flags & PEN_TEST_CAPTURE_BIG_ENDIAN) != 0;
  gboolean is_terminated = !(flags & PEN_TEST_CAPTURE_UNTERMINATED);
  gboolean is_old = (flags & PEN_TEST_CAPTURE_OLD_HEADER) != 0;
  gboolean attrs_last = (flags & PEN_TEST_CAPTURE_ATTRS_LAST) != 0;
  guint64 header_size = is_old ? 72 : 104;
  guint entry_size = get_attr_size (self) + 16;
  g_autoptr (GByteArray) events = g_byte_array_new ();
  g_autoptr (GByteArray) header = g_byte_array_new ();
  GByteArray *file = g_byte_array_new ();
  guint64 data_at, attrs_at;

  /* Twice: first to learn how large they are. */
  put_events (self, events, 0, is_big);
  data_at = header_size + (attrs_last ? 0 : events->len);
  g_byte_array_set_size (file, (guint) (data_at + records->len));
  if (is_terminated && !is_old)
    put_features (self, file, is_big);
  g_byte_array_set_size (events, 0);
  attrs_at = put_events (self, events, attrs_last ? file->len : header_size, is_big);
  if (attrs_last)
    g_byte_array_append (file, events->data, events->len);
  else
    memcpy (file->data + header_size, events->data, events->len);
  if (records->len > 0)
    memcpy (file->data + data_at, records->data, records->len);

  put_magic (header, flags);
  put_u64 (header, header_size, is_big);
  put_u64 (header, entry_size, is_big);
  put_u64 (header, attrs_at, is_big);
  put_u64 (header, (guint64) entry_size * self->events->len, is_big);
  put_u64 (header, data_at, is_big);
  put_u64 (header, is_terminated ? records->len : 0, is_big);
  put_u64 (header, 0, is_big);
  put_u64 (header, 0, is_big);
  if (!is_old) {
    put_u64 (header, get_feature_bits (self), is_big);
    put_zeros (header, 24);
  }
  memcpy (file->data, header->data, header->len);
  return file;
}

/* Tests write thousands of captures and delete them all: no waiting for the disk. GLib does not cut
 * off what is longer when it writes in place. */
static gboolean
write_file (const char *path, gconstpointer data, gsize length, GError **error)
{
  g_unlink (path);
  return g_file_set_contents_full (path, data ? data : "", (gssize) length,
                                   G_FILE_SET_CONTENTS_NONE, 0644, error);
}

static gboolean
write_bytes (const char *directory, const char *name, const GByteArray *bytes, GError **error)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  return write_file (path, bytes->data, bytes->len, error);
}

static gboolean
write_files_beside (PenTestCapture *self, const char *path, GError **error)
{
  for (guint i = 0; i < self->files->len; i++) {
    const TestFile *file = g_ptr_array_index (self->files, i);
    g_autofree char *file_path = g_build_filename (path, file->name, NULL);
    g_autofree char *directory = g_path_get_dirname (file_path);
    gsize length;
    gconstpointer data = g_bytes_get_data (file->bytes, &length);

    if (g_mkdir_with_parents (directory, 0755) < 0 || !write_file (file_path, data, length, error))
      return FALSE;
  }
  if (self->segments->len > 0) {
    g_autoptr (GBytes) core = pen_test_capture_make_kcore (self);
    g_autofree char *directory = g_build_filename (path, "kcore_dir", NULL);
    g_autofree char *core_path = g_build_filename (directory, "kcore", NULL);
    gsize length;
    gconstpointer data = g_bytes_get_data (core, &length);

    return g_mkdir_with_parents (directory, 0755) == 0
           && write_file (core_path, data, length, error);
  }
  return TRUE;
}

static void
fill_streams (PenTestCapture *self, Stream *streams, PenTestCaptureFlags flags)
{
  for (guint i = 0; i < self->records->len; i++) {
    const TestRecord *record = g_ptr_array_index (self->records, i);
    guint target = 0;

    if ((flags & PEN_TEST_CAPTURE_THREADS) && record->is_timed)
      target = 1 + record->cpu % THREAD_FILES;
    stream_add (&streams[target], record);
  }
  for (guint i = 0; i <= THREAD_FILES; i++)
    stream_flush (&streams[i]);
}

static gboolean
write_directory (PenTestCapture *self, const char *path, Stream *streams, GByteArray *file,
                 PenTestCaptureFlags flags, GError **error)
{
  if (g_mkdir_with_parents (path, 0755) < 0) {
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "Cannot make %s", path);
    return FALSE;
  }
  if (!write_bytes (path, "data", file, error))
    return FALSE;
  for (guint i = 0; (flags & PEN_TEST_CAPTURE_THREADS) && i < THREAD_FILES; i++) {
    g_autofree char *name = g_strdup_printf ("data.%u", i);

    if (!write_bytes (path, name, streams[1 + i].bytes, error))
      return FALSE;
  }
  return write_files_beside (self, path, error);
}

gboolean
pen_test_capture_write (PenTestCapture *self, const char *path, PenTestCaptureFlags flags,
                        GError **error)
{
  Stream streams[1 + THREAD_FILES];
  g_autoptr (GByteArray) file = NULL;
  gboolean done;

  g_assert_cmpuint (self->events->len, >, 0);
  complete_features (self, flags);
  for (guint i = 0; i <= THREAD_FILES; i++)
    stream_init (&streams[i], flags);

  if (flags & PEN_TEST_CAPTURE_PIPE) {
    file = make_pipe (self, &streams[0]);
  } else {
    fill_streams (self, streams, flags);
    file = make_file (self, streams[0].bytes, flags);
  }
  if (flags & (PEN_TEST_CAPTURE_DIRECTORY | PEN_TEST_CAPTURE_THREADS))
    done = write_directory (self, path, streams, file, flags, error);
  else
    done = write_file (path, file->data, file->len, error);

  for (guint i = 0; i <= THREAD_FILES; i++)
    stream_clear (&streams[i]);
  return done;
}
