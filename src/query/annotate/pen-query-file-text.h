/* pen-query-file-text.h: text of code that a file has
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-private.h"
#include "pen-annotation.h"

G_BEGIN_DECLS

/*
 * pen_query_build_file_lines:
 * @function: a file names it
 * @buckets: (element-type PenBucket): of the function, at addresses as in the file; become those of
 *   PEN_SHARED_TENURE
 * @tenures: (element-type PenTenure): that had them; become one, PEN_SHARED_TENURE
 *
 * Returns: (transfer full) (nullable): NULL without @error where the store has no bytes of it: then
 * nothing was changed
 */
GPtrArray *pen_query_build_file_lines (PenQuery *self, const PenFunction *function,
                                       PenDecoder *decoder, GArray *buckets, GArray *tenures,
                                       GError **error);

/* @tenure: that stands for the file; @texts: (element-type PenStoredText): of
 * pen_store_load_file_text(). Returns: (transfer full) */
PenText *pen_query_join_file_texts (const PenTenure *tenure, const GPtrArray *texts);

G_END_DECLS
