/* pen-perf-cache.h: the files that perf keeps by build-id
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * pen_perf_cache_get_directories:
 *
 * ~/.debug, or `buildid.dir` of perf's configuration ($PERF_CONFIG, or else ~/.perfconfig
 * and /etc/perfconfig; perf-config(1)); /dev/null turns it off. In a Flatpak sandbox the host's,
 * too.
 *
 * Returns: (transfer full): existing or not
 */
char **pen_perf_cache_get_directories (void);

/*
 * pen_perf_cache_get_file:
 * @build_id: hexadecimal digits, more than two
 * @name: "elf", "debug", "kallsyms", "vdso", "probes"; "": of a cache that an old perf wrote
 *
 * Returns: (transfer full): where the file is, if there is one
 */
char *pen_perf_cache_get_file (const char *directory, const char *build_id, const char *name);

G_END_DECLS
