/* pen-output.h: the output of a command: standard output, or a file that appears when complete
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _PenOutput PenOutput;

/*
 * pen_output_new:
 * @capture: (nullable): from which it comes: the file can be read by those who can read that; NULL:
 *   by anyone
 * @path: NULL or "-": standard output. A regular file is written under a
 *   temporary name and renamed by pen_output_commit(); a device or named pipe is written directly
 */
PenOutput *pen_output_new (const char *path, const char *capture, GError **error);
GOutputStream *pen_output_get_stream (PenOutput *self);
gboolean pen_output_is_terminal (PenOutput *self);
gboolean pen_output_commit (PenOutput *self, GError **error);

/* Without a commit, the file is as it was before. */
void pen_output_free (PenOutput *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenOutput, pen_output_free)

/* Fails if the output is @input, or lies in it if that is a directory. @input: (nullable) */
gboolean pen_output_check_distinct (const char *output, const char *input, GError **error);

G_END_DECLS
