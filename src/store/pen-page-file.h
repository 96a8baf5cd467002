/* pen-page-file.h: a database that is written on while earlier states of it are read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * PenPageFile: pages of an SQLite database in a file that has no name, and is gone when the program
 * ends. One connection writes; each published state keeps its pages, as long as it is held, so that
 * any number of connections read it without a lock. A page that is written again goes to another
 * place; places that only states had that are gone are used again.
 *
 * SQLite opens both by their names, with the VFS pen_page_file_get_vfs(). Of any thread.
 */
typedef struct _PenPageFile PenPageFile;
typedef struct _PenPageState PenPageState;

/* Bytes of a page: PRAGMA page_size of the database. */
#define PEN_PAGE_SIZE 8192u

/* The name of the VFS, registered with the first call. */
const char *pen_page_file_get_vfs (void);

/* @directory: has the file. Returns: NULL with @error */
PenPageFile *pen_page_file_new (const char *directory, GError **error);
PenPageFile *pen_page_file_ref (PenPageFile *self);
void pen_page_file_unref (PenPageFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPageFile, pen_page_file_unref)

const char *pen_page_file_get_name (PenPageFile *self);
/* Bytes of places, those that are to be used again among them. */
guint64 pen_page_file_get_size (PenPageFile *self);

/* What is committed now. Not while its connection writes. Returns: (transfer full) */
PenPageState *pen_page_file_publish (PenPageFile *self);
PenPageState *pen_page_state_ref (PenPageState *self);
void pen_page_state_unref (PenPageState *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenPageState, pen_page_state_unref)

const char *pen_page_state_get_name (PenPageState *self);

G_END_DECLS
