/* pen-jit-dump.h: what a runtime wrote of the code that it made: jitdump
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* More are left out. */
#define PEN_JIT_DUMP_MAX_CODES (1u << 20)

#define PEN_JIT_DUMP_MAX_LINES (1u << 22)

/*
 * PenJitLine: code from there on is of @line of @file
 * @offset: from the code's start
 * @file: as recorded; owned by the dump
 */
typedef struct {
  guint64 offset;
  const char *file;
  guint32 line;
} PenJitLine;

/*
 * PenJitCode: a JIT_CODE_LOAD, or a JIT_CODE_MOVE of one
 * @time: ns of the dump's clock
 * @start, @length: where the code is from then on
 * @moved_from: where it was; G_MAXUINT64: it is new
 * @name: as recorded; owned by the dump
 * @offset: of its bytes in the dump: distinguishes it from all others, but for where it was moved
 * @first_line, @n_lines: of the dump's lines, by offset: those of JIT_CODE_DEBUG_INFO
 */
typedef struct {
  guint64 time;
  guint64 start;
  guint64 length;
  guint64 moved_from;
  const char *name;
  guint64 offset;
  guint first_line;
  guint n_lines;
} PenJitCode;

typedef struct _PenJitDump PenJitDump;

/* Is @path a dump's, by its name ("jit-4711.dump")? @pid: (out): the process in its name */
gboolean pen_jit_dump_is_name (const char *path, gint32 *pid);

/*
 * pen_jit_dump_open:
 * @path: opened only if it is a regular file
 *
 * Format: tools/perf/Documentation/jitdump-specification.txt, of either byte order. Nothing in it
 * is believed: what is cut off or contradicts itself ends the reading there, and what was good is
 * kept. Unwinding information is passed over. Errors: G_IO_ERROR, with a reason
 * (pen_reason_set_error()), also where the clock is the CPU's own. Cost: one or two reads per
 * record.
 */
PenJitDump *pen_jit_dump_open (const char *path, GCancellable *cancellable, GError **error);
void pen_jit_dump_free (PenJitDump *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenJitDump, pen_jit_dump_free)

const char *pen_jit_dump_get_path (PenJitDump *self);
/* As the runtime wrote it: in its own namespace of pids. */
guint32 pen_jit_dump_get_pid (PenJitDump *self);
/* (element-type PenJitCode): in the order of the file */
GArray *pen_jit_dump_get_codes (PenJitDump *self);
/* (element-type PenJitLine) */
GArray *pen_jit_dump_get_lines (PenJitDump *self);
/* Returns: (nullable): why the reading ended before the file did (see pen-reason.h) */
const char *pen_jit_dump_get_damage (PenJitDump *self);
/* Returns: (transfer full) (nullable): @length bytes of code, or what is left of them */
GBytes *pen_jit_dump_read_code (PenJitDump *self, guint64 offset, gsize length);

G_END_DECLS
