/* pen-capture-files.h: the files beside `data` that an import reads of a recording's directory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Paths below the directory, NULL at the end: those of perf, and those of `pentimento-cli record`
 * (docs/recording.md). */
const char *const *pen_capture_files_get (void);

G_END_DECLS
