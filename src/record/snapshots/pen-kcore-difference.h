/* pen-kcore-difference.h: pages of kernel text that are not as they were at the start, or are new
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * pen_kcore_difference_new:
 * @before: perf's copy of kcore, open: ELF, 64-bit, of this machine's byte order
 * @now: /proc/kcore, or the like
 * @modules: (nullable): those that are loaded, as /proc/modules has them
 *
 * Of the ranges that @before has, those pages of @now that differ, and pages of @modules elsewhere,
 * as an ELF file of the same kind with a PT_LOAD segment for each run of them. Pages of zeros are
 * left out: nothing is mapped there any more.
 *
 * Returns: (transfer full): or NULL with G_IO_ERROR_INVALID_DATA, or G_IO_ERROR_MESSAGE_TOO_LARGE
 * if more differs than is kept
 */
GByteArray *pen_kcore_difference_new (int before, int now, const char *modules, GError **error);

G_END_DECLS
