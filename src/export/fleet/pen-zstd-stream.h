/* pen-zstd-stream.h: a stream that is compressed on its way
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define PEN_TYPE_ZSTD_STREAM (pen_zstd_stream_get_type ())
G_DECLARE_FINAL_TYPE (PenZstdStream, pen_zstd_stream, PEN, ZSTD_STREAM, GOutputStream)

/* @base: not closed with it. Closing ends the frame, which is not whole before. */
GOutputStream *pen_zstd_stream_new (GOutputStream *base);

G_END_DECLS
