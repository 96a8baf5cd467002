/* pen-patch-path.h: cells of who asked for a patch
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-patch-path.h"
#include "pen-table.h"

G_BEGIN_DECLS

/* called_from, called_from_evidence, called_from_samples: empty where unknown */
void pen_query_write_patch_path (PenTableWriter *writer, const PenPatchPath *path);

G_END_DECLS
