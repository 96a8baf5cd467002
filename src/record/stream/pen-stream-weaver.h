/* pen-stream-weaver.h: patches of kernel text in a stream of perf, which asks for none itself
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _PenStreamWeaver PenStreamWeaver;

/*
 * pen_stream_weaver_new:
 * @cpus: (element-type guint): those that are recorded
 *
 * Opens an event on each CPU that records patches, by CLOCK_MONOTONIC.
 *
 * Errors: those of pen_text_rings_open(); G_IO_ERROR_NOT_SUPPORTED: the kernel records none.
 */
PenStreamWeaver *pen_stream_weaver_new (const GArray *cpus, GError **error);

/* What perf has for its standard output; it stays @self's. */
int pen_stream_weaver_get_input (PenStreamWeaver *self);

/* Once perf has its descriptor: writes to standard output, in a thread, what perf writes and what
 * the kernel patches. perf ends if nobody reads that any more. */
void pen_stream_weaver_start (PenStreamWeaver *self);

/*
 * pen_stream_weaver_finish: once perf has ended, waits until all is written
 * @has_patches: (out): whether they are in the stream; see pen_weave_has_events()
 *
 * Returns: FALSE with @error: standard output could not be written. That nobody reads it is no
 *   error.
 */
gboolean pen_stream_weaver_finish (PenStreamWeaver *self, gboolean *has_patches, GError **error);

/* Nothing is written any more. */
void pen_stream_weaver_free (PenStreamWeaver *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStreamWeaver, pen_stream_weaver_free)

G_END_DECLS
