/* pen-watch-users.h: for whom text is patched, by the kernel's lists while it happens
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-poke.h"

G_BEGIN_DECLS

/* What a list (pen_listed_users_get_lists()) has now. Returns: (transfer full) (nullable): it
 * cannot be had */
typedef GString *(*PenWatchListFunc) (const char *list, gpointer user_data);
/* CLOCK_MONOTONIC, ns */
typedef guint64 (*PenWatchClockFunc) (gpointer user_data);

/* PenWatchUsers: lists as they were of late, in bounded memory. */
typedef struct _PenWatchUsers PenWatchUsers;

PenWatchUsers *pen_watch_users_new (PenWatchListFunc read, PenWatchClockFunc clock,
                                    gpointer user_data);
void pen_watch_users_free (PenWatchUsers *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenWatchUsers, pen_watch_users_free)

/* The lists may have changed. */
void pen_watch_users_expect (PenWatchUsers *self);
/* Reads them if they may have changed; that takes at most a twentieth of a CPU. */
void pen_watch_users_update (PenWatchUsers *self);

/* See pen_listed_users_find(). Returns: (nullable): valid until the next update */
const char *pen_watch_users_find (PenWatchUsers *self, const PenPoke *poke, const char *entry,
                                  guint64 since, guint64 until);

G_END_DECLS
