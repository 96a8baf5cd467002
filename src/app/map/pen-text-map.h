/* pen-text-map.h: the text map: who held which kernel addresses when, what was patched and executed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

#include "pen-session.h"

G_BEGIN_DECLS

/*
 * PenTextMap: wheel zooms both at the pointer, with Ctrl addresses only, with Alt time only;
 * Shift+wheel, sideways scrolling and the middle button move. Dragging selects time and addresses;
 * a click sets the playhead, on a patch it opens the patched line, a double click on an occupant
 * leaves only that, elsewhere it goes back to all.
 * Asks nothing while it is not shown. Needs the action win.show-code of its window. Actions, each
 * with a key: textmap.zoom-in, .zoom-out, .zoom-fit, .zoom-selection, .pan-left, .pan-right,
 * .pan-up, .pan-down, .pan-begin, .pan-end, .expand, .contract (of addresses alone),
 * .previous-change, .next-change, .only-this, .open, .clear-selection, .add-note, .previous-note,
 * .next-note
 */
#define PEN_TYPE_TEXT_MAP (pen_text_map_get_type ())
G_DECLARE_FINAL_TYPE (PenTextMap, pen_text_map, PEN, TEXT_MAP, GtkWidget)

void pen_text_map_set_session (PenTextMap *self, PenSession *session);

G_END_DECLS
