/* pen-pair-columns.h: the tables of a comparison
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
  PEN_PAIR_FUNCTIONS, /* of PenPairItem */
  PEN_PAIR_LINES,     /* of PenPairLineItem */
  PEN_PAIR_SOURCES,   /* of PenPairSourceItem */
  PEN_PAIR_PATHS,     /* of PenPairPathItem in a tree */
  PEN_PAIR_CAUSES,    /* of PenPairCauseItem */
  PEN_PAIR_TABLES,
} PenPairTable;

void pen_pair_columns_add (GtkColumnView *view, PenPairTable table);

G_END_DECLS
