/* pen-output.h: where a command writes: standard output, or a file that appears when it is whole
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _PenOutput PenOutput;

/*
 * pen_output_new:
 * @path: NULL or "-": standard output. A regular file is written beside and renamed by
 *   pen_output_commit(); anything else (a device, a named pipe) is written as it is
 */
PenOutput *pen_output_new (const char *path, GError **error);
GOutputStream *pen_output_get_stream (PenOutput *self);
gboolean pen_output_is_terminal (PenOutput *self);
gboolean pen_output_commit (PenOutput *self, GError **error);

/* Without a commit nothing is left behind. */
void pen_output_free (PenOutput *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenOutput, pen_output_free)

/* Refuses an output that is @input, or lies in it where that is a directory. @input: may be NULL */
gboolean pen_output_check_distinct (const char *output, const char *input, GError **error);

G_END_DECLS
