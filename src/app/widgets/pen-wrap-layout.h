/* pen-wrap-layout.h: children in rows, as words are in lines
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * PenWrapLayout: gives each child its natural width, and begins another row where the next one
 * would not fit. As narrow as its widest child where it has to be.
 */
#define PEN_TYPE_WRAP_LAYOUT (pen_wrap_layout_get_type ())
G_DECLARE_FINAL_TYPE (PenWrapLayout, pen_wrap_layout, PEN, WRAP_LAYOUT, GtkLayoutManager)

/* @spacing: px between children, and between rows */
GtkLayoutManager *pen_wrap_layout_new (int spacing);

G_END_DECLS
