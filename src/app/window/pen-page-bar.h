/* pen-page-bar.h: the pages along the bottom of a narrow window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-pane.h"

G_BEGIN_DECLS

/* PenPageBar: around an AdwViewSwitcherBar, whose labels it hides where one of them would be cut:
 * then its icons have tooltips. They have the pages' names for those who listen. */
#define PEN_TYPE_PAGE_BAR (pen_page_bar_get_type ())
G_DECLARE_FINAL_TYPE (PenPageBar, pen_page_bar, PEN, PAGE_BAR, PenPane)

G_END_DECLS
