/* pen-source-lines.h: from which lines of its source code was made: DWARF
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-inlined-calls.h"
#include "pen-kernel-file.h"

G_BEGIN_DECLS

/* Of a file's lines that are looked at, before no more are; a browser's engine has as many. */
#define PEN_SOURCE_LINES_MAX (8u << 20)

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
 * Cost: reads the sections that lines and inlined calls are told in (PenDebugImage), and each
 * compilation unit's header and ranges.
 *
 * Returns: (nullable): NULL where there is nothing of use
 */
PenSourceLines *pen_source_lines_open (const char *path, const guint8 *build_id, guint length,
                                       guint64 *budget, gboolean *is_too_large,
                                       GCancellable *cancellable);

/* The same of a kernel or a module that has been placed: its lines are asked for by addresses as
 * placed. @file is not needed any more afterwards. */
PenSourceLines *pen_source_lines_open_kernel (PenKernelFile *file, guint64 *budget,
                                              gboolean *is_too_large, GCancellable *cancellable);
void pen_source_lines_free (PenSourceLines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenSourceLines, pen_source_lines_free)

/*
 * PenCodePlace:
 * @file: as the compiler was called: with its directory; valid as long as the PenSourceLines. NULL:
 *   no line is known
 * @call: where the line is of a function that was inlined: number of the call, from 1; see
 *   pen_source_lines_get_call(). 0: it is of the function itself
 */
typedef struct {
  const char *file;
  guint line;
  guint call;
} PenCodePlace;

/* Code from @address on, until the next call's, is of @place. */
typedef void (*PenLineFunc) (guint64 address, const PenCodePlace *place, gpointer user_data);

/* Calls @func for [@start, @end), by address. Cost: the lines and entries of the compilation unit,
 * the first time; ask by rising addresses. */
void pen_source_lines_foreach (PenSourceLines *self, guint64 start, guint64 end, PenLineFunc func,
                               gpointer user_data);

/* @call: (out): its @outer is such a number, too, and less than @number */
void pen_source_lines_get_call (PenSourceLines *self, guint number, PenInlinedCall *call);

G_END_DECLS
