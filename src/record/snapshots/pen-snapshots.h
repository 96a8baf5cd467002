/* pen-snapshots.h: what the kernel says about its own text, at the start and the end of a recording
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "pen-record-lack.h"
#include "pen-witness.h"

G_BEGIN_DECLS

/*
 * pen_snapshots_take:
 * @directory: of the recording: a directory, not a link to one
 * @moment: "start" or "end"
 * @missing: (element-type PenRecordLack): one more, if any cannot be had
 *
 * Writes DIRECTORY/pentimento/MOMENT, which is not there: a fixed list of files, of bounded size,
 * for the owner only. docs/recording.md has their formats. A file that cannot be written whole is
 * not there.
 */
void pen_snapshots_take (const char *directory, const char *moment, GPtrArray *missing);

/* Opens DIRECTORY/pentimento/@name, which is not there, for the owner only. Returns: -1 with errno
 */
int pen_snapshots_create (const char *directory, const char *name);

/* Returns: an errno, or 0 */
int pen_snapshots_write (int file, const GString *text);

/* CLOCK_MONOTONIC, ns */
guint64 pen_snapshots_read_clock (void);

/* Adds sections and build ID of a module that was loaded meanwhile to DIRECTORY/pentimento/loads.
 * The file is of bounded size; a module that is gone already adds its name and time. */
void pen_snapshots_add_module (const char *directory, const char *name);

/* Writes DIRECTORY/pentimento/witness: readings are sound only if none was lost. */
gboolean pen_snapshots_write_counts (const char *directory, const PenWitnessCounts *counts,
                                     guint32 program, GError **error);

G_END_DECLS
