/* pen-import-key.h: what makes an import the same as another
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-import.h"

G_BEGIN_DECLS

/*
 * PenImportKey: two SHA-256 sums, as the names of files are made of them
 * @place: of the capture's canonical path and the paths of the given sources
 * @content: of @place, the store's version, and size, time of change (ns), device and inode of each
 *   file that an import reads. Content is not read: a capture can be large.
 */
typedef struct {
  char *place;
  char *content;
} PenImportKey;

PenImportKey *pen_import_key_new (const char *capture, const PenSources *sources, GError **error);
void pen_import_key_free (PenImportKey *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenImportKey, pen_import_key_free)

/* Adds to an error about a file that may not be read how to get at it. */
void pen_import_explain_error (GError **error, const char *path);

/*
 * pen_import_find_capture:
 * @path: a capture, a store, or a folder that has a capture with perf's own name in it
 *
 * A folder that is no perf.data directory itself stands for the `perf.data`, file or directory, in
 * it; anything else for itself.
 *
 * Returns: (transfer full): a path
 */
char *pen_import_find_capture (const char *path);

G_END_DECLS
