/* pen-modules.h: a copy of /proc/modules
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  char *name; /* "[module]", rule M4 */
  guint64 start;
  guint64 length;
} PenModule;

void pen_module_clear (PenModule *module);

/*
 * pen_modules_load:
 * @path: a copy of /proc/modules; opened only if it is a regular file
 *
 * Lines that cannot be read, modules of no length, and address 0 (hidden by kptr_restrict) are left
 * out. Errors: G_IO_ERROR.
 *
 * Returns: (element-type PenModule)
 */
GArray *pen_modules_load (const char *path, GError **error);

G_END_DECLS
