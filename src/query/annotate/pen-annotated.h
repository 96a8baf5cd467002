/* pen-annotated.h: the making of an annotation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-function-group.h"
#include "pen-query-annotation.h"
#include "pen-sample-count.h"
#include "pen-store-functions.h"

G_BEGIN_DECLS

/* @function: of the store, or made up (id G_MAXUINT32) for text that no samples are in. With all
 * samples in its range */
PenAnnotated *pen_query_annotate_function (PenQuery *self, const PenFilter *filter,
                                           const PenFunction *function, PenSyntax syntax,
                                           GError **error);
/* pen_query_annotate() of one of a group with its own samples only: each sample is one function's.
 * Without pokes. */
PenAnnotated *pen_query_annotate_own (PenFunctionGroup *group, guint32 function, GError **error);

/* Gives @bucket what a filter leaves of its samples, and the address that it has in the file that
 * names the function, if one does: each process has it elsewhere.
 * Returns: FALSE where nothing is left */
gboolean pen_query_take_count (PenQuery *self, const PenFunction *function,
                               const PenBucketCount *count, PenBucket *bucket);
/* Finds out what lines lead to, when they change, and which are hot. */
void pen_annotated_index (PenAnnotated *annotated, PenQuery *query);

G_END_DECLS
