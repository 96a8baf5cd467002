/* pen-kcore.h: bytes: an ELF core as perf copies /proc/kcore
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _PenKcore PenKcore;

/*
 * pen_kcore_open:
 * @path: opened only if it is a regular file
 *
 * Loadable segments only. Each is checked against the file: what lies past its end is cut off.
 * Where segments overlap, the one that begins first holds the bytes up to its end. Errors:
 * G_IO_ERROR, with a reason (pen_reason_set_error()).
 */
PenKcore *pen_kcore_open (const char *path, GError **error);
void pen_kcore_free (PenKcore *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenKcore, pen_kcore_free)

/* Returns: how many bytes from @address on were read into @buffer; stops where the file has none.
 */
gsize pen_kcore_read (PenKcore *self, guint64 address, guint8 *buffer, gsize length);

/* Has it any byte of [@start, @end)? */
gboolean pen_kcore_overlaps (PenKcore *self, guint64 start, guint64 end);

G_END_DECLS
