/* pen-annotated.h: the making of an annotation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-annotation.h"
#include "pen-store-functions.h"

G_BEGIN_DECLS

/* @function: of the store, or made up (id G_MAXUINT32) for text that no samples are in. @is_own:
 * with its own samples only; else with all in its range. */
PenAnnotated *pen_query_annotate_function (PenQuery *self, const PenFilter *filter,
                                           const PenFunction *function, gboolean is_own,
                                           PenSyntax syntax, GError **error);
/* pen_query_annotate() with the function's own samples only: each sample is one function's. */
PenAnnotated *pen_query_annotate_own (PenQuery *self, const PenFilter *filter, guint32 function,
                                      PenSyntax syntax, GError **error);
/* Finds out what lines lead to, when they change, and which are hot. */
void pen_annotated_index (PenAnnotated *annotated, PenQuery *query);

G_END_DECLS
