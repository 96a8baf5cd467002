/* pen-stack-groups.h: what frames are merged into, for one grouping
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-query-stacks.h"

G_BEGIN_DECLS

/*
 * PenStackGroups:
 * @groups: (element-type PenStackGroup): PEN_STACK_UNRECORDED first
 * @of_function: group of each function
 * @ranks: of each group among all, by name, occupant and kind
 */
typedef struct {
  GArray *groups;
  guint32 *of_function;
  guint32 *ranks;
} PenStackGroups;

/* The functions of @query have to be loaded. Strings are theirs. */
PenStackGroups *pen_stack_groups_new (PenQuery *query, PenStackGrouping grouping, GError **error);
void pen_stack_groups_free (PenStackGroups *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackGroups, pen_stack_groups_free)

G_END_DECLS
