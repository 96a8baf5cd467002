/* pen-filter-bar.h: what the views are narrowed to, part by part, and how much is left
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <adwaita.h>

#include "pen-chip-list.h"
#include "pen-filter-entry.h"
#include "pen-kind-legend.h"

G_BEGIN_DECLS

/* Kinds as a legend that filters, a chip per value of the filter, "812 of 19 649 samples". */
#define PEN_TYPE_FILTER_BAR (pen_filter_bar_get_type ())
G_DECLARE_FINAL_TYPE (PenFilterBar, pen_filter_bar, PEN, FILTER_BAR, AdwBin)

void pen_filter_bar_set_session (PenFilterBar *self, PenSession *session);

/* Opens the list of what could not be read. */
void pen_filter_bar_show_problems (PenFilterBar *self);

/* In a narrow window the kinds have a row of their own, and words are shorter. */
void pen_filter_bar_set_narrow (PenFilterBar *self, gboolean narrow);

/* Whether the buttons for back and forward are here: the header may have no room for them. */
void pen_filter_bar_set_has_places (PenFilterBar *self, gboolean has_places);

/* Opens what a filter is typed into. */
void pen_filter_bar_add_filter (PenFilterBar *self);

G_END_DECLS
