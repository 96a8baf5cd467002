/* pen-zstd-stream.c: one zstd frame (RFC 8878), with a checksum
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-zstd-stream.h"

#include <zstd.h>

/* Tables are sorted: levels beyond cost more time than they save. */
#define LEVEL 9

struct _PenZstdStream {
  GOutputStream parent_instance;
  GOutputStream *base;
  ZSTD_CCtx *context;
  char *buffer;
  gsize size;
};

G_DEFINE_FINAL_TYPE (PenZstdStream, pen_zstd_stream, G_TYPE_OUTPUT_STREAM)

/* One step. @left: (out): what the compressor still has, or would have more of */
static gboolean
compress_some (PenZstdStream *self, ZSTD_inBuffer *in, ZSTD_EndDirective mode, gsize *left,
               GCancellable *cancellable, GError **error)
{
  ZSTD_outBuffer out = { self->buffer, self->size, 0 };

  *left = ZSTD_compressStream2 (self->context, &out, in, mode);
  if (ZSTD_isError (*left)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, ZSTD_getErrorName (*left));
    return FALSE;
  }
  return g_output_stream_write_all (self->base, self->buffer, out.pos, NULL, cancellable, error);
}

static gssize
pen_zstd_stream_write (GOutputStream *stream, const void *bytes, gsize n, GCancellable *cancellable,
                       GError **error)
{
  PenZstdStream *self = PEN_ZSTD_STREAM (stream);
  ZSTD_inBuffer in = { bytes, n, 0 };
  gsize left;

  while (in.pos < in.size) {
    if (!compress_some (self, &in, ZSTD_e_continue, &left, cancellable, error))
      return -1;
  }
  return (gssize) n;
}

static gboolean
pen_zstd_stream_close (GOutputStream *stream, GCancellable *cancellable, GError **error)
{
  PenZstdStream *self = PEN_ZSTD_STREAM (stream);
  ZSTD_inBuffer in = { NULL, 0, 0 };
  gsize left;

  do {
    if (!compress_some (self, &in, ZSTD_e_end, &left, cancellable, error))
      return FALSE;
  } while (left > 0);
  return TRUE;
}

static void
pen_zstd_stream_finalize (GObject *object)
{
  PenZstdStream *self = PEN_ZSTD_STREAM (object);

  ZSTD_freeCCtx (self->context);
  g_free (self->buffer);
  g_object_unref (self->base);
  G_OBJECT_CLASS (pen_zstd_stream_parent_class)->finalize (object);
}

static void
pen_zstd_stream_class_init (PenZstdStreamClass *class)
{
  G_OBJECT_CLASS (class)->finalize = pen_zstd_stream_finalize;
  G_OUTPUT_STREAM_CLASS (class)->write_fn = pen_zstd_stream_write;
  G_OUTPUT_STREAM_CLASS (class)->close_fn = pen_zstd_stream_close;
}

static void
pen_zstd_stream_init (PenZstdStream *self)
{
  self->context = ZSTD_createCCtx ();
  self->size = ZSTD_CStreamOutSize ();
  self->buffer = g_malloc (self->size);
  ZSTD_CCtx_setParameter (self->context, ZSTD_c_compressionLevel, LEVEL);
  ZSTD_CCtx_setParameter (self->context, ZSTD_c_checksumFlag, 1);
}

GOutputStream *
pen_zstd_stream_new (GOutputStream *base)
{
  PenZstdStream *self = g_object_new (PEN_TYPE_ZSTD_STREAM, NULL);

  self->base = g_object_ref (base);
  return G_OUTPUT_STREAM (self);
}
