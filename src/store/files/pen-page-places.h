/* pen-page-places.h: pages of a PenPageFile, for its VFS
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-page-file.h"

G_BEGIN_DECLS

/* A page that was never written: zeros. */
#define PEN_PAGE_NOWHERE G_MAXUINT32

/* Whether it is the name of a file or state, or of what SQLite would put beside one. */
gboolean pen_page_file_has_name (const char *name);
/* Returns: (transfer full) (nullable) */
PenPageFile *pen_page_file_find (const char *name);
PenPageState *pen_page_state_find (const char *name);

/* How many pages it has. */
guint32 pen_page_file_count (PenPageFile *self);
guint32 pen_page_state_count (PenPageState *self);
void pen_page_file_truncate (PenPageFile *self, guint32 n);

/* @page: from 0. @bytes: PEN_PAGE_SIZE. Returns: FALSE with errno */
gboolean pen_page_file_write (PenPageFile *self, guint32 page, gconstpointer bytes);
/* @offset, @n: within the page */
gboolean pen_page_file_read (PenPageFile *self, guint32 page, guint offset, gpointer bytes,
                             gsize n);
gboolean pen_page_state_read (PenPageState *self, guint32 page, guint offset, gpointer bytes,
                              gsize n);

G_END_DECLS
