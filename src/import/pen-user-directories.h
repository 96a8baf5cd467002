/* pen-user-directories.h: which of the user's directories count
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_user_directories_ignore_relative:
 *
 * Paths in XDG_CACHE_HOME and the like must be absolute; others are to be ignored (XDG Base
 * Directory Specification 0.8). GLib takes them, and a cache would be made wherever the program was
 * started. This removes them from the environment: for main(), before there is any other thread,
 * and before GLib is asked for a directory.
 */
void pen_user_directories_ignore_relative (void);

G_END_DECLS
