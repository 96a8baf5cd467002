/* pen-function-group.h: what functions that are annotated one after the other have in common
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-amount.h"
#include "pen-annotator.h"
#include "pen-filter.h"
#include "pen-store-functions.h"

G_BEGIN_DECLS

/*
 * PenFunctionGroup: thousands may have one address. Each sample is one function's, so that each is
 * annotated with its own tenures only; who held their addresses, which bytes were there and which
 * samples fell is found for all of them at once.
 */
typedef struct _PenFunctionGroup PenFunctionGroup;

/* @functions: (element-type guint32): ids */
PenFunctionGroup *pen_function_group_new (PenQuery *query, const PenFilter *filter,
                                          const GArray *functions, PenSyntax syntax,
                                          GError **error);
void pen_function_group_free (PenFunctionGroup *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenFunctionGroup, pen_function_group_free)

PenQuery *pen_function_group_get_query (PenFunctionGroup *self);
/* Returns: (nullable): of machines whose instructions can be read */
PenAnnotator *pen_function_group_get_annotator (PenFunctionGroup *self);
/* Under the filter, of the whole capture. */
PenAmount pen_function_group_get_total (PenFunctionGroup *self);

/* Returns: (transfer full) (element-type PenBucket): of @function, with what the filter leaves of
 * its samples. @amount: (out): how much that is */
GArray *pen_function_group_list_buckets (PenFunctionGroup *self, const PenFunction *function,
                                         PenAmount *amount);

/*
 * pen_function_group_find_tenures:
 * @function: of the kernel's text
 * @buckets: its own
 * @turns: (out): (transfer full) (element-type PenTenure): each time that one of them had the first
 *   byte of the function. What lay hidden under a ksymbol was not there to be executed. Tenures
 *   that begin inside of the function are taken as they are
 *
 * Returns: (transfer full) (element-type PenTenure): the tenures that are the function's own, and
 * those that its samples fell on, as far as the filter has them; all tenures of its addresses where
 * there are none. Further functions of the same address cost no more than their own tenures.
 */
GArray *pen_function_group_find_tenures (PenFunctionGroup *self, const PenFunction *function,
                                         const GArray *buckets, GArray **turns, GError **error);

/* Has the annotator know what bytes and pokes there are in the addresses of @function. */
gboolean pen_function_group_load_text (PenFunctionGroup *self, const PenFunction *function,
                                       GError **error);

G_END_DECLS
