/* pen-cause-cost-cell.h: what the detours of a row of the tree of causes cost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-cause-item.h"

G_BEGIN_DECLS

/* A bar of trampoline, handler and program, and the share of all samples. */
GtkWidget *pen_cause_cost_cell_new (void);
/* @item: rows without a cost have an empty cell */
void pen_cause_cost_cell_set_item (GtkWidget *cell, PenCauseItem *item);

/* "1 329 samples (2.7 %): trampoline 87, handler 1 218, BPF program 24; 84 per second while on
 * (80–89)"; NULL: no cost */
char *pen_cause_cost_dup_words (PenCauseItem *item);
/* "cost 1 329 samples (2.7 %)", for those who hear it; "" */
char *pen_cause_cost_dup_spoken (PenCauseItem *item);

G_END_DECLS
