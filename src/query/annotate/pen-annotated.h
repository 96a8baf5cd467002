/* pen-annotated.h: the making of an annotation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-annotation.h"
#include "pen-store-functions.h"

G_BEGIN_DECLS

/* @function: of the store, or made up (id G_MAXUINT32) for text that no samples are in. */
PenAnnotated *pen_query_annotate_function (PenQuery *self, const PenFilter *filter,
                                           const PenFunction *function, PenSyntax syntax,
                                           GError **error);
/* Finds out what lines lead to, when they change, and which are hot. */
void pen_annotated_index (PenAnnotated *annotated, PenQuery *query);

G_END_DECLS
