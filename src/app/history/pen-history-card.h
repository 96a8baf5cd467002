/* pen-history-card.h: one version of a line: when, what, why, who, how many samples
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-history-item.h"

G_BEGIN_DECLS

#define PEN_TYPE_HISTORY_CARD (pen_history_card_get_type ())
G_DECLARE_FINAL_TYPE (PenHistoryCard, pen_history_card, PEN, HISTORY_CARD, AdwBin)

GtkWidget *pen_history_card_new (void);
/* NULL: nothing */
void pen_history_card_set_item (PenHistoryCard *self, PenHistoryItem *item);

/* The card's text, part by part and with its details, for tests, for copying, and to be spoken. */
char *pen_history_card_dup_text (PenHistoryCard *self);

G_END_DECLS
