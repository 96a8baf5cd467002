/* pen-xz.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-xz.h"

#include <lzma.h>

#define MEMORY_LIMIT (128u << 20)
#define STEP 65536u

GBytes *
pen_xz_unpack (gconstpointer data, gsize length, gsize max)
{
  g_autoptr (GByteArray) unpacked = g_byte_array_new ();
  g_autofree guint8 *block = g_malloc (STEP);
  lzma_stream stream = LZMA_STREAM_INIT;
  lzma_ret state = lzma_stream_decoder (&stream, MEMORY_LIMIT, 0);

  stream.next_in = data;
  stream.avail_in = length;
  while (state == LZMA_OK && unpacked->len <= max) {
    stream.next_out = block;
    stream.avail_out = STEP;
    state = lzma_code (&stream, LZMA_FINISH);
    g_byte_array_append (unpacked, block, (guint) (STEP - stream.avail_out));
  }
  lzma_end (&stream);
  return state == LZMA_STREAM_END && unpacked->len <= max
             ? g_byte_array_free_to_bytes (g_steal_pointer (&unpacked))
             : NULL;
}
