/* pen-recents.h: captures that were opened before, as the desktop remembers them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * PenRecent: fit to be shown, but for @uri
 * @name: of the file, with its folder where the name alone tells nothing
 * @folder: where it lies
 */
typedef struct {
  char *uri;
  char *name;
  char *folder;
} PenRecent;

/* Returns: (transfer full) (element-type PenRecent): opened last comes first; at most @max */
GPtrArray *pen_recents_list (guint max);
void pen_recents_add (const char *path);
/* Removes an entry whose file is gone. */
void pen_recents_remove (const char *path);
/* All that Pentimento has opened; other programs keep theirs. */
void pen_recents_clear (void);

/* A section of a menu, with "win.open-recent" and the URI. */
void pen_recents_fill_menu (GMenu *menu, guint max);

/* Calls @func (swapped) when the list changes, for as long as @owner lives. */
void pen_recents_watch (GObject *owner, GCallback func);

G_END_DECLS
