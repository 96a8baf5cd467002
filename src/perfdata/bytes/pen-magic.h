/* pen-magic.h: what a file is, told from its first bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How many bytes of a file's start are enough to tell. */
#define PEN_MAGIC_LENGTH 512

typedef enum {
  PEN_WRAPPER_NONE,
  PEN_WRAPPER_GZIP,
  PEN_WRAPPER_XZ,
  PEN_WRAPPER_ZSTD,
} PenWrapper;

/* Whether the bytes start with one of perf's magics, in either byte order. */
gboolean pen_magic_is_perf_data (const guint8 *bytes, gsize length);

/* Whether they are the header of perf.data in pipe form, which can be read as it comes. */
gboolean pen_magic_is_pipe_form (const guint8 *bytes, gsize length);

PenWrapper pen_magic_get_wrapper (const guint8 *bytes, gsize length);

/* "gzip", "xz", "zstd"; NULL for PEN_WRAPPER_NONE. */
const char *pen_wrapper_get_name (PenWrapper wrapper);

/* The rest of a sentence on what is no perf.data file: "it is a tar archive: unpack it first". */
const char *pen_magic_describe (const guint8 *bytes, gsize length);

G_END_DECLS
