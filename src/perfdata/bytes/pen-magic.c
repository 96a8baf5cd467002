/* pen-magic.c: what a file is, told from its first bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "pen-magic.h"

#include <glib/gi18n-lib.h>

#include "pen-byte-order.h"

#define PIPE_HEADER_SIZE 16

static gboolean
starts_with (const guint8 *bytes, gsize length, const char *magic)
{
  return length >= 8 && memcmp (bytes, magic, 8) == 0;
}

gboolean
pen_magic_is_perf_data (const guint8 *bytes, gsize length)
{
  return starts_with (bytes, length, "PERFILE2") || starts_with (bytes, length, "2ELIFREP")
         || starts_with (bytes, length, "PERFFILE");
}

gboolean
pen_magic_is_pipe_form (const guint8 *bytes, gsize length)
{
  return pen_magic_is_perf_data (bytes, length) && length >= PIPE_HEADER_SIZE
         && (pen_get_u64 (bytes + 8, FALSE) == PIPE_HEADER_SIZE
             || pen_get_u64 (bytes + 8, TRUE) == PIPE_HEADER_SIZE);
}

PenWrapper
pen_magic_get_wrapper (const guint8 *bytes, gsize length)
{
  if (length >= 3 && memcmp (bytes, "\x1f\x8b\x08", 3) == 0)
    return PEN_WRAPPER_GZIP;
  if (length >= 6
      && memcmp (bytes,
                 "\xfd"
                 "7zXZ",
                 6)
             == 0)
    return PEN_WRAPPER_XZ;
  if (length >= 4 && memcmp (bytes, "\x28\xb5\x2f\xfd", 4) == 0)
    return PEN_WRAPPER_ZSTD;
  /* pzstd starts with a frame to be skipped, of any of sixteen numbers. */
  if (length >= 4 && (bytes[0] & 0xf0) == 0x50 && memcmp (bytes + 1, "\x2a\x4d\x18", 3) == 0)
    return PEN_WRAPPER_ZSTD;
  return PEN_WRAPPER_NONE;
}

const char *
pen_wrapper_get_name (PenWrapper wrapper)
{
  switch (wrapper) {
  case PEN_WRAPPER_GZIP:
    return "gzip";
  case PEN_WRAPPER_XZ:
    return "xz";
  case PEN_WRAPPER_ZSTD:
    return "zstd";
  case PEN_WRAPPER_NONE:
  default:
    return NULL;
  }
}

const char *
pen_magic_describe (const guint8 *bytes, gsize length)
{
  static const struct {
    gsize at;
    const char *magic;
    gsize length;
    const char *advice;
  } kinds[] = {
    { 0, "\x1f\x8b", 2, N_ ("it is compressed by gzip: unpack it first") },
    { 0,
      "\xfd"
      "7zXZ",
      6, N_ ("it is compressed by xz: unpack it first") },
    { 0, "\x28\xb5\x2f\xfd", 4, N_ ("it is compressed by zstd: unpack it first") },
    { 0, "BZh", 3, N_ ("it is compressed by bzip2: unpack it first") },
    { 0, "PK\3\4", 4, N_ ("it is a zip archive: unpack it first") },
    { 257, "ustar", 5, N_ ("it is a tar archive: unpack it first, and open the recording in it") },
    { 0,
      "\x7f"
      "ELF",
      4, N_ ("it is a program or a library") },
    { 0, "\x17\x08\x44", 3, N_ ("it is a recording of trace-cmd") },
    { 0, "SQLite format 3", 16, N_ ("it is a database") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    if (length >= kinds[i].at + kinds[i].length
        && memcmp (bytes + kinds[i].at, kinds[i].magic, kinds[i].length) == 0)
      return _ (kinds[i].advice);
  }
  return _ ("it has no perf.data signature");
}
