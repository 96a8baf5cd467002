/* pen-bucket-block.c
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-bucket-block.h"

#include "pen-store-buckets.h"

#define MAX_LENGTH                                                                                 \
  (5 * PEN_PACK_COLUMN_MAX (PEN_BLOCK_BUCKETS, 8) + 5 * PEN_PACK_COLUMN_MAX (PEN_BLOCK_BUCKETS, 4) \
   + PEN_PACK_COLUMN_MAX (PEN_BLOCK_BUCKETS, 1))

const guint8 *
pen_bucket_block_pack (const PenBucket *buckets, guint n, PenPacker *packer, gsize *length)
{
  g_autofree guint64 *column = g_new (guint64, PEN_BLOCK_BUCKETS);

  g_return_val_if_fail (n <= PEN_BLOCK_BUCKETS, NULL);

  PEN_PACKER_FIELD (packer, buckets, n, column, id);
  PEN_PACKER_FIELD (packer, buckets, n, column, function);
  PEN_PACKER_FIELD (packer, buckets, n, column, address);
  PEN_PACKER_FIELD (packer, buckets, n, column, tenure);
  PEN_PACKER_FIELD (packer, buckets, n, column, revision);
  PEN_PACKER_FIELD (packer, buckets, n, column, event);
  for (guint i = 0; i < n; i++)
    column[i] = (guint64) buckets[i].kind << 1 | (buckets[i].has_address ? 1 : 0);
  pen_packer_column (packer, column, n);
  PEN_PACKER_FIELD (packer, buckets, n, column, samples);
  PEN_PACKER_FIELD (packer, buckets, n, column, period);
  PEN_PACKER_FIELD (packer, buckets, n, column, first);
  for (guint i = 0; i < n; i++)
    column[i] = buckets[i].last - buckets[i].first;
  pen_packer_column (packer, column, n);
  return pen_packer_finish (packer, length);
}

#define UNPACK_FIELD32(unpacker, structs, n, narrow, field)                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    pen_unpacker_column32 (unpacker, narrow, n);                                                   \
    for (guint i = 0; i < (n); i++)                                                                \
      (structs)[i].field = (narrow)[i];                                                            \
  }                                                                                                \
  G_STMT_END

#define UNPACK_FIELD64(unpacker, structs, n, wide, field)                                          \
  G_STMT_START                                                                                     \
  {                                                                                                \
    pen_unpacker_column (unpacker, wide, n);                                                       \
    for (guint i = 0; i < (n); i++)                                                                \
      (structs)[i].field = (wide)[i];                                                              \
  }                                                                                                \
  G_STMT_END

static gboolean
unpack_flags (PenUnpacker *unpacker, PenBucket *buckets, guint n)
{
  guint8 flags[PEN_BLOCK_BUCKETS];

  pen_unpacker_column8 (unpacker, flags, n);
  for (guint i = 0; i < n; i++) {
    if (flags[i] >> 1 >= PEN_KINDS)
      return FALSE;

    buckets[i].kind = flags[i] >> 1;
    buckets[i].has_address = flags[i] & 1;
  }
  return TRUE;
}

gboolean
pen_bucket_block_unpack (PenBucket *buckets, guint n, const guint8 *bytes, gsize length,
                         PenUnpacker *unpacker, const char **reason)
{
  guint64 wide[PEN_BLOCK_BUCKETS];
  guint32 narrow[PEN_BLOCK_BUCKETS];

  *reason = "it claims more buckets than it can have";
  if (n > PEN_BLOCK_BUCKETS || !pen_unpacker_start (unpacker, bytes, length, MAX_LENGTH, reason))
    return FALSE;

  UNPACK_FIELD32 (unpacker, buckets, n, narrow, id);
  UNPACK_FIELD32 (unpacker, buckets, n, narrow, function);
  UNPACK_FIELD64 (unpacker, buckets, n, wide, address);
  UNPACK_FIELD32 (unpacker, buckets, n, narrow, tenure);
  UNPACK_FIELD32 (unpacker, buckets, n, narrow, revision);
  pen_unpacker_column32 (unpacker, narrow, n);
  *reason = "a bucket is of no event";
  for (guint i = 0; i < n; i++) {
    if (narrow[i] > G_MAXINT)
      return FALSE;
    buckets[i].event = (int) narrow[i];
  }
  *reason = "a bucket is of no kind";
  if (!unpack_flags (unpacker, buckets, n))
    return FALSE;
  UNPACK_FIELD64 (unpacker, buckets, n, wide, samples);
  UNPACK_FIELD64 (unpacker, buckets, n, wide, period);
  UNPACK_FIELD64 (unpacker, buckets, n, wide, first);
  pen_unpacker_column (unpacker, wide, n);
  for (guint i = 0; i < n; i++)
    buckets[i].last = buckets[i].first + wide[i];

  *reason = "its columns do not have the buckets that it claims";
  return pen_unpacker_finish (unpacker);
}

gboolean
pen_bucket_block_unpack_functions (guint32 *ids, guint32 *functions, guint n, const guint8 *bytes,
                                   gsize length, PenUnpacker *unpacker, const char **reason)
{
  *reason = "it claims more buckets than it can have";
  if (n > PEN_BLOCK_BUCKETS || !pen_unpacker_start (unpacker, bytes, length, MAX_LENGTH, reason))
    return FALSE;

  pen_unpacker_column32 (unpacker, ids, n);
  pen_unpacker_column32 (unpacker, functions, n);
  *reason = "its columns do not have the buckets that it claims";
  return !unpacker->failed;
}
