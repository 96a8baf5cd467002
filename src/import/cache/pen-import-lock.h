/* pen-import-lock.h: one process imports a capture, others wait for it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * PenImportLock: a file PLACE.importing in the cache, locked with flock() for as long as the import
 * goes on, and removed when it has ended, well or not. The lock ends with the process that holds
 * it, however that ends; the file then stays and shows it.
 * @was_interrupted: who held it before was killed
 */
typedef struct {
  char *path;
  int fd; /* -1: not held */
  gboolean was_interrupted;
} PenImportLock;

/* @name: of the file in @directory, without ending */
PenImportLock *pen_import_lock_new (const char *directory, const char *name);

/* Returns: TRUE: held. FALSE: someone else holds it, where @error is not set. */
gboolean pen_import_lock_try (PenImportLock *self, GError **error);

/* Gives it up, if it is held. */
void pen_import_lock_free (PenImportLock *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenImportLock, pen_import_lock_free)

G_END_DECLS
