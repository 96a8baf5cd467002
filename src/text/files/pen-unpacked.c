/* pen-unpacked.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-unpacked.h"

#include <string.h>
#include <zstd.h>

#include "pen-xz.h"

#define STEP 65536u
/* zstd's own limit without --long */
#define ZSTD_WINDOW_LOG_MAX 27

static const guint8 gzip_magic[] = { 0x1f, 0x8b };
static const guint8 xz_magic[] = { 0xfd, '7', 'z', 'X', 'Z', 0 };
static const guint8 zstd_magic[] = { 0x28, 0xb5, 0x2f, 0xfd };

static gboolean
begins_with (const guint8 *data, gsize length, const guint8 *magic, gsize n)
{
  return length >= n && memcmp (data, magic, n) == 0;
}

gboolean
pen_unpacked_is_packed (const guint8 *data, gsize length)
{
  return begins_with (data, length, gzip_magic, sizeof gzip_magic)
         || begins_with (data, length, xz_magic, sizeof xz_magic)
         || begins_with (data, length, zstd_magic, sizeof zstd_magic);
}

static GBytes *
unpack_gzip (const guint8 *data, gsize length, gsize max)
{
  g_autoptr (GConverter) converter
      = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  g_autoptr (GByteArray) unpacked = g_byte_array_new ();
  g_autofree guint8 *block = g_malloc (STEP);
  GConverterResult result = G_CONVERTER_CONVERTED;
  gsize done = 0;

  while (result == G_CONVERTER_CONVERTED && unpacked->len <= max) {
    gsize taken = 0;
    gsize given = 0;

    result = g_converter_convert (converter, data + done, length - done, block, STEP,
                                  G_CONVERTER_INPUT_AT_END, &taken, &given, NULL);
    if (result == G_CONVERTER_ERROR)
      return NULL;
    done += taken;
    g_byte_array_append (unpacked, block, (guint) given);
  }
  return result == G_CONVERTER_FINISHED && unpacked->len <= max
             ? g_byte_array_free_to_bytes (g_steal_pointer (&unpacked))
             : NULL;
}

static GBytes *
unpack_zstd (const guint8 *data, gsize length, gsize max)
{
  g_autoptr (GByteArray) unpacked = g_byte_array_new ();
  g_autofree guint8 *block = g_malloc (STEP);
  ZSTD_DStream *stream = ZSTD_createDStream ();
  ZSTD_inBuffer in = { data, length, 0 };
  gsize left = 1;
  gboolean is_stuck = FALSE;

  if (!stream)
    return NULL;

  ZSTD_DCtx_setParameter (stream, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG_MAX);
  while (!is_stuck && (in.pos < in.size || left != 0) && unpacked->len <= max) {
    ZSTD_outBuffer out = { block, STEP, 0 };
    gsize before = in.pos;

    left = ZSTD_decompressStream (stream, &out, &in);
    if (ZSTD_isError (left))
      break;
    g_byte_array_append (unpacked, block, (guint) out.pos);
    is_stuck = in.pos == before && out.pos == 0;
  }
  ZSTD_freeDStream (stream);
  return left == 0 && in.pos == in.size && unpacked->len <= max
             ? g_byte_array_free_to_bytes (g_steal_pointer (&unpacked))
             : NULL;
}

GBytes *
pen_unpacked_new (gconstpointer data, gsize length, gsize max)
{
  if (begins_with (data, length, gzip_magic, sizeof gzip_magic))
    return unpack_gzip (data, length, max);
  if (begins_with (data, length, zstd_magic, sizeof zstd_magic))
    return unpack_zstd (data, length, max);
  return begins_with (data, length, xz_magic, sizeof xz_magic) ? pen_xz_unpack (data, length, max)
                                                               : NULL;
}
