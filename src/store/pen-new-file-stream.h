/* pen-new-file-stream.h: writes a file that gets its name when it is whole
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-new-file.h"

G_BEGIN_DECLS

#define PEN_TYPE_NEW_FILE_STREAM (pen_new_file_stream_get_type ())
G_DECLARE_FINAL_TYPE (PenNewFileStream, pen_new_file_stream, PEN, NEW_FILE_STREAM, GOutputStream)

/* @file: outlives it, and is not closed with it. Errors name the file as it will be named. */
GOutputStream *pen_new_file_stream_new (PenNewFile *file);

G_END_DECLS
