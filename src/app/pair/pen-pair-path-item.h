/* pen-pair-path-item.h: one call path of two recordings, as a row of a tree
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-pair-session.h"

G_BEGIN_DECLS

#define PEN_TYPE_PAIR_PATH_ITEM (pen_pair_path_item_get_type ())
G_DECLARE_FINAL_TYPE (PenPairPathItem, pen_pair_path_item, PEN, PAIR_PATH_ITEM, GObject)

const PenPairPath *pen_pair_path_item_get_path (PenPairPathItem *self);
/* Of its frame; unknown of the root. */
PenKind pen_pair_path_item_get_kind (PenPairPathItem *self);

/* All return text that is fit to be shown, owned by the caller. */
char *pen_pair_path_item_dup_name (PenPairPathItem *self);
/* Of a tooltip: name, occupant, rates of both */
char *pen_pair_path_item_dup_words (PenPairPathItem *self);
char *pen_pair_path_item_dup_spoken (PenPairPathItem *self);

/* The rows of a tree, opened as far as there is but one way. Returns: (transfer full) */
GtkTreeListModel *pen_pair_path_model_new (const PenPairTree *tree);

G_END_DECLS
