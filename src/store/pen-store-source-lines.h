/* pen-store-source-lines.h: lines of source from which functions of a store were made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-store.h"

G_BEGIN_DECLS

/* From which lines of its source a function was made; empty where that is not known.
 * Returns: (transfer full) (element-type PenFunctionLines) */
GPtrArray *pen_store_load_source_lines (PenStore *self, guint32 function, GError **error);
/*
 * pen_store_load_source_files:
 * @n: as many functions are asked about, from 0 on
 *
 * The source file of each, not of what was inlined into it: an id for pen_store_find_source_file();
 * 0: it is not known. Cost: all lines of all functions.
 *
 * Returns: (transfer full)
 */
guint32 *pen_store_load_source_files (PenStore *self, guint n, GError **error);
/* Returns: (nullable): the path that the compiler was given; owned by the store. NULL without
 * @error: there is none */
const char *pen_store_find_source_file (PenStore *self, guint32 id, GError **error);
/* The same of the name of an inlined function, as it is shown. */
const char *pen_store_find_inlined_function (PenStore *self, guint32 id, GError **error);

G_END_DECLS
