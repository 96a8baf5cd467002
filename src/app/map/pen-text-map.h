/* pen-text-map.h: the text map: who held which kernel addresses when, what was patched and executed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "pen-plot-view.h"

G_BEGIN_DECLS

/*
 * PenTextMap: with Ctrl the wheel zooms addresses only, with Alt time only. A click on a patch
 * opens the patched line, a double click on an occupant leaves only that, elsewhere it goes back to
 * all. Asks nothing while it is not shown. Needs the action win.show-code of its window. Actions,
 * each with a key: those of PenPlotView as textmap.zoom-in …, also .pan-up, .pan-down, .expand,
 * .contract (of addresses alone), .only-this, .open
 */
#define PEN_TYPE_TEXT_MAP (pen_text_map_get_type ())
G_DECLARE_FINAL_TYPE (PenTextMap, pen_text_map, PEN, TEXT_MAP, PenPlotView)

G_END_DECLS
