/* pen-stack-sums.h: stacks that the import counted, as nodes of a tree
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-stack-map.h"
#include "pen-store-stacks.h"

G_BEGIN_DECLS

/*
 * PenStackSums: all that a store has of stacks; their samples are read where they are asked for,
 * and those of all spans kept
 * @stacks: by id, @n_stacks and that of none
 * @spans: @n_spans of them
 * @whole: (element-type PenStackCell): of all of them; NULL: not asked for yet, or too many
 * @nodes: of each grouping, of each stack: its node in the plain map; NULL: not found out
 */
typedef struct {
  PenStoredStack *stacks;
  guint32 n_stacks;
  const PenStackSpan *spans;
  guint n_spans;
  GArray *whole;
  guint32 *nodes[PEN_STACK_GROUPINGS];
} PenStackSums;

/* Cost: a step for each stack, and 8 bytes. */
PenStackSums *pen_stack_sums_new (PenStore *store, GError **error);
void pen_stack_sums_free (PenStackSums *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PenStackSums, pen_stack_sums_free)

/* The node of each stack in @map, or PEN_STACK_NOWHERE; those that are not there are made. Cost: a
 * step for each. Returns: (transfer full); NULL: they are too many */
guint32 *pen_stack_sums_find_nodes (const PenStackSums *self, PenStackMap *map, GError **error);

/* Flag of each stack: it goes through a function that is flagged. Returns: (transfer full) */
guint8 *pen_stack_sums_find_through (const PenStackSums *self, const guint8 *functions);
/* Of each stack, that of @nodes at its innermost function that is flagged, or PEN_STACK_NOWHERE.
 * Returns: (transfer full) */
guint32 *pen_stack_sums_find_inner (const PenStackSums *self, const guint8 *functions,
                                    const guint32 *nodes);

/* The spans of which all blocks are from @first to @end - 1. @n: (out): how many. Returns: the
 * first
 */
const PenStackSpan *pen_stack_sums_find_spans (const PenStackSums *self, guint first, guint end,
                                               guint *n);

typedef void (*PenStackCellsFunc) (const PenStackCell *cells, guint n, gpointer user_data);

/* Calls @func for the cells of @n @spans, one of which may come several times. */
gboolean pen_stack_sums_foreach (PenStackSums *self, PenStore *store, const PenStackSpan *spans,
                                 guint n, PenStackCellsFunc func, gpointer user_data,
                                 GError **error);

G_END_DECLS
