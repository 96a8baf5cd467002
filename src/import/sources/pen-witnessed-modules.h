/* pen-witnessed-modules.h: modules that only a witness saw, by the text of their files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-kernel-finder.h"
#include "pen-modules.h"
#include "pen-range-index.h"
#include "pen-readings.h"

G_BEGIN_DECLS

/*
 * pen_witnessed_modules_find:
 * @readings: all, in any order
 * @named: sealed: ranges that are known without a witness: nothing is looked for there
 * @text_start, @text_end: of the core kernel's text; equal: not known
 *
 * Compares what was read where modules are loaded with the text of the files of the recorded
 * release, each at the addresses at which it could lie: a module begins at a page, and bytes that
 * loading changes do not count. A reading names a module where no other one has those bytes there.
 *
 * Cost: the text of all these files, up to PEN_WITNESSED_MODULES_TEXT, if there is any such
 * reading.
 *
 * Returns: (element-type PenModule): a module at the time of each reading that shows it; NULL with
 * G_IO_ERROR_CANCELLED
 */
GArray *pen_witnessed_modules_find (PenReadings *readings, PenRangeIndex *named, guint64 text_start,
                                    guint64 text_end, PenKernelFinder *finder,
                                    GCancellable *cancellable, GError **error);

/* Bytes: a distribution's have 60 MiB. */
#define PEN_WITNESSED_MODULES_TEXT (512u << 20)

G_END_DECLS
