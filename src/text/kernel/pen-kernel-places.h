/* pen-kernel-places.h: the names that files of kernels have
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_kernel_places_list:
 * @root: put before each
 * @release: (nullable): "6.1.0-56-cloud-amd64"
 *
 * Where distributions and builds of kernels keep vmlinux. perf searches the same places
 * (vmlinux_paths in tools/perf/util/symbol.c).
 *
 * Returns: (transfer full): paths, existing or not
 */
char **pen_kernel_places_list (const char *root, const char *release);

/* Is @release fit to be part of a path? */
gboolean pen_kernel_places_is_release (const char *release);

G_END_DECLS
