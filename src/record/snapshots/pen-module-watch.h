/* pen-module-watch.h: modules that are loaded, as the kernel announces them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PEN_MODULE_NAME_MAX 64u

/* Returns: a descriptor that can be read when something was announced (uevents, netlink(7)); -1:
 * none may be had here, such as in a network namespace of its own */
int pen_module_watch_open (void);

/* @name: (out): of the next module; room for PEN_MODULE_NAME_MAX bytes. Letters, digits and _ only.
 * Returns: FALSE: there is no more yet */
gboolean pen_module_watch_next (int watch, char *name);

/* The module that an announcement is about. @message: @length bytes, from anywhere
 * Returns: FALSE: none */
gboolean pen_module_watch_parse (const char *message, gsize length, char *name);

G_END_DECLS
