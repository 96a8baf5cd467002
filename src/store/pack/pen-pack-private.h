/* pen-pack-private.h: what the files of the packer share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <zstd.h>

#include "pen-pack.h"

G_BEGIN_DECLS

struct _PenPacker {
  GByteArray *content;
  GByteArray *pack;
  ZSTD_CCtx *zstd;
};

/* Returns: how many bytes it takes, at most 10 */
static inline guint
pen_varint_put (guint8 *out, guint64 value)
{
  guint n = 0;

  while (value >= 0x80) {
    out[n++] = (guint8) (value | 0x80);
    value >>= 7;
  }
  out[n++] = (guint8) value;
  return n;
}

G_END_DECLS
