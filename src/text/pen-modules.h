/* pen-modules.h: copies of /proc/modules and /sys/module
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* @name: "[module]", rule M4
 * @time: ns, by CLOCK_MONOTONIC: when it was seen; 0: with its list */
typedef struct {
  char *name;
  guint64 start;
  guint64 length;
  guint64 time;
  guint8 build_id[20];
  guint8 build_id_length; /* 0: not known */
} PenModule;

void pen_module_clear (PenModule *module);

/*
 * pen_modules_load:
 * @path: a copy of /proc/modules; opened only if it is a regular file
 *
 * Lines that cannot be read, modules of no length, and address 0 (hidden by kptr_restrict) are left
 * out. Errors: G_IO_ERROR, with a reason (pen_reason_set_error()).
 *
 * Returns: (element-type PenModule)
 */
GArray *pen_modules_load (const char *path, GError **error);

/*
 * pen_module_folder_load:
 * @path: a copy of /sys/module, whole or in part: of each module its folder with the files of
 *   `sections` and `notes`; only regular files are opened
 *
 * The lengths are those of text, as far as pages; modules whose addresses are hidden, and what is
 * built into the kernel, are left out. Errors: GFileError: the folder cannot be read.
 *
 * Returns: (element-type PenModule): by name
 */
GArray *pen_module_folder_load (const char *path, GError **error);

/*
 * pen_module_sections_load:
 * @path: `sections` or `loads` of a recording (docs/recording.md): files of /sys/module, a line
 *   each; opened only if it is a regular file, as @notes
 * @notes: (nullable): `notes`: lines of the same form, with build IDs
 *
 * As pen_module_folder_load(). A line "load NS NAME" begins those of a module at that time; lines
 * of other modules are left out there. Lines that cannot be read are left out. Errors: G_IO_ERROR,
 * with a reason (pen_reason_set_error()).
 *
 * Returns: (element-type PenModule): in the order of the file; with loads, a module may be there
 * several times
 */
GArray *pen_module_sections_load (const char *path, const char *notes, GError **error);

G_END_DECLS
