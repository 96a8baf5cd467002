/* pen-source-lines.h: from which lines of its source code was made: DWARF
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-code-place.h"
#include "pen-kernel-file.h"

G_BEGIN_DECLS

/*
 * PenSourceLines: the lines of one file, read by the program pentimento-source-lines
 *
 * Debug information is a language with programs in it, and libdw checks little of it: a
 * damaged file, or one that was made for it, makes it read outside of its sections, build lists
 * without bound, end the process, or open whatever path the file names. So it is not used here. The
 * program is given a PenDebugImage and a socket; it can open nothing else, cannot write, and is
 * ended when it takes more memory or time than such a file can need. Its answers are checked like
 * the contents of a file.
 */
typedef struct _PenSourceLines PenSourceLines;

/*
 * pen_source_lines_open:
 * @path: of a file with debug information: opened only if it is a regular file
 * @build_id, @length: what it has to have; @length 0: anything
 * @budget: (inout): bytes of debug information, unpacked, that may be read: all of a file's, or
 * none
 * @is_too_large: (out): whether there was something of use, but not enough of @budget
 * @cancellable: (nullable): outlives the lines
 *
 * Cost: reads the sections that lines and inlined calls are told in (PenDebugImage), and starts the
 * program, which reads each compilation unit's header and ranges meanwhile.
 *
 * Returns: (nullable): NULL where there is nothing of use
 */
PenSourceLines *pen_source_lines_open (const char *path, const guint8 *build_id, guint length,
                                       guint64 *budget, gboolean *is_too_large,
                                       GCancellable *cancellable);

/* How many bytes of debug information @file has; 0: none that lines could be read from. */
guint64 pen_source_lines_measure_kernel (PenKernelFile *file);

/* The same of a kernel or a module that has been placed: its lines are asked for by addresses as
 * placed. @file is not needed any more afterwards. */
PenSourceLines *pen_source_lines_open_kernel (PenKernelFile *file, guint64 *budget,
                                              gboolean *is_too_large, GCancellable *cancellable);
void pen_source_lines_free (PenSourceLines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSourceLines, pen_source_lines_free)

/* Calls @func for [@start, @end), by address; its arguments are owned by @self. Cost: the lines
 * and entries of the compilation unit, the first time; ask by rising addresses. */
void pen_source_lines_foreach (PenSourceLines *self, guint64 start, guint64 end, PenLineFunc func,
                               gpointer user_data);

/* @number: of a PenCodePlace, or a PenInlinedCall's outer one */
void pen_source_lines_get_call (PenSourceLines *self, guint number, PenInlinedCall *call);

/* Returns: (nullable): why there are no lines any more, if the program did not get to the end of
 * what it was asked; owned by @self */
const char *pen_source_lines_get_failure (PenSourceLines *self);

G_END_DECLS
