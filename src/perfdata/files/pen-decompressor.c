/* pen-decompressor.c: gzip, xz and zstd, piece by piece
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-decompressor.h"

#include <gio/gio.h>
#include <lzma.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "pen-reason.h"

/* xz -9 needs 65 MiB, and zstd refuses windows above 128 MiB by itself: a file that needs more was
 * made to need more. */
#define XZ_MEMORY_MAX (256u * 1024 * 1024)

struct _PenDecompressor {
  PenWrapper wrapper;
  GConverter *gzip;
  lzma_stream xz;
  ZSTD_DCtx *zstd;
  gboolean is_between; /* of gzip and zstd: a stream has ended, another may follow */
  const char *reason;
};

PenDecompressor *
pen_decompressor_new (PenWrapper wrapper)
{
  PenDecompressor *self = g_new0 (PenDecompressor, 1);

  self->wrapper = wrapper;
  self->xz = (lzma_stream) LZMA_STREAM_INIT;
  switch (wrapper) {
  case PEN_WRAPPER_GZIP:
    self->gzip = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
    break;
  case PEN_WRAPPER_XZ:
    if (lzma_stream_decoder (&self->xz, XZ_MEMORY_MAX, LZMA_CONCATENATED) != LZMA_OK)
      g_error ("Out of memory for a decoder of xz");
    break;
  case PEN_WRAPPER_ZSTD:
    self->zstd = ZSTD_createDCtx ();
    if (!self->zstd)
      g_error ("Out of memory for a zstd context");
    break;
  case PEN_WRAPPER_NONE:
  default:
    break;
  }
  return self;
}

void
pen_decompressor_free (PenDecompressor *self)
{
  g_clear_object (&self->gzip);
  lzma_end (&self->xz);
  g_clear_pointer (&self->zstd, ZSTD_freeDCtx);
  g_free (self);
}

static PenDecompressorState
fail (PenDecompressor *self, const char *reason)
{
  self->reason = reason;
  return PEN_DECOMPRESSOR_DAMAGED;
}

/* More than any of the magics. */
#define MAGIC_MAX 8

/* Between two streams: goes on if another one starts here; what is none is left, as tools do. */
static PenDecompressorState
start_another (PenDecompressor *self, const guint8 *input, gsize length, gboolean input_is_last)
{
  if (length < MAGIC_MAX && !input_is_last)
    return PEN_DECOMPRESSOR_GOES_ON;
  if (pen_magic_get_wrapper (input, length) != self->wrapper)
    return PEN_DECOMPRESSOR_ENDED;

  self->is_between = FALSE;
  if (self->gzip)
    g_converter_reset (self->gzip);
  return PEN_DECOMPRESSOR_GOES_ON;
}

static PenDecompressorState
run_gzip (PenDecompressor *self, const guint8 *input, gsize input_length, gboolean input_is_last,
          guint8 *output, gsize output_length, gsize *taken, gsize *made)
{
  g_autoptr (GError) error = NULL;
  GConverterResult result;

  result = g_converter_convert (self->gzip, input, input_length, output, output_length,
                                input_is_last ? G_CONVERTER_INPUT_AT_END : 0, taken, made, &error);
  if (result == G_CONVERTER_FINISHED)
    self->is_between = TRUE;
  if (result != G_CONVERTER_ERROR)
    return PEN_DECOMPRESSOR_GOES_ON;

  *taken = *made = 0;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT) && !input_is_last)
    return PEN_DECOMPRESSOR_GOES_ON;
  return fail (self, g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT)
                         ? PEN_REASON_PACKED_CUT_OFF
                         : PEN_REASON_PACKED_DAMAGED);
}

static PenDecompressorState
run_xz (PenDecompressor *self, const guint8 *input, gsize input_length, gboolean input_is_last,
        guint8 *output, gsize output_length, gsize *taken, gsize *made)
{
  lzma_ret result;

  self->xz.next_in = input;
  self->xz.avail_in = input_length;
  self->xz.next_out = output;
  self->xz.avail_out = output_length;
  result = lzma_code (&self->xz, input_is_last ? LZMA_FINISH : LZMA_RUN);
  *taken = input_length - self->xz.avail_in;
  *made = output_length - self->xz.avail_out;
  switch (result) {
  case LZMA_OK:
    return PEN_DECOMPRESSOR_GOES_ON;
  case LZMA_STREAM_END:
    return PEN_DECOMPRESSOR_ENDED;
  case LZMA_BUF_ERROR:
    return input_is_last ? fail (self, PEN_REASON_PACKED_CUT_OFF) : PEN_DECOMPRESSOR_GOES_ON;
  case LZMA_MEM_ERROR:
  case LZMA_MEMLIMIT_ERROR:
    return fail (self, PEN_REASON_PACKED_TOO_LARGE);
  default:
    return fail (self, PEN_REASON_PACKED_DAMAGED);
  }
}

static PenDecompressorState
run_zstd (PenDecompressor *self, const guint8 *input, gsize input_length, gboolean input_is_last,
          guint8 *output, gsize output_length, gsize *taken, gsize *made)
{
  ZSTD_inBuffer in = { input, input_length, 0 };
  ZSTD_outBuffer out = { output, output_length, 0 };
  size_t result;

  result = ZSTD_decompressStream (self->zstd, &out, &in);
  *taken = in.pos;
  *made = out.pos;
  if (ZSTD_isError (result))
    return fail (self, ZSTD_getErrorCode (result) == ZSTD_error_frameParameter_windowTooLarge
                           ? PEN_REASON_PACKED_TOO_LARGE
                           : PEN_REASON_PACKED_DAMAGED);
  self->is_between = result == 0;
  if (input_is_last && input_length == 0 && out.pos == 0 && result != 0)
    return fail (self, PEN_REASON_PACKED_CUT_OFF);
  return PEN_DECOMPRESSOR_GOES_ON;
}

PenDecompressorState
pen_decompressor_run (PenDecompressor *self, const guint8 *input, gsize input_length,
                      gboolean input_is_last, guint8 *output, gsize output_length, gsize *taken,
                      gsize *made)
{
  *taken = *made = 0;
  if (self->reason)
    return PEN_DECOMPRESSOR_DAMAGED;
  if (self->is_between)
    return start_another (self, input, input_length, input_is_last);

  switch (self->wrapper) {
  case PEN_WRAPPER_GZIP:
    return run_gzip (self, input, input_length, input_is_last, output, output_length, taken, made);
  case PEN_WRAPPER_XZ:
    return run_xz (self, input, input_length, input_is_last, output, output_length, taken, made);
  case PEN_WRAPPER_ZSTD:
    return run_zstd (self, input, input_length, input_is_last, output, output_length, taken, made);
  case PEN_WRAPPER_NONE:
  default:
    *taken = *made = MIN (input_length, output_length);
    memcpy (output, input, *made);
    return input_is_last && input_length == 0 ? PEN_DECOMPRESSOR_ENDED : PEN_DECOMPRESSOR_GOES_ON;
  }
}

const char *
pen_decompressor_get_reason (PenDecompressor *self)
{
  return self->reason;
}
