/* pen-regular-file.h: opens what a capture brings along
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * pen_regular_file_open:
 * @size: (out): in bytes, at the time of opening
 *
 * A capture can be a directory that someone else made: a FIFO in it would hang, a device do harm.
 *
 * Returns: a file descriptor for reading, or -1. Errors: G_IO_ERROR, with a
 * reason (pen_reason_set_error()).
 */
int pen_regular_file_open (const char *path, guint64 *size, GError **error);

/* PenLineReader: the lines of such a file, a block at a time. */
typedef struct _PenLineReader PenLineReader;

#define PEN_LINE_MAX 2048

PenLineReader *pen_line_reader_new (const char *path, GError **error);
/* Those of @length bytes, which outlive it. */
PenLineReader *pen_line_reader_new_for_text (const char *text, gsize length);
void pen_line_reader_free (PenLineReader *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenLineReader, pen_line_reader_free)

/*
 * pen_line_reader_next:
 * @line: (out): without its newline, ended with NUL, valid until the next call; NULL where the line
 *   is longer than PEN_LINE_MAX or holds a NUL, and was passed over
 *
 * Returns: FALSE at the end of the file, or with @error set where it cannot be read.
 */
gboolean pen_line_reader_next (PenLineReader *self, char **line, GError **error);

G_END_DECLS
